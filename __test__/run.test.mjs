// run: one process, its bounds, and its failures.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { AdrkitError, run } from '@adrkit/native';

import { cwd, onLinux, onPosix, scratch, tree } from './fixtures/processes.mjs';

const script = (source, options) => run(process.execPath, ['-e', source], { cwd, ...options });

test('tells the exit code and both outputs, as buffers', async () => {
  const result = await script("process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 3");
  assert.ok(result.durationMs > 0);
  assert.deepEqual(
    { ...result, durationMs: 0 },
    {
      outcome: 'exited',
      exitCode: 3,
      signal: null,
      stdout: Buffer.from('out'),
      stderr: Buffer.from('err'),
      outputIncomplete: false,
      durationMs: 0,
    },
  );
});

test('keeps bytes as they are', async () => {
  const { stdout } = await script('process.stdout.write(Buffer.from([0, 255, 128, 10, 13]))');
  assert.deepEqual([...stdout], [0, 255, 128, 10, 13]);
});

test('gives nothing on stdin', async () => {
  const { stdout } = await script("process.stdin.on('end', () => console.log('end')).resume()");
  assert.equal(stdout.toString().trim(), 'end');
});

test('passes arguments as they are', async () => {
  const args = ['', 'a b', '"', '\\', '$HOME', '*', 'ü', '-x', '--'];
  const source = 'console.log(JSON.stringify(process.argv.slice(1)))';
  const { stdout } = await run(process.execPath, ['-e', source, '--', ...args], { cwd });
  assert.deepEqual(JSON.parse(stdout), args);
});

test('runs in the working directory', async (t) => {
  const directory = scratch(t);
  const { stdout } = await script('process.stdout.write(require("fs").realpathSync("."))', { cwd: directory });
  const expected = await script(`process.stdout.write(require("fs").realpathSync(${JSON.stringify(directory)}))`);
  assert.equal(stdout.toString(), expected.stdout.toString());
});

test('the environment is the one that is given, whole', onPosix, async () => {
  const env = { A: '1', B: undefined };
  const { stdout } = await script('console.log(JSON.stringify(process.env))', { env });
  assert.deepEqual(JSON.parse(stdout), { A: '1' });
});

test('the environment is process.env, as it is at the call', async (t) => {
  process.env.ADRKIT_TEST_LATE = 'yes';
  t.after(() => delete process.env.ADRKIT_TEST_LATE);
  const { stdout } = await script('process.stdout.write(process.env.ADRKIT_TEST_LATE)');
  assert.equal(stdout.toString(), 'yes');
});

test('a bare name is looked up on the PATH of the environment', onPosix, async (t) => {
  const directory = scratch(t);
  writeFileSync(join(directory, 'adrkit-probe'), '#!/bin/sh\necho found\n', { mode: 0o755 });
  const { stdout } = await run('adrkit-probe', [], { cwd, env: { PATH: directory } });
  assert.equal(stdout.toString(), 'found\n');
});

test('a signal that is not ours is told by name', onPosix, async () => {
  const { outcome, exitCode, signal } = await script("process.kill(process.pid, 'SIGKILL')");
  assert.deepEqual({ outcome, exitCode, signal }, { outcome: 'signaled', exitCode: null, signal: 'SIGKILL' });
});

test('past its deadline the process is ended', async () => {
  const { outcome, exitCode } = await script('setInterval(() => {}, 1000)', { timeoutMs: 300 });
  assert.equal(outcome, 'timed-out');
  if (process.platform !== 'win32') assert.equal(exitCode, null);
});

test('past its deadline the whole group is ended', onLinux, async (t) => {
  const it = tree(t);
  const { outcome } = await run(it.file, it.args, { cwd, env: it.env, timeoutMs: 300 });
  assert.equal(outcome, 'timed-out');
  await it.gone();
});

test('much output on both pipes does not block', async () => {
  const source = 'for (const s of [process.stdout, process.stderr]) s.write("x".repeat(1 << 20))';
  const { outcome, stdout, stderr, outputIncomplete } = await script(source);
  assert.deepEqual(
    { outcome, stdout: stdout.length, stderr: stderr.length, outputIncomplete },
    { outcome: 'exited', stdout: 1 << 20, stderr: 1 << 20, outputIncomplete: false },
  );
});

test('more output than is kept ends the process', async () => {
  const source = 'setInterval(() => process.stdout.write("x".repeat(4096)), 1)';
  const { outcome, stdout, outputIncomplete } = await script(source, { maxOutputBytes: 1000 });
  assert.deepEqual(
    { outcome, stdout: stdout.length, outputIncomplete },
    { outcome: 'output-too-large', stdout: 1000, outputIncomplete: true },
  );
});

test('a process that is left behind and holds the pipe does not hold the call', onLinux, async (t) => {
  const it = tree(t);
  const args = ['-c', 'sleep 600 & echo done'];
  const { outcome, exitCode, stdout } = await run(it.file, args, { cwd, env: it.env, timeoutMs: 15_000 });
  assert.deepEqual({ outcome, exitCode, stdout: stdout.toString() }, { outcome: 'exited', exitCode: 0, stdout: 'done\n' });
});

test('a process that cannot start is told by code', onPosix, async (t) => {
  const directory = scratch(t);
  const plain = join(directory, 'plain');
  writeFileSync(plain, 'x');
  chmodSync(plain, 0o644);
  const gone = join(directory, 'gone');
  mkdirSync(gone);
  rmdirSync(gone);
  const cases = [
    ['command-not-found', join(directory, 'nothing'), [], { cwd }],
    ['command-not-found', 'adrkit-no-such-command', [], { cwd }],
    ['command-not-executable', plain, [], { cwd }],
    ['working-directory-gone', process.execPath, [], { cwd: gone }],
    ['working-directory-gone', process.execPath, [], { cwd: plain }],
    ['command-too-long', process.execPath, Array(200).fill('x'.repeat(100_000)), { cwd }],
  ];
  for (const [code, file, args, options] of cases) {
    await assert.rejects(run(file, args, options), { name: 'AdrkitError', code }, `${code}: ${file}`);
  }
});

test('an invalid argument is named and not repeated', async () => {
  const secret = 'secret-value';
  const cases = [
    ['file', undefined, [], { cwd }],
    ['file', '', [], { cwd }],
    ['file', 5, [], { cwd }],
    ['args', secret, secret, { cwd }],
    ['args', secret, [secret, 5], { cwd }],
    ['cwd', secret, [], undefined],
    ['cwd', secret, [], {}],
    ['cwd', secret, [], { cwd: secret }],
    ['cwd', secret, [], { cwd: '' }],
    ['cwd', secret, [], { cwd: null }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: 0 }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: -1 }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: NaN }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: Infinity }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: 2 ** 31 }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: '5' }],
    ['timeoutMs', secret, [], { cwd, timeoutMs: 5n }],
    ['maxOutputBytes', secret, [], { cwd, maxOutputBytes: 0 }],
    ['maxOutputBytes', secret, [], { cwd, maxOutputBytes: 1.5 }],
    ['maxOutputBytes', secret, [], { cwd, maxOutputBytes: 64 * 1024 * 1024 + 1 }],
    ['env', secret, [], { cwd, env: secret }],
    ['env', secret, [], { cwd, env: { A: 5 } }],
    ['env', secret, [], { cwd, env: { 'A=B': secret } }],
    ['env', secret, [], { cwd, env: { '': secret } }],
    ['env', secret, [], { cwd, env: { A: '\0' } }],
    ['signal', secret, [], { cwd, signal: secret }],
    ['signal', secret, [], { cwd, signal: null }],
    ['signal', secret, [], { cwd, signal: new EventTarget() }],
  ];
  for (const [name, file, args, options] of cases) {
    await assert.rejects(run(file, args, options), (error) => {
      assert.ok(error instanceof AdrkitError, `${name}: ${error}`);
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, new RegExp(`^The argument ${name} must be .*\\.$`));
      assert.ok(!error.message.includes(secret));
      return true;
    });
  }
});
