// Where the extension takes its addon from, and where it never does.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadAddon } from '../plugin/extensions/adrkit/load.mjs';
import { binaries, install, installPlatform, linkOrCopy } from './fixtures/package.mjs';
import { root, scratch } from './fixtures/processes.mjs';

const NOTICE =
  `adrkit: its native module for ${process.platform}-${process.arch} could not be loaded. ` +
  'The tools, hooks and panel are off for this session.';

/** A plugin without an addon, and a workspace that has one. */
function place(t) {
  const directory = scratch(t);
  const [plugin, workspace] = [join(directory, 'home', 'plugin'), join(directory, 'workspace')];
  mkdirSync(plugin, { recursive: true });
  install(join(workspace, 'node_modules', '@adrkit', 'native'));
  return { directory, plugin, workspace };
}

function loads({ plugin, workspace }) {
  const before = { ...process.env };
  const { addon, notice } = loadAddon({ plugin, workspace });
  assert.deepEqual({ ...process.env }, before);
  if (addon === undefined) assert.equal(notice, NOTICE);
  else assert.deepEqual([addon.isRecordId('0001'), notice], [true, undefined]);
  return addon !== undefined;
}

test("the plugin's own addon is the first", (t) => {
  const it = place(t);
  install(join(it.plugin, 'native'));
  install(join(it.plugin, 'node_modules', '@adrkit', 'native'));
  appendFileSync(join(it.plugin, 'native', 'index.js'), "module.exports.origin = 'own';\n");
  assert.ok(loads(it));
  assert.equal(loadAddon(it).addon.origin, 'own');
});

test("the plugin's own addon may lie in the workspace, with the plugin", (t) => {
  const it = place(t);
  install(join(it.plugin, 'native'));
  assert.ok(loads({ ...it, workspace: it.directory }));
  assert.ok(loads({ ...it, workspace: it.plugin }));
});

test('the package is found from the plugin', (t) => {
  const it = place(t);
  install(join(it.directory, 'home', 'node_modules', '@adrkit', 'native'));
  assert.ok(loads(it));
});

test('a broken addon of its own gives way to the package', (t) => {
  const it = place(t);
  install(join(it.plugin, 'native'), { binary: false });
  for (const name of binaries) writeFileSync(join(it.plugin, 'native', name), 'no binary');
  assert.ok(!loads(it));
  install(join(it.plugin, 'node_modules', '@adrkit', 'native'));
  assert.ok(loads(it));
});

test('the workspace is never asked', (t) => {
  const it = place(t);
  assert.ok(!loads(it));
  // Not even where it holds the plugin, is reached by a link, or is a directory below.
  const inside = join(it.workspace, 'plugins', 'adrkit');
  mkdirSync(inside, { recursive: true });
  mkdirSync(join(it.directory, 'elsewhere'));
  assert.ok(loads({ plugin: inside, workspace: join(it.directory, 'elsewhere') }));
  assert.ok(!loads({ plugin: inside, workspace: it.workspace }));
  mkdirSync(join(it.workspace, '.git'));
  assert.ok(!loads({ plugin: inside, workspace: join(it.workspace, 'plugins') }));
  symlinkSync(join(it.workspace, 'node_modules'), join(it.plugin, 'node_modules'), 'junction');
  assert.ok(!loads(it));
  symlinkSync(join(it.workspace, 'node_modules', '@adrkit', 'native'), join(it.plugin, 'native'), 'junction');
  assert.ok(!loads(it));
});

test('code of the workspace is not run beside a binary from elsewhere', (t) => {
  const it = place(t);
  for (const name of binaries) rmSync(join(it.workspace, 'node_modules', '@adrkit', 'native', name));
  installPlatform(join(it.directory, 'node_modules'));
  const inside = join(it.workspace, 'plugins', 'adrkit');
  mkdirSync(inside, { recursive: true });
  assert.ok(!loads({ plugin: inside, workspace: it.workspace }));
  mkdirSync(join(it.directory, 'elsewhere'));
  assert.ok(loads({ plugin: inside, workspace: join(it.directory, 'elsewhere') }));
});

test('the loader takes no binary from the workspace either', (t) => {
  const it = place(t);
  // The package is the plugin's, but its binary would be found in the workspace, which holds the plugin.
  const inside = join(it.workspace, 'plugins', 'adrkit');
  install(join(inside, 'native'), { binary: false });
  installPlatform(join(it.workspace, 'node_modules'));
  rmSync(join(it.workspace, 'node_modules', '@adrkit', 'native'), { recursive: true });
  assert.ok(!loads({ plugin: inside, workspace: it.workspace }));
  mkdirSync(join(it.directory, 'elsewhere'));
  assert.ok(loads({ plugin: inside, workspace: join(it.directory, 'elsewhere') }));
});

test('a binary that a variable names is held to the same', (t) => {
  const it = place(t);
  install(join(it.plugin, 'native'), { binary: false });
  t.after(() => delete process.env.ADRKIT_NATIVE_PATH);
  process.env.ADRKIT_NATIVE_PATH = join(it.workspace, 'node_modules', '@adrkit', 'native', binaries[0]);
  assert.ok(!loads(it));
  mkdirSync(join(it.directory, 'mine'));
  process.env.ADRKIT_NATIVE_PATH = join(it.directory, 'mine', binaries[0]);
  linkOrCopy(join(root, binaries[0]), process.env.ADRKIT_NATIVE_PATH);
  assert.ok(loads(it));
});

test('without a workspace only its own is trusted', (t) => {
  const it = place(t);
  install(join(it.directory, 'home', 'node_modules', '@adrkit', 'native'));
  assert.equal(loadAddon({ plugin: it.plugin, workspace: null }).notice, NOTICE);
});
