// No process outlives its host, however that ends: neither a child, nor a grandchild, nor what watched them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from '@adrkit/native';

import { cwd, host, isThere, members, onLinux, tree, until, watcherOf, zombies } from './fixtures/processes.mjs';

/** Ends by itself when it is told to, and leaves a child behind. */
const LEAVES = 'sleep 600 & : > "$READY"; while [ ! -e "$GO" ]; do sleep 0.01; done';

/** Neither the shell nor its child is ended by SIGTERM. It writes a file when it gets one. */
const DEAF = `trap ': > "$READY.asked"' TERM; (trap '' TERM; exec sleep 600) & : > "$READY"; while :; do wait; done`;

const signal = (name) => ({ how: (host) => host.kill(name), ends: [null, name] });
const go = (_, it) => it.go();

/**
 * `mode` is how the host is told to be, `how` what makes it end, and `ends` its exit code and the signal that it dies of.
 * Without `how` it ends by itself once the tree has started. Without a word, only a watcher is left to end the tree.
 */
const ENDS = {
  'ends by itself after a call': { script: LEAVES, how: go, ends: [0, null] },
  'calls process.exit': { mode: 'exit', ends: [7, null] },
  throws: { mode: 'throw', ends: [1, null] },
  'exits in a signal handler': { mode: 'exit-in-handler', how: (host) => host.kill('SIGTERM'), ends: [3, null] },
  'gets SIGTERM': signal('SIGTERM'),
  'gets SIGINT': signal('SIGINT'),
  'gets SIGHUP': signal('SIGHUP'),
  'aborts, without a word': { mode: 'abort', how: go, ends: [null, 'SIGABRT'] },
  'gets SIGQUIT, without a word': signal('SIGQUIT'),
  'gets SIGSEGV, without a word': signal('SIGSEGV'),
  'gets SIGKILL, without a word': signal('SIGKILL'),
  'gets SIGKILL while it waits for a polite end': {
    mode: 'cancel',
    script: DEAF,
    how: async (host, it) => {
      it.go();
      await until(() => it.has('asked'), 'the tree has been asked to end');
      host.kill('SIGKILL');
    },
    ends: [null, 'SIGKILL'],
  },
  'calls process.exit while a worker holds the call': { mode: 'exit-in-worker', ends: [7, null] },
  'gets SIGTERM while a worker holds the call': { mode: 'wait-in-worker', ...signal('SIGTERM') },
  'gets SIGKILL while a worker holds the call': { mode: 'wait-in-worker', ...signal('SIGKILL') },
};

for (const [what, { mode = 'wait', script, how, ends }] of Object.entries(ENDS)) {
  test(`nothing is left of a host that ${what}`, onLinux, async (t) => {
    const it = tree(t, script);
    const { child, ended } = host('host.mjs', [mode, it.file, ...it.args], it.env);
    await it.started();
    let group;
    if (how !== undefined) {
      group = await it.watched();
      await how(child, it);
    }
    const { code, signal } = await ended;
    assert.deepEqual([code, signal], ends);
    await it.gone();
    await until(() => members(group).length === 0, 'the watcher is gone');
  });
}

test('a watcher is gone, and reaped, when its call has settled', onLinux, async (t) => {
  const it = tree(t, LEAVES);
  const call = run(it.file, it.args, { cwd, env: it.env });
  const group = await it.watched();
  const watcher = watcherOf(group);
  it.go();
  assert.equal((await call).exitCode, 0);
  assert.deepEqual([isThere(watcher), zombies()], [false, 0]);
  // What the shell left behind has been sent SIGKILL, and dies when it is given a processor.
  await until(() => members(group).length === 0, 'the rest of the group is gone');
});
