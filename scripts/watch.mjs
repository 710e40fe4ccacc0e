// Watches a directory for what changes its review: its files, but for those that git ignores, and of git's own
// directory what a commit, a checkout, a fetch or `git add` writes.
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { FSWatcher } from 'chokidar';
import ignore from 'ignore';

/** From the first of several changes to the call. */
export const SETTLE_MS = 300;
const OF_GIT = ['HEAD', 'index', 'packed-refs', 'refs'];

/**
 * Calls `changed` soon after something has changed, once for all that comes together.
 *
 * A file that is tracked and ignored alike is not watched, and neither is what `core.excludesFile` alone ignores spared.
 *
 * @param {string} directory an absolute path.
 * @param {{ changed: () => void, failed: (error: Error) => void }} listeners `failed` hears why something is not watched.
 * @returns {Promise<{ close: () => Promise<void> }>} settled once everything is watched.
 */
export async function watchTree(directory, { changed, failed }) {
  const { own, skips, forget } = scope(directory);
  let timer;
  const watcher = new FSWatcher({ ignoreInitial: true, followSymlinks: false, ignored: (path, stats) => skips(path, stats?.isDirectory()) });
  watcher.on('error', failed);
  watcher.on('all', (_event, path) => {
    if (path.endsWith('.gitignore')) forget();
    // Not put off by what follows: a tree that changes all the time is followed too.
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, SETTLE_MS);
  });
  watcher.add([directory, ...own]);
  await new Promise((resolve) => watcher.once('ready', resolve));
  return {
    close: () => {
      clearTimeout(timer);
      return watcher.close();
    },
  };
}

/** What is watched: `own` are git's directories, and `skips(path, isDirectory)` tells what is left out. */
export function scope(directory) {
  const { top, own } = findGit(directory);
  const ignored = new Ignored(top, own.at(-1));
  return {
    own,
    skips: (path, isDirectory = false) => {
      const inGit = own.map((each) => relative(each, path)).find(isWithin);
      if (inGit !== undefined) return inGit !== '' && (!OF_GIT.includes(inGit.split(sep)[0]) || inGit.endsWith('.lock'));
      return path.endsWith(`${sep}.git`) || ignored.has(path, isDirectory);
    },
    forget: () => ignored.forget(),
  };
}

/** The top of the work tree that holds `directory`, and git's directories for it; the latter are empty where there is none. */
function findGit(directory) {
  for (let top = directory; ; top = dirname(top)) {
    const git = join(top, '.git');
    const stats = statSync(git, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return { top, own: [git] };
    if (stats?.isFile()) return { top, own: linked(top, git) };
    if (top === dirname(top)) return { top: directory, own: [] };
  }
}

/** The directories of a linked work tree: its own, and the one that it shares. */
function linked(top, file) {
  const git = resolve(top, read(file).replace(/^gitdir: /, '').trimEnd());
  return [git, resolve(git, read(join(git, 'commondir')).trimEnd())];
}

/** What git ignores below `top`. */
class Ignored {
  #top;
  #git;
  #rules = new Map();

  constructor(top, git) {
    this.#top = top;
    this.#git = git;
  }

  has(path, isDirectory) {
    // The file that is nearest to a path decides.
    for (let at = path; at !== this.#top && isWithin(relative(this.#top, at)); ) {
      at = dirname(at);
      const name = relative(at, path).replaceAll(sep, '/') + (isDirectory ? '/' : '');
      const { ignored, unignored } = this.#rulesOf(at).test(name);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  forget() {
    this.#rules.clear();
  }

  #rulesOf(directory) {
    let rules = this.#rules.get(directory);
    if (rules === undefined) {
      rules = ignore({ ignorecase: process.platform !== 'linux' });
      if (directory === this.#top && this.#git !== undefined) rules.add(read(join(this.#git, 'info', 'exclude')));
      rules.add(read(join(directory, '.gitignore')));
      this.#rules.set(directory, rules);
    }
    return rules;
  }
}

function isWithin(path) {
  return !isAbsolute(path) && path !== '..' && !path.startsWith(`..${sep}`);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
