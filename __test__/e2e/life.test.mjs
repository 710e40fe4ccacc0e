// However a session ends, no process of ours outlives it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { onLinux, until } from '../fixtures/processes.mjs';
import { here as anywhere } from './support/cli.mjs';
import { alive, fakeAdr, gone, place, start } from './support/host.mjs';

const here = { ...anywhere, ...onLinux };

/** A session with a tool call in flight whose `adr` hangs, ignores SIGTERM and has a child. */
async function busy(t) {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, lint: STUBBORN }) } });
  const before = alive(at);
  it.execute('adr_lint').catch(() => {});
  await until(() => existsSync(log), 'the command has started');
  const [{ pid }] = await it.extensions();
  const ours = () => [String(pid), ...alive(at).filter((each) => !before.includes(each))];
  await until(() => ours().length >= 3, 'the extension, the command and its child are there');
  return { ...it, ours: ours() };
}

const STUBBORN = { hang: true, trap: ['SIGTERM'], grandchild: { seconds: 600 } };
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
    const begin = performance.now();
    await end(it);
    await until(() => alive(it).every((each) => !it.ours.includes(each)), 'what the call has started is gone');
    t.diagnostic(`gone after ${Math.round(performance.now() - begin)} ms`);
    if (how === 'extensions.reload()') {
      await it.settled();
      assert.equal((await it.execute('adr_explain', { path: 'a' })).resultType, 'success');
    }
  });
}

test('a call that is in flight is ended by the abort of its turn', here, async (t) => {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, lint: { hang: true, grandchild: { seconds: 600 } } }) } });
  const before = alive(at);
  const replies = [[{ tool: 'adr_lint', args: {} }]];
  it.model.reply = () => replies.shift() ?? 'done';
  const turn = it.turn().catch(() => {});
  await until(() => existsSync(log), 'the command has started');
  await it.session.abort();
  await turn;
  await until(() => alive(at).every((pid) => before.includes(pid)), 'the command is gone');
});

test('a session that ends while a hook waits leaves nothing', here, async (t) => {
  const at = place(t);
  const log = join(at.directory, 'calls');
  const it = await start(t, { at, env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ log, default: STUBBORN }) } });
  await it.session.send('go');
  await until(() => existsSync(log), 'the check has started');
  await it.client.stop();
  await gone(it);
});
