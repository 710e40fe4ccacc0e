// npm run lint:workflows: actionlint and zizmor judge the workflows. It needs Python 3.
//
// actionlint is taken from a fork, whose wheels hold the program; the original's downloads it while being installed.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pythonTools } from './python.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const programs = pythonTools('workflows');

for (const [program, ...args] of [['actionlint'], ['zizmor', '--offline', '--persona=pedantic', '.github']]) {
  const { status } = spawnSync(join(programs, program), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exitCode = 1;
}
