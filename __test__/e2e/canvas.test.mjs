// The panel in the real CLI: opened, followed, reloaded, resumed, and gone with the session.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { ask, listen } from '../fixtures/panel.mjs';
import { until } from '../fixtures/processes.mjs';
import { here } from './support/cli.mjs';
import { runtime, session, start } from './support/host.mjs';
import { ONE_RECORD, TITLE, makeRepository } from './support/repository.mjs';

const ENV = { env: { ADRKIT_ENGINE: 'embedded' } };
const canvas = (it) => it.session.rpc.canvas;
const open = (it, instanceId = 'i1') => canvas(it).open({ canvasId: 'decision-review', instanceId });
const openPanels = async (it) => new Map((await canvas(it).listOpen()).openCanvases.map(({ instanceId, url }) => [instanceId, url]));
async function create(it, path) {
  // Before its first turn a session may not have the host's own tools yet.
  await it.session.rpc.tools.initializeAndValidate();
  const { resultType, textResultForLlm } = await it.execute('create', { path: join(it.repository, path), file_text: 'a\n' });
  assert.equal(resultType, 'success', textResultForLlm);
}
const refused = (url) => assert.rejects(ask(url), { code: 'ECONNREFUSED' });

/** Reads a page's updates until a part of it matches. */
async function shows(page, id, pattern) {
  for (;;) {
    const event = await page.next();
    assert.ok(event, `the stream ended before ${pattern} was shown`);
    if (event.data.parts.some((part) => part.id === id && pattern.test(part.html))) return;
  }
}

/** The address of a panel that the host has opened again, after it was `old`. */
async function reopened(it, old, instanceId = 'i1') {
  let url;
  await until(() => {
    url = it.events.findLast(({ type, data }) => type === 'session.canvas.opened' && data.instanceId === instanceId)?.data.url;
    return url !== undefined && url !== old;
  }, 'the panel is opened again');
  return url;
}

test('the canvas is declared, opens at once, and its page follows the edits of the agent', here, async (t) => {
  const it = await start(t, ENV);
  const { canvases } = await canvas(it).list();
  assert.deepEqual(canvases.map(({ canvasId, displayName }) => [canvasId, displayName]), [['decision-review', 'Decision review']]);
  const opened = await open(it);
  assert.deepEqual([opened.title, opened.status], ['Decision review', 'Live']);
  const { status, text } = await ask(opened.url);
  assert.equal(status, 200);
  assert.match(text, /<main/);
  const page = await listen(opened.url);
  await shows(page, 'p-decisions', new RegExp(TITLE));
  const begin = performance.now();
  await create(it, 'src/brand-new.ts');
  await shows(page, 'p-changes', /brand-new\.ts/);
  t.diagnostic(`shown ${Math.round(performance.now() - begin)} ms after the edit began`);
  assert.deepEqual(it.lines(), []);
});

test('the model is told ids and counts by the action, and nothing that the repository wrote', here, async (t) => {
  const it = await start(t, ENV);
  await open(it);
  const { result } = await canvas(it).action.invoke({ instanceId: 'i1', actionName: 'refresh' });
  assert.equal(result.changes.files, 1);
  assert.deepEqual(result.governing.listed, ['0001']);
  assert.deepEqual(result.proposals.listed, [{ id: '0002', status: 'proposed' }]);
  const words = JSON.stringify(result);
  assert.doesNotMatch(words, /net|\.ts|docs|Obey/);
  assert.ok(words.length < 4096);
});

test('each panel shows the directory that it was opened for', here, async (t) => {
  const it = await start(t, ENV);
  const { url: first } = await open(it, 'i1');
  const elsewhere = makeRepository(join(it.directory, 'elsewhere'), ONE_RECORD);
  await it.session.rpc.metadata.setWorkingDirectory({ workingDirectory: elsewhere });
  const { url: second } = await open(it, 'i2');
  const [here, there] = [await listen(first), await listen(second)];
  await Promise.all([shows(here, 'p-decisions', />0001</), shows(there, 'p-decisions', />0009</)]);
  await create(it, 'src/of-the-first.ts');
  await create({ ...it, repository: elsewhere }, 'of-the-second.ts');
  await Promise.all([shows(here, 'p-changes', /of-the-first/), shows(there, 'p-changes', /of-the-second/)]);
  await canvas(it).close({ instanceId: 'i1' });
  assert.deepEqual([(await ask(first)).status, (await ask(second)).status], [404, 200]);
});

test('a reload and a resumed session bring the panels back', here, async (t) => {
  const it = await start(t, ENV);
  const { url } = await open(it);
  await it.session.rpc.extensions.reload();
  const second = await reopened(it, url);
  await refused(url);
  await shows(await listen(second), 'p-decisions', />0001</);
  await it.settled();
  assert.deepEqual(await openPanels(it), new Map([['i1', second]]));

  const id = it.session.sessionId;
  await it.client.stop();
  await refused(second);
  const cold = await session(await runtime(t, { at: it.at, ...ENV }), { resume: id });
  const third = await reopened(cold, second);
  await shows(await listen(third), 'p-decisions', />0001</);
  await cold.client.stop();
  await refused(third);
});

test('a model opens the panel, and reads what it shows', here, async (t) => {
  const it = await start(t, { ...ENV, renderer: true });
  const replies = [
    [{ tool: 'open_canvas', args: { canvasId: 'decision-review', instanceId: 'm1' } }],
    [{ tool: 'invoke_canvas_action', args: { instanceId: 'm1', actionName: 'refresh' } }],
  ];
  it.model.reply = () => replies.shift() ?? 'done';
  await it.turn();
  const [opened, refreshed] = it.model.requests.at(-1).messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
  assert.match(opened, /"status": ?"Live"/);
  assert.match(refreshed, /"0001"/);
  assert.doesNotMatch(refreshed, /net\.ts|Obey/);
});

test('without its hooks a session has its panel all the same', here, async (t) => {
  const it = await start(t, { env: { ...ENV.env, ADRKIT_HOOKS: '0' } });
  const page = await listen((await open(it)).url);
  await shows(page, 'p-decisions', />0001</);
  await create(it, 'src/unnoticed.ts');
  await canvas(it).action.invoke({ instanceId: 'i1', actionName: 'refresh' });
  await shows(page, 'p-changes', /unnoticed\.ts/);
});
