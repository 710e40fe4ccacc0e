// Finds cargo, and says in one sentence what to do where there is none.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

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
