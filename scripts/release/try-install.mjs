// npm run release:install -- [--packages DIRECTORY] [--with npm,pnpm] [--types]: installs a packed release into empty
// projects and tries it there. It needs Node, npm and git, and `--types` or pnpm what is installed in the tree.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { tryInstall } from './installation.mjs';

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: 'dist/release' },
    with: { type: 'string', default: 'npm' },
    types: { type: 'boolean', default: false },
  },
});

for (const manager of values.with.split(',')) {
  const found = await tryInstall(resolve(values.packages), manager, { types: values.types });
  console.log(`${manager}: ${found.length === 0 ? 'installs, loads and works' : 'NOT well'}`);
  for (const problem of found) console.log(`  ${problem}`);
  if (found.length > 0) process.exitCode = 1;
}
