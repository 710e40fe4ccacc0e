// npm run plugin:pack [-- --output DIRECTORY]: assembles the Copilot plugin, with the addon that it loads, in
// dist/plugin, and packs it beside that into a tarball. A plugin directory is copied as it is when it is installed, so
// everything must be in it.
//
// It takes the binaries that are there: in the package's directory (`npm run build`) and in npm/*/ (`napi artifacts`).
// Where none is for this platform, it builds that one first.
import { spawnSync } from 'node:child_process';
import { constants, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { create } from 'tar';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { output: { type: 'string' }, 'no-tarball': { type: 'boolean' } } });
const output = resolve(process.env.INIT_CWD ?? process.cwd(), values.output ?? join(root, 'dist', 'plugin'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

if (!binaries().some(isOfThisPlatform)) build();
assemble();
console.log(`${output}, with ${binaries().map((binary) => basename(binary)).join(', ')}`);
if (!values['no-tarball']) console.log(await pack());

/** The paths of the binaries, the first of each name. */
function binaries() {
  const directories = [root, ...readdirSync(join(root, 'npm')).map((platform) => join(root, 'npm', platform))];
  const found = new Map();
  for (const directory of directories) {
    for (const name of readdirSync(directory)) {
      if (name.endsWith('.node') && !found.has(name)) found.set(name, join(directory, name));
    }
  }
  return [...found.values()];
}

function isOfThisPlatform(binary) {
  return basename(binary).startsWith(`${manifest.napi.binaryName}.${process.platform}-${process.arch}`);
}

function build() {
  console.error('There is no binary for this platform: building it, which takes some minutes.');
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0 || !binaries().some(isOfThisPlatform)) fail('The binary could not be built.');
}

function assemble() {
  const native = join(output, 'native');
  // Only what an earlier run has made is ours to remove.
  if (existsSync(output) && readdirSync(output).length > 0 && !existsSync(join(output, '.claude-plugin'))) {
    fail(`${output} exists and is no plugin.`);
  }
  rmSync(output, { recursive: true, force: true });
  cpSync(join(root, 'plugin'), output, { recursive: true });
  copyFileSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  mkdirSync(native);
  for (const name of ['index.js', 'lib']) cpSync(join(root, name), join(native, name), { recursive: true });
  for (const binary of binaries()) {
    copyFileSync(binary, join(native, basename(binary)), constants.COPYFILE_FICLONE);
  }
  // Above a plugin there may be a package of modules; these files are none.
  const { name, version, license, type, main } = manifest;
  const own = { name, version, license, type, main };
  writeFileSync(join(native, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

/** Packs the directory under the plugin's own name, and says where. */
async function pack() {
  const file = join(dirname(output), `adrkit-plugin-${manifest.version}.tgz`);
  const files = readdirSync(output, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  const names = files.map((it) => relative(output, join(it.parentPath, it.name))).sort();
  // The same files give the same archive: neither times nor owners are in it.
  await create({ file, gzip: true, cwd: output, prefix: 'adrkit', portable: true, noMtime: true }, names);
  return file;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
