// The Copilot extension of adrkit: loads the addon, and joins the session with its tools, hooks and panel. Everything
// else is decided in the addon. stdout is the host's: nothing here may print.
//
// The whole SDK is imported, so that one without canvases costs the panel only.
import * as sdk from '@github/copilot-sdk/extension';

import { startPanel } from './canvas.mjs';
import { endWithHost } from './leave.mjs';
import { loadAddon } from './load.mjs';
import { quote, register } from './register.mjs';
import { oneConnection } from './rejoin.mjs';

const { addon, notice } = loadAddon();
if (addon !== undefined) endWithHost(addon.killAll);
const panel = addon === undefined ? {} : await startPanel({ addon, createCanvas: sdk.createCanvas });

try {
  await register({ joinSession: oneConnection(sdk.joinSession), addon, notice, ...panel });
} catch (error) {
  // A process that was refused and stays would hold the session's first turn for ever.
  process.stderr.write(`adrkit: the host refused every join. The first refusal: ${quote(error)}\n`);
  process.exit(1);
}
