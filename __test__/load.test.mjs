// How the package loads, and what it leaves alone.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import * as imported from '@adrkit/native';

import { host, onLinux } from './fixtures/processes.mjs';

const required = createRequire(import.meta.url)('@adrkit/native');

test('import and require give the same functions', () => {
  const names = Object.keys(required).sort();
  assert.deepEqual(names, [
    'AdrkitError',
    'Hooks',
    'Review',
    'Tools',
    'changedFiles',
    'check',
    'collectAndCheck',
    'explain',
    'hooksEnabled',
    'isRecordId',
    'joinLadder',
    'killAll',
    'lint',
    'queue',
    'resolveCli',
    'run',
    'validatePath',
    'validateRevision',
  ]);
  for (const name of names) assert.equal(imported[name], required[name], name);
});

test('loading starts no thread, adds no listener and holds nothing', onLinux, async () => {
  const { code, stdout, stderr } = await host('load.mjs').ended;
  assert.deepEqual({ code, stderr, ...JSON.parse(stdout) }, { code: 0, stderr: '', threads: 0, listeners: 0 });
});

test('nothing is printed, whatever is called and however it ends', async () => {
  const { code, stdout, stderr } = await host('quiet.mjs').ended;
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
});

test('a pending call keeps the host alive until it has settled', async () => {
  const { code, stdout } = await host('pending.mjs').ended;
  assert.deepEqual({ code, stdout }, { code: 0, stdout: 'settled' });
});
