// Lays out what is published: the main package, and one package for each addon that there is.
//
// The tree is not what is published. It says `private`, so that no `npm publish` in it can succeed, and it names no
// package of a platform, because `npm ci` refuses a lock file with packages that no registry has yet.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { manifest, platforms, root } from './platforms.mjs';

const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md'];
const OF_THE_TREE = ['private', 'scripts', 'devDependencies', 'napi'];

/**
 * Lays the packages out under `directory`. `addons` is a Map from a platform's name to its binary.
 * Returns what was laid out, those of the platforms first: `{ directory, manifest, platform }`.
 */
export function stage(directory, addons) {
  rmSync(directory, { recursive: true, force: true });
  const staged = platforms
    .filter(({ name }) => addons.has(name))
    .map((platform) => stagePlatform(join(directory, platform.name), platform, addons.get(platform.name)));
  return [...staged, stageMain(join(directory, 'native'))];
}

function stageMain(directory) {
  mkdirSync(directory, { recursive: true });
  for (const name of [...manifest.files, ...DOCUMENTS]) cpSync(join(root, name), join(directory, name), { recursive: true });
  const own = Object.fromEntries(Object.entries(manifest).filter(([key]) => !OF_THE_TREE.includes(key)));
  own.files = [...manifest.files, 'CHANGELOG.md'];
  own.optionalDependencies = Object.fromEntries(platforms.map(({ name }) => [`${manifest.name}-${name}`, manifest.version]));
  return write(directory, { ...own, ...published() });
}

function stagePlatform(directory, platform, binary) {
  const source = join(root, 'npm', platform.name);
  mkdirSync(directory, { recursive: true });
  copyFileSync(binary, join(directory, platform.binary));
  copyFileSync(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  const readme = readFileSync(join(source, 'README.md'), 'utf8').trim();
  writeFileSync(join(directory, 'README.md'), `${readme}. That package installs it where it is needed.\n`);
  const own = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return { ...write(directory, { ...own, ...published() }), platform };
}

/**
 * What every published manifest says. The registry holds the repository against the one whose workflow publishes, letter
 * by letter; so it is taken from the workflow where there is one.
 */
function published() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  const repository = server && name ? { type: 'git', url: `git+${server}/${name}.git` } : manifest.repository;
  return { ...(repository === undefined ? {} : { repository }), publishConfig: { access: 'public' } };
}

function write(directory, own) {
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  return { directory, manifest: own };
}

/** The addons under a directory: a Map from a platform's name to the first file of the right name. */
export function findAddons(directory) {
  // With types, for otherwise links to directories are followed, and one may lead upwards.
  const entries = existsSync(directory) ? readdirSync(directory, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort();
  const found = platforms.map(({ name, binary }) => [name, files.find((file) => basename(file) === binary)]);
  return new Map(found.filter(([, file]) => file !== undefined));
}
