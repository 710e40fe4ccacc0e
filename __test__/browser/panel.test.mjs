// The page in Chromium: what it shows, what an update leaves alone, filter, keyboard, buttons, and a server that goes.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { MAX_STREAMS } from '../../plugin/extensions/adrkit/panel-server.mjs';
import { makeRepository, record } from '../e2e/support/repository.mjs';
import { listen } from '../fixtures/panel.mjs';
import { scratch, until } from '../fixtures/processes.mjs';
import { here, openPage, serve, show } from './support.mjs';

const REFUSED = /ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/;

/** A repository with `count` changed files that a decision governs, and three that none does. */
function changed(t, count = 40) {
  const cwd = makeRepository(join(scratch(t), 'r'), {
    'docs/adr/0001-a.md': record('0001', 'accepted', 'src/**', 'Keep the core small'),
    'docs/adr/0002-b.md': record('0002', 'proposed', 'src/f00*', 'Split the core'),
    'docs/adr/0003-c.md': record('0003', 'accepted', 'docs/**', 'Write things down'),
  });
  mkdirSync(join(cwd, 'lib'), { recursive: true });
  for (let n = 0; n < count; n += 1) writeFileSync(join(cwd, `src/f${String(n).padStart(4, '0')}.ts`), '');
  for (const name of ['x', 'y', 'z']) writeFileSync(join(cwd, `lib/${name}.ts`), '');
  return cwd;
}

/** The rows that the filter leaves, also those in a list that is folded. */
const rows = (page, part) => page.locator(`#${part} [data-row]:not([hidden]):not([data-group][hidden] *)`);
const matches = (page) => page.locator('#matches').textContent();

/** Changes the tree, and waits until the page shows `text` in a part. */
async function follow({ panels, page }, cwd, name, part = 'p-changes') {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), `${Math.random()}`);
  await panels.refreshOpen(cwd);
  await page.locator(`#${part} [data-row]`, { hasText: name }).first().waitFor({ state: 'attached' });
}

/** Waits until the browser has laid out what an update brought. */
async function frames(page) {
  for (let n = 0; n < 6; n += 1) await page.evaluate(() => new Promise(requestAnimationFrame));
}

test('it shows what has changed and what governs it', here, async (t) => {
  const { page } = await show(t, changed(t));
  await page.locator('#p-decisions').getByText('Keep the core small').waitFor();
  assert.equal(await page.title(), 'Decision review: r');
  assert.equal(await rows(page, 'p-decisions').count(), 1);
  assert.equal(await rows(page, 'p-proposals').count(), 1);
  assert.equal(await rows(page, 'p-uncovered').count(), 3);
  assert.equal(await rows(page, 'p-changes').count(), 44);
  assert.equal(await page.locator('#p-lint').getByText('3 records checked').count(), 1);
  assert.equal(await page.locator('#connection').isVisible(), false);
});

test('a page that is open while nothing is collected yet fills itself', here, async (t) => {
  const panels = await serve(t);
  const cwd = changed(t);
  const { page } = await openPage(t, panels.open('panel', cwd).url);
  await page.locator('#p-decisions').getByText('Keep the core small').waitFor();
});

for (const [what, make, words] of [
  ['no work tree', (t) => scratch(t), 'The directory is not inside a git work tree.'],
  ['no corpus', (t) => makeRepository(join(scratch(t), 'r'), {}), 'There are no decision records here.'],
  ['no directory at all', () => undefined, 'This session has no directory that adrkit can review. Open the panel again when it has one.'],
]) {
  test(`with ${what} the page says so`, here, async (t) => {
    const { page } = await show(t, make(t));
    await page.getByText(words).first().waitFor();
  });
}

test('a change is shown without a reload, and the nodes of what has not changed stay', here, async (t) => {
  const cwd = changed(t);
  const it = await show(t, cwd);
  const before = await it.page.evaluate(() => {
    window.kept = new Set(document.querySelectorAll('#p-changes [data-row]'));
    window.added = 0;
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) window.added += node.matches?.('[data-row]') ? 1 : 0;
    }).observe(document.querySelector('#p-changes'), { childList: true, subtree: true });
    return window.kept.size;
  });
  // First, last and in the middle.
  for (const name of ['a/first.ts', 'z/last.ts', 'src/f0020a.ts']) await follow(it, cwd, name);
  const seen = await it.page.evaluate(() => ({
    kept: [...window.kept].filter((row) => row.isConnected).length,
    rows: document.querySelectorAll('#p-changes [data-row]').length,
    added: window.added,
  }));
  // The first one pushes another out of the rows that are shown at once into the folded list behind them.
  assert.deepEqual(seen, { kept: before - 1, rows: before + 3, added: 4 });
});

for (const [browser, before] of [
  ['', undefined],
  [' in a browser that keeps no scroll position of its own', () => {
    CSS.supports = () => false;
    addEventListener('DOMContentLoaded', () => (document.documentElement.style.overflowAnchor = 'none'));
  }],
]) {
  test(`folds, focus, selection and scroll position survive an update${browser}`, here, async (t) => {
    const cwd = changed(t);
    const it = await show(t, cwd, { height: 500, before });
    const { page } = it;
    await page.locator('#p-decisions summary').first().click();
    await page.locator('#p-changes summary').click();
    const file = page.locator('#p-changes [data-row]', { hasText: 'src/f0030.ts' });
    await file.getByRole('button').focus();
    await file.locator('code').evaluate((code) => getSelection().selectAllChildren(code));
    await file.scrollIntoViewIfNeeded();
    await frames(page);
    const look = () =>
      file.evaluate((row) => ({
        top: Math.round(row.getBoundingClientRect().top),
        focus: document.activeElement.dataset.copy,
        selected: getSelection().toString(),
        open: [...document.querySelectorAll('details[open]')].map(({ dataset }) => dataset.key),
      }));
    const was = await look();
    assert.equal(was.focus, 'adr explain -- src/f0030.ts');
    assert.equal(was.selected, 'src/f0030.ts');
    assert.equal(was.open.length, 2);
    for (const name of ['a/first.ts', 'lib/more.ts', 'src/f0001a.ts', 'z/last.ts']) await follow(it, cwd, name);
    await frames(page);
    assert.deepEqual(await look(), was);
    await page.locator('#p-decisions summary').first().focus();
    writeFileSync(join(cwd, 'docs/adr/0000-new.md'), record('0000', 'accepted', 'src/**', 'Come first'));
    await it.panels.refreshOpen(cwd);
    await page.locator('#p-decisions').getByText('Come first').waitFor();
    const after = await page.evaluate(() => {
      const row = document.activeElement.closest('[data-row]');
      return [document.activeElement.localName, row?.querySelector('.id').textContent, row?.querySelector('details').open];
    });
    assert.deepEqual(after, ['summary', '0001', true]);
  });
}

test('the filter shows the rows that hold every word, counts them, and opens what hides one', here, async (t) => {
  const cwd = changed(t);
  const it = await show(t, cwd);
  const { page } = it;
  await page.locator('#filter').fill('LIB/');
  await page.locator('#matches', { hasText: 'of' }).waitFor();
  assert.equal(await rows(page, 'p-changes').count(), 3);
  assert.equal(await rows(page, 'p-decisions').count(), 0);
  assert.equal(await page.locator('#p-decisions [data-group]').evaluate((group) => group.hidden), true);
  assert.equal(await page.locator('#p-changes > [data-group]').first().evaluate((group) => group.hidden), false);
  assert.match(await matches(page), /^6 of \d+ rows$/);

  await page.locator('#filter').fill('f003 9');
  await page.locator('#matches', { hasText: /^3 / }).waitFor();
  assert.equal(await rows(page, 'p-changes').count(), 1);
  const governed = page.locator('#p-decisions details');
  assert.equal(await governed.getAttribute('open'), '', 'the list that holds the match is open');

  await page.locator('#filter').fill('copy');
  await page.locator('#matches', { hasText: /^0 / }).waitFor();
  await follow(it, cwd, 'lib/copy.ts');
  await page.locator('#matches', { hasText: /^2 / }).waitFor();
  assert.deepEqual(await rows(page, 'p-changes').allTextContents(), ['lib/copy.tsCopy'], 'a row that comes is filtered too');

  await page.locator('#filter').fill('');
  await page.locator('#matches:empty').waitFor({ state: 'attached' });
  assert.equal(await rows(page, 'p-changes').count(), 45);
  assert.equal(await governed.getAttribute('open'), null, 'and is closed again');
});

test('the keys do what the page says, and not while somebody types', here, async (t) => {
  const cwd = changed(t);
  const { page } = await show(t, cwd);
  const asked = [];
  page.on('request', (request) => {
    const what = `${request.method()} ${new URL(request.url()).pathname.split('/').pop()}`;
    // The page listens on its own, and may begin to only now.
    if (what !== 'GET events') asked.push(what);
  });
  const said = await page.locator('footer').textContent();
  for (const key of ['/', 'Esc', 'r']) assert.ok((await page.locator('footer kbd').allTextContents()).includes(key), said);

  await page.keyboard.press('/');
  await page.keyboard.type('r/lib');
  assert.equal(await page.locator('#filter').inputValue(), 'r/lib');
  await page.keyboard.press('Escape');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.localName, document.querySelector('#filter').value]), ['body', '']);
  assert.equal(await rows(page, 'p-uncovered').count(), 3);
  for (const key of ['Control+r', 'Alt+r', 'Meta+r']) {
    await page.evaluate((it) => {
      const [modifier, key] = it.split('+');
      const prevented = !document.dispatchEvent(new KeyboardEvent('keydown', { key, [`${{ Control: 'ctrl' }[modifier] ?? modifier.toLowerCase()}Key`]: true, cancelable: true }));
      if (prevented) throw new Error(it);
    }, key);
  }
  assert.deepEqual(asked, []);
  writeFileSync(join(cwd, 'lib/later.ts'), '');
  const refreshed = page.waitForRequest(/\/refresh$/);
  await page.keyboard.press('r');
  assert.equal((await refreshed).method(), 'POST');
  await page.locator('#p-uncovered').getByText('later.ts').waitFor();
  assert.deepEqual(asked, ['POST refresh']);
});

test('the button refreshes, and keeps the focus', here, async (t) => {
  const cwd = changed(t);
  const { page } = await show(t, cwd);
  writeFileSync(join(cwd, 'lib/later.ts'), '');
  await page.locator('#refresh').click();
  await page.locator('#p-uncovered').getByText('later.ts').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'refresh');
});

for (const [how, spoil] of [
  ['by the clipboard', () => {}],
  ['without the right to it', () => Object.defineProperty(navigator, 'clipboard', { value: undefined })],
]) {
  test(`a command is copied ${how}`, here, async (t) => {
    const { page } = await show(t, changed(t), { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate(spoil);
    const button = page.locator('#p-uncovered [data-copy]').first();
    await button.click();
    await page.locator('#said', { hasText: /^Copied\.\u00a0?$/ }).waitFor();
    assert.equal(await button.evaluate((it) => document.activeElement === it), true);
    await page.locator('#filter').focus();
    await page.keyboard.press('Control+V');
    assert.equal(await page.locator('#filter').inputValue(), 'adr explain -- lib/x.ts');
  });
}

/** Hands everything on to a server, until it goes; it comes back under the same name. */
async function proxy(t, origin) {
  const { host, port, hostname } = new URL(origin);
  const server = createServer((incoming, outgoing) => {
    const asked = request({ hostname, port, method: incoming.method, path: incoming.url, headers: { ...incoming.headers, host } }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    outgoing.on('close', () => asked.destroy());
    incoming.pipe(asked);
  });
  const come = (on) => new Promise((resolve) => server.listen(on, '127.0.0.1', resolve));
  const go = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  await come(0);
  const own = server.address().port;
  t.after(() => server.listening && go());
  return { origin: `http://127.0.0.1:${own}`, go, comeBack: () => come(own) };
}

test('it says when it has lost its server, and when it is back, and is up to date then', here, async (t) => {
  const cwd = changed(t);
  const panels = await serve(t);
  const { url } = panels.open('panel', cwd);
  const between = await proxy(t, url);
  const { page } = await openPage(t, url.replace(new URL(url).origin, between.origin), { accepts: REFUSED });
  await page.locator('#p-uncovered').getByText('x.ts').waitFor();
  await between.go();
  const notice = page.locator('#connection');
  await notice.waitFor();
  assert.match(await notice.textContent(), /lost.*may be out of date/);
  assert.equal(await page.locator('#p-uncovered').getByText('x.ts').count(), 1, 'what was shown stays');
  await page.locator('#refresh').click();
  await page.locator('#said', { hasText: 'could not be refreshed' }).waitFor();
  writeFileSync(join(cwd, 'lib/meanwhile.ts'), '');
  await panels.get('panel').refresh('manual');
  await between.comeBack();
  await notice.waitFor({ state: 'hidden' });
  await page.locator('#said', { hasText: 'Connected again.' }).waitFor();
  await page.locator('#p-uncovered').getByText('meanwhile.ts').waitFor();
});

test('a page that is turned away tries again', here, async (t) => {
  const cwd = changed(t);
  const panels = await serve(t);
  const { url } = panels.open('panel', cwd);
  const others = await Promise.all(Array.from({ length: MAX_STREAMS }, () => listen(url)));
  const { page } = await openPage(t, url, { accepts: /503/ });
  await page.locator('#connection', { hasText: 'lost' }).waitFor();
  others[0].close();
  await page.locator('#connection').waitFor({ state: 'hidden' });
  await page.locator('#said', { hasText: 'Connected again.' }).waitFor();
});

test('a panel that is closed says so, and does not try again', here, async (t) => {
  const { page, panels } = await show(t, changed(t));
  await until(() => panels.get('panel').streams === 1, 'the page is connected');
  panels.close('panel');
  await page.locator('#connection', { hasText: 'This panel was closed.' }).waitFor();
});

test('a page that nobody sees gives its connection up, and catches up when it is seen again', here, async (t) => {
  const cwd = changed(t);
  const { page, panels } = await show(t, cwd);
  const panel = panels.get('panel');
  await until(() => panel.streams === 1, 'the page is connected');
  const become = (state) =>
    page.evaluate((to) => {
      Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await become('hidden');
  await until(() => panel.streams === 0, 'it has gone');
  writeFileSync(join(cwd, 'lib/unseen.ts'), '');
  await panel.refresh('manual');
  await become('visible');
  await page.locator('#p-uncovered').getByText('unseen.ts').waitFor();
  assert.equal(await page.locator('#connection').isVisible(), false);
});

test('with thousands of files an update touches what has changed alone', here, async (t) => {
  const cwd = changed(t, 3000);
  const it = await show(t, cwd);
  const { page } = it;
  const total = await page.locator('#p-changes [data-row]').count();
  await page.evaluate(() => {
    window.touched = 0;
    new MutationObserver((records) => (window.touched += records.length)).observe(document.querySelector('main'), { childList: true, subtree: true, attributes: true, characterData: true });
  });
  await follow(it, cwd, 'lib/one-more.ts', 'p-uncovered');
  const touched = await page.evaluate(() => window.touched);
  assert.ok(touched > 0 && touched < 100, `${touched} mutations for one file among ${total}`);
  await page.locator('#filter').fill('one-more');
  await page.locator('#matches', { hasText: /^[12] of/ }).waitFor();
});
