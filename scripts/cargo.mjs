// Finds cargo, and says in one sentence what to do where there is none; builds with it what people run.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package's directory. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const EXECUTABLE = process.platform === 'win32' ? 'cargo.exe' : 'cargo';

/** The path of cargo: on PATH, else where rustup puts it. Ends the process where there is none. */
export function findCargo() {
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const found = [...directories, join(home, 'bin')].map((d) => join(d, EXECUTABLE)).find((f) => existsSync(f));
  if (found === undefined) {
    console.error('Rust is needed (cargo was not found): install Rust 1.88 or later from https://rustup.rs and try again.');
    process.exit(1);
  }
  return found;
}

/** Runs a command with our own output, and says how it ended, as a shell would. */
export function exitCode(file, args, options) {
  const { status, signal, error } = spawnSync(file, args, options);
  if (error !== undefined) {
    console.error(`${file} could not be started: ${error.code}`);
    return 1;
  }
  return status ?? 128 + constants.signals[signal];
}

/**
 * Builds for release what has changed, and gives the path of `artifact`, whose kind the options of cargo tell. cargo
 * knows what has changed; asking it takes a tenth of a second when nothing has. Ends the process where it fails.
 */
export function buildRelease(artifact, ...options) {
  const { CARGO_TARGET_DIR = 'target', CARGO_BUILD_TARGET = '' } = process.env;
  const built = join(resolve(root, CARGO_TARGET_DIR), CARGO_BUILD_TARGET, 'release', artifact);
  // What cargo says goes to stderr, so that stdout is the program's alone. Without a terminal only warnings and errors
  // are of use, and a word on why it takes so long.
  if (!existsSync(built)) console.error(`Building ${artifact}; the first time this takes a minute or two.`);
  const quiet = process.stderr.isTTY ? [] : ['--quiet'];
  const args = ['build', '--release', '--locked', ...options, ...quiet];
  const code = exitCode(findCargo(), args, { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (code !== 0) process.exit(code);
  return built;
}

/** The target triple of this machine, as cargo names it. */
export function hostTriple(cargo) {
  return execFileSync(cargo, ['-vV'], { encoding: 'utf8' }).match(/^host: (.*)$/m)[1];
}
