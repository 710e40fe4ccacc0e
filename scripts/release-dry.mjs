// npm run release:dry [-- --addons DIRECTORY] [--complete] [--output DIRECTORY]: does all of a release but publishing
// it. It inspects the addons, packs them and the main package into dist/release, installs the tarballs into empty
// projects with npm and pnpm, and tries them there. It ends with a table, and with 1 where anything is not as it must be.
//
// Without `--addons` it builds the one for this machine. It takes those along that `npm run check:platforms` has left for
// others: built to be tried and not to be published, they must only be what they are named. `--complete` wants one for
// each platform.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { identityProblems, inspect, problems as addonProblems } from './release/inspect.mjs';
import { npm } from './release/npm.mjs';
import { pack, problems as packageProblems } from './release/pack.mjs';
import { platforms, root } from './release/platforms.mjs';
import { findAddons, stage } from './release/stage.mjs';

const { values } = parseArgs({
  options: {
    addons: { type: 'string' },
    complete: { type: 'boolean', default: false },
    output: { type: 'string', default: join(root, 'dist', 'release') },
  },
});
const from = process.env.INIT_CWD ?? process.cwd();
const output = resolve(from, values.output);
let deviations = 0;

installTools();
const own = findAddons(values.addons === undefined ? build() : resolve(from, values.addons));
const tried = values.addons === undefined ? findAddons(join(root, 'target', 'platforms')) : new Map();
const addons = new Map([...tried, ...own]);
if (addons.size === 0) fail('There is no addon.');
for (const { name } of values.complete ? platforms : []) if (!addons.has(name)) deviation(name, ['there is no addon for it']);

const chosen = platforms.filter(({ name }) => addons.has(name));
const facts = inspect(chosen.map(({ name }) => addons.get(name)));
chosen.forEach((platform, i) => {
  const file = addons.get(platform.name);
  const published = own.has(platform.name);
  deviation(relative(root, file), published ? addonProblems(platform, facts[i], readFileSync(file)) : identityProblems(platform, facts[i]));
});

const staged = stage(join(root, 'target', 'release-packages'), addons);
const packed = pack(staged, output);
for (const [i, each] of staged.entries()) deviation(each.manifest.name, await packageProblems(each, packed[i]));

const { tryInstall } = await import('./release/installation.mjs');
for (const manager of ['npm', 'pnpm']) deviation(`with ${manager}`, await tryInstall(output, manager, { types: true }));

table(packed);
console.log(`\n${relative(from, output)}: ${deviations === 0 ? 'all as it must be' : `${deviations} deviations`}`);
process.exitCode = deviations === 0 ? 0 : 1;

function deviation(what, found) {
  deviations += found.length;
  for (const problem of found) console.log(`${what}: ${problem}`);
}

/** Builds the addon for this machine, and returns its directory. */
function build() {
  const directory = join(root, 'target', 'release-binaries');
  const args = [join(root, 'scripts', 'build.mjs'), '--portable', '--output', directory];
  if (spawnSync(process.execPath, args, { stdio: ['ignore', 2, 'inherit'] }).status !== 0) fail('The addon could not be built.');
  return directory;
}

/** Installs pnpm and publint, which stand in a manifest of their own. */
function installTools() {
  const directory = join(root, 'scripts', 'release');
  const installed = join(directory, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(directory, 'package.json')).mtimeMs) return;
  const args = [npm(), 'install', '--prefix', directory, '--no-package-lock', '--ignore-scripts', '--loglevel=error'];
  if (spawnSync(process.execPath, args, { cwd: directory, stdio: ['ignore', 2, 'inherit'] }).status !== 0) fail('The tools could not be installed.');
}

function table(rows) {
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  const cells = [
    ['PACKAGE', 'FILES', 'PACKED', 'UNPACKED'],
    ...rows.map(({ manifest, files, size, unpackedSize }) => [manifest.name, `${files.length}`, kib(size), kib(unpackedSize)]),
  ];
  const widths = cells[0].map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  console.log();
  for (const row of cells) console.log(row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
