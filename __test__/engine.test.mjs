// Which engine answers, and which `adr` would be asked.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { lint, resolveCli } from '@adrkit/native';

import { onPosix, scratch } from './fixtures/processes.mjs';

const fake = fileURLToPath(new URL('./fixtures/fake-adr.mjs', import.meta.url));
const PATH = dirname(process.execPath);

function corpus(t) {
  const cwd = scratch(t);
  mkdirSync(join(cwd, 'docs', 'adr'), { recursive: true });
  return cwd;
}

test('the command that a person named answers, and says so', async (t) => {
  const cwd = corpus(t);
  const env = { PATH, ADRKIT_CLI: fake, FAKE_ADR: JSON.stringify({ lint: { report: { checked: 7, findings: [] } } }) };
  assert.deepEqual(await resolveCli({ cwd, env }), { path: fake, source: 'env' });
  assert.deepEqual(await lint({ cwd, env }), { exitCode: 0, engine: 'cli', report: { checked: 7, findings: [] } });
  const { engine, report } = await lint({ cwd, env, engine: 'embedded' });
  assert.deepEqual([engine, report.checked], ['embedded', 0]);
});

test('a command that was named is never replaced', async (t) => {
  const cwd = corpus(t);
  const env = { PATH, ADRKIT_CLI: join(cwd, 'gone') };
  await assert.rejects(lint({ cwd, env }), { name: 'AdrkitError', code: 'cli-unresolved' });
  await assert.rejects(resolveCli({ cwd, env }), { name: 'AdrkitError', code: 'cli-unresolved' });
});

test('the command of a repository counts only where that is allowed', onPosix, async (t) => {
  const cwd = corpus(t);
  const bin = join(cwd, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(fake, join(bin, 'adr'));
  const env = { PATH: `${bin}:node_modules/.bin` };
  await assert.rejects(resolveCli({ cwd, env }), { code: 'cli-not-found' });
  assert.equal((await lint({ cwd, env })).engine, 'embedded');
  await assert.rejects(lint({ cwd, env, engine: 'cli' }), { code: 'engine-unavailable' });
  const allowed = { ...env, ADRKIT_ALLOW_REPO_CLI: '1' };
  assert.deepEqual(await resolveCli({ cwd, env: allowed }), { path: join(bin, 'adr'), source: 'repository' });
});
