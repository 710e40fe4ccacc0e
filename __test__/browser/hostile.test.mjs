// What a repository wrote is text on the page, whatever it says, and never anything else.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { makeRepository } from '../e2e/support/repository.mjs';
import { onPosix, scratch } from '../fixtures/processes.mjs';
import { here, openPage, serve, show } from './support.mjs';

const MEGABYTES = 3 << 20;
const HOSTILE = {
  'an element': '<img src=x onerror=window.pwned=1>',
  'a script': '</script><script>window.pwned=1</script>',
  'the end of a style': '</style><script>window.pwned=1</script>',
  'the end of a title': '</title><script>window.pwned=1</script>',
  'a frame': '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  'svg': '<svg onload=window.pwned=1><animate onbegin=window.pwned=1></svg>',
  'an attribute in double quotes': '" autofocus onfocus=window.pwned=1 x="',
  'an attribute in single quotes': "' autofocus onfocus=window.pwned=1 x='",
  'a comment': '<!--><script>window.pwned=1</script>-->',
  'a template': '{{constructor.constructor("window.pwned=1")()}}${window.pwned=1}<%=1%>#{1}',
  'an entity': '&lt;script&gt;window.pwned=1&lt;/script&gt;&#60;b&#62;',
  'a link': 'javascript:window.pwned=1',
  'a form': '<form action=http://example.org><input id=filter><button id=refresh>',
  'ids of the page': '<p id=p-status></p><base href=http://example.org><meta http-equiv=refresh content=0>',
  'turned text': 'safe\u202egnp.exe\u2066\u200b\ufeff',
  'the end of an event': 'data: x\n\nevent: closed\ndata: {}\n\n',
  'megabytes': 'M'.repeat(MEGABYTES),
};
const VISIBLE = ['an element', 'a script', 'a frame', 'a template', 'an entity', 'a link'];

const yaml = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What a title and the name of a decider may hold at most; longer ones make the record invalid. */
const MAX_TITLE = 120;

function record({ id, title = 'x y z', status = 'accepted', decider = 'team:a', extra = 'tags: [a]' }) {
  return [
    '---',
    'schemaVersion: 0.1.0',
    `id: ${yaml(id)}`,
    `title: ${yaml(title)}`,
    `status: ${yaml(status)}`,
    'date: 2026-01-01',
    `deciders: [${yaml(decider)}]`,
    extra,
    'affects:',
    '  - type: path',
    '    pattern: "src/**"',
    '---',
    '',
    '# x',
    '',
  ].join('\n');
}

/** A repository in which every title, decider, path, id and finding is hostile. */
function hostile(t) {
  const records = {};
  Object.values(HOSTILE).forEach((text, n) => {
    const [accepted, proposed] = [101 + n, 201 + n].map((id) => `0${id}`);
    records[`docs/adr/${accepted}-a.md`] = record({ id: accepted, title: text.slice(0, MAX_TITLE) });
    records[`docs/adr/${proposed}-b.md`] = record({ id: proposed, status: 'proposed', decider: text.slice(0, MAX_TITLE) });
    // An id that is none, a status that is none, a key that is none and a title without an end: what findings say.
    records[`docs/adr/0${301 + n}-c.md`] = record({ id: text.slice(0, 2000), title: text, status: text.slice(0, 2000), extra: `${yaml(text.slice(0, 200))}: 1` });
  });
  const cwd = makeRepository(join(scratch(t), `r<b>&'"`), records);
  for (const text of Object.values(HOSTILE)) {
    // A slash makes directories of it.
    const path = join(cwd, 'src', `${text.replaceAll('\0', '').slice(0, 180)}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    const free = join(cwd, 'lib', text.slice(0, 180));
    mkdirSync(dirname(free), { recursive: true });
    writeFileSync(free, '');
  }
  return cwd;
}

/** What a page is made of, and what it has become. */
const anatomy = (page) =>
  page.evaluate(() => ({
    pwned: window.pwned,
    elements: [...new Set([...document.querySelectorAll('*')].map(({ localName }) => localName))].sort(),
    singles: ['script', 'style', 'main', '#filter', '#refresh', '#p-status', 'title'].map((it) => document.querySelectorAll(`html > head > ${it}, body ${it}`).length),
    handlers: [...document.querySelectorAll('*')].flatMap(({ attributes }) => [...attributes]).filter(({ name }) => /^on|^style$|^src|^action$/.test(name)).length,
    links: [...document.querySelectorAll('a')].map((link) => link.getAttribute('href')),
    directed: /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/.test(document.documentElement.outerHTML),
    length: document.documentElement.outerHTML.length,
  }));

test('hostile text is shown as text', { ...here, ...(here.skip ? {} : onPosix) }, async (t) => {
  const cwd = hostile(t);
  const { page } = await show(t, cwd);
  await page.locator('#p-decisions [data-row]').first().waitFor();
  const seen = await anatomy(page);
  assert.equal(seen.pwned, undefined);
  for (const name of ['img', 'iframe', 'form', 'base', 'object', 'embed', 'link', 'animate', 'u']) assert.ok(!seen.elements.includes(name), name);
  assert.deepEqual(seen.singles.slice(2, 6), [1, 1, 1, 1]);
  assert.deepEqual(seen.links, ['#main']);
  assert.equal(seen.handlers, 0);
  assert.equal(seen.directed, false, 'what turns text around is marked');
  assert.ok(seen.length < MEGABYTES, `${seen.length} characters of page`);
  const shown = await page.locator('#p-decisions').textContent();
  for (const what of VISIBLE) assert.ok(shown.includes(HOSTILE[what]), what);
  const files = await page.locator('#p-uncovered').textContent();
  assert.ok(files.includes(HOSTILE['a template'].split('/')[0].slice(0, 40)));
  assert.ok((await page.locator('#p-lint [data-row]').count()) >= Object.keys(HOSTILE).length);

  // The same by updates, which the script works in: this page opens before anything is collected.
  const fresh = await serve(t);
  const { page: early } = await openPage(t, fresh.open('panel', cwd).url);
  await early.locator('#p-lint [data-row]').first().waitFor();
  await early.locator('#filter').fill('<img src=x onerror=window.pwned=1>');
  await early.locator('#matches', { hasText: /^[1-9]/ }).waitFor();
  await early.locator('#filter').fill('');
  writeFileSync(join(cwd, 'lib/<u>late'), '');
  await fresh.refreshOpen(cwd);
  await early.locator('#p-uncovered', { hasText: '<u>late' }).waitFor();
  assert.deepEqual({ ...(await anatomy(early)), length: 0 }, { ...seen, length: 0 });
});
