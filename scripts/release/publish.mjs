// npm run release:publish -- [--packages DIRECTORY] [--really]: publishes a packed release, the main package last, so
// that nobody finds it before what it needs. Without `--really` npm only says what it would do.
//
// What the registry has already is left out: a run that broke in the middle can be repeated.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { npm } from './npm.mjs';

const { values } = parseArgs({
  options: { packages: { type: 'string', default: 'dist/release' }, really: { type: 'boolean', default: false } },
});
const directory = resolve(values.packages);
const packed = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8'));
const main = packed.at(-1).manifest;

const missing = Object.keys(main.optionalDependencies).filter((name) => !packed.some(({ manifest }) => manifest.name === name));
if (missing.length > 0) {
  console.error(`Not published: ${missing.join(', ')} was not packed.`);
  process.exit(1);
}

// Where there is an identity to sign with, the registry gets a statement of where the packages come from. By hand there is none.
const provenance = process.env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined ? [] : ['--provenance'];
const how = values.really ? provenance : ['--dry-run'];

for (const { manifest, filename, integrity } of packed) {
  const { name, version } = manifest;
  const published = view(`${name}@${version}`);
  if (published !== undefined) {
    if (published !== integrity) fail(`${name}@${version} is published with other contents.`);
    console.log(`${name}@${version} is published already.`);
    continue;
  }
  // A pre-release must not become what `npm install` takes by itself.
  const tag = version.includes('-') ? 'next' : 'latest';
  const args = ['publish', join(directory, filename), '--access', 'public', '--tag', tag, '--ignore-scripts'];
  const { status } = spawnSync(process.execPath, [npm(), ...args, ...how], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) fail(`${name}@${version} was not published.`);
}

/** The digest of what the registry has under a name and version, if anything. */
function view(spec) {
  const { stdout } = spawnSync(process.execPath, [npm(), 'view', spec, 'dist.integrity', '--json'], { encoding: 'utf8' });
  try {
    const answer = JSON.parse(stdout);
    return typeof answer === 'string' ? answer : undefined;
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
