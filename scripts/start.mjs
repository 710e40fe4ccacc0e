// npm start [-- PATH [options]]: builds adr-native where its sources have changed, then runs `adr-native report`.
//
// It needs Rust and Node only: no npm package is installed, for the addon takes no part in it. cargo knows what has
// changed; asking it takes a tenth of a second when nothing has.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findCargo } from './cargo.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const program = join(target, 'release', process.platform === 'win32' ? 'adr-native.exe' : 'adr-native');

/** Runs a command with our own output, and says how it ended, as a shell would. */
function exitCode(file, args, options) {
  const { status, signal, error } = spawnSync(file, args, options);
  if (error !== undefined) {
    console.error(`${file} could not be started: ${error.code}`);
    return 1;
  }
  return status ?? 128 + constants.signals[signal];
}

// What cargo says goes to stderr, so that stdout is the report's alone. Without a terminal only warnings and errors
// are of use, and a word on why it takes so long.
if (!existsSync(program)) console.error('Building adr-native; the first time this takes a minute or two.');
const quiet = process.stderr.isTTY ? [] : ['--quiet'];
const build = ['build', '--release', '--locked', '--bin', 'adr-native', ...quiet];
const built = exitCode(findCargo(), build, { cwd: root, stdio: ['ignore', 2, 'inherit'] });
if (built !== 0) process.exit(built);

// npm runs scripts in the package's directory; paths mean what they meant where the person stood.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exit(exitCode(program, ['report', ...process.argv.slice(2)], { cwd, stdio: 'inherit' }));
