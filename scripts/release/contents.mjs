// What a package must hold, and what it must not.
import { MAX_MAIN_BYTES } from './limits.mjs';

const REQUIRED = ['LICENSE', 'README.md', 'package.json'];
const OF_MAIN = /^(?:CHANGELOG\.md|LICENSE|README\.md|package\.json|(?:lib\/)?[\w-]+\.(?:js|d\.ts))$/;

/** What is wrong with a package by its manifest, the platform it is for (if any), its files and their size unpacked. */
export function contentProblems({ manifest, platform }, { files, unpackedSize }) {
  const found = [];
  const required = platform === undefined ? REQUIRED : [...REQUIRED, platform.binary];
  for (const name of required) if (!files.includes(name)) found.push(`${name} is missing`);
  for (const name of files) {
    const belongs = platform === undefined ? OF_MAIN.test(name) : required.includes(name);
    if (!belongs) found.push(`${name} does not belong in it`);
  }
  for (const key of ['private', 'scripts', 'dependencies', 'devDependencies']) {
    if (manifest[key] !== undefined) found.push(`its manifest has ${key}`);
  }
  if (manifest.license !== 'Apache-2.0') found.push('its licence is not Apache-2.0');
  if (platform === undefined && unpackedSize > MAX_MAIN_BYTES) {
    found.push(`it has ${unpackedSize} bytes, more than ${MAX_MAIN_BYTES}`);
  }
  return found;
}
