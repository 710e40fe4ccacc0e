// The panels over HTTP: who is answered, what an answer carries, what a page is sent, and what each of them may cost.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';

import { MAX_CONNECTIONS, MAX_STREAMS } from '../plugin/extensions/adrkit/panel-server.mjs';
import { Panels } from '../plugin/extensions/adrkit/panels.mjs';
import { FakeReview, ask, listen } from './fixtures/panel.mjs';
import { host, until } from './fixtures/processes.mjs';

/** A panel of one directory, served. */
async function served(t) {
  const review = new FakeReview();
  const panels = new Panels(() => review);
  await panels.listen();
  t.after(() => panels.dispose());
  const { url } = panels.open('i1', '/a');
  return { panels, review, url, origin: new URL(url).origin, panel: panels.get('i1') };
}

test('the document is served with a policy that lets nothing else in', async (t) => {
  const { url } = await served(t);
  const [{ status, headers, text }, again] = await Promise.all([ask(url), ask(url)]);
  assert.equal(status, 200);
  const nonce = /<style nonce="([\w+/]{22}==)">/.exec(text)[1];
  assert.ok(text.includes(`<script nonce="${nonce}">`));
  assert.ok(text.includes(`<title>${new URL(url).pathname}</title>`));
  assert.ok(!again.text.includes(nonce), 'a nonce is used once');
  assert.deepEqual(headers['content-security-policy'].split('; ').sort(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'none'",
    "img-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
  ]);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
});

test('every answer forbids to keep it, to guess at it and to tell where it came from, and sets no cookie', async (t) => {
  const { url } = await served(t);
  const stream = await listen(url);
  t.after(stream.close);
  const answers = [stream, await ask(url), await ask(`${url}refresh`, { method: 'POST' }), await ask(`${url}none`), await ask(url, { method: 'PUT' })];
  for (const { status, headers } of answers) {
    assert.equal(headers['cache-control'], 'no-store', status);
    assert.equal(headers['x-content-type-options'], 'nosniff', status);
    assert.equal(headers['referrer-policy'], 'no-referrer', status);
    for (const name of Object.keys(headers)) assert.doesNotMatch(name, /cookie|access-control|server|powered/);
  }
});

test('a token is long, random and of one panel', async (t) => {
  const { panels, url } = await served(t);
  const tokens = [url, panels.open('i2', '/a').url].map((each) => new URL(each).pathname);
  for (const token of tokens) assert.match(token, /^\/[\w-]{43}\/$/);
  assert.notEqual(tokens[0], tokens[1]);
});

// Each is answered like the next, with nothing that tells them apart.
const STRANGERS = {
  'no token': { path: '/' },
  'another token': { path: `/${'A'.repeat(43)}/` },
  'a token that is cut short': ({ pathname }) => ({ path: `${pathname.slice(0, -2)}/` }),
  'a token with more behind it': ({ pathname }) => ({ path: `${pathname.slice(0, -1)}A/` }),
  'a token in another case': ({ pathname }) => ({ path: pathname === pathname.toLowerCase() ? pathname.toUpperCase() : pathname.toLowerCase() }),
  'no slash': ({ pathname }) => ({ path: pathname.slice(0, -1) }),
  'a resource that is not there': ({ pathname }) => ({ path: `${pathname}none` }),
  'a name of every object': ({ pathname }) => ({ path: `${pathname}constructor` }),
  'an escaped token': ({ pathname }) => ({ path: pathname.replace(/^\/./, (it) => `/%${it.charCodeAt(1).toString(16)}`) }),
  'a way around': ({ pathname }) => ({ path: `/x/..${pathname}` }),
  'an absolute target': ({ href }) => ({ path: href }),
  'another method at no token': { path: '/', method: 'POST' },
  'localhost': ({ pathname, port }) => ({ path: pathname, headers: { host: `localhost:${port}` } }),
  'no port': ({ pathname }) => ({ path: pathname, headers: { host: '127.0.0.1' } }),
  'another port': ({ pathname, port }) => ({ path: pathname, headers: { host: `127.0.0.1:${Number(port) + 1}` } }),
  'the host of a site': ({ pathname, port }) => ({ path: pathname, headers: { host: `example.org:${port}` } }),
  'another spelling of the address': ({ pathname, port }) => ({ path: pathname, headers: { host: `127.1:${port}` } }),
  'a refresh by another host': ({ pathname, port }) => ({ path: `${pathname}refresh`, method: 'POST', headers: { host: `localhost:${port}` } }),
};

for (const [who, how] of Object.entries(STRANGERS)) {
  test(`${who} finds nothing`, async (t) => {
    const { url, review } = await served(t);
    const asked = typeof how === 'function' ? how(new URL(url)) : how;
    const { status, headers, text } = await ask(url, asked);
    const { date, ...rest } = headers;
    assert.deepEqual([status, text, Object.keys(rest).sort()], [404, '', ['cache-control', 'connection', 'content-length', 'referrer-policy', 'x-content-type-options']]);
    assert.equal(review.refreshes.length, 1, 'only the opening refreshes');
  });
}

test('the right host and token are answered, with a query too', async (t) => {
  const { url } = await served(t);
  assert.equal((await ask(`${url}?theme=dark`)).status, 200);
  assert.equal((await ask(url, { headers: { host: new URL(url).host } })).status, 200);
});

for (const [name, method, allowed] of [
  ...['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].flatMap((method) => [['', method, 'GET'], ['events', method, 'GET']]),
  ...['GET', 'HEAD', 'PUT', 'OPTIONS'].map((method) => ['refresh', method, 'POST']),
]) {
  test(`${method} /${name} is not allowed`, async (t) => {
    const { url, review } = await served(t);
    const { status, headers, text } = await ask(url + name, { method });
    assert.deepEqual([status, headers.allow, text], [405, allowed, '']);
    assert.equal(review.refreshes.length, 1);
  });
}

test('a refresh is begun and not waited for', async (t) => {
  const { url, review } = await served(t);
  assert.equal((await ask(`${url}refresh`, { method: 'POST' })).status, 202);
  assert.deepEqual(review.refreshes.map(({ trigger }) => trigger), ['open', 'manual']);
});

for (const [what, asked] of [
  ['a length', { body: 'x', headers: { 'content-length': '1' } }],
  ['chunks', { body: 'x', headers: { 'transfer-encoding': 'chunked' } }],
  ['a length that is never sent', { headers: { 'content-length': '1000000000' } }],
]) {
  test(`a body with ${what} is not read`, async (t) => {
    const { url, review } = await served(t);
    for (const [name, method] of [['refresh', 'POST'], ['', 'GET']]) {
      const answer = await new Promise((resolve) => {
        const socket = connect(new URL(url).port, '127.0.0.1');
        let text = '';
        socket.setEncoding('utf8').on('data', (chunk) => (text += chunk)).on('close', () => resolve(text)).on('error', () => {});
        const lines = Object.entries({ host: new URL(url).host, ...asked.headers }).map(([key, value]) => `${key}: ${value}\r\n`);
        socket.write(`${method} ${new URL(url).pathname}${name} HTTP/1.1\r\n${lines.join('')}\r\n`);
      });
      assert.match(answer, /^HTTP\/1\.1 413 /);
      assert.match(answer, /\r\nConnection: close\r\n/i);
    }
    assert.equal(review.refreshes.length, 1);
  });
}

test('headers without an end are refused', async (t) => {
  const { url } = await served(t);
  const { status } = await ask(url, { headers: { 'x-long': 'x'.repeat(10_000) } });
  assert.equal(status, 431);
});

test('a page that cannot be made is an error without words, and the next one is served', async (t) => {
  const { url, review } = await served(t);
  review.document = () => {
    throw new Error('secret');
  };
  const { status, text } = await ask(url);
  assert.deepEqual([status, text], [500, '']);
  delete review.document;
  assert.equal((await ask(url)).status, 200);
});

test('a page is sent everything first, then what has changed for it', async (t) => {
  const { url, review, panels } = await served(t);
  const page = await listen(url);
  assert.equal(page.headers['content-type'], 'text/event-stream');
  assert.deepEqual(await page.next(), {
    event: 'update',
    data: { version: 1, parts: [{ id: 'p-status', html: 'refresh 1' }, { id: 'p-changes', html: '<ul></ul>' }] },
  });
  review.show('p-changes', 'two\nlines\n\n</script>');
  review.refreshes[0].resolve();
  assert.deepEqual(await page.next(), { event: 'update', data: { version: 2, parts: [{ id: 'p-changes', html: 'two\nlines\n\n</script>' }] } });
  const late = await listen(url);
  assert.equal((await late.next()).data.parts.length, 2);
  await ask(`${url}refresh`, { method: 'POST' });
  for (const each of [page, late]) assert.deepEqual((await each.next()).data.parts, [{ id: 'p-status', html: 'refresh 2' }]);
  panels.close('i1');
  for (const each of [page, late]) assert.deepEqual([(await each.next()).event, await each.next()], ['closed', undefined]);
  assert.equal((await ask(url)).status, 404);
});

test('panels of one directory are brought up to date together, others are left alone', async (t) => {
  const reviews = new Map();
  const panels = new Panels((directory) => reviews.set(directory, new FakeReview()).get(directory));
  await panels.listen();
  t.after(() => panels.dispose());
  const pages = [];
  for (const [key, directory] of [['1', '/a'], ['2', '/a'], ['3', '/b']]) pages.push(await listen(panels.open(key, directory).url));
  for (const page of pages) await page.next();
  const [a, b] = ['/a', '/b'].map((directory) => reviews.get(directory));
  a.show('p-changes', 'a');
  a.refreshes.at(-1).resolve();
  for (const page of pages.slice(0, 2)) {
    let parts = [];
    while (!parts.some(({ html }) => html === 'a')) parts = (await page.next()).data.parts;
  }
  b.show('p-changes', 'b');
  b.refreshes.at(-1).resolve();
  assert.deepEqual((await pages[2].next()).data.parts, [{ id: 'p-changes', html: 'b' }]);
});

test('a page that does not read gets the last state, not a queue of them', async (t) => {
  const { url, review } = await served(t);
  const page = await listen(url);
  await page.next();
  page.response.pause();
  const big = 'x'.repeat(1 << 20);
  for (let n = 0; n < 64; n += 1) {
    review.show('p-changes', `${n}${big}`);
    review.refresh = () => Promise.resolve();
    await ask(`${url}refresh`, { method: 'POST' });
  }
  page.response.resume();
  const seen = [];
  while (seen.at(-1) !== 63) seen.push(Number.parseInt((await page.next()).data.parts.at(-1).html, 10));
  assert.ok(seen.length < 32, `${seen.length} states were sent`);
});

test('one page too many is turned away until another one goes', async (t) => {
  const { url, panel } = await served(t);
  const pages = await Promise.all(Array.from({ length: MAX_STREAMS }, () => listen(url)));
  assert.ok(pages.every(({ status }) => status === 200));
  assert.equal((await listen(url)).status, 503);
  pages[0].close();
  await until(() => panel.streams < MAX_STREAMS, 'the page is gone');
  assert.equal((await listen(url)).status, 200);
});

test('one connection too many is dropped', async (t) => {
  const { url } = await served(t);
  const { port } = new URL(url);
  const open = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      t.after(() => socket.destroy());
      socket.on('error', () => {}).on('connect', () => resolve(socket));
    });
  const sockets = [];
  for (let n = 0; n < MAX_CONNECTIONS; n += 1) sockets.push(await open());
  const extra = await open();
  await new Promise((resolve) => extra.on('close', resolve));
  assert.ok(sockets.every(({ destroyed }) => !destroyed));
});

test('neither the server, nor a page, nor a panel keeps the process alive', async (t) => {
  const { child, ended } = host('panel-ends.mjs');
  t.after(() => child.kill('SIGKILL'));
  await until(() => child.exitCode !== null, 'the process ends');
  assert.deepEqual(await ended, { code: 0, signal: null, stdout: 'connected\n', stderr: '' });
});
