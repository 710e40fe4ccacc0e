// npm run panel [-- PATH] [--base REV] [--dir DIR]: serves the decision review of a directory on loopback, prints its
// URL, and follows what changes there until it is ended.
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { Panels } from '../plugin/extensions/adrkit/panels.mjs';
import { buildRelease, root } from './cargo.mjs';

const USAGE = 'Usage: npm run panel [-- PATH [--base REV] [--dir DIR]]';
/** Failures that pass by themselves. The panel tells of them. */
const PASSING = ['timed-out', 'aborted'];

const { path, base, dir } = readArguments();
const cwd = directory(path);
const { Review, changedFiles } = loadAddon();
await mustBeReviewable();

const panels = new Panels((of) => new Review({ cwd: of, base, dir }));
await panels.listen({ hold: true });
const { url } = panels.open('panel', cwd);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
console.log(url);
await watch();

function readArguments() {
  try {
    const options = { base: { type: 'string' }, dir: { type: 'string' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error('There is more than one PATH.');
    return { path: positionals[0] ?? '.', ...values };
  } catch (error) {
    return refuse(`${error.message.split(/[.\n]/)[0]}. ${USAGE}`);
  }
}

/** The directory that a person means, who stands where npm was called. */
function directory(path) {
  const absolute = resolve(process.env.INIT_CWD ?? process.cwd(), path);
  try {
    if (statSync(absolute).isDirectory()) return absolute;
  } catch {
    // It is not there, or not for us to see.
  }
  return refuse(`${path}: there is no such directory.`);
}

/** The addon that $ADRKIT_NATIVE_PATH names, or else one that is built from the sources. */
function loadAddon() {
  if (process.env.ADRKIT_NATIVE_PATH === undefined) {
    const names = { win32: 'adrkit_native.dll', darwin: 'libadrkit_native.dylib' };
    const library = buildRelease(names[process.platform] ?? 'libadrkit_native.so', '--lib', '--features', 'node');
    // Node tells by its name what a file is.
    const addon = join(dirname(library), 'panel', 'adrkit.node');
    mkdirSync(dirname(addon), { recursive: true });
    copyFileSync(library, addon);
    process.env.ADRKIT_NATIVE_PATH = addon;
  }
  return createRequire(import.meta.url)(join(root, 'index.js'));
}

async function mustBeReviewable() {
  try {
    await changedFiles({ cwd, ...(base !== undefined && { base }) });
  } catch ({ code, message }) {
    if (!PASSING.includes(code)) refuse(`${path}: ${message}`);
  }
}

async function watch() {
  let warned = false;
  const failed = ({ code }) => {
    if (!warned) console.error(`Not everything can be watched (${code}): use the Refresh button.`);
    warned = true;
  };
  try {
    const { watchTree } = await import('./watch.mjs');
    const changed = () => void panels.refreshOpen(cwd);
    await watchTree(cwd, { changed, failed });
    changed(); // What came while the tree was gone through was not heard of.
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error('Changes are not followed: run `npm ci` once for that.');
  }
}

async function end() {
  await panels.dispose();
  process.exit(0);
}

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
