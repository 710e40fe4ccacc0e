// Writes tar archives (POSIX ustar) that depend on nothing but names and contents: no time, no owner.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 512;
const MAX_NAME = 100;

/** The files below `directory`, in order of their names, in an archive in which it is called `name`. */
export function tar(directory, name) {
  const entries = files(directory, name).flatMap(({ path, entry }) => {
    const content = readFileSync(path);
    const executable = (statSync(path).mode & 0o100) !== 0;
    return [header(entry, content.length, executable ? 0o755 : 0o644), content, Buffer.alloc(padding(content.length))];
  });
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}

function files(directory, name) {
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((it) => {
    const [path, entry] = [join(directory, it.name), `${name}/${it.name}`];
    return it.isDirectory() ? files(path, entry) : [{ path, entry }];
  });
}

function padding(length) {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}

function header(name, size, mode) {
  if (Buffer.byteLength(name) > MAX_NAME) throw new Error(`The name is too long for an archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108); // owner
  block.write(octal(0, 7), 116); // group
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136); // time
  block.write('        ', 148); // the checksum counts as spaces while it is computed
  block.write('0', 156); // a regular file
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${octal(block.reduce((sum, byte) => sum + byte, 0), 6)} `, 148);
  return block;
}
