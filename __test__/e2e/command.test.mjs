// The command line: which flags bring the plugin in, and what a person sees.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { root } from '../fixtures/processes.mjs';
import { executable, here } from './support/cli.mjs';
import { environment, gone, ours, place, plugin } from './support/host.mjs';
import { startModel } from './support/model.mjs';

/** Runs `copilot`, and says what it printed and what the model was asked. */
async function copilot(t, args, at = place(t)) {
  const model = await startModel();
  at.closing.push(model.stop);
  const env = environment(at, model, { ADRKIT_ENGINE: 'embedded' });
  const child = spawn(executable(), args, { cwd: at.repository, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (chunk) => (output[stream] += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  await gone(at);
  return { at, code, ...output, request: model.requests.at(-1) };
}

const tools = ({ tools }) => tools.filter(({ name }) => name.startsWith('adr_')).length;

// What brings the extension in: the flags, whether the summary reaches the model, and how many of the tools.
for (const [flags, summary, offered] of [
  [[], 0, 0],
  [['--allow-all'], 0, 0],
  [['--experimental'], 0, 0],
  [['--experimental', '--allow-all'], 1, 3],
]) {
  test(`copilot -p ${flags.join(' ')}`, here, async (t) => {
    const it = await copilot(t, ['-p', 'go', '--plugin-dir', plugin(), ...flags]);
    assert.equal(it.code, 0);
    assert.equal(ours(it.request).length, summary);
    assert.equal(tools(it.request), offered);
    assert.match(it.stdout, /done/);
  });
}

test('a plugin that is installed from its unpacked tarball works', here, async (t) => {
  const at = place(t);
  execFileSync(process.execPath, [join(root, 'scripts', 'plugin-pack.mjs'), '--output', join(at.directory, 'packed', 'plugin')], { stdio: 'ignore' });
  const tarball = readdirSync(join(at.directory, 'packed')).find((name) => name.endsWith('.tgz'));
  execFileSync('tar', ['-xzf', join(at.directory, 'packed', tarball), '-C', at.directory]);
  if (process.env.ADRKIT_E2E_PLUGIN) cpSync(plugin(), join(at.directory, 'adrkit'), { recursive: true });
  const installed = await copilot(t, ['plugin', 'install', join(at.directory, 'adrkit')], at);
  assert.equal(installed.code, 0, installed.stderr);
  const it = await copilot(t, ['-p', 'go', '--experimental', '--allow-all'], at);
  assert.equal(ours(it.request).length, 1);
  assert.equal(tools(it.request), 3);
});
