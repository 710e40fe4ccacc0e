// What a session may do besides one plain turn: be resumed, move, be reloaded, start sub-agents, call tools in parallel,
// have so many tools that they are deferred.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { here } from './support/cli.mjs';
import { beside, fakeAdr, ours, plugin, runtime, session, start } from './support/host.mjs';
import { ONE_RECORD, makeRepository } from './support/repository.mjs';

const EMBEDDED = { env: { ADRKIT_ENGINE: 'embedded' } };
/** The most that post hooks may hold a turn, and what a busy machine and the host's own work may add. */
const [HELD_MS, SLACK_MS] = [2000, 1500];
const SUMMARY = /^adrkit \(advisory; it blocks nothing\)/;
const NOTE = /Additional guidance from postToolUse hooks:\nadrkit \(advisory; it blocked nothing\)/;

const create = (it, path) => ({ tool: 'create', args: { path: join(it.repository, path), file_text: 'a\n' } });
const edit = (it, path, from, to) => ({ tool: 'edit', args: { path: join(it.repository, path), old_str: from, new_str: to } });

/** Says `replies` in order, then `done`. */
function says(it, ...replies) {
  it.model.reply = () => replies.shift() ?? 'done';
}

const summaries = (request) => request.messages.filter(({ role, text }) => role === 'user' && SUMMARY.test(text));
const notes = (request) => request.messages.filter(({ role, text }) => role === 'tool' && NOTE.test(text));

test('a resumed session is told at its first prompt again, in the same runtime and in a new one', here, async (t) => {
  const it = await start(t, EMBEDDED);
  await it.turn('one');
  await it.turn('two');
  const id = it.session.sessionId;
  await it.session.disconnect();
  const warm = await session(it, { resume: id });
  await warm.turn('three');
  await it.client.stop();
  const cold = await session(await runtime(t, { at: it.at, ...EMBEDDED }), { resume: id });
  await cold.turn('four');
  const requests = [...it.model.requests, ...cold.model.requests];
  assert.equal(requests.length, 4);
  for (const request of requests) {
    assert.equal(summaries(request).length, 1);
    assert.match(request.messages[0].text, SUMMARY);
  }
  assert.match(requests[3].messages.map(({ text }) => text).join('\n'), /one[^]*two[^]*three[^]*four/);
});

test('a move in mid-session is followed by tools and hooks', here, async (t) => {
  const it = await start(t, EMBEDDED);
  await it.turn();
  const elsewhere = makeRepository(join(it.directory, 'elsewhere'), ONE_RECORD);
  await it.session.rpc.metadata.setWorkingDirectory({ workingDirectory: elsewhere });
  says(it, [create({ repository: elsewhere }, 'x.txt'), { tool: 'adr_explain', args: { path: 'x.txt' } }]);
  await it.turn();
  const last = it.model.requests.at(-1);
  assert.match(notes(last)[0].text, /accepted decisions 0009\./);
  const explained = last.messages.filter(({ role }) => role === 'tool').at(-1).text;
  assert.deepEqual(JSON.parse(explained).report.governing.map(({ recordId }) => recordId), ['0009']);
});

test('a reload leaves the summary where it stands, and the new process notes again', here, async (t) => {
  const it = await start(t, EMBEDDED);
  says(it, [create(it, 'src/a.ts')]);
  await it.turn();
  await it.session.rpc.extensions.reload();
  await it.settled();
  says(it, [edit(it, 'src/a.ts', 'a', 'b')]);
  await it.turn();
  const last = it.model.requests.at(-1);
  assert.equal(summaries(last).length, 1);
  assert.equal(notes(last).length, 2);
  assert.equal((await it.execute('adr_lint')).resultType, 'success');
});

for (const mode of ['sync', 'background']) {
  test(`a sub-agent (${mode}) is told about its own edits, once, whoever knows already`, here, async (t) => {
    const it = await start(t, EMBEDDED);
    const child = [[edit(it, 'src/a.ts', 'a', 'b')], [edit(it, 'src/a.ts', 'b', 'c')], [{ tool: 'adr_lint', args: {} }], 'child done'];
    const task = { tool: 'task', args: { name: 'kid', description: 'A child', prompt: 'CHILD', agent_type: 'general-purpose', mode } };
    const main = [[create(it, 'src/a.ts')], [task]];
    const isChild = ({ messages }) => !messages.some(({ text }) => text.includes('PARENT'));
    it.model.reply = (request) => (isChild(request) ? child : main).shift() ?? 'done';
    await it.turn('PARENT');
    for (const end = Date.now() + 20_000; it.model.requests.filter(isChild).length < 4 && Date.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 20));

    const [first, , , last] = it.model.requests.filter(isChild);
    assert.deepEqual(ours(first).filter(({ role }) => role === 'user'), [], 'a child gets no summary');
    assert.equal(notes(last).length, 1);
    const results = last.messages.filter(({ role }) => role === 'tool');
    assert.match(results[0].text, NOTE);
    assert.equal(JSON.parse(results[2].text).report.checked, 2);
    const parent = it.model.requests.filter((request) => !isChild(request)).at(-1);
    assert.equal(notes(parent).length, 1);
  });
}

// The host runs the post hooks of parallel calls one after another, so what each of them waits adds up.
for (const [what, env, told] of [
  ['', EMBEDDED.env, 8],
  [' by a command', { ADRKIT_CLI: fakeAdr, FAKE_ADR: '{}' }, 0],
  [' where adr hangs', { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ check: { hang: true } }) }, 0],
]) {
  test(`parallel calls${what} hold the turn less than 2 s in all`, here, async (t) => {
    const it = await start(t, { env });
    const paths = Array.from({ length: 8 }, (_, n) => `src/p${n}.ts`);
    says(it, paths.map((path) => create(it, path)));
    const hookMs = await hookTime(it, () => it.turn());
    assert.equal(notes(it.model.requests.at(-1)).length, told);
    t.diagnostic(`8 parallel edits${what}: the post hooks took ${hookMs} ms in all`);
    assert.ok(hookMs < HELD_MS + SLACK_MS, `${hookMs} ms`);
  });
}

/** The milliseconds that the post hooks of a turn took, by the host's own events. */
async function hookTime(it, turn) {
  const from = it.events.length;
  await turn();
  const events = it.events.slice(from);
  const starts = events.filter(({ type, data }) => type === 'hook.start' && data.hookType === 'postToolUse');
  const end = (id) => events.find(({ type, data }) => type === 'hook.end' && data.hookInvocationId === id);
  return starts.reduce((sum, { timestamp, data }) => sum + (Date.parse(end(data.hookInvocationId).timestamp) - Date.parse(timestamp)), 0);
}

for (const [model, wire] of [['gpt-5.4', 'responses'], ['claude-sonnet-4.5', 'completions']]) {
  test(`with more than 30 tools ${model} can still call ours`, here, async (t) => {
    const it = await start(t, { ...EMBEDDED, model, wire, plugins: [plugin(), beside('crowd')], tools: ['adr_lint', 'crowd_39'] });
    says(it, [{ tool: 'adr_lint', args: {} }]);
    await it.turn();
    const [first, last] = [it.model.requests[0], it.model.requests.at(-1)];
    const lint = first.tools.find(({ name }) => name === 'adr_lint');
    t.diagnostic(`${model}: adr_lint is ${lint === undefined ? 'absent' : lint.deferred ? 'deferred' : 'offered'}; ${first.tools.length} tools in the request`);
    const result = last.messages.filter(({ role }) => role === 'tool').at(-1);
    assert.equal(JSON.parse(result.text).report.checked, 2);
    assert.equal(summaries(last).length, 1);
  });
}
