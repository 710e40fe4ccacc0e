// However a session ends, no process of ours outlives it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { alive, until } from '../fixtures/processes.mjs';
import { here } from './support/cli.mjs';
import { fakeAdr, gone, place, start } from './support/host.mjs';

/** A session with a tool call in flight whose `adr` hangs, ignores SIGTERM and has a child. */
async function busy(t) {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const behaviour = { hang: true, trap: ['SIGTERM'], grandchild: { seconds: 600 } };
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, lint: behaviour }) } });
  const call = it.execute('adr_lint').then(() => {}, () => {});
  await until(() => existsSync(log), 'the command has started');
  return { ...it, call, before: alive(at.mark) };
}

/** The processes of `it` that are neither the runtime's nor the extension's: those that we have started. */
const ENDS = {
  'client.stop()': (it) => it.client.stop(),
  'deleteSession': (it) => it.client.deleteSession(it.session.sessionId),
  'session.disconnect()': (it) => it.session.disconnect(),
  'extensions.reload()': (it) => it.session.rpc.extensions.reload(),
  'a killed runtime': (it) => it.client.forceStop(),
};

for (const [how, end] of Object.entries(ENDS)) {
  test(`${how} leaves nothing of a running call`, here, async (t) => {
    const it = await busy(t);
    const [{ pid }] = await it.extensions();
    const begin = performance.now();
    await end(it);
    const ours = await started(it, pid);
    await until(() => alive(it.mark).every((each) => !ours.includes(each)), 'what the call has started is gone');
    t.diagnostic(`gone after ${Math.round(performance.now() - begin)} ms`);
    if (how === 'extensions.reload()') {
      await it.settled();
      assert.equal((await it.execute('adr_explain', { path: 'a' })).resultType, 'success');
    }
  });
}

/** What was alive before the end, without the runtime: the extension and all that it has started. */
async function started(it, pid) {
  const runtime = alive(it.mark).filter((each) => it.before.includes(each) && Number(each) < pid);
  return it.before.filter((each) => !runtime.includes(each));
}

test('a call that is in flight is ended by the abort of its turn', here, async (t) => {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, lint: { hang: true, grandchild: { seconds: 600 } } }) } });
  const before = alive(at.mark);
  const replies = [[{ tool: 'adr_lint', args: {} }]];
  it.model.reply = () => replies.shift() ?? 'done';
  const turn = it.turn().catch(() => {});
  await until(() => existsSync(log), 'the command has started');
  await it.session.abort();
  await turn;
  await until(() => alive(at.mark).every((pid) => before.includes(pid)), 'the command is gone');
});

test('a session that ends while a hook waits leaves nothing', here, async (t) => {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, default: { hang: true, trap: ['SIGTERM'], grandchild: { seconds: 600 } } }) } });
  const turn = it.turn().catch(() => {});
  await until(() => existsSync(log), 'the check has started');
  await it.client.stop();
  await turn;
  await gone(it);
});
