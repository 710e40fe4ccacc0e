// Finding the addon where a plugin lives. A plugin directory is copied as it is, so the addon comes with it, in
// `native/`; where it does not, it is `@adrkit/native`, resolved from the plugin. What lies in the session's workspace
// is never loaded: that would run the repository's code.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, isAbsolute, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = '@adrkit/native';
const PLUGIN = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * The addon, or the line that tells the person that there is none. Never throws.
 *
 * @param {{ plugin?: string, workspace?: string }} [where] the plugin's own directory, and the session's.
 * @returns {{ addon?: typeof import('@adrkit/native'), notice?: string }}
 */
export function loadAddon({ plugin = PLUGIN, workspace = currentDirectory() } = {}) {
  const platform = `${process.platform}-${process.arch}`;
  for (const find of [fromPlugin, fromPackage]) {
    try {
      return { addon: load(find(realpathSync(plugin)), realpathSync(plugin), workspace) };
    } catch (error) {
      const reasons = [error, error?.cause].filter((it) => it !== undefined).map((it) => it?.message);
      if (process.env.ADRKIT_LOG) process.stderr.write(`adrkit: ${reasons.join(' ')}\n`);
    }
  }
  return { notice: `adrkit: its native module for ${platform} could not be loaded. The tools, hooks and panel are off for this session.` };
}

function fromPlugin(plugin) {
  return join(plugin, 'native', 'index.js');
}

function fromPackage(plugin) {
  return createRequire(join(plugin, 'index.js')).resolve(PACKAGE);
}

function load(index, plugin, workspace) {
  const own = (file) => mustBeTrusted(realpathSync(file), plugin, workspace);
  const require = createRequire(own(index));
  // The package may lie right, and the binary that it would load may not.
  own(require('./lib/load.js').locate());
  return require('./index.js');
}

/** The file, which is the plugin's own or lies outside the workspace. */
function mustBeTrusted(file, plugin, workspace) {
  if (!within(plugin, file) && (workspace === undefined || within(workTree(realpathSync(workspace)), file))) {
    throw new Error(`${PACKAGE} lies in the workspace and is not loaded.`);
  }
  return file;
}

function within(directory, file) {
  const path = relative(directory, file);
  return !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
}

/** The work tree that holds `directory`; the directory itself where there is none. */
function workTree(directory) {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return directory;
  }
}

function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}
