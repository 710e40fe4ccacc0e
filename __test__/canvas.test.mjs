// The canvas: what the host is told, which panels there are, and when they rest. The clock is the test's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import { ACTION_MS, decisionReview, startPanel } from '../plugin/extensions/adrkit/canvas.mjs';
import { REST_AFTER_MS, UNSEEN_MS } from '../plugin/extensions/adrkit/panel.mjs';
import { MAX_PANELS, Panels } from '../plugin/extensions/adrkit/panels.mjs';
import { clock } from './fixtures/clock.mjs';
import { FakeReview, ask, listen } from './fixtures/panel.mjs';
import { until } from './fixtures/processes.mjs';

/** A host with the canvas, and hooks that write down which directories are looked at. */
async function hosted(t, Review = FakeReview) {
  const after = clock(t);
  const reviews = [];
  const panels = new Panels((directory) => {
    const review = Object.assign(new Review(directory), { directory });
    reviews.push(review);
    return review;
  });
  await panels.listen();
  t.after(() => panels.dispose());
  const told = [];
  panels.follow({
    panelOpened: (directory) => told.push(`+${directory}`),
    panelClosed: (directory) => told.push(`-${directory}`),
  });
  const canvas = decisionReview(panels);
  const request = (instanceId, workingDirectory) => ({ instanceId, canvasId: canvas.id, extensionId: 'plugin:adrkit:adrkit', sessionId: 's', session: { workingDirectory } });
  return {
    canvas,
    panels,
    reviews,
    told,
    open: (instanceId = 'i1', directory = '/a') => canvas.open(request(instanceId, directory)),
    close: (instanceId = 'i1') => canvas.onClose(request(instanceId, '/a')),
    refresh: (instanceId = 'i1') => canvas.actions[0].handler({ ...request(instanceId, '/a'), actionName: 'refresh' }),
    after,
  };
}

const status = async (url) => (await ask(url)).status;
const triggers = ({ refreshes }) => refreshes.map(({ trigger }) => trigger);

test('a panel is open at once, and is collected behind the answer', async (t) => {
  const it = await hosted(t);
  const { url, ...rest } = it.open();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  assert.deepEqual(rest, { title: 'Decision review', status: 'Live' });
  assert.deepEqual(it.reviews.map(({ directory, refreshes }) => [directory, refreshes.length]), [['/a', 1]]);
  assert.equal(await status(url), 200);
  assert.deepEqual(it.told, ['+/a']);
});

test('opening again keeps the panel and looks again', async (t) => {
  const it = await hosted(t);
  const [first, second] = [it.open(), it.open()];
  assert.deepEqual(second, first);
  assert.equal(it.reviews.length, 1);
  assert.deepEqual(triggers(it.reviews[0]), ['open', 'open']);
  assert.deepEqual(it.told, ['+/a']);
});

test('panels of one directory share its review, and its last one takes it along', async (t) => {
  const it = await hosted(t);
  const urls = ['i1', 'i2', 'i3'].map((id) => it.open(id, id === 'i3' ? '/b' : '/a').url);
  assert.equal(new Set(urls).size, 3);
  assert.deepEqual(it.reviews.map(({ directory }) => directory), ['/a', '/b']);
  it.close('i1');
  assert.deepEqual([await status(urls[0]), await status(urls[1])], [404, 200]);
  assert.ok(!it.reviews[0].isDisposed);
  it.close('i2');
  it.close('i2');
  it.close('never');
  assert.deepEqual(it.reviews.map(({ isDisposed }) => isDisposed), [true, false]);
  assert.deepEqual(it.told, ['+/a', '+/a', '+/b', '-/a', '-/a']);
});

test('a panel stays with its directory until it is opened for another one', async (t) => {
  const it = await hosted(t);
  const { url } = it.open('i1', '/a');
  it.open('i2', '/b');
  await it.panels.refreshOpen('/c');
  assert.equal(await status(url), 200);
  const moved = it.open('i1', '/b');
  assert.notEqual(moved.url, url);
  assert.deepEqual([await status(url), await status(moved.url)], [404, 200]);
  assert.deepEqual(it.reviews.map(({ directory, isDisposed }) => [directory, isDisposed]), [['/a', true], ['/b', false]]);
  assert.deepEqual(it.told, ['+/a', '+/b', '-/a', '+/b']);
});

for (const [what, directory] of Object.entries({
  absent: undefined,
  null: null,
  'a number': 7,
  'an object': { toString: () => '/a' },
  empty: '',
  relative: 'a/b',
  'a hostile path': '/<script>alert(1)</script>\0',
})) {
  test(`a directory that is ${what} gets a page that says so`, async (t) => {
    class Choosy extends FakeReview {
      constructor(cwd) {
        super();
        if (cwd.includes('\0')) throw new Error(cwd);
      }
    }
    const it = await hosted(t, Choosy);
    const { url, ...rest } = directory === undefined ? it.canvas.open({ instanceId: 'i1' }) : it.open('i1', directory);
    assert.deepEqual(rest, { title: 'Decision review', status: 'No directory' });
    const { status, text } = await ask(url);
    assert.equal(status, 200);
    assert.match(text, /This session has no directory that adrkit can review/);
    assert.doesNotMatch(text, /script|alert/);
    const answer = await it.refresh();
    assert.deepEqual(answer.error.code, 'no-directory');
    assert.deepEqual([it.told, it.reviews.length], [[], 0]);
    assert.equal(it.open().status, 'Live', 'it can be opened for a directory later');
  });
}

test('a request that is none throws fixed words at most', async (t) => {
  const it = await hosted(t);
  for (const request of [undefined, null, 7, {}]) {
    assert.doesNotThrow(() => it.canvas.onClose(request));
    assert.equal(it.canvas.open(request).status, 'No directory');
  }
  it.panels.open = () => {
    throw new Error('secret');
  };
  assert.throws(() => it.open(), { message: 'adrkit could not open the panel.' });
});

test('the action refreshes, and answers with the summary', async (t) => {
  const it = await hosted(t);
  it.open();
  const answer = it.refresh();
  assert.deepEqual(triggers(it.reviews[0]), ['open', 'manual']);
  it.reviews[0].show('p-changes', 'new');
  it.reviews[0].refreshes[1].resolve();
  assert.deepEqual(await answer, { version: 3 });
});

test('the action answers in time where the refresh does not, and where it fails', async (t) => {
  const it = await hosted(t);
  it.open();
  const slow = it.refresh();
  it.after(ACTION_MS);
  assert.deepEqual(await slow, { version: 2 });
  const failed = it.refresh();
  it.reviews[0].refreshes.at(-1).reject(new Error('secret'));
  assert.deepEqual(await failed, { version: 3 });
  it.reviews[0].summary = () => {
    throw new Error('secret');
  };
  const spoilt = it.refresh();
  it.reviews[0].refreshes.at(-1).resolve();
  assert.deepEqual(await spoilt, { textResultForLlm: '{"error":{"code":"internal","message":"An internal error occurred."}}', resultType: 'failure' });
  const unknown = { textResultForLlm: '{"error":{"code":"not-open","message":"This panel is not open. Open it again."}}', resultType: 'failure' };
  assert.deepEqual(await it.refresh('never'), unknown);
  it.close();
  assert.deepEqual(await it.refresh(), unknown);
});

test('edits refresh what is looked at, once a directory, and hand their signal on', async (t) => {
  const it = await hosted(t);
  for (const [id, directory] of [['i1', '/a'], ['i2', '/a'], ['i3', '/b']]) it.open(id, directory);
  const { signal } = new AbortController();
  let settled = false;
  const refreshed = it.panels.refreshOpen('/a', { signal }).then(() => (settled = true));
  const [a, b] = it.reviews;
  assert.deepEqual([triggers(a), triggers(b)], [['open', 'open', 'edit'], ['open']]);
  assert.equal(a.refreshes[2].signal, signal);
  await turn();
  assert.ok(!settled, 'the hooks wait for it');
  a.refreshes[2].reject(new Error('aborted'));
  await refreshed;
  await it.panels.refreshOpen('/nowhere', { signal });
  it.close('i3');
  await it.panels.refreshOpen('/b', { signal });
  assert.deepEqual(triggers(b), ['open']);
});

test('a panel whose page never came rests, and wakes when it comes', async (t) => {
  const it = await hosted(t);
  const { url } = it.open();
  it.after(UNSEEN_MS - 1);
  assert.deepEqual(it.told, ['+/a']);
  it.after(1);
  assert.deepEqual(it.told, ['+/a', '-/a']);
  await it.panels.refreshOpen('/a');
  assert.deepEqual(triggers(it.reviews[0]), ['open'], 'nothing is done for a panel that rests');
  assert.equal(await status(url), 200);
  assert.deepEqual(it.told, ['+/a', '-/a', '+/a']);
  assert.deepEqual(triggers(it.reviews[0]), ['open', 'open']);
  it.after(UNSEEN_MS);
  assert.equal(it.open().url, url);
  assert.deepEqual(triggers(it.reviews[0]), ['open', 'open', 'open']);
  assert.deepEqual(it.told, ['+/a', '-/a', '+/a', '-/a', '+/a']);
});

test('a panel rests some time after its last page has gone', async (t) => {
  const it = await hosted(t);
  const { url } = it.open();
  const panel = it.panels.get('i1');
  const pages = [await listen(url), await listen(url)];
  it.after(UNSEEN_MS * 10);
  assert.ok(panel.isAwake, 'a page is there');
  pages[0].close();
  await until(() => panel.streams === 1, 'the first page is gone');
  it.after(REST_AFTER_MS * 10);
  assert.ok(panel.isAwake, 'the other page is there');
  pages[1].close();
  await until(() => panel.streams === 0, 'the other page is gone');
  it.after(REST_AFTER_MS - 1);
  const back = await listen(url);
  it.after(REST_AFTER_MS * 10);
  assert.ok(panel.isAwake, 'it came back in time');
  back.close();
  await until(() => panel.streams === 0, 'it is gone');
  it.after(REST_AFTER_MS);
  assert.deepEqual(it.told, ['+/a', '-/a']);
  const late = await listen(url);
  assert.deepEqual(it.told, ['+/a', '-/a', '+/a']);
  assert.equal((await late.next()).event, 'update');
  late.close();
});

test('with one panel too many, one that rests is forgotten, or else the oldest', async (t) => {
  const it = await hosted(t);
  const urls = Array.from({ length: MAX_PANELS }, (_, n) => it.open(`i${n}`, `/${n}`).url);
  const page = await listen(urls[0]);
  assert.equal(await status(urls[0]), 200);
  it.open('one more', '/more');
  assert.equal((await page.next()).event, 'update');
  assert.equal((await page.next()).event, 'closed');
  assert.deepEqual([await status(urls[0]), await status(urls[1])], [404, 200]);
  it.after(UNSEEN_MS);
  await status(urls[1]);
  it.open('and another', '/another');
  assert.deepEqual([await status(urls[1]), await status(urls[2]), await status(urls[3])], [200, 404, 200]);
});

test('hooks that come late hear of what is looked at, and ones that throw cost nothing', async (t) => {
  const it = await hosted(t);
  it.open('i1', '/a');
  it.open('i2', 7);
  const late = [];
  it.panels.follow({ panelOpened: (directory) => late.push(directory), panelClosed: (directory) => late.push(directory) });
  assert.deepEqual(late, ['/a']);
  it.panels.follow({});
  it.close();
  assert.deepEqual(late, ['/a', '/a']);
});

test('a canvas is what the SDK makes of it, and a server that could not start is told when it is built', async (t) => {
  const made = [];
  const createCanvas = (options) => made.push(options) && { made: options.id };
  class Review extends FakeReview {
    constructor(options) {
      super();
      assert.deepEqual(options, { cwd: '/a' });
    }
  }
  const { canvases, refresh, onHooks } = await startPanel({ addon: { Review }, createCanvas });
  assert.deepEqual(canvases(), [{ made: 'decision-review' }]);
  const [{ open, onClose, actions, ...declared }] = made;
  assert.deepEqual(Object.keys(declared).sort(), ['description', 'displayName', 'id']);
  assert.deepEqual(actions.map(({ name }) => name), ['refresh']);
  onHooks({ panelOpened() {}, panelClosed() {} });
  await refresh('/a', {});
  assert.match(open({ instanceId: 'i', session: { workingDirectory: '/a' } }).url, /^http/);
  onClose({ instanceId: 'i' });

  t.mock.method(Panels.prototype, 'listen', async () => {
    throw new Error('no port');
  });
  const broken = await startPanel({ addon: { Review }, createCanvas });
  assert.throws(broken.canvases, { message: 'no port' });
  await broken.refresh('/a', {});
  const old = await startPanel({ addon: { Review }, createCanvas: undefined });
  assert.throws(old.canvases);
});
