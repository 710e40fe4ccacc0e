// Which binary the package loads, and what it says where there is none.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { binaries, install, installPlatform, linkOrCopy } from './fixtures/package.mjs';
import { onLinux, root, scratch } from './fixtures/processes.mjs';

const require = createRequire(import.meta.url);
const { TARGETS, currentSystem, interpreter, libcOf, libcOfReport, targetOf } = require('../lib/platform.js');
const { whyMissing } = require('../lib/load.js');
const { version } = require('../package.json');

const target = targetOf(currentSystem());
const platformPackage = `@adrkit/native-${target}`;
const name = `adrkit.${target}.node`;
const binary = join(root, name);

/** A directory with the package, which lacks its binary, three levels down. */
function place(t) {
  const directory = scratch(t);
  const modules = join(directory, 'project', 'node_modules');
  const native = join(modules, '@adrkit', 'native');
  install(native, { binary: false });
  return { directory, modules, native };
}

/** What becomes of loading the package in a process of its own: whether it works, or how it fails. */
function load(native, { env = {}, cwd = native, before = '' } = {}) {
  const script = `
    ${before}
    const tell = (it) => ({ name: it.name, code: it.code, message: it.message });
    let told;
    try {
      told = { works: require(process.argv[1]).isRecordId('0001') };
    } catch (error) {
      told = { ...tell(error), cause: error.cause && tell(error.cause) };
    }
    process.stdout.write(JSON.stringify({ ...told, spawns: process.moduleLoadList.includes('NativeModule child_process') }));
  `;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(NODE_|ADRKIT_|NAPI_)/.test(key)));
  const output = execFileSync(process.execPath, ['-e', script, '--', join(native, 'index.js')], {
    cwd,
    env: { ...inherited, ...env },
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

const WORKS = { works: true, spawns: false };

function assertFails(told, code, message) {
  assert.deepEqual([told.name, told.code, told.spawns], ['AdrkitError', code, false], JSON.stringify(told));
  assert.match(told.message, message);
}

test('this platform is one that there is a binary for', () => {
  assert.ok(TARGETS.includes(target), target);
  assert.ok(binaries.includes(name), name);
});

test('the interpreter of a program tells its C library', () => {
  for (const [path, libc] of [
    ['/lib64/ld-linux-x86-64.so.2', 'gnu'],
    ['/lib/ld-linux-aarch64.so.1', 'gnu'],
    ['/nix/store/abc-glibc-2.40/lib/ld-linux-x86-64.so.2', 'gnu'],
    ['/lib/ld-musl-x86_64.so.1', 'musl'],
    ['ld-musl-aarch64.so.1', 'musl'],
    ['/musl/ld-linux-x86-64.so.2', 'gnu'],
    ['/system/bin/linker64', undefined],
    ['', undefined],
    [undefined, undefined],
  ]) {
    assert.equal(libcOf(path), libc, path);
  }
});

/** An ELF file of which only what is read is there. */
function elf({ header = [0x7f, 0x45, 0x4c, 0x46, 2, 1], table = 64, types = [6, 3, 1], at = 0x4000, path = '/lib/ld-x.so\0', length = path.length }) {
  const file = Buffer.alloc(Math.max(table, at) + 4096);
  file.set(header);
  file.writeBigUInt64LE(BigInt(table), 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(types.length, 56);
  types.forEach((type, i) => {
    file.writeUInt32LE(type, table + i * 56);
    file.writeBigUInt64LE(BigInt(at), table + i * 56 + 8);
    file.writeBigUInt64LE(BigInt(length), table + i * 56 + 32);
  });
  file.write(path, at, 'latin1');
  return file;
}

test('the interpreter is found where the file says, and nothing is made of other files', (t) => {
  const directory = scratch(t);
  for (const [what, content, expected] of [
    ['far', elf({}), '/lib/ld-x.so'],
    ['near', elf({ at: 0x318 }), '/lib/ld-x.so'],
    ['long', elf({ length: 2 ** 40 }), '/lib/ld-x.so'],
    ['static', elf({ types: [6, 1] }), undefined],
    ['headers-elsewhere', elf({ table: 5000 }), undefined],
    ['32-bit', elf({ header: [0x7f, 0x45, 0x4c, 0x46, 1, 1] }), undefined],
    ['big-endian', elf({ header: [0x7f, 0x45, 0x4c, 0x46, 2, 2] }), undefined],
    ['short', elf({}).subarray(0, 20), undefined],
    ['script', Buffer.from('#!/bin/sh\n'), undefined],
    ['empty', Buffer.alloc(0), undefined],
  ]) {
    const file = join(directory, what);
    writeFileSync(file, content);
    assert.equal(interpreter(file), expected, what);
  }
  assert.equal(interpreter(join(directory, 'none')), undefined);
  assert.equal(interpreter(directory), undefined);
});

test("the report of Node says the same as its program's interpreter, and is left as it was", onLinux, () => {
  const { excludeNetwork } = process.report;
  assert.equal(libcOfReport(), libcOf(interpreter('/proc/self/exe')));
  assert.equal(process.report.excludeNetwork, excludeNetwork);
});

test('a Node that was started through its interpreter is told by the report', onLinux, () => {
  const script = `
    const { currentSystem, interpreter } = require(process.argv[1]);
    process.stdout.write(JSON.stringify([interpreter('/proc/self/exe') ?? null, currentSystem()]));
  `;
  const args = [process.execPath, '-e', script, '--', join(root, 'lib', 'platform.js')];
  const output = execFileSync(interpreter('/proc/self/exe'), args, { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(output), [null, currentSystem()]);
});

test('what is missing is said with the usual remedy', () => {
  const [gnu, musl] = ['gnu', 'musl'].map((libc) => ({ platform: 'linux', arch: 'x64', libc }));
  for (const [system, present, ...said] of [
    [gnu, [], '(linux, x64, glibc)', '@adrkit/native-linux-x64-gnu is not', '--omit=optional', '--no-optional', 'lock file'],
    [{ platform: 'win32', arch: 'arm64' }, [], '(win32, arm64)', '@adrkit/native-win32-arm64-msvc is not'],
    [musl, ['linux-x64-gnu'], '(linux, x64, musl)', '@adrkit/native-linux-x64-musl is not', 'instead: @adrkit/native-linux-x64-gnu.', 'another C library'],
    [gnu, ['linux-arm64-gnu', 'linux-x64-musl'], '@adrkit/native-linux-arm64-gnu, @adrkit/native-linux-x64-musl.', 'another C library'],
    [{ platform: 'darwin', arch: 'x64' }, ['darwin-arm64'], '@adrkit/native-darwin-x64 is not', 'another processor', 'Rosetta'],
    [{ platform: 'darwin', arch: 'arm64' }, ['darwin-x64'], '@adrkit/native-darwin-arm64 is not', 'another processor', 'Rosetta'],
    [gnu, ['win32-x64-msvc'], 'another system', 'lock file'],
    [{ platform: 'freebsd', arch: 'x64' }, [], '(freebsd, x64)', 'one for each of darwin-arm64,'],
    [{ platform: 'linux', arch: 'riscv64', libc: 'gnu' }, ['linux-x64-gnu'], '(linux, riscv64, glibc)', 'one for each of'],
  ]) {
    const message = whyMissing(system, present);
    for (const words of said) assert.ok(message.includes(words), `${message} [${words}]`);
  }
});

test('the binary is beside the package, or in the package of the platform', (t) => {
  const it = place(t);
  assertFails(load(it.native), 'native-missing', new RegExp(`${platformPackage} is not installed\\. Optional`));
  installPlatform(it.modules);
  assert.deepEqual(load(it.native), WORKS);
});

test('the package of another platform is named', (t) => {
  const it = place(t);
  const other = TARGETS.find((each) => each !== target);
  mkdirSync(join(it.modules, '@adrkit', `native-${other}`));
  writeFileSync(join(it.modules, '@adrkit', `native-${other}`, `adrkit.${other}.node`), '');
  assertFails(load(it.native), 'native-missing', new RegExp(`instead: @adrkit/native-${other}\\.`));
});

test('the first binary that is there is the one, and what the system says of it is kept', (t) => {
  const it = place(t);
  installPlatform(it.modules);
  writeFileSync(join(it.native, name), 'no binary');
  const told = load(it.native);
  assertFails(told, 'native-unloadable', /Install it again/);
  assert.equal(told.cause.code, 'ERR_DLOPEN_FAILED');
  assert.ok(told.cause.message.includes(name), told.cause.message);
  assert.ok(!told.message.includes(it.directory), 'a path is not in the message');
});

test('a binary for another C library is refused in the words of the system', onLinux, (t) => {
  const it = place(t);
  const content = readFileSync(binary);
  // As if it were built for a C library that is not on this system. musl takes any `libc.` for itself.
  const [own, other] = target.endsWith('gnu') ? ['\0libc.so.6\0', '\0libq.so.6\0'] : ['\0libc.so\0', '\0libq.so\0'];
  const at = content.indexOf(own, 0, 'latin1');
  assert.ok(at > 0);
  content.write(other, at, 'latin1');
  writeFileSync(join(it.native, name), content);
  const told = load(it.native);
  assertFails(told, 'native-unloadable', /C library/);
  assert.match(told.cause.message, /libq\.so/);
});

test('a binary of another version is refused, and both are said', (t) => {
  const it = place(t);
  installPlatform(it.modules);
  const manifest = join(it.native, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"version": "${version}"`, '"version": "9.8.7"'));
  const both = (other) => new RegExp(`version ${other.replaceAll('.', '\\.')}, .* version 9\\.8\\.7\\.`);
  assertFails(load(it.native), 'native-version', both(version));
  // One that does not say its version is of another one too.
  const before = "require('node:module')._extensions['.node'] = (it) => { it.exports = {}; };";
  assertFails(load(it.native, { before }), 'native-version', both('unknown'));
});

test('neither the environment nor the working directory chooses the binary', (t) => {
  const it = place(t);
  const elsewhere = join(it.directory, 'elsewhere');
  mkdirSync(elsewhere);
  linkOrCopy(binary, join(elsewhere, name));
  installPlatform(join(elsewhere, 'node_modules'));
  installPlatform(join(elsewhere, '.node_modules'));
  installPlatform(elsewhere);
  for (const env of [
    {},
    { NODE_PATH: elsewhere },
    { NODE_PATH: '.' },
    { NODE_PATH: join(elsewhere, 'node_modules') },
    { HOME: elsewhere, USERPROFILE: elsewhere },
    { NAPI_RS_NATIVE_LIBRARY_PATH: join(elsewhere, name) },
    { NAPI_RS_FORCE_WASI: 'true' },
    { ADRKIT_NATIVE_PATH: '' },
  ]) {
    assertFails(load(it.native, { cwd: elsewhere, env }), 'native-missing', /is not installed/);
  }
  installPlatform(it.modules);
  const forced = { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere.node', NAPI_RS_FORCE_WASI: 'error' };
  assert.deepEqual(load(it.native, { env: forced }), WORKS);
});

test('one variable names the binary, by an absolute path', (t) => {
  const it = place(t);
  const named = (path) => load(it.native, { env: { ADRKIT_NATIVE_PATH: path } });
  assert.deepEqual(named(binary), WORKS);
  const near = join(it.directory, 'near.node');
  linkOrCopy(binary, near);
  assertFails(named(relative(it.native, near)), 'native-missing', /must be the absolute path of a \.node file/);
  assertFails(named(join(it.directory, name)), 'native-missing', /names a file that does not exist/);
  // It wins over what is there, and what it names is never run as a script.
  install(it.native);
  const [script, ran] = [join(it.directory, 'it.js'), join(it.directory, 'ran')];
  writeFileSync(script, `require('fs').writeFileSync(${JSON.stringify(ran)}, '')`);
  assertFails(named(script), 'native-missing', /must be the absolute path of a \.node file/);
  assert.ok(!existsSync(ran));
  writeFileSync(join(it.directory, name), 'no binary');
  assertFails(named(join(it.directory, name)), 'native-unloadable', /Install it again/);
});

test("Yarn's Plug'n'Play, which has no directories, is asked by name", (t) => {
  const it = place(t);
  const asked = `${platformPackage}/${name}`;
  const before = `
    const Module = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = (request, ...rest) =>
      request === ${JSON.stringify(asked)} ? ${JSON.stringify(binary)} : resolve(request, ...rest);
  `;
  assertFails(load(it.native, { before }), 'native-missing', /is not installed/);
  const pnp = "Object.defineProperty(process, 'versions', { value: { ...process.versions, pnp: '3' } });";
  assert.deepEqual(load(it.native, { before: before + pnp }), WORKS);
  assertFails(load(it.native, { before: pnp }), 'native-missing', /is not installed/);
});
