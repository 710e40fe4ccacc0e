// npm run build [-- --target TRIPLE] [--output DIRECTORY] [--portable]: builds the addon for release.
//
// No path of this machine is left in the binary: a panic's place and a symbol's name would carry them otherwise. The
// flags for that are set here, and not in a configuration of cargo's, so that only what we publish is built with them.
//
// `--portable` links a Linux addon against an old glibc, or against musl, whatever this machine has. zig does that.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { findCargo, hostTriple } from './cargo.mjs';
import { pythonTools } from './python.mjs';
import { GLIBC } from './release/limits.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({
  options: { target: { type: 'string' }, output: { type: 'string' }, portable: { type: 'boolean', default: false } },
});
/** How large a function may be to be inlined, as LLVM counts; its own threshold is 225. */
const INLINE_THRESHOLD = 40;
const cargo = findCargo();
const target = values.target ?? hostTriple(cargo);
const withZig = values.portable && target.includes('-linux-');

const napi = join(root, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js');
if (!existsSync(napi)) {
  console.error('Run `npm ci` first.');
  process.exit(1);
}
const args = [
  ...['build', '--platform', '--release', '--features', 'node', '--no-js', '--dts', 'binding.d.ts'],
  ...['--target', withZig && target.endsWith('-gnu') ? `${target}.${GLIBC}` : target],
  ...(withZig ? ['--cross-compile'] : []),
  ...(values.output === undefined ? [] : ['--output-dir', resolve(values.output)]),
  // The command line of the crate is no part of the addon, and linking it takes as long again.
  ...['--', '--locked', '--lib'],
];
const { CARGO_ENCODED_RUSTFLAGS: _, RUSTFLAGS: __, ...inherited } = process.env;
const env = { ...inherited, CARGO_ENCODED_RUSTFLAGS: flags().join('\x1f') };
if (withZig) env.PATH = [pythonTools('zig'), env.PATH].join(delimiter);
// What is said goes to stderr: who packs has a stdout of its own.
const { status } = spawnSync(process.execPath, [napi, ...args], { cwd: root, env, stdio: ['ignore', 2, 'inherit'] });
process.exit(status ?? 1);

/** Flags of rustc, those of the caller first. Encoded, a path may hold a space. */
function flags() {
  const given = process.env.CARGO_ENCODED_RUSTFLAGS?.split('\x1f') ?? process.env.RUSTFLAGS?.split(' ') ?? [];
  const sysroot = execFileSync(process.env.RUSTC ?? join(dirname(cargo), 'rustc'), ['--print', 'sysroot'], { encoding: 'utf8' });
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const names = [
    [join(cargoHome, 'registry', 'src'), '/cargo'],
    [join(sysroot.trim(), 'lib', 'rustlib', 'src', 'rust'), '/rust'],
    [root, '/adrkit-native'],
  ];
  return [...given.filter(Boolean), `-Cllvm-args=-inline-threshold=${INLINE_THRESHOLD}`, ...names.map(([from, to]) => `--remap-path-prefix=${from}=${to}`), ...linking()];
}

/** What a platform's linker must be told. */
function linking() {
  // At its own level of RELRO rustc makes every call of a function through a table, 200 KB that are relocated at each
  // load. With `now` the level is the same: the whole table of the calls that remain is read-only.
  const DIRECT_CALLS = ['-Crelro-level=partial', '-Clink-arg=-Wl,-z,now'];
  // musl's and glibc's runtimes are Node's own; the one of Visual Studio is not on every machine.
  if (target.endsWith('-musl')) return ['-Ctarget-feature=-crt-static', ...DIRECT_CALLS];
  if (target.includes('-linux-')) return DIRECT_CALLS;
  if (target.endsWith('-msvc')) return ['-Ctarget-feature=+crt-static'];
  // Otherwise a library on macOS carries the path at which it was built as its name.
  if (target.endsWith('-darwin')) return ['-Clink-arg=-Wl,-install_name,@rpath/adrkit.node'];
  return [];
}
