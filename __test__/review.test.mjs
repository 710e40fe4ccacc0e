// Review: the door through which a panel gets its page. What is on it, and which result counts, is tested in Rust.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';

import { Review } from '@adrkit/native';

import { others } from './fixtures/hostile-calls.mjs';
import { alive, cwd as anywhere, onLinux, onPosix, scratch, until } from './fixtures/processes.mjs';
import { RECORD, repository } from './fixtures/repository.mjs';

const PARTS = [
  'p-status', 'p-picture', 'p-decisions', 'p-proposals', 'p-history', 'p-uncovered', 'p-changes', 'p-lint', 'p-queue',
];

function made(t, options) {
  const review = new Review({ engine: 'embedded', ...options });
  t.after(() => review.dispose());
  return review;
}

/** The text of a part, as a person reads it. */
function text(review, id) {
  const { html } = review.fragments().parts.find((part) => part.id === id);
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim();
}

const notes = (review) => Object.fromEntries(review.summary().notes.map(({ part, note }) => [part, note]));

test('what governs the change is on the page, and in its parts', async (t) => {
  const cwd = repository(t);
  const review = made(t, { cwd });
  assert.equal(review.directory, cwd);
  assert.match(text(review, 'p-status'), /^Nothing has been collected yet/);
  assert.equal(await review.refresh({ trigger: 'open' }), undefined);
  const { version, parts } = review.fragments();
  assert.equal(version, review.version);
  assert.deepEqual(parts.map(({ id }) => id), PARTS);
  assert.match(text(review, 'p-status'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC in [\d.]+ m?s embedded engine compared with HEAD$/);
  assert.match(text(review, 'p-decisions'), /^Governing decisions 1 0001 Keep it simple accepted path src\/\*\* @adr src\/a\.ts:1 governs 1 changed file/);
  assert.match(text(review, 'p-changes'), /src\/ ?a\.ts 0001 Copy$/);
  const page = review.document({ nonce: 'abc', base: '/token/' });
  assert.match(page, /^<!DOCTYPE html><html lang="en">/);
  for (const { html } of parts) assert.ok(page.includes(html));
  for (const tag of ['<style nonce="abc">', '<script nonce="abc">', 'data-base="/token/"']) assert.equal(page.split(tag).length, 2, tag);
});

test('a summary has ids and counts', async (t) => {
  const review = made(t, { cwd: repository(t) });
  assert.equal(review.summary().changes, null);
  await review.refresh();
  const { madeAt, tookMs, ...rest } = review.summary();
  assert.ok(Date.parse(madeAt) > 0 && tookMs >= 0);
  assert.deepEqual(rest, {
    version: review.version,
    refreshing: false,
    engines: ['embedded'],
    changes: { files: 1, with: 'head', skippedNonUtf8: 0 },
    ungovernedFiles: 0,
    governing: { total: 1, listed: ['0001'], unlisted: 0 },
    proposals: { total: 0, listed: [], unlisted: 0 },
    history: { total: 0, listed: [], unlisted: 0 },
    lint: { checked: 1, errors: 0, warnings: 0, infos: 0 },
    queue: { total: 0, overdue: 0, escalated: 0, due: 0 },
    notes: [],
  });
});

test('a refresh is seen as soon as it is asked for, and calls meanwhile make one more', async (t) => {
  const cwd = repository(t);
  const review = made(t, { cwd });
  const versions = [review.version];
  const first = review.refresh();
  versions.push(review.version);
  assert.equal(review.summary().refreshing, true);
  const more = Array.from({ length: 20 }, () => review.refresh({ trigger: 'edit' }));
  await first;
  // What has changed by the time that the last ones began is in their result.
  writeFileSync(join(cwd, 'src', 'b.ts'), 'x\n');
  const last = review.refresh();
  await Promise.all([...more, last]);
  versions.push(review.version);
  assert.equal(review.summary().refreshing, false);
  assert.deepEqual(versions.toSorted((a, b) => a - b), versions);
  assert.equal(new Set(versions).size, 3);
  await review.refresh();
  assert.match(text(review, 'p-changes'), /src\/ ?b\.ts/);
});

test('a place without a review says why', async (t) => {
  const outside = scratch(t);
  const empty = repository(t);
  rmSync(join(empty, 'docs'), { recursive: true });
  const cases = {
    'no work tree': [{ cwd: outside }, /The directory is not inside a git work tree\./],
    'no directory': [{ cwd: join(outside, 'gone') }, /^The working directory does not exist/],
    'no records': [{ cwd: empty }, /There are no decision records here\. The directory docs\/adr does not exist\.$/],
    'other records': [{ cwd: empty, dir: 'x<y' }, /The directory x&lt;y does not exist\.$/],
    'no such base': [{ cwd: repository(t), base: 'nowhere' }, /Git cannot compare the work tree with the given base\./],
  };
  if (process.platform !== 'win32') {
    cases['no git'] = [{ cwd: repository(t), env: { PATH: scratch(t) } }, /Git is not available\./];
  }
  for (const [what, [options, words]] of Object.entries(cases)) {
    const review = made(t, options);
    await review.refresh({ trigger: 'open' });
    assert.match(text(review, 'p-status'), words, what);
    assert.ok(review.document({ nonce: 'n', base: '/' }).includes('<h1>Decision review'), what);
  }
});

/** A git that hangs as long as there is a file of that name; its processes can be told from others. */
function stubborn(t) {
  const dir = scratch(t);
  const [hang, mark] = [join(dir, 'hang'), randomUUID()];
  t.after(() => process.platform === 'linux' && alive(mark).forEach((pid) => process.kill(Number(pid), 'SIGKILL')));
  const git = `#!/bin/sh\nif [ -e '${hang}' ]; then exec sleep 600; fi\nPATH=/usr/local/bin:/usr/bin:/bin exec git "$@"\n`;
  mkdirSync(join(dir, 'bin'));
  writeFileSync(join(dir, 'bin', 'git'), git);
  chmodSync(join(dir, 'bin', 'git'), 0o755);
  return { hang, mark, env: { PATH: [join(dir, 'bin'), '/usr/bin', '/bin'].join(delimiter), MARK: mark } };
}

test('what is cut off keeps its last result, with a note, and leaves nothing running', onLinux, async (t) => {
  const it = stubborn(t);
  const review = made(t, { cwd: repository(t), env: it.env });
  await review.refresh({ trigger: 'open' });
  assert.deepEqual(notes(review), {});
  writeFileSync(it.hang, '');
  for (const [trigger, words] of Object.entries({
    edit: 'Automatic refresh timed out; showing the previous result.',
    manual: 'Refresh was stopped; showing the previous result.',
  })) {
    const abort = new AbortController();
    const refreshed = review.refresh({ trigger, signal: abort.signal });
    await until(() => alive(it.mark).length > 0, 'git hangs');
    abort.abort(new Error('secret'));
    assert.equal(await refreshed, undefined);
    assert.equal(alive(it.mark).length, 0);
    // Lint and queue need no git, and may have ended by then.
    const { changes, check, lint = words, queue = words } = notes(review);
    assert.deepEqual({ changes, check, lint, queue }, { changes: words, check: words, lint: words, queue: words });
    assert.match(text(review, 'p-decisions'), /0001 Keep it simple/);
    assert.equal(review.fragments().parts[0].html.split(words).length, 2, 'it is told once at the top');
  }
  rmSync(it.hang);
  await review.refresh();
  assert.deepEqual(notes(review), {});
});

test('a signal that is aborted already begins nothing', onPosix, async (t) => {
  const it = stubborn(t);
  writeFileSync(it.hang, '');
  const review = made(t, { cwd: repository(t), env: it.env });
  await review.refresh({ signal: AbortSignal.abort() });
  assert.match(text(review, 'p-status'), /^Nothing has been collected yet/);
});

test('disposal ends what is under way, and nothing begins any more', onLinux, async (t) => {
  const it = stubborn(t);
  writeFileSync(it.hang, '');
  const review = made(t, { cwd: repository(t), env: it.env });
  const refreshed = [review.refresh(), review.refresh({ trigger: 'edit' })];
  await until(() => alive(it.mark).length > 0, 'git hangs');
  review.dispose();
  await Promise.all(refreshed);
  assert.equal(alive(it.mark).length, 0);
  rmSync(it.hang);
  const { version } = review;
  await review.refresh();
  review.dispose();
  assert.equal(review.version, version);
  assert.ok(existsSync(review.directory));
});

test('no text of a repository becomes markup, and none reaches a model', async (t) => {
  const title = '</title></style></script><script>alert(1)</script><img src=x onerror=alert(1)> \u202egnp {{x}}';
  const cwd = repository(t, RECORD.replace('title: Keep it simple', `title: ${JSON.stringify(title)}`));
  const record = (id, status) => RECORD.replace('"0001"', `"${id}"`).replace('Keep it simple', 'SECRET').replace('accepted', status);
  for (let n = 2; n < 200; n += 1) {
    const id = String(n).padStart(4, '0');
    writeFileSync(join(cwd, 'docs', 'adr', `${id}-x.md`), record(id, ['accepted', 'proposed', 'rejected'][n % 3]));
  }
  const names = ['a b', "it's", '$(touch x)', '-x'];
  if (process.platform !== 'win32') names.push('<script>alert(1)<!--', '"onclick="x', 'a\nb', '\u202egnp.ts', 'x'.repeat(200));
  for (const name of names) writeFileSync(join(cwd, 'src', name), '// @adr <b>SECRET</b>\n');
  const review = made(t, { cwd });
  await review.refresh();
  const page = review.document({ nonce: 'n', base: '/t/' });
  for (const [pattern, times] of [[/<script/g, 1], [/<style/g, 1], [/<img/g, 0], [/ onclick=/g, 0]]) {
    assert.equal(page.match(pattern)?.length ?? 0, times, pattern);
  }
  assert.ok(page.includes('<b class="hidden-char">‹U+202E›</b>'));
  assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(page));
  const summary = JSON.stringify(review.summary());
  assert.ok(Buffer.byteLength(summary) < 4096, `${Buffer.byteLength(summary)}`);
  for (const secret of ['SECRET', 'alert', 'gnp', 'src', 'touch']) assert.ok(!summary.includes(secret), secret);
  const { governing, proposals, history } = review.summary();
  for (const ids of [governing, proposals, history]) assert.equal(ids.listed.length + ids.unlisted, ids.total);
  assert.equal(governing.total + proposals.total + history.total, 199);
});

test('what is no argument is refused by name', async (t) => {
  const invalid = { name: 'AdrkitError', code: 'invalid-argument' };
  for (const options of [undefined, {}, { cwd: '.' }, { cwd: anywhere, base: 1 }, { cwd: anywhere, dir: {} }, { cwd: anywhere, env: 'x' }]) {
    assert.throws(() => new Review(options), invalid);
  }
  assert.throws(() => new Review({ cwd: anywhere, engine: 'wasm' }), { name: 'AdrkitError', code: 'unknown-engine' });
  const review = made(t, { cwd: repository(t) });
  for (const trigger of ['timer', '', ...others().filter((it) => it !== null)]) await assert.rejects(review.refresh({ trigger }), invalid);
  for (const signal of ['abort', {}, null]) await assert.rejects(review.refresh({ signal }), invalid);
  for (const page of [undefined, {}, { nonce: 'n' }, { base: '/' }, { nonce: 1, base: '/' }]) {
    assert.throws(() => review.document(page), invalid);
  }
  assert.equal(review.summary().refreshing, false);
});
