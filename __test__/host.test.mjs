// The host ends as it would have without us, and a worker takes along what is its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { killAll, run } from '@adrkit/native';

import { cwd, fixtures, host, onLinux, tree } from './fixtures/processes.mjs';

/** Starts a host that runs `it`, in a given way. */
async function startHost(it, mode) {
  const started = host('host.mjs', [mode, it.file, ...it.args], it.env);
  await it.started();
  return started;
}

test("a host's own listener decides, and hears the signal once", onLinux, async (t) => {
  const it = tree(t);
  const { child, ended, saw } = await startHost(it, 'handle');
  child.kill('SIGTERM');
  await saw('settled');
  await it.gone();
  const { code, signal, stdout } = await ended;
  assert.deepEqual({ code, signal, stdout }, { code: 0, signal: null, stdout: 'SIGTERM\nsettled\n' });
});

test('a listener that raises the signal again where it is alone finds itself alone', onLinux, async (t) => {
  const it = tree(t);
  const { child, ended } = await startHost(it, 'reraise');
  child.kill('SIGTERM');
  assert.equal((await ended).signal, 'SIGTERM');
  await it.gone();
});

test('two copies of the package leave the signal its effect', onLinux, async (t) => {
  const it = tree(t);
  const { child, ended } = await startHost(it, 'twice');
  child.kill('SIGTERM');
  assert.equal((await ended).signal, 'SIGTERM');
  await it.gone();
});

test('between calls the host has no listener of ours', async () => {
  const counts = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = counts();
  const call = run(process.execPath, ['-e', ''], { cwd });
  if (process.platform !== 'win32') assert.deepEqual(counts(), before.map((n) => n + 1));
  await call;
  assert.deepEqual(counts(), before);
});

for (const mode of ['terminate', 'exit']) {
  test(`a worker that ends by ${mode} takes its own processes along, and no others`, onLinux, async (t) => {
    const [its, ours] = [tree(t), tree(t)];
    const abort = new AbortController();
    const pending = run(ours.file, ours.args, { cwd, env: ours.env, signal: abort.signal });
    await ours.started();
    const worker = new Worker(join(fixtures, 'worker.mjs'), { workerData: { file: its.file, args: its.args, env: its.env } });
    t.after(() => worker.terminate());
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    await its.started();
    if (mode === 'terminate') await worker.terminate();
    else worker.postMessage('exit');
    await ended;
    await its.gone();
    assert.notDeepEqual(ours.alive(), []);
    abort.abort();
    assert.equal((await pending).outcome, 'aborted');
    await ours.gone();
  });
}

test("a worker's process gets the worker's environment", onLinux, async (t) => {
  const it = tree(t);
  const worker = new Worker(join(fixtures, 'worker.mjs'), {
    workerData: { file: it.file, args: it.args },
    env: it.env,
  });
  t.after(() => worker.terminate());
  await it.started();
  await worker.terminate();
  await it.gone();
});

test('killAll ends every group and says how many', onLinux, async (t) => {
  const trees = [tree(t), tree(t)];
  const pending = trees.map((it) => run(it.file, it.args, { cwd, env: it.env }));
  await Promise.all(trees.map((it) => it.started()));
  assert.equal(killAll(), 2);
  for (const it of trees) await it.gone();
  for (const { outcome } of await Promise.all(pending)) assert.equal(outcome, 'aborted');
  assert.equal(killAll(), 0);
  assert.equal((await run(process.execPath, ['-e', ''], { cwd })).outcome, 'exited');
});
