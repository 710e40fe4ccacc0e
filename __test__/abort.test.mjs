// AbortSignal: before the call, during it, and shared.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { changedFiles, check, explain, lint, queue, run } from '@adrkit/native';

import { cwd, onLinux, tree, until, zombies } from './fixtures/processes.mjs';

const listeners = (signal) => getEventListeners(signal, 'abort').length;
const forever = ['-e', 'setInterval(() => {}, 1000)'];

test('an aborted signal starts no process', onLinux, async (t) => {
  const it = tree(t);
  const result = await run(it.file, it.args, { cwd, env: it.env, signal: AbortSignal.abort() });
  assert.deepEqual(result, {
    outcome: 'aborted',
    exitCode: null,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    outputIncomplete: false,
    durationMs: 0,
  });
  assert.ok(!it.hasStarted());
});

test('an aborted signal rejects every question', async () => {
  const signal = AbortSignal.abort(new Error('a reason of the caller'));
  for (const question of [
    check({ cwd, paths: [], signal }),
    explain({ cwd, path: 'a', signal }),
    lint({ cwd, signal }),
    queue({ cwd, signal }),
    changedFiles({ cwd, signal }),
  ]) {
    await assert.rejects(question, { name: 'AdrkitError', code: 'aborted', message: 'The call was aborted.' });
  }
});

test('an abort ends the process and everything in its group', onLinux, async (t) => {
  const it = tree(t);
  const abort = new AbortController();
  const pending = run(it.file, it.args, { cwd, env: it.env, signal: abort.signal });
  await it.started();
  abort.abort();
  assert.equal((await pending).outcome, 'aborted');
  await it.gone();
});

test('an abort ends the second of two calls that share a signal, after the first is done', async () => {
  const abort = new AbortController();
  const second = run(process.execPath, forever, { cwd, signal: abort.signal });
  const first = await run(process.execPath, ['-e', ''], { cwd, signal: abort.signal });
  assert.equal(first.outcome, 'exited');
  abort.abort();
  assert.equal((await second).outcome, 'aborted');
});

test('an abort after the end changes nothing', async () => {
  const abort = new AbortController();
  const result = await run(process.execPath, ['-e', ''], { cwd, signal: abort.signal });
  abort.abort();
  assert.equal(result.outcome, 'exited');
});

test('calls that share a signal share one listener, and leave none', async () => {
  const { signal } = new AbortController();
  const calls = Array.from({ length: 20 }, () => run('/nonexistent', [], { cwd, signal }));
  assert.equal(listeners(signal), 1);
  await Promise.allSettled(calls);
  assert.equal(listeners(signal), 0);
});

test('an invalid argument leaves no listener', async () => {
  const { signal } = new AbortController();
  await assert.rejects(run(5, [], { cwd, signal }));
  await assert.rejects(check({ signal }));
  assert.equal(listeners(signal), 0);
});

test('five hundred aborted calls leave no listener, zombie or descriptor', onLinux, async () => {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const counts = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => process.listenerCount(name));
  const batch = async (size) => {
    const abort = new AbortController();
    const calls = Array.from({ length: size }, () => run('/bin/sleep', ['600'], { cwd, signal: abort.signal }));
    setImmediate(() => abort.abort());
    const outcomes = new Set((await Promise.all(calls)).map((result) => result.outcome));
    assert.deepEqual([...outcomes], ['aborted']);
    assert.equal(listeners(abort.signal), 0);
  };
  await batch(50);
  const [before, exits, open] = [counts(), process.listenerCount('exit'), descriptors()];
  for (let i = 0; i < 10; i += 1) await batch(50);
  assert.deepEqual(counts(), before);
  assert.equal(process.listenerCount('exit'), exits);
  await until(() => zombies() === 0, 'no zombie is left');
  // A reader may close its end a moment after the call has settled.
  await until(() => descriptors() <= open, 'no descriptor is left');
});
