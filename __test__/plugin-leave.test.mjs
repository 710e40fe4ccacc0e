// The extension ends its processes whatever tells it to end.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';

import { endWithHost } from '../plugin/extensions/adrkit/leave.mjs';
import { host, onLinux, tree } from './fixtures/processes.mjs';

/** What a process that leaves does, in order. */
function leaving(killAll = () => {}) {
  const done = [];
  const process = Object.assign(new EventEmitter(), { stdin: new EventEmitter(), exit: (code) => done.push(code) });
  endWithHost(() => {
    done.push('killAll');
    killAll();
  }, process);
  return { process, done };
}

for (const [signal, code] of [['SIGTERM', 143], ['SIGINT', 130], ['SIGHUP', 129]]) {
  test(`${signal} ends the processes first`, () => {
    const { process, done } = leaving();
    process.emit(signal);
    assert.deepEqual(done, ['killAll', code]);
  });
}

test('the end of stdin does too', () => {
  const { process, done } = leaving();
  process.stdin.emit('end');
  assert.deepEqual(done, ['killAll', 0]);
});

test('an exit of its own ends the processes', () => {
  const { process, done } = leaving();
  process.emit('exit');
  assert.deepEqual(done, ['killAll']);
});

test('a failure does not keep it from leaving', () => {
  const { process, done } = leaving(() => {
    throw new Error('x');
  });
  assert.throws(() => process.emit('SIGTERM'));
  assert.deepEqual(done, ['killAll', 143]);
});

for (const [how, leave] of [
  ['SIGTERM', (child) => child.kill('SIGTERM')],
  ['SIGINT', (child) => child.kill('SIGINT')],
  ['SIGHUP', (child) => child.kill('SIGHUP')],
  ['the end of stdin', (child) => child.stdin.end()],
]) {
  test(`${how} takes a live group along`, onLinux, async (t) => {
    const it = tree(t);
    const { child, ended } = host('leave.mjs', [it.file, ...it.args], it.env, 'pipe');
    await it.started();
    leave(child);
    assert.equal((await ended).signal, null);
    await it.gone();
  });
}
