// On Windows the processes of a host or a worker end with it, whatever they have started. The trees are of plain C: Node
// puts its own children into a job of its own, so one of Node processes would show nothing.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { killAll, run } from '@adrkit/native';

import { cwd, fixtures, host, scratch, until } from './fixtures/processes.mjs';

const helper = process.env.ADRKIT_WINDOWS_HELPER;
const onWindows = process.platform === 'win32' && helper ? {} : { skip: 'needs Windows, and the helper of check:platforms' };

const helped = (what, pid) => spawnSync(helper, [what, pid]).status === 0;

/** A process and what it has started, which name themselves in a file. */
function tree(t) {
  const ready = join(scratch(t), 'ready');
  const read = () => {
    try {
      const text = readFileSync(ready, 'utf8');
      return text.endsWith('\n') ? text.trim().split(' ') : [];
    } catch {
      return [];
    }
  };
  const alive = () => read().filter((pid) => helped('alive', pid));
  // Where a test has failed, nothing may be left, or its directory cannot be removed.
  t.after(() => alive().forEach((pid) => helped('end', pid)));
  return {
    file: helper,
    args: ['tree', ready],
    env: { ...process.env, READY: ready },
    started: () => until(() => read().length === 2, 'the tree has started'),
    alive,
    gone: () => until(() => alive().length === 0, 'the tree is gone'),
  };
}

for (const mode of ['terminate', 'exit']) {
  test(`a worker that ends by ${mode} takes its own tree along, and no other`, onWindows, async (t) => {
    const [its, ours] = [tree(t), tree(t)];
    const pending = run(ours.file, ours.args, { cwd, env: ours.env });
    await ours.started();
    const worker = new Worker(join(fixtures, 'worker.mjs'), { workerData: { file: its.file, args: its.args, env: its.env } });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    await its.started();
    assert.equal(its.alive().length, 2);
    if (mode === 'terminate') await worker.terminate();
    else worker.postMessage('exit');
    await ended;
    await its.gone();
    assert.equal(ours.alive().length, 2);
    assert.equal(killAll(), 1);
    assert.equal((await pending).outcome, 'aborted');
    await ours.gone();
  });
}

for (const mode of ['exit', 'throw', 'wait']) {
  test(`a host that ends by ${mode === 'wait' ? 'force' : mode} takes its tree along`, onWindows, async (t) => {
    const it = tree(t);
    const { child, ended } = host('host.mjs', [mode, it.file, ...it.args], it.env);
    await it.started();
    if (mode === 'wait') child.kill();
    await ended;
    await it.gone();
  });
}
