// Tools: the door through which the host asks. What the tools answer is tested in Rust.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { AdrkitError, Tools } from '@adrkit/native';

import { alive, cwd as anywhere, fixtures, host, onLinux, onPosix, scratch, until, zombies } from './fixtures/processes.mjs';
import { hostileCalls, CANARY } from './fixtures/hostile-calls.mjs';
import { RECORD, repository } from './fixtures/repository.mjs';

const embedded = { PATH: process.env.PATH, ADRKIT_ENGINE: 'embedded' };

/** The `adr` command of `quick-adr.sh`, which logs its calls; `act` is what it does first. */
function command(t, act = '') {
  const dir = scratch(t);
  const mark = randomUUID();
  const empty = { governedBy: [], governing: [], activeProposals: [], history: [] };
  const counts = { scanned: 0, absent: 0, unreadable: 0, 'out-of-tree': 0, truncated: 0, skipped: 0 };
  const lists = { absentPaths: [], unreadablePaths: [], outOfTreePaths: [], truncatedPaths: [], skippedPaths: [] };
  const reports = {
    check: {
      changedFiles: ['a'], ...empty, changedRecords: [], findings: [],
      markerScan: { totalCandidates: 1, limit: 3000, counts, ...lists }, ok: true,
    },
    explain: { path: 'a', ...empty, markers: { state: 'absent', windowBytes: 8192, truncated: false, declared: [] }, findings: [] },
    lint: { checked: 7, findings: [] },
  };
  for (const [name, report] of Object.entries(reports)) writeFileSync(join(dir, `${name}.json`), JSON.stringify(report));
  writeFileSync(join(dir, 'act'), act);
  const calls = () => (existsSync(join(dir, 'calls')) ? readFileSync(join(dir, 'calls'), 'utf8').trimEnd().split('\n') : []);
  t.after(() => process.platform === 'linux' && alive(mark).forEach((pid) => process.kill(Number(pid), 'SIGKILL')));
  return {
    dir,
    mark,
    calls,
    env: { PATH: process.env.PATH, ADRKIT_CLI: join(fixtures, 'quick-adr.sh'), QUICK_ADR: dir, MARK: mark },
  };
}

async function answer(tools, name, args, options) {
  const result = await tools.call(name, args, options);
  assert.deepEqual(Object.keys(result), ['textResultForLlm', 'resultType']);
  return { type: result.resultType, ...JSON.parse(result.textResultForLlm) };
}

async function report(tools, name, args, options) {
  const { type, report, ...rest } = await answer(tools, name, args, options);
  assert.equal(type, 'success', JSON.stringify(rest));
  return report;
}

async function failure(tools, name, args, options) {
  const { type, error } = await answer(tools, name, args, options);
  assert.equal(type, 'failure');
  assert.deepEqual(Object.keys(error).slice(0, 2), ['code', 'message']);
  return error.code;
}

const moved = (cwd) => ({ type: 'session.context_changed', data: { cwd } });
const listeners = (signal) => getEventListeners(signal, 'abort').length;

test('the definitions are what the host takes', () => {
  const tools = new Tools();
  const definitions = tools.definitions();
  assert.deepEqual(definitions.map((d) => d.name), ['adr_check', 'adr_explain', 'adr_lint']);
  for (const definition of definitions) {
    assert.deepEqual(Object.keys(definition).sort(), ['description', 'name', 'parameters', 'skipPermission']);
    assert.match(definition.name, /^[a-zA-Z0-9_-]+$/);
    assert.equal(definition.skipPermission, true);
    assert.equal(definition.parameters.type, 'object');
    assert.equal(definition.parameters.additionalProperties, false);
    assert.ok(definition.description.length > 100);
  }
  definitions[0].name = 'other';
  assert.equal(tools.definitions()[0].name, 'adr_check');
});

test('each tool answers on a repository', async (t) => {
  const cwd = repository(t);
  const tools = new Tools({ cwd, env: embedded });
  const checked = await answer(tools, 'adr_check', { paths: ['src/a.ts', 'README.md'] });
  assert.deepEqual([checked.type, checked.exitCode], ['success', 0]);
  assert.deepEqual(checked.report.governing.map((d) => d.recordId), ['0001']);
  assert.deepEqual(checked.report.governing[0].declaredBy, [{ path: 'src/a.ts', line: 1, ref: '0001' }]);
  for (const args of [{}, undefined, null, { base: 'HEAD' }, { base: undefined }]) {
    const changed = await report(tools, 'adr_check', args);
    assert.deepEqual(changed.changedFiles, ['src/a.ts']);
    assert.deepEqual(changed.governing.map((d) => d.recordId), ['0001']);
  }
  const explained = await report(tools, 'adr_explain', { path: 'src/a.ts' });
  assert.deepEqual(explained.governing.map((d) => d.recordId), ['0001']);
  const linted = await answer(tools, 'adr_lint', {});
  assert.deepEqual(linted, { type: 'success', exitCode: 0, report: { checked: 1, findings: [] } });
  const elsewhere = await answer(tools, 'adr_lint', { dir: 'no/such' });
  assert.deepEqual([elsewhere.type, elsewhere.exitCode, elsewhere.error.code], ['failure', 2, 'usage-error']);
});

test('a session starts in the directory and with the environment of the process', async (t) => {
  const cwd = repository(t);
  assert.equal(new Tools().directory, process.cwd());
  assert.equal(new Tools({}).directory, process.cwd());
  process.env.ADRKIT_DIR = 'docs';
  process.env.ADRKIT_ENGINE = 'embedded';
  t.after(() => ['ADRKIT_DIR', 'ADRKIT_ENGINE'].forEach((name) => delete process.env[name]));
  for (const tools of [new Tools({ cwd }), new Tools({ cwd, env: undefined }), new Tools({ cwd, env: process.env })]) {
    assert.equal((await report(tools, 'adr_lint', {})).checked, 0, 'the records are one level below');
  }
  const tools = new Tools({ cwd, env: embedded });
  assert.equal((await report(tools, 'adr_lint', {})).checked, 1);
});

test('an option that is no good is named and not repeated', () => {
  const secret = 'secret-value';
  const cases = [
    ['cwd', { cwd: secret }],
    ['cwd', { cwd: '' }],
    ['cwd', { cwd: 5 }],
    ['cwd', { cwd: null }],
    ['env', { cwd: anywhere, env: secret }],
    ['env', { cwd: anywhere, env: { A: 5 } }],
    ['env', { cwd: anywhere, env: { 'A=': secret } }],
  ];
  for (const [name, options] of cases) {
    assert.throws(() => new Tools(options), (error) => {
      assert.ok(error instanceof AdrkitError);
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, new RegExp(`^The argument ${name} must be .*\\.$`));
      assert.ok(!error.message.includes(secret));
      return true;
    });
  }
});

test('in a directory that is gone there are no tools to make', onPosix, async (t) => {
  const gone = join(scratch(t), 'gone');
  mkdirSync(gone);
  const before = process.cwd();
  process.chdir(gone);
  rmdirSync(gone);
  t.after(() => process.chdir(before));
  assert.throws(() => new Tools(), { name: 'AdrkitError', code: 'working-directory-gone' });
  assert.equal(new Tools({ cwd: before }).directory, before);
});

test('hostile arguments are refused in fixed words, reach no command, and are not repeated', onPosix, async (t) => {
  const it = command(t);
  const tools = new Tools({ cwd: repository(t), env: it.env });
  const judged = /^(?:path-|paths-|revision-|arguments-not-object$|arguments-unreadable$|unknown-argument$|unknown-tool$)/;
  const calls = hostileCalls();
  assert.ok(calls.length >= 150, `${calls.length}`);
  const messages = new Map();
  for (const [what, name, args] of calls) {
    const { textResultForLlm: text, resultType } = await tools.call(name, args);
    assert.equal(resultType, 'failure', what);
    assert.ok(!text.includes(CANARY), `${what}: ${text}`);
    const { error, ...rest } = JSON.parse(text);
    assert.match(error.code, judged, what);
    assert.deepEqual(rest, {}, what);
    assert.equal(messages.get(error.code) ?? error.message, error.message);
    messages.set(error.code, error.message);
  }
  assert.deepEqual(it.calls(), []);
  assert.equal((await report(tools, 'adr_lint', {})).checked, 7, 'the command is there to be asked');
});

test('what JSON has no word for is refused where it stands', async (t) => {
  const tools = new Tools({ cwd: repository(t), env: embedded });
  const cycle = {};
  cycle.path = cycle;
  const thrower = { get path() { throw Object.assign(new Error(CANARY), { code: 'kebab-case' }); } };
  const cases = [
    ['arguments-not-object', () => {}],
    ['arguments-not-object', Symbol('x')],
    ['arguments-not-object', 1n],
    ['arguments-not-object', NaN],
    ['path-empty', { path: 1n }],
    ['path-empty', { path: () => 'a' }],
    ['path-empty', { path: Symbol('a') }],
    ['path-empty', { path: undefined }],
    ['unknown-argument', { path: 'a', cli: () => 'x' }],
    ['unknown-argument', { path: 'a', cli: 1n }],
    ['unknown-argument', { path: 'a', cli: NaN }],
    ['unknown-argument', JSON.parse('{ "path": "a", "__proto__": { "cli": "x" } }')],
    ['arguments-unreadable', cycle],
    ['arguments-unreadable', thrower],
    ['arguments-unreadable', { path: '\ud800' }],
    ['arguments-unreadable', { path: 'a'.repeat(1024 * 1024) }],
    ['arguments-unreadable', new Proxy({}, { ownKeys: () => { throw new AdrkitError('internal', CANARY); } })],
    ['arguments-unreadable', { toJSON: () => undefined }],
    ['arguments-unreadable', { toJSON: () => { throw CANARY; } }],
  ];
  for (const [code, args] of cases) {
    const { textResultForLlm: text } = await tools.call('adr_explain', args);
    assert.equal(JSON.parse(text).error.code, code, typeof args);
    assert.ok(!text.includes(CANARY));
  }
  const bare = Object.assign(Object.create(null), { path: 'src/a.ts' });
  for (const args of [bare, { path: 'src/a.ts', dir: undefined, cli: undefined }, new Proxy(bare, {})]) {
    assert.equal((await answer(tools, 'adr_explain', args)).type, 'success');
  }
});

test('whatever else it is given, a call is a failure in fixed words', async (t) => {
  const tools = new Tools({ cwd: repository(t), env: embedded });
  for (const name of [undefined, null, 5, {}, [], () => {}, Symbol('adr_lint'), '', 'adr_lint\0', '__proto__', 'x'.repeat(1e6)]) {
    assert.equal(await failure(tools, name, {}), 'unknown-tool');
  }
  for (const signal of [null, 5, 'abort', {}, { aborted: false }, new EventTarget()]) {
    assert.equal(await failure(tools, 'adr_lint', {}, { signal }), 'invalid-argument');
  }
  const thrower = { get aborted() { throw new Error(CANARY); } };
  const options = { get signal() { throw Object.assign(new Error(CANARY), { code: 'aborted' }); } };
  for (const bad of [{ signal: thrower }, options]) {
    const { textResultForLlm: text } = await tools.call('adr_lint', {}, bad);
    assert.equal(text, '{"error":{"code":"internal","message":"An internal error occurred."}}');
  }
  for (const odd of [undefined, null, 5, 'x', [], { sessionId: 5, toolCallId: {}, traceparent: null, tracestate: Symbol('x') }]) {
    assert.equal((await answer(tools, 'adr_lint', {}, odd)).type, 'success');
  }
});

test('a call that is aborted already starts nothing', onPosix, async (t) => {
  const it = command(t);
  const tools = new Tools({ cwd: repository(t), env: it.env });
  const signal = AbortSignal.abort(new Error(CANARY));
  for (const [name, args] of [['adr_lint', {}], ['adr_check', {}], ['adr_explain', { get path() { throw new Error('read'); } }]]) {
    const result = await tools.call(name, args, { signal });
    assert.deepEqual(result, {
      textResultForLlm: '{"error":{"code":"aborted","message":"The call was aborted."}}',
      resultType: 'failure',
    });
  }
  assert.deepEqual(it.calls(), []);
});

test('an abort ends a running command, and everything in its group', onLinux, async (t) => {
  const it = command(t, ': >"$dir/started"; sleep 600 & wait');
  const tools = new Tools({ cwd: repository(t), env: it.env });
  const abort = new AbortController();
  const pending = answer(tools, 'adr_explain', { path: 'a' }, { signal: abort.signal });
  await until(() => existsSync(join(it.dir, 'started')), 'the command has started');
  abort.abort();
  const { type, error, files } = await pending;
  assert.deepEqual([type, error.code, files], ['failure', 'aborted', ['a']]);
  await until(() => alive(it.mark).length === 0, 'nothing is left');
  assert.equal(listeners(abort.signal), 0);
});

test('the tools follow the session', async (t) => {
  const [one, other] = [repository(t), repository(t)];
  writeFileSync(join(other, 'docs', 'adr', '0002-b.md'), RECORD.replace('0001', '0002'));
  const tools = new Tools({ cwd: one, env: embedded });
  assert.equal((await report(tools, 'adr_lint', {})).checked, 1);
  const { contextChanged } = tools;
  contextChanged({ ...moved(other), data: { cwd: other, pendingGitContext: true } });
  assert.equal(tools.directory, other);
  contextChanged({ ...moved(other), data: { cwd: other, gitRoot: one, branch: 'main' } });
  assert.equal((await report(tools, 'adr_lint', {})).checked, 2);
  contextChanged(moved(join(other, 'gone')));
  assert.equal(await failure(tools, 'adr_lint', {}), 'working-directory-gone');
});

test('nothing else moves the tools, or makes them throw', () => {
  const tools = new Tools({ cwd: anywhere });
  const thrower = () => { throw new Error(CANARY); };
  const events = [
    undefined, null, 5, 'session.context_changed', [], {}, () => {},
    moved(undefined), moved(null), moved(5), moved(''), moved('.'), moved('../x'), moved('x'), moved('/x\0'), moved(['/x']),
    { type: 'session.context_changed' },
    { type: 'session.context_changed', data: null },
    { type: 'session.context_changed', cwd: '/x' },
    { type: ['session.context_changed'], data: { cwd: '/x' } },
    { type: 'session.tools_updated', data: { cwd: '/x' } },
    { get type() { return thrower(); } },
    { type: 'session.context_changed', get data() { return thrower(); } },
    { type: 'session.context_changed', data: { get cwd() { return thrower(); } } },
    new Proxy({}, { get: thrower }),
  ];
  for (const event of events) {
    assert.equal(tools.contextChanged(event), undefined);
    assert.equal(tools.directory, anywhere);
  }
});

test('a worker has its own environment', async (t) => {
  const cwd = repository(t);
  const source = `
    const { parentPort, workerData: cwd } = require('node:worker_threads');
    const { Tools } = require('@adrkit/native');
    process.env.ADRKIT_ENGINE = 'nonsense';
    new Tools({ cwd }).call('adr_lint', {}).then((result) => parentPort.postMessage(result));
  `;
  const worker = new Worker(source, { eval: true, workerData: cwd });
  t.after(() => worker.terminate());
  const result = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject));
  assert.equal(JSON.parse(result.textResultForLlm).error.code, 'unknown-engine');
});

test('what the host tells about a call goes into the log, where one is asked for', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const options = { sessionId: 'session-1', toolCallId: 'call-2', traceparent, tracestate: 'a=b' };
  const run = async (env) => {
    const { ended } = host('tool-call.mjs', [repository(t), JSON.stringify(options)], { ADRKIT_ENGINE: 'embedded', ...env });
    return ended;
  };
  const quiet = await run({});
  assert.deepEqual([quiet.code, quiet.stdout, quiet.stderr], [0, '', '']);
  const logged = await run({ ADRKIT_LOG: 'debug' });
  assert.deepEqual([logged.code, logged.stdout], [0, '']);
  for (const text of ['session_id="session-1"', 'tool_call_id="call-2"', `traceparent="${traceparent}"`, 'tracestate="a=b"', 'adr_explain']) {
    assert.ok(logged.stderr.includes(text), `${text}: ${logged.stderr}`);
  }
  assert.ok(!logged.stderr.includes('src/a.ts') && !logged.stderr.includes('Keep it simple'));
});

/** Numbers from 0 to 1, always the same (xorshift32). */
function random(seed) {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}

test('of two hundred calls at once, half of them aborted at any moment, every one settles and nothing is left', onLinux, async (t) => {
  const it = command(t, 'sleep 0.02');
  const tools = new Tools({ cwd: repository(t), env: it.env });
  const counts = () => ['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => process.listenerCount(name));
  const before = counts();
  const next = random(20261130);
  const calls = [['adr_check', { paths: ['a'] }], ['adr_explain', { path: 'a' }], ['adr_lint', {}], ['adr_check', {}]];
  const signals = [];
  const aborted = new Set();
  const pending = Array.from({ length: 200 }, (_, i) => {
    const abort = new AbortController();
    signals.push(abort.signal);
    if (i % 2 === 0) {
      sleep(Math.floor(next() * 500)).then(() => {
        abort.abort();
        aborted.add(i);
      });
    }
    const [name, args] = calls[i % calls.length];
    return answer(tools, name, args, { signal: abort.signal }).then((result) => ({ ...result, wasAborted: aborted.has(i) }));
  });
  const results = await Promise.all(pending);
  assert.equal(results.length, 200);
  for (const { type, error, wasAborted } of results) {
    if (type === 'failure') assert.deepEqual({ code: error.code, wasAborted }, { code: 'aborted', wasAborted: true });
  }
  const ended = results.filter(({ type }) => type === 'failure').length;
  const untouched = results.filter(({ type }, i) => i % 2 === 1 && type === 'success').length;
  assert.equal(untouched, 100);
  assert.ok(ended >= 10, `${ended} of 100 were aborted before they had answered`);
  await until(() => alive(it.mark).length === 0, 'no process is left');
  await until(() => zombies() === 0, 'no zombie is left');
  assert.deepEqual(signals.map(listeners), Array(200).fill(0));
  assert.deepEqual(counts(), before);
  assert.equal((await report(tools, 'adr_lint', {})).checked, 7, 'every slot was given back');
});
