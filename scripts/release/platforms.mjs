// The platforms that there are packages for, as package.json names them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseTriple } from '@napi-rs/cli';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The manifest in the tree. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `name` is what npm/ and a binary's name say, such as `linux-x64-gnu`; `abi` is gnu, musl, msvc or null. */
export const platforms = manifest.napi.targets.map((triple) => {
  const { platformArchABI: name, platform, arch, abi } = parseTriple(triple);
  return { triple, name, platform, arch, abi, binary: `${manifest.napi.binaryName}.${name}.node` };
});
