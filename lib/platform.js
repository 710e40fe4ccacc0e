'use strict';

// On which platform this process runs, in the words of the packages that hold the binaries. It starts no process and
// asks neither the environment nor the working directory.

const { closeSync, openSync, readSync } = require('node:fs');

/** The platforms that there is a binary for: the last part of a package's name, and the middle of a file's. */
const TARGETS = [
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'linux-x64-gnu',
  'linux-x64-musl',
  'win32-arm64-msvc',
  'win32-x64-msvc',
];

/** What this process runs on. Only Linux has more than one C library, `libc`. */
function currentSystem() {
  const { platform, arch } = process;
  return platform === 'linux' ? { platform, arch, libc: libcOf(interpreter('/proc/self/exe')) ?? libcOfReport() } : { platform, arch };
}

/** The target of a system, whether or not there is a binary for it. */
function targetOf({ platform, arch, libc }) {
  if (platform === 'win32') return `${platform}-${arch}-msvc`;
  return libc === undefined ? `${platform}-${arch}` : `${platform}-${arch}-${libc}`;
}

/** The C library that a program's interpreter belongs to, where its name says so. */
function libcOf(interpreter) {
  const name = interpreter?.slice(interpreter.lastIndexOf('/') + 1);
  if (name?.startsWith('ld-musl-')) return 'musl';
  return name?.startsWith('ld-linux-') ? 'gnu' : undefined;
}

const HEAD_BYTES = 4096;
const LONGEST_PATH = 4096;
const ELF_64_LITTLE_ENDIAN = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const PT_INTERP = 3;
const PROGRAM_HEADER_BYTES = 56;

/**
 * The interpreter that an ELF file names, which loads its libraries. None where it names none, as one that is linked
 * statically or is an interpreter itself, and where the file cannot be read.
 */
function interpreter(file) {
  let fd;
  try {
    fd = openSync(file, 'r');
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(fd, head, 0, HEAD_BYTES, 0);
    if (!head.subarray(0, ELF_64_LITTLE_ENDIAN.length).equals(ELF_64_LITTLE_ENDIAN)) return undefined;
    const [table, size, count] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)];
    for (let at = table, left = count; left > 0 && at + PROGRAM_HEADER_BYTES <= length; at += size, left -= 1) {
      if (head.readUInt32LE(at) !== PT_INTERP) continue;
      const path = Buffer.alloc(Math.min(Number(head.readBigUInt64LE(at + 32)), LONGEST_PATH));
      readSync(fd, path, 0, path.length, Number(head.readBigUInt64LE(at + 8)));
      return path.toString('latin1').replace(/\0.*$/s, '');
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Milliseconds slower, so only where the interpreter does not tell: a Node that was started through its loader. */
function libcOfReport() {
  const { report } = process;
  const { excludeNetwork } = report;
  // Else it would look up the names of all peers.
  report.excludeNetwork = true;
  try {
    return report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

module.exports = { TARGETS, currentSystem, interpreter, libcOf, libcOfReport, targetOf };
