// What is published: which addons and packages are refused, and what the packages say of each other.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { contentProblems } from '../scripts/release/contents.mjs';
import { identityProblems, pathIn, problems } from '../scripts/release/inspect.mjs';
import { MAX_ADDON_BYTES, MAX_MAIN_BYTES } from '../scripts/release/limits.mjs';
import { manifest, platforms } from '../scripts/release/platforms.mjs';
import { serve } from '../scripts/release/registry.mjs';
import { findAddons, stage } from '../scripts/release/stage.mjs';
import { root, scratch } from './fixtures/processes.mjs';

const read = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const named = (name) => platforms.find((platform) => platform.name === name);

const addon = (more) => ({
  format: 'elf',
  architecture: 'X86_64',
  isDynamicLibrary: true,
  exports: ['napi_register_module_v1'],
  libraries: ['libc.so.6', 'ld-linux-x86-64.so.2'],
  versions: ['GLIBC_2.2.5', 'GLIBC_2.17'],
  ...more,
});
const musl = addon({ libraries: ['libc.so'], versions: [] });
const mac = addon({ format: 'mach-o', architecture: 'Aarch64', exports: ['_napi_register_module_v1'], libraries: ['/usr/lib/libSystem.B.dylib'], versions: [] });
const windows = addon({ format: 'pe', libraries: ['KERNEL32.dll', 'api-ms-win-core-synch-l1-2-0.dll'], versions: [] });

describe('an addon', () => {
  for (const [name, facts] of Object.entries({ 'linux-x64-gnu': addon(), 'linux-x64-musl': musl, 'darwin-arm64': mac, 'win32-x64-msvc': windows })) {
    test(`is published for ${name}`, () => assert.deepEqual(problems(named(name), facts, Buffer.from('text')), []));
  }

  for (const [what, platform, facts, expected] of [
    ['of another system', 'darwin-arm64', { ...mac, format: 'pe', exports: ['napi_register_module_v1'] }, /^its format is pe/],
    ['of another processor', 'linux-arm64-musl', musl, /^its architecture is X86_64/],
    ['that is a program', 'linux-x64-gnu', addon({ isDynamicLibrary: false }), /^it is no library/],
    ['that Node cannot load', 'linux-x64-gnu', addon({ exports: [] }), /^it does not export/],
    ['that exports more', 'linux-x64-gnu', addon({ exports: ['malloc', 'napi_register_module_v1'] }), /^it exports 1 other symbols: malloc$/],
    ['of a newer glibc', 'linux-x64-gnu', addon({ versions: ['GLIBC_2.18'] }), /^it needs GLIBC_2\.18/],
    ['of a glibc by a mark', 'linux-x64-gnu', addon({ versions: ['GLIBC_ABI_DT_RELR'] }), /^it needs GLIBC_ABI/],
    ['of glibc, for musl', 'linux-x64-musl', addon({ versions: [], libraries: ['libc.so.6'] }), /^it needs libc\.so\.6/],
    ['of musl, for glibc', 'linux-x64-gnu', musl, /^it needs libc\.so/],
    ['with a runtime to be installed', 'win32-x64-msvc', { ...windows, libraries: ['VCRUNTIME140.dll'] }, /^it needs VCRUNTIME140/],
    ['with a library from a package manager', 'darwin-arm64', { ...mac, libraries: ['/opt/homebrew/lib/libz.dylib'] }, /^it needs \/opt/],
  ]) {
    test(`${what} is refused`, () => {
      const found = problems(named(platform), facts, Buffer.from('text'));
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0], expected);
    });
  }

  test('that is only tried may be large and need more, but not be another', () => {
    assert.deepEqual(identityProblems(named('win32-x64-msvc'), { ...windows, libraries: ['libgcc_s_seh-1.dll'] }), []);
    assert.match(identityProblems(named('linux-x64-gnu'), windows)[0], /^its format is pe/);
  });

  test('has a size limit', () => {
    assert.deepEqual(problems(named('linux-x64-gnu'), addon(), Buffer.alloc(MAX_ADDON_BYTES)), []);
    assert.match(problems(named('linux-x64-gnu'), addon(), Buffer.alloc(MAX_ADDON_BYTES + 1))[0], /bytes, more than/);
  });
});

test('a path of a building machine is found in any bytes, and no other path is taken for one', () => {
  const found = [
    join(root, 'src'),
    join(homedir(), 'x'),
    '/home/runner/.cargo/registry/src/a.rs',
    '/Users/runner/work/a.rs',
    'C:\\Users\\runneradmin\\.cargo\\a.rs',
    'D:\\a\\repository\\src\\lib.rs',
    '/__w/repository/src/lib.rs',
  ];
  for (const path of found) assert.ok(pathIn(Buffer.from(`\0\xff${path}\0`, 'latin1')), path);
  for (const path of ['/cargo/tokio-1.54.1/src/lib.rs', '/rustc/0123/library/std/src/a.rs', '/usr/lib/a.so', '/homepage/a']) {
    assert.equal(pathIn(Buffer.from(`\0${path}\0`)), undefined, path);
  }
});

describe('a package', () => {
  const main = { manifest: { license: 'Apache-2.0' } };
  const own = { ...main, platform: named('linux-x64-gnu') };
  const documents = ['LICENSE', 'README.md', 'package.json'];
  const files = (...more) => ({ files: [...documents, ...more], unpackedSize: 1 });
  const good = files('CHANGELOG.md', 'index.js', 'index.d.ts', 'lib/abort.js');

  test('of the right files is published', () => {
    assert.deepEqual(contentProblems(main, good), []);
    assert.deepEqual(contentProblems(own, files('adrkit.linux-x64-gnu.node')), []);
  });

  for (const [what, staged, packed, expected] of [
    ['without a licence', main, { ...good, files: good.files.filter((name) => name !== 'LICENSE') }, /^LICENSE is missing/],
    ['with a test', main, files('__test__/run.test.mjs'), /^__test__.* does not belong/],
    ['with a source', main, files('src/lib.rs'), /^src.* does not belong/],
    ['with an addon that is another package', main, files('adrkit.linux-x64-gnu.node'), /does not belong/],
    ['with the addon of another platform', own, files('adrkit.linux-x64-gnu.node', 'adrkit.darwin-x64.node'), /^adrkit\.darwin.* does not belong/],
    ['without its addon', own, files(), /is missing/],
    ['that is private', { manifest: { ...main.manifest, private: true } }, good, /has private/],
    ['that runs scripts', { manifest: { ...main.manifest, scripts: {} } }, good, /has scripts/],
    ['that brings others', { manifest: { ...main.manifest, dependencies: {} } }, good, /has dependencies/],
    ['of another licence', { manifest: { license: 'MIT' } }, good, /licence/],
    ['that is too large', main, { ...good, unpackedSize: MAX_MAIN_BYTES + 1 }, /bytes, more than/],
  ]) {
    test(`${what} is refused`, () => {
      const found = contentProblems(staged, packed);
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(found[0], expected);
    });
  }
});

/** Packages with empty addons, as they are laid out for packing. */
function laidOut(t) {
  const directory = scratch(t);
  const binary = join(directory, 'empty.node');
  writeFileSync(binary, '');
  return stage(join(directory, 'packages'), new Map(platforms.map(({ name }) => [name, binary])));
}

test('addons are found by their names, wherever they lie under a directory', (t) => {
  const directory = scratch(t);
  assert.deepEqual(findAddons(join(directory, 'none')), new Map());
  mkdirSync(join(directory, 'a', 'b'), { recursive: true });
  if (process.platform !== 'win32') symlinkSync(directory, join(directory, 'a', 'b', 'up'));
  for (const name of ['adrkit.linux-x64-gnu.node', 'adrkit.linux-x64-gnu.node.txt', 'adrkit.plan9-x64.node']) {
    writeFileSync(join(directory, 'a', 'b', name), '');
  }
  assert.deepEqual(findAddons(directory), new Map([['linux-x64-gnu', join(directory, 'a', 'b', 'adrkit.linux-x64-gnu.node')]]));
});

test('the main package names one package for each platform, of its own version, and comes last', (t) => {
  const staged = laidOut(t);
  const main = staged.at(-1).manifest;
  assert.equal(main.name, manifest.name);
  const own = staged.slice(0, -1).map((each) => each.manifest);
  assert.equal(own.length, 8);
  assert.deepEqual(main.optionalDependencies, Object.fromEntries(own.map(({ name }) => [name, manifest.version])));
  for (const { version } of own) assert.equal(version, manifest.version);
});

test('what is published differs from what is in the tree in what the tree alone needs', (t) => {
  const main = laidOut(t).at(-1);
  assert.equal(manifest.private, true);
  const { optionalDependencies, publishConfig, files, ...rest } = main.manifest;
  assert.deepEqual(files, [...manifest.files, 'CHANGELOG.md']);
  for (const [key, value] of Object.entries(rest)) if (key !== 'repository') assert.deepEqual(value, manifest[key], key);
  for (const key of ['private', 'scripts', 'devDependencies', 'napi']) assert.ok(!(key in rest), key);
  assert.deepEqual(publishConfig, { access: 'public' });
  assert.deepEqual(read(main.directory, 'package.json'), main.manifest);
});

test('the repository is that of the workflow which publishes', (t) => {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  t.after(() => {
    delete process.env.GITHUB_SERVER_URL;
    delete process.env.GITHUB_REPOSITORY;
    Object.assign(process.env, JSON.parse(JSON.stringify({ GITHUB_SERVER_URL, GITHUB_REPOSITORY })));
  });
  Object.assign(process.env, { GITHUB_SERVER_URL: 'https://example.org', GITHUB_REPOSITORY: 'Some/Body' });
  for (const { manifest: own } of laidOut(t)) {
    assert.deepEqual(own.repository, { type: 'git', url: 'git+https://example.org/Some/Body.git' });
  }
});

test('the packages of the platforms are what the napi command makes of package.json', (t) => {
  const directory = scratch(t);
  const napi = join(root, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js');
  copyFileSync(join(root, 'package.json'), join(directory, 'package.json'));
  execFileSync(process.execPath, [napi, 'create-npm-dirs', '--cwd', directory], { stdio: 'pipe' });
  const generated = readdirSync(join(directory, 'npm')).sort();
  assert.deepEqual(readdirSync(join(root, 'npm')).sort(), generated);
  for (const name of generated) {
    for (const file of ['package.json', 'README.md']) {
      assert.equal(readFileSync(join(root, 'npm', name, file), 'utf8'), readFileSync(join(directory, 'npm', name, file), 'utf8'), `${name}/${file}`);
    }
  }
});

test('the registry for trying a release offers its packages, and the platforms that were not packed without tarballs', async (t) => {
  const directory = scratch(t);
  const main = { name: manifest.name, version: '1.2.3', optionalDependencies: { [`${manifest.name}-linux-x64-musl`]: '1.2.3' } };
  writeFileSync(join(directory, 'main.tgz'), 'tarball');
  writeFileSync(join(directory, 'index.json'), JSON.stringify([{ manifest: main, filename: 'main.tgz' }]));
  const registry = await serve(directory);
  t.after(() => registry.close());
  const ask = async (path) => {
    const response = await fetch(new URL(path, registry.url));
    return { status: response.status, text: await response.text() };
  };
  const offered = JSON.parse((await ask(encodeURIComponent(main.name))).text).versions['1.2.3'];
  assert.equal((await ask(offered.dist.tarball)).text, 'tarball');
  const absent = JSON.parse((await ask(`${manifest.name}-linux-x64-musl`)).text).versions['1.2.3'];
  assert.deepEqual([absent.os, absent.cpu, absent.libc], [['linux'], ['x64'], ['musl']]);
  assert.equal((await ask(absent.dist.tarball)).status, 404);
  assert.equal((await ask('left-pad')).status, 404);
  assert.deepEqual(registry.downloads, ['main.tgz', 'linux-x64-absent.tgz']);
});
