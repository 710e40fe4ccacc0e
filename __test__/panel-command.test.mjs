// `npm run panel`: it serves, follows what changes, and leaves nothing when it ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { ask, listen } from './fixtures/panel.mjs';
import { onPosix, root, scratch, until } from './fixtures/processes.mjs';
import { repository } from './fixtures/repository.mjs';

const BINARY = join(root, readdirSync(root).find((name) => name.endsWith('.node')));

/** Runs the command, with the addon that is there, from `cwd`. */
function panel(t, args, { cwd = root } = {}) {
  const env = { ...process.env, ADRKIT_NATIVE_PATH: BINARY, ADRKIT_ENGINE: 'embedded', INIT_CWD: cwd };
  const child = spawn(process.execPath, [join(root, 'scripts', 'panel.mjs'), ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (chunk) => (output[stream] += chunk));
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...output })));
  const url = async () => {
    await until(() => output.stdout.includes('\n') || child.exitCode !== null, 'it prints its URL');
    return output.stdout.trim();
  };
  return { child, ended, url };
}

/** Reads a page's updates until what the page holds has matched each pattern, one after another. */
async function shows(page, parts, ...patterns) {
  for (const pattern of patterns) {
    while (!pattern.test([...parts.values()].join('\n'))) {
      const { data } = await page.next();
      for (const { id, html } of data.parts) parts.set(id, html);
    }
  }
}

test('a page follows what changes, and nothing is left at the end', onPosix, async (t) => {
  const cwd = repository(t);
  const it = panel(t, ['.'], { cwd });
  const url = await it.url();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/);
  assert.equal((await ask(url)).status, 200);
  const page = await listen(url);
  const parts = new Map();
  await shows(page, parts, /a\.ts/, /Keep it simple/);
  // The opening may show the first, the end of the first look at the tree the second; the watcher alone the third.
  for (const name of ['one', 'two', 'three']) {
    writeFileSync(join(cwd, 'src', `brand-new-${name}.ts`), '');
    await shows(page, parts, new RegExp(`brand-new-${name}\\.ts`));
  }
  it.child.kill('SIGINT');
  assert.deepEqual(await it.ended, { code: 0, stdout: `${url}\n`, stderr: '' });
  await assert.rejects(ask(url), { code: 'ECONNREFUSED' });
});

for (const signal of ['SIGTERM', 'SIGHUP']) {
  test(`${signal} ends it too`, onPosix, async (t) => {
    const it = panel(t, [repository(t)]);
    await it.url();
    it.child.kill(signal);
    assert.equal((await it.ended).code, 0);
  });
}

test('a repository without decisions is served: its page says so', async (t) => {
  const cwd = repository(t);
  const it = panel(t, [cwd, '--dir', 'docs/none']);
  const page = await listen(await it.url());
  await shows(page, new Map(), /There are no decision records here/);
});

const NOWHERE = join(root, 'no', 'such', 'directory');
for (const [what, args, words] of [
  ['a directory that is not there', () => [NOWHERE], /there is no such directory\.$/],
  ['a file', () => [join(root, 'package.json')], /there is no such directory\.$/],
  ['a directory outside any work tree', (t) => [scratch(t)], /not inside a git work tree\.$/],
  ['two paths', () => ['.', '.'], /^There is more than one PATH\. Usage: npm run panel/],
  ['an option that it does not have', () => ['--port', '80'], /^Unknown option '--port'\. Usage: npm run panel/],
  ['a base that is none', (t) => [repository(t), '--base', 'none'], /with the given base\.$/],
]) {
  test(`${what} is refused in one sentence`, async (t) => {
    const { code, stdout, stderr } = await panel(t, args(t)).ended;
    assert.deepEqual([code, stdout, stderr.trimEnd().split('\n').length], [2, '', 1]);
    assert.match(stderr.trimEnd(), words);
  });
}
