'use strict';

// Which file is the addon's binary, and what to tell a person where there is none. Neither the environment nor the
// working directory has a say, but for one variable that is there for it.

const { existsSync } = require('node:fs');
const { isAbsolute, join } = require('node:path');

const { version } = require('../package.json');
const { AdrkitError } = require('./error.js');
const { TARGETS, currentSystem, targetOf } = require('./platform.js');

/** The variable that names a binary, for whoever builds one. */
const OVERRIDE = 'ADRKIT_NATIVE_PATH';

/**
 * The path of the binary: the one that `ADRKIT_NATIVE_PATH` names; else the file beside the package; else that of the
 * platform's own package. The first that is there is the one, whether or not it loads.
 *
 * Throws an AdrkitError `native-missing`.
 */
function locate() {
  const named = process.env[OVERRIDE];
  if (named) return override(named);
  const system = currentSystem();
  const target = targetOf(system);
  const found = find(target);
  if (found === undefined) throw new AdrkitError('native-missing', whyMissing(system, TARGETS.filter((it) => find(it) !== undefined)));
  return found;
}

/** What the binary exports. Throws an AdrkitError `native-missing`, `native-unloadable` or `native-version`. */
function load() {
  const file = locate();
  const native = open(file);
  if (native.VERSION === version) return native;
  const other = typeof native.VERSION === 'string' ? native.VERSION : 'unknown';
  throw new AdrkitError(
    'native-version',
    `The binary is of version ${other}, but the package is of version ${version}. Install both again, or build the binary again.`,
  );
}

function open(file) {
  try {
    return require(file);
  } catch (cause) {
    throw new AdrkitError('native-unloadable', UNLOADABLE, { cause });
  }
}

const UNLOADABLE =
  'The binary is there, but the system does not load it, for the reason that `cause` gives. It may be damaged, made for another ' +
  'C library or processor, or need a newer system. Install it again on this system.';

function override(file) {
  // Anything but a binary would be run as a script.
  if (!isAbsolute(file) || !file.endsWith('.node')) {
    throw new AdrkitError('native-missing', `${OVERRIDE} must be the absolute path of a .node file.`);
  }
  if (!existsSync(file)) throw new AdrkitError('native-missing', `${OVERRIDE} names a file that does not exist.`);
  return file;
}

/** The file of a target, if it is there. */
function find(target) {
  const name = `adrkit.${target}.node`;
  // Yarn takes no `\` in the name of a file.
  const inPackage = `${packageOf(target)}/${name}`;
  // These are the directories above this one. `require.resolve` would look in those of NODE_PATH too.
  const places = [join(__dirname, '..', name), ...module.paths.map((modules) => join(modules, inPackage))];
  return places.find((file) => existsSync(file)) ?? fromPlugAndPlay(inPackage);
}

/** Where Yarn's Plug'n'Play keeps a package. It has no directories to look in, and is told by nobody's environment. */
function fromPlugAndPlay(file) {
  if (process.versions.pnp === undefined) return undefined;
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}

function packageOf(target) {
  return `@adrkit/native-${target}`;
}

/** The sentences that say what is missing, and what to do, where the binaries for `present` are there instead. */
function whyMissing(system, present) {
  const target = targetOf(system);
  const { platform, arch, libc } = system;
  const here = `${platform}, ${arch}${libc === undefined ? '' : `, ${libc === 'gnu' ? 'glibc' : libc}`}`;
  if (!TARGETS.includes(target)) return `There is no binary for this platform (${here}). There is one for each of ${TARGETS.join(', ')}.`;
  const missing = `There is no binary for this platform (${here}): ${packageOf(target)} is not installed.`;
  if (present.length === 0) {
    return (
      `${missing} Optional dependencies may have been left out (--omit=optional, --no-optional), or the lock file was made on ` +
      'another system and does not list it. Install again on this one, with optional dependencies.'
    );
  }
  const instead = `${missing} Installed instead: ${present.map(packageOf).join(', ')}.`;
  if (present.some((it) => it.startsWith(`${platform}-${arch}-`))) {
    return `${instead} That is for another C library: node_modules was made on another system. Install again on this one.`;
  }
  if (present.some((it) => it.startsWith(`${platform}-`))) {
    return (
      `${instead} That is for another processor than this Node is built for, which may run translated (Rosetta on a Mac). ` +
      "Use a Node for the machine's own processor, or install again with this one."
    );
  }
  return `${instead} That is for another system: node_modules or the lock file was made there. Install again on this one.`;
}

module.exports = { load, locate, whyMissing };
