// The Copilot extension of adrkit: loads the addon, and joins the session with its tools and hooks. Everything else is
// decided in the addon. stdout is the host's: nothing here may print.
import { joinSession } from '@github/copilot-sdk/extension';

import { endWithHost } from './leave.mjs';
import { loadAddon } from './load.mjs';
import { quote, register } from './register.mjs';
import { oneConnection } from './rejoin.mjs';

const { addon, notice } = loadAddon();
if (addon !== undefined) endWithHost(addon.killAll);

try {
  await register({ joinSession: oneConnection(joinSession), addon, notice });
} catch (error) {
  // A process that was refused and stays would hold the session's first turn for ever.
  process.stderr.write(`adrkit: the host refused every join. The first refusal: ${quote(error)}\n`);
  process.exit(1);
}
