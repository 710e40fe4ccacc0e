// Hooks and collectAndCheck: the door through which the host asks. What they tell, and when, is tested in Rust.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { AdrkitError, Hooks, collectAndCheck, hooksEnabled } from '@adrkit/native';

import { others } from './fixtures/hostile-calls.mjs';
import { alive, cwd as anywhere, fixtures, host, onLinux, onPosix, scratch, until } from './fixtures/processes.mjs';
import { RECORD, repository } from './fixtures/repository.mjs';

const embedded = { PATH: process.env.PATH, ADRKIT_ENGINE: 'embedded' };

/** What a hook told, if anything. It may be nothing but a text of ours. */
async function told(answer) {
  assert.ok(answer instanceof Promise);
  const output = await answer;
  if (output === undefined) return undefined;
  assert.deepEqual(Reflect.ownKeys(output), ['additionalContext']);
  const { additionalContext: text } = output;
  assert.match(text, /^adrkit \(advisory; it block(?:s|ed) nothing\): [\x20-\x7e]+$/);
  assert.ok(text.length <= 8000);
  return text;
}

/** The answer, however long the machine takes for it: what comes too late is told when the host asks again. */
async function eventually(ask) {
  for (let i = 0; i < 10; i += 1) {
    const text = await told(ask());
    if (text !== undefined) return text;
  }
  return undefined;
}

function made(t, options) {
  const hooks = new Hooks({ env: embedded, ...options });
  t.after(() => hooks.dispose());
  return hooks;
}

const started = (cwd, more) => ({
  sessionId: 's', timestamp: new Date(), workingDirectory: cwd, source: 'resume', initialPrompt: 'x', ...more,
});

const edited = (cwd, more) => ({
  sessionId: 's',
  timestamp: new Date(),
  workingDirectory: cwd,
  toolName: 'edit',
  toolArgs: { path: 'src/a.ts', old_str: 'a', new_str: 'b' },
  toolResult: { resultType: 'success', textResultForLlm: 'Done', sessionLog: 'x' },
  ...more,
});

const invocation = { sessionId: 's' };

/** An environment in which git hangs for any work tree but this one, and whose processes can be told from others. */
function hanging(t) {
  const mark = randomUUID();
  t.after(() => process.platform === 'linux' && alive(mark).forEach((pid) => process.kill(Number(pid), 'SIGKILL')));
  return { mark, env: { PATH: [join(fixtures, 'hanging'), '/usr/bin', '/bin'].join(delimiter), MARK: mark } };
}

/** As {@link hanging}; there is an `adr` command, which does `act`. */
function command(t, act) {
  const dir = scratch(t);
  writeFileSync(join(dir, 'act'), act);
  const { mark, env } = hanging(t);
  return {
    mark,
    env: { ...env, ADRKIT_CLI: join(fixtures, 'quick-adr.sh'), QUICK_ADR: dir },
    calls: () => (existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8').trimEnd().split('\n') : []),
  };
}

test('the start of a session is told how many files changed, and ids', async (t) => {
  const cwd = repository(t);
  const { onSessionStart } = made(t);
  const text = await eventually(() => onSessionStart(started(cwd), invocation));
  assert.match(text, /: 1 file has changed, compared with HEAD, governed by accepted decisions 0001\. /);
  assert.ok(!/Keep it simple|src|a\.ts|docs/.test(text), text);
  assert.equal(await told(onSessionStart(started(cwd, { source: 'new' }))), undefined, 'it has been told');
});

test('an edit is told once for each file and session, and a sub-agent is a session', async (t) => {
  const cwd = repository(t);
  const { onPostToolUse } = made(t);
  const edit = (more) => () => onPostToolUse(edited(cwd, more), invocation);
  assert.match(await eventually(edit()), /accepted decisions 0001\. /);
  assert.equal(await told(edit()()), undefined);
  assert.equal(await told(edit({ toolArgs: { path: join(cwd, 'src', 'a.ts') } })()), undefined, 'the same file');
  assert.match(await eventually(edit({ toolArgs: { path: 'src/b.ts' } })), /0001/);
  const agent = { sessionId: 'child', agentId: 'agent-1' };
  assert.match(await eventually(edit(agent)), /0001/);
  assert.equal(await told(edit(agent)()), undefined);
  assert.equal(await told(edit({ toolArgs: { path: 'README.md' } })()), undefined, 'nothing governs it');
});

test('whatever names the file is read', async (t) => {
  const cwd = repository(t);
  const { onPostToolUse } = made(t);
  const patch = (path) => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;
  const by = (list) => (path) => ({
    toolName: 'apply_patch',
    toolArgs: 5,
    toolResult: { toolTelemetry: { restrictedProperties: { [list]: JSON.stringify([join(cwd, path)]) } } },
  });
  const shapes = {
    'path': (path) => ({ toolName: 'create', toolArgs: { path, file_text: 'x' } }),
    'path as JSON': (path) => ({ toolName: 'str_replace', toolArgs: JSON.stringify({ path }) }),
    'path and command': (path) => ({ toolName: 'str_replace_editor', toolArgs: { command: 'insert', path } }),
    'patch': (path) => ({ toolName: 'apply_patch', toolArgs: patch(path) }),
    'member input': (path) => ({ toolName: 'apply_patch', toolArgs: { input: patch(path) } }),
    'member patch': (path) => ({ toolName: 'apply_patch', toolArgs: { patch: patch(path) } }),
    'words': (path) => ({ toolName: 'apply_patch', toolArgs: ['apply_patch', patch(path)] }),
    'filePaths': by('filePaths'),
    'addedPaths': by('addedPaths'),
    'deletedPaths': by('deletedPaths'),
    'movedFromPaths': by('movedFromPaths'),
    'an array': (path) => ({ toolResult: { toolTelemetry: { restrictedProperties: { filePaths: [null, join(cwd, path)] } } } }),
    'a getter': (path) => ({ get toolArgs() { return { path }; } }),
  };
  for (const [what, shape] of Object.entries(shapes)) {
    const path = `src/${what}`;
    const more = Object.getOwnPropertyDescriptors(shape(path));
    const input = () => Object.defineProperties(edited(cwd, { toolArgs: {} }), more);
    assert.match((await eventually(() => onPostToolUse(input()))) ?? '', /0001/, what);
  }
  const failed = edited(cwd, { toolArgs: { path: 'src/f' }, toolResult: { resultType: 'failure' } });
  assert.equal(await told(onPostToolUse(failed)), undefined);
  const viewed = edited(cwd, { toolName: 'str_replace_editor', toolArgs: { command: 'view', path: 'src/v' } });
  assert.equal(await told(onPostToolUse(viewed)), undefined);
});

test('a patch of ten mebibytes is read', async (t) => {
  const cwd = repository(t);
  const { onPostToolUse } = made(t);
  const body = '+0123456\n'.repeat(10 * 1024 * 1024 / 9);
  const toolArgs = `*** Begin Patch\n*** Add File: big.txt\n${body}*** Update File: src/a.ts\n+x\n*** End Patch\n`;
  const text = await eventually(() => onPostToolUse(edited(cwd, { toolName: 'apply_patch', toolArgs })));
  assert.match(text, /0001/);
});

test('for a tool that does not edit, nothing else is read and nothing is started', onLinux, async (t) => {
  const it = command(t, '');
  const { onPostToolUse } = made(t, { env: it.env });
  const reads = [];
  const thrower = new Proxy({}, { get: (_, name) => reads.push(name) });
  for (const toolName of ['view', 'bash', 'grep', 'Edit', 'edit ', 'adr_check', '', 'constructor', undefined, null, 5, {}, ['edit']]) {
    const input = new Proxy({ toolName, toolArgs: thrower, toolResult: thrower }, {
      get: (target, name) => (reads.push(name), target[name]),
    });
    assert.equal(await told(onPostToolUse(input)), undefined);
  }
  assert.deepEqual(new Set(reads), new Set(['toolName']));
  assert.deepEqual([it.calls(), alive(it.mark)], [[], []]);
});

test('whatever they are given, the handlers neither throw nor reject', async (t) => {
  const cwd = repository(t);
  const { onSessionStart, onPostToolUse } = made(t);
  const values = () => [
    ...others(),
    ...[undefined, '', '.', '/', '\0', '\ud800', '__proto__', 'x'.repeat(100_000), '[', '{"path":', '[1e999]', JSON.stringify([[]])],
    ...[{ __proto__: { path: 'src/a.ts' } }, JSON.parse('{"__proto__":{"path":5}}'), new Array(2 ** 32 - 1), Array(5000).fill('src/x')],
    ...[{ path: 5 }, { input: {} }, { restrictedProperties: 'x' }, { toolTelemetry: { restrictedProperties: { filePaths: 5 } } }],
  ];
  const members = ['sessionId', 'timestamp', 'workingDirectory', 'source', 'toolName', 'toolArgs', 'toolResult', 'agentId', 'traceparent'];
  const inputs = values().map((value) => [value]);
  for (const member of members) {
    for (const value of values()) inputs.push([{ ...edited(cwd), source: 'new', [member]: value }]);
    inputs.push([Object.defineProperty(edited(cwd), member, { get() { throw new Error('no'); } })]);
  }
  for (const value of values()) {
    inputs.push([edited(cwd, { toolArgs: { path: value } })], [edited(cwd, { toolName: 'apply_patch', toolArgs: { input: value, patch: value } })]);
    inputs.push([edited(cwd, { toolResult: { resultType: 'success', toolTelemetry: { restrictedProperties: value } } })]);
    inputs.push([edited(cwd, { toolResult: { toolTelemetry: { restrictedProperties: { filePaths: value, addedPaths: [value] } } } })]);
  }
  inputs.push([]);
  assert.ok(inputs.length > 400, `${inputs.length}`);
  for (const handler of [onSessionStart, onPostToolUse]) {
    for (const input of inputs) await told(handler(...input));
  }
  assert.match(await eventually(() => onSessionStart(started(cwd))), /0001/, 'it still answers');
});

test('an option that is no good is named and not repeated', () => {
  const secret = 'secret-value';
  const cases = [
    ['env', { env: secret }], ['env', { env: { A: 5 } }], ['env', { env: { 'A=': secret } }],
    ['log', { log: secret }], ['log', { log: null }], ['refresh', { refresh: {} }],
  ];
  const refused = (name) => (error) => {
    assert.ok(error instanceof AdrkitError);
    assert.equal(error.code, 'invalid-argument');
    assert.match(error.message, new RegExp(`^The argument ${name} must be .*\\.$`));
    assert.ok(!error.message.includes(secret));
    return true;
  };
  for (const [name, options] of cases) assert.throws(() => new Hooks(options), refused(name));
  assert.throws(() => hooksEnabled({ ADRKIT_HOOKS: 0 }), refused('env'));
  const hooks = new Hooks();
  for (const dir of [undefined, null, 5, '', '.', 'x', '/x\0', { dir: anywhere }]) {
    assert.throws(() => hooks.panelOpened(dir), refused('dir'));
    assert.throws(() => hooks.panelClosed(dir), refused('dir'));
  }
  hooks.dispose();
});

test('ADRKIT_HOOKS turns them off', async (t) => {
  for (const value of ['0', 'false', 'off', 'no', 'OFF', ' No\n']) assert.equal(hooksEnabled({ ADRKIT_HOOKS: value }), false, value);
  for (const value of ['', '1', 'true', 'on', 'yes', undefined]) assert.equal(hooksEnabled({ ADRKIT_HOOKS: value }), true, value);
  assert.equal(hooksEnabled(), true);
  process.env.ADRKIT_HOOKS = 'off';
  t.after(() => delete process.env.ADRKIT_HOOKS);
  assert.equal(hooksEnabled(), false);
  assert.equal(hooksEnabled({}), true);
  const cwd = repository(t);
  const hooks = made(t, { env: undefined });
  assert.equal(await told(hooks.onSessionStart(started(cwd))), undefined);
  assert.equal(await told(hooks.onPostToolUse(edited(cwd))), undefined);
});

test('a log that throws, rejects or never settles changes nothing', async (t) => {
  const cwd = repository(t);
  const unhandled = [];
  const listener = (error) => unhandled.push(error);
  for (const name of ['uncaughtException', 'unhandledRejection']) {
    process.on(name, listener);
    t.after(() => process.removeListener(name, listener));
  }
  const thrower = () => { throw new Error('no'); };
  const logs = [
    thrower,
    async () => thrower(),
    () => new Promise(() => {}),
    () => ({ get then() { return thrower(); } }),
    () => Object.defineProperty(Promise.resolve(), 'constructor', { get: thrower }),
    async () => { await turn(); thrower(); },
  ];
  for (const log of logs) {
    const lines = [];
    const { onSessionStart, onPostToolUse } = made(t, {
      env: { ...embedded, ADRKIT_ENGINE: 'nonsense' },
      log: (...args) => (lines.push(args), log()),
    });
    assert.equal(await told(onSessionStart(started(cwd))), undefined);
    await until(() => lines.length > 0, 'the person is told');
    assert.equal(await told(onPostToolUse(edited(cwd))), undefined);
    assert.deepEqual(lines, [['adrkit: ADRKIT_ENGINE must be auto, cli or embedded; an advisory was left out. Nothing was blocked.']]);
  }
  for (let i = 0; i < 5; i += 1) await turn();
  assert.deepEqual(unhandled, []);
});

test('once disposed of they answer nothing, and what was under way has ended', onLinux, async (t) => {
  const it = hanging(t);
  const lines = [];
  const hooks = made(t, { env: it.env, log: (line) => lines.push(line) });
  const counts = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = counts();
  const cwd = repository(t);
  const pending = told(hooks.onSessionStart(started(cwd)));
  await until(() => alive(it.mark).length > 0, 'git has started');
  hooks.dispose();
  assert.equal(await pending, undefined);
  await until(() => alive(it.mark).length === 0, 'nothing is left');
  assert.equal(await told(hooks.onSessionStart(started(cwd))), undefined);
  assert.equal(await told(hooks.onPostToolUse(edited(cwd))), undefined);
  for (const method of ['dispose', 'panelOpened', 'panelClosed']) assert.equal(hooks[method](cwd), undefined);
  assert.deepEqual(counts(), before);
  assert.deepEqual(lines, []);
});

test('the end of a worker ends what its hooks have begun', onLinux, async (t) => {
  const it = command(t, 'sleep 600 & wait');
  const source = `
    const { workerData } = require('node:worker_threads');
    const hooks = new (require('@adrkit/native').Hooks)({ env: workerData.env, log: () => {}, refresh: async () => {} });
    hooks.panelOpened(workerData.input.workingDirectory);
    hooks.onPostToolUse(workerData.input);
  `;
  const worker = new Worker(source, { eval: true, workerData: { env: it.env, input: edited(repository(t)) } });
  t.after(() => worker.terminate());
  await until(() => it.calls().length > 0, 'the check has begun');
  await worker.terminate();
  await until(() => alive(it.mark).length === 0, 'nothing is left');
});

test('hooks do not keep their process alive, nor does a refresh that is due', async (t) => {
  for (const mode of ['idle', 'edit']) {
    const { child, ended } = host('hooks.mjs', [repository(t), mode], embedded);
    t.after(() => child.kill('SIGKILL'));
    let end;
    ended.then((how) => (end = how));
    await until(() => end !== undefined, 'the process ends by itself');
    assert.deepEqual([end.code, end.stderr], [0, '']);
    assert.ok(!end.stdout.includes('refreshed'), end.stdout);
  }
});

// These wait for deadlines as they are, so they wait together.
describe('in real time', { concurrency: true }, () => {
  test('where git hangs and the log never settles, a start is answered and nothing is left running', onLinux, async (t) => {
    const it = hanging(t);
    let lines = 0;
    const { onSessionStart } = made(t, { env: it.env, log: () => new Promise(() => (lines += 1)) });
    assert.equal(await told(onSessionStart(started(repository(t)))), undefined);
    await until(() => alive(it.mark).length === 0, 'nothing is left');
    await until(() => lines === 1, 'the person is told');
  });

  test('edits refresh an open panel, once, until it ends', async (t) => {
    const [cwd, unseen] = [repository(t), scratch(t)];
    const calls = [];
    const refresh = (dir, options) => {
      calls.push({ dir, ...options });
      return new Promise(() => {});
    };
    const lines = [];
    const hooks = made(t, { refresh });
    const failing = made(t, { refresh: async () => { throw new Error('no'); }, log: (line) => lines.push(line) });
    const [done, wrong] = [[], []];
    const succeeding = made(t, { refresh: async (dir) => done.push(dir), log: (line) => wrong.push(line) });
    succeeding.panelOpened(cwd);
    hooks.panelOpened(cwd);
    hooks.panelOpened(unseen);
    hooks.panelClosed(unseen);
    failing.panelOpened(cwd);
    const edits = Array.from({ length: 20 }, () => hooks.onPostToolUse(edited(cwd)));
    await Promise.all([succeeding.onPostToolUse(edited(cwd)), ...edits, failing.onPostToolUse(edited(cwd)), hooks.onPostToolUse(edited(cwd, { toolName: 'view' }))]);
    await until(() => calls.length > 0 && done.length > 0 && lines.length > 0, 'the panels are refreshed');
    assert.deepEqual(calls.map(({ dir, signal, ...rest }) => [dir, signal.constructor, signal.aborted, rest]), [[cwd, AbortSignal, false, {}]]);
    assert.match(lines.join(), /^adrkit: an automatic refresh .* refresh it by hand\.$/);
    hooks.dispose();
    await until(() => calls[0].signal.aborted, 'the refresh is aborted');
    assert.equal(calls.length, 1);
    assert.deepEqual([done, wrong], [[cwd], []]);
  });

  test('a signal to the host ends a check that its answer did not wait for', onLinux, async (t) => {
    const it = command(t, 'sleep 600 & wait');
    const { child, ended, saw } = host('hooks.mjs', [repository(t), 'edit'], { ...it.env, STAY: '1' });
    t.after(() => child.kill('SIGKILL'));
    await saw('nothing');
    child.kill('SIGTERM');
    assert.equal((await ended).signal, 'SIGTERM');
    await until(() => alive(it.mark).length === 0, 'nothing is left');
  });
});

test('a snapshot holds what changed and what the records say', async (t) => {
  const cwd = repository(t);
  writeFileSync(join(cwd, 'docs', 'adr', '0002-b.md'), RECORD.replace('0001', '0002').replace('accepted', 'proposed'));
  const { changes, check, lint, queue, ...rest } = await collectAndCheck({ cwd, engine: 'embedded' });
  assert.deepEqual(rest, {});
  assert.deepEqual(changes, {
    ok: true, files: ['docs/adr/0002-b.md', 'src/a.ts'], base: null, label: 'HEAD', skippedNonUtf8: 0,
  });
  for (const part of [check, lint, queue]) assert.deepEqual(Object.keys(part), ['ok', 'exitCode', 'engine', 'report']);
  assert.deepEqual([check.ok, check.exitCode, check.engine], [true, 0, 'embedded']);
  assert.deepEqual(check.report.governing.map((d) => d.recordId), ['0001']);
  assert.equal(lint.report.checked, 2);
  assert.deepEqual(queue.report.items.map((item) => item.id), ['0002']);
});

test('a part of a snapshot that is missing says so', async (t) => {
  const codes = (snapshot) => Object.fromEntries(Object.entries(snapshot).map(([name, part]) => {
    if (!part.ok) assert.deepEqual(Object.keys(part), ['ok', 'code', 'note']);
    return [name, part.ok ? 'ok' : part.code];
  }));
  const outside = scratch(t);
  mkdirSync(join(outside, 'docs', 'adr'), { recursive: true });
  writeFileSync(join(outside, 'docs', 'adr', '0001-a.md'), RECORD);
  const options = { cwd: outside, engine: 'embedded' };
  assert.deepEqual(codes(await collectAndCheck(options)), { changes: 'not-work-tree', check: 'changes-unknown', lint: 'ok', queue: 'ok' });
  const gone = await collectAndCheck({ ...options, cwd: join(outside, 'gone') });
  assert.equal(gone.changes.code, 'working-directory-gone');
  const aborted = { changes: 'aborted', check: 'changes-unknown', lint: 'aborted', queue: 'aborted' };
  assert.deepEqual(codes(await collectAndCheck({ cwd: repository(t), signal: AbortSignal.abort() })), aborted);
});

test('a snapshot that is aborted ends its processes', onPosix, async (t) => {
  const it = command(t, 'sleep 600 & wait');
  const env = { ...it.env, PATH: process.env.PATH };
  const abort = new AbortController();
  const pending = collectAndCheck({ cwd: repository(t), env, signal: abort.signal });
  await until(() => it.calls().length > 0, 'a question has been asked');
  abort.abort();
  const { lint, queue } = await pending;
  assert.deepEqual([lint.code, queue.code], ['aborted', 'aborted']);
  if (process.platform === 'linux') await until(() => alive(it.mark).length === 0, 'nothing is left');
});

test('a snapshot is refused only for its arguments', async () => {
  const cases = [{}, { cwd: 'x' }, { cwd: anywhere, base: 5 }, { cwd: anywhere, timeoutMs: 0 }, { cwd: anywhere, signal: 'abort' }];
  for (const options of [undefined, ...cases]) await assert.rejects(collectAndCheck(options), { name: 'AdrkitError', code: 'invalid-argument' });
  await assert.rejects(collectAndCheck({ cwd: anywhere, engine: 'wasm' }), { code: 'unknown-engine' });
});
