// check, explain, lint, queue and changedFiles, on a repository. What they find is tested in Rust.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { changedFiles, check, explain, lint, queue } from '@adrkit/native';

import { cwd as anywhere, scratch } from './fixtures/processes.mjs';
import { RECORD, repository } from './fixtures/repository.mjs';

const engine = 'embedded';

test('check tells what governs the paths', async (t) => {
  const cwd = repository(t);
  const { exitCode, engine: who, report } = await check({ cwd, engine, paths: ['src/a.ts', 'README.md'] });
  assert.deepEqual({ exitCode, who }, { exitCode: 0, who: 'embedded' });
  assert.deepEqual(report.changedFiles, ['README.md', 'src/a.ts']);
  assert.deepEqual(report.governing.map((d) => d.recordId), ['0001']);
  assert.deepEqual(report.governing[0].declaredBy, [{ path: 'src/a.ts', line: 1, ref: '0001' }]);
  assert.equal(report.ok, true);
});

test('check without paths asks about what has changed', async (t) => {
  const cwd = repository(t);
  const { report } = await check({ cwd, engine });
  assert.deepEqual(report.changedFiles, ['src/a.ts']);
  assert.deepEqual(report.governing.map((d) => d.recordId), ['0001']);
});

test('check takes paths or a base, not both', async (t) => {
  const cwd = repository(t);
  const both = check({ cwd, engine, paths: ['a'], base: 'main' });
  await assert.rejects(both, { code: 'invalid-argument', message: 'The argument base must be absent where paths are given.' });
});

test('explain tells what governs one path', async (t) => {
  const cwd = repository(t);
  const { exitCode, report } = await explain({ cwd, engine, path: 'src/a.ts' });
  assert.equal(exitCode, 0);
  assert.equal(report.path, 'src/a.ts');
  assert.deepEqual(report.governing.map((d) => d.recordId), ['0001']);
  assert.equal(report.markers.state, 'scanned');
});

test('lint passes a good corpus and fails a bad one', async (t) => {
  const good = await lint({ cwd: repository(t), engine });
  assert.deepEqual(good, { exitCode: 0, engine: 'embedded', report: { checked: 1, findings: [] } });
  const bad = await lint({ cwd: repository(t, RECORD.replace('accepted', 'nonsense')), engine });
  assert.equal(bad.exitCode, 1);
  assert.equal(bad.report.findings[0].severity, 'error');
});

test('queue judges deadlines on the day it is told, else today', async (t) => {
  const cwd = repository(t, RECORD.replace('accepted', 'proposed'));
  const then = await queue({ cwd, engine, asOf: '2026-02-03' });
  assert.equal(then.report.asOf, '2026-02-03');
  assert.deepEqual(then.report.items.map((item) => item.id), ['0001']);
  const now = await queue({ cwd, engine });
  assert.match(now.report.asOf, /^\d{4}-\d\d-\d\d$/);
});

test('another directory of records can be named', async (t) => {
  const cwd = repository(t);
  const { report } = await lint({ cwd: join(cwd, 'docs'), dir: 'adr', engine });
  assert.equal(report.checked, 1);
});

test('changedFiles lists what has changed', async (t) => {
  const cwd = repository(t);
  const changed = await changedFiles({ cwd });
  assert.deepEqual(Object.keys(changed), ['files', 'base', 'label', 'skippedNonUtf8']);
  assert.deepEqual(changed.files, ['src/a.ts']);
  assert.equal(changed.skippedNonUtf8, 0);
});

test('failures are told by code', async (t) => {
  const cwd = repository(t);
  const cases = [
    ['not-work-tree', () => changedFiles({ cwd: scratch(t) })],
    ['not-work-tree', () => check({ cwd: scratch(t), engine })],
    ['base-undiffable', () => changedFiles({ cwd, base: 'no-such-branch' })],
    ['base-undiffable', () => changedFiles({ cwd, base: '--output=x' })],
    ['unknown-engine', () => lint({ cwd, engine: 'wasm' })],
    ['usage-error', () => queue({ cwd, engine, asOf: 'yesterday' })],
  ];
  for (const [code, failure] of cases) {
    await assert.rejects(failure(), (error) => {
      assert.equal(error.name, 'AdrkitError');
      assert.equal(error.code, code);
      return true;
    });
  }
});

test('an invalid argument is named and not repeated', async () => {
  const cwd = anywhere;
  const secret = 'secret-value';
  const cases = [
    ['cwd', check({ cwd: secret })],
    ['cwd', lint(undefined)],
    ['paths', check({ cwd, paths: secret })],
    ['paths', check({ cwd, paths: [secret, 5] })],
    ['base', check({ cwd, base: 5 })],
    ['base', changedFiles({ cwd, base: {} })],
    ['path', explain({ cwd })],
    ['path', explain({ cwd, path: [secret] })],
    ['dir', lint({ cwd, dir: 5 })],
    ['asOf', queue({ cwd, asOf: 5 })],
    ['engine', lint({ cwd, engine: 5 })],
    ['timeoutMs', queue({ cwd, timeoutMs: secret })],
    ['signal', lint({ cwd, signal: secret })],
  ];
  for (const [name, failure] of cases) {
    await assert.rejects(failure, (error) => {
      assert.equal(error.code, 'invalid-argument', `${name}: ${error}`);
      assert.match(error.message, new RegExp(`^The argument ${name} must be .*\\.$`));
      assert.ok(!error.message.includes(secret));
      return true;
    });
  }
});
