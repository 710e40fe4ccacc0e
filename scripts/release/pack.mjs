// Packs what was laid out, and judges each tarball.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { contentProblems } from './contents.mjs';
import { pathIn } from './inspect.mjs';
import { npm } from './npm.mjs';

/**
 * Packs each package into `output`, beside an `index.json` that says what there is, in the order in which it is to be
 * published.
 */
export function pack(staged, output) {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const packed = staged.map(({ directory, manifest, platform }) => {
    const { status, stdout } = spawnSync(process.execPath, [npm(), 'pack', '--json', '--pack-destination', output], {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`${manifest.name} could not be packed.`);
    // A list, or from npm 12 on an object with the package's name as its key.
    const [{ filename, integrity, shasum, size, unpackedSize, files }] = Object.values(JSON.parse(stdout));
    const paths = files.map(({ path }) => path).sort();
    return { manifest, platform: platform?.name, filename, integrity, shasum, size, unpackedSize, files: paths };
  });
  writeFileSync(join(output, 'index.json'), `${JSON.stringify(packed, null, 2)}\n`);
  return packed;
}

/** What is wrong with a packed package: its files, its manifest, or what each says of the other. */
export async function problems(staged, packed) {
  const { directory, platform } = staged;
  const found = contentProblems(staged, packed);
  // The addon has been inspected, and documents show commands in directories of nobody. The rest is code.
  for (const name of packed.files.filter((file) => !/\.(?:node|md)$/.test(file))) {
    const path = pathIn(readFileSync(join(directory, name)));
    if (path !== undefined) found.push(`${name} holds a path of this machine: ${path}`);
  }
  if (platform === undefined) found.push(...(await lint(directory)));
  return found;
}

/** publint checks that what `main`, `types` and `exports` name is there, and is what it is said to be. */
async function lint(directory) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { messages, pkg } = await publint({ pkgDir: directory, strict: true, pack: false });
  return messages.filter(({ type }) => type !== 'suggestion').map((message) => formatMessage(message, pkg, { color: false }));
}
