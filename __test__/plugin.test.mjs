// What is in the plugin, and what `npm run plugin:pack` makes of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { root, scratch } from './fixtures/processes.mjs';

const json = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));
const manifest = json(root, 'package.json');
const pack = (...args) => execFileSync(process.execPath, [join(root, 'scripts', 'plugin-pack.mjs'), ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function files(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(directory.length + 1).replaceAll('\\', '/'))
    .sort();
}

test('the manifest has the version of the package, and no paths', () => {
  const plugin = json(root, 'plugin', '.claude-plugin', 'plugin.json');
  assert.equal(plugin.version, manifest.version);
  assert.deepEqual(Object.keys(plugin).sort(), ['description', 'keywords', 'license', 'name', 'version']);
  assert.equal(plugin.name, 'adrkit');
});

test('the extension registers no hook before a tool, and prints nothing to stdout', () => {
  const directory = join(root, 'plugin', 'extensions', 'adrkit');
  for (const name of readdirSync(directory)) {
    const source = readFileSync(join(directory, name), 'utf8');
    assert.doesNotMatch(source, /onPreToolUse|permissionDecision|console\.|process\.stdout/, name);
  }
});

test('a packed plugin holds all that it needs, and loads where it is put', async (t) => {
  const output = join(scratch(t), 'modules', 'plugin');
  mkdirSync(join(output, '..'));
  // A package of modules above it must not change what its files are.
  writeFileSync(join(output, '..', 'package.json'), '{ "type": "module" }');
  pack('--output', output);
  const packed = files(output);
  for (const name of files(join(root, 'plugin'))) assert.ok(packed.includes(name), name);
  const native = packed.filter((name) => name.startsWith('native/') && !name.endsWith('.node'));
  const libraries = readdirSync(join(root, 'lib')).map((name) => `native/lib/${name}`);
  assert.deepEqual(native, ['native/index.js', ...libraries.sort(), 'native/package.json']);
  const { loadAddon } = await import(pathToFileURL(join(output, 'extensions', 'adrkit', 'load.mjs')));
  assert.equal(loadAddon().addon.isRecordId('0001'), true);

  // The tarball holds the same, and nothing of the machine or the hour.
  const tarball = join(output, '..', `adrkit-plugin-${manifest.version}.tgz`);
  const first = readFileSync(tarball);
  assert.deepEqual(entries(gunzipSync(first)), new Map(packed.map((name) => [`adrkit/${name}`, statSync(join(output, name)).size])));
  pack('--output', output);
  assert.ok(readFileSync(tarball).equals(first));
});

test('a directory that is no plugin is not overwritten', (t) => {
  const output = scratch(t);
  writeFileSync(join(output, 'mine'), '');
  assert.throws(() => pack('--output', output, '--no-tarball'), /exists and is no plugin/);
  assert.deepEqual(readdirSync(output), ['mine']);
});

/** The names and sizes in an archive. */
function entries(archive) {
  const found = new Map();
  const text = (at, length) => archive.toString('latin1', at, at + length).replace(/[\0 ].*$/s, '');
  for (let at = 0; archive[at] !== 0; ) {
    const size = parseInt(text(at + 124, 12), 8);
    found.set(text(at, 100), size);
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return found;
}
