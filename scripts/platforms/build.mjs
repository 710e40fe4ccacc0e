// Compiles for a target, with a standard library that is built from source: rustup need not have the target.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, mustRun } from './shell.mjs';
import { cargo, libnode, mingw, standardLibrary, zig } from './tools.mjs';

/** How `cargo` is called for a target: the command, the words and the environment of every call. */
export async function builder(target) {
  const env = {
    // The source of the standard library counts only for a compiler that may use what is not stable.
    RUSTC_BOOTSTRAP: '1',
    __CARGO_TESTS_ONLY_SRC_ROOT: await standardLibrary(),
    CARGO_INCREMENTAL: '0',
    // Emulators are slow: a little work of the compiler's saves more of theirs.
    CARGO_PROFILE_DEV_OPT_LEVEL: target.effort === 'run' ? '1' : '0',
    CARGO_PROFILE_DEV_DEBUG: 'false',
    ...(target.rustFlags ? { RUSTFLAGS: target.rustFlags } : {}),
  };
  let command = { build: [cargo, 'build'], test: [cargo, 'test'] };
  if (target.linker === 'mingw') {
    await mingw();
    env.LIBNODE_PATH = await libnode();
  }
  if (target.linker === 'zig') {
    const bin = await zig();
    const program = join(bin, 'cargo-zigbuild');
    env.PATH = `${bin}:${process.env.PATH}`;
    command = { build: [program, 'zigbuild'], test: [program, 'test'] };
  }
  const std = (crates) => `-Zbuild-std=${crates}`;
  const where = ['--locked', '--target', target.triple, '--target-dir', join(cache, 'build', target.name)];
  return {
    env,
    build: [...command.build, ...where, std('std,panic_unwind'), '--features', 'node'],
    // The tests need one more crate. So that the standard library is built once, the addon is built beside them.
    test: [...command.test, ...where, std('std,panic_unwind,test'), '--features', 'node'],
    check: [cargo, 'check', ...where, std('std,panic_unwind'), '--features', 'node'],
  };
}

/** Compiles without linking. */
export async function check(target, { env, check: [file, ...words] }) {
  await mustRun(`${target.name}: check`, file, [...words, '--lib', '--bins'], { env });
}

/** Compiles and links the addon and the command. */
export async function link(target, { env, build: [file, ...words] }) {
  await mustRun(`${target.name}: build`, file, [...words, '--lib', '--bins'], { env });
}

/** Compiles and links the tests, the addon and the command. */
export async function buildTests(target, { env, test: [file, ...words] }) {
  await mustRun(`${target.name}: build`, file, [...words, '--no-run', '--lib', '--bins', '--tests'], { env });
}

/** Puts the addon that was built under the name by which the package looks for it into `dir`. */
export function putAddon({ name, triple, addon }, dir) {
  const built = join(cache, 'build', name, triple, 'debug', 'deps', addon.file);
  copyFileSync(built, join(dir, `adrkit.${addon.platform}.node`));
}
