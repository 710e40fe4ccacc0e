// What the files of the package say about each other.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import * as adrkit from '@adrkit/native';

import { root } from './fixtures/processes.mjs';

const { TARGETS, targetOf } = createRequire(import.meta.url)('../lib/platform.js');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const typings = read('index.d.ts');
const manifest = JSON.parse(read('package.json'));
const all = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]).sort();
const union = (name) => all(typings.match(new RegExp(`export type ${name} =(.*?);\\n\\n`, 's'))[1], /^ +\| '([a-z-]+)'/gm);

test('every code of an error is documented, and no other', () => {
  const codes = all(read('src', 'error.rs'), /^ +Self::\w+(?: \{ \.\. \})? => "([a-z-]+)",$/gm);
  assert.ok(codes.includes('not-work-tree'));
  const own = all(read('src', 'node', 'failure.rs'), /^const \w+: &str = "([a-z-]+)";$/gm);
  const loading = new Set(all(read('lib', 'load.js'), /'(native-[a-z]+)'/g));
  assert.deepEqual([...union('ErrorCode'), ...union('ToolFailureCode')].sort(), [...codes, ...own, ...loading].sort());
});

test('every code of a rejection is documented, and no other', () => {
  const codes = all(read('src', 'validate', 'rejection.rs'), /\(\s*"([a-z]+(?:-[a-z0-9]+)+)",/g);
  assert.ok(codes.includes('path-empty'));
  assert.deepEqual(union('RejectionCode'), [...new Set(codes)].sort());
});

test('the typings declare what is exported, and no other', () => {
  const declared = all(typings, /^export (?:function|class) (\w+)/gm);
  assert.deepEqual(declared, Object.keys(adrkit).filter((name) => name !== 'default' && name !== 'module.exports').sort());
});

test('both manifests have one version', () => {
  const [version] = all(read('Cargo.toml'), /^version = "(.*)"$/gm);
  assert.equal(manifest.version, version);
  assert.equal(JSON.parse(read('package-lock.json')).version, version);
  for (const platform of readdirSync(join(root, 'npm'))) {
    assert.equal(JSON.parse(read('npm', platform, 'package.json')).version, version, platform);
  }
});

test('there is a package for each target, and the loader knows it', () => {
  const packages = readdirSync(join(root, 'npm')).sort();
  assert.equal(packages.length, manifest.napi.targets.length);
  assert.deepEqual(TARGETS, packages);
  for (const target of packages) {
    const { name, main, os, cpu, libc } = JSON.parse(read('npm', target, 'package.json'));
    assert.deepEqual([name, main], [`${manifest.name}-${target}`, `adrkit.${target}.node`]);
    const system = { platform: os[0], arch: cpu[0], libc: { glibc: 'gnu', musl: 'musl' }[libc?.[0]] };
    assert.equal(targetOf(system), target);
  }
});

test('what is published is there, and installs without running anything', () => {
  for (const name of manifest.files) assert.ok(readdirSync(root).includes(name.replace(/\/$/, '')), name);
  for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(manifest.scripts[hook], undefined);
  assert.deepEqual(Object.keys(manifest.dependencies ?? {}), []);
});
