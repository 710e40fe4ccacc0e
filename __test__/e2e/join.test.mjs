// Joins that the real CLI refuses, and an addon that is not there: what can be kept is kept, and the log says the rest.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { here } from './support/cli.mjs';
import { TOOLS, beside, copyOfPlugin, place, ours, plugin, start } from './support/host.mjs';

const names = async (it) => (await it.tools()).map(({ name }) => name).filter((name) => name.startsWith('adr_')).sort();
const edit = (it) => [{ tool: 'create', args: { path: join(it.repository, 'src/a.ts'), file_text: 'a\n' } }];
/** One turn with one edit of a governed file. */
async function turn(it) {
  const replies = [edit(it)];
  it.model.reply = () => replies.shift() ?? 'done';
  await it.turn();
  return it.model.requests.at(-1);
}

test('a tool name that another extension holds costs the tools, and the hooks stay', here, async (t) => {
  const at = place(t);
  // The rival is there first: our plugin waits for it, as it would if it were loaded later.
  const copy = copyOfPlugin(at);
  edits(copy, 'extension.mjs', (source) => `await new Promise((resolve) => setTimeout(resolve, 1500));\n${source}`);
  const it = await start(t, { at, plugins: [beside('rival'), copy], tools: ['adr_lint'], env: { ADRKIT_ENGINE: 'embedded' } });
  await it.said(/^adrkit: joined without the tools, .*Off for this session: the tools\. Refused with everything, without the hooks: ".*External tool name clash: adr_lint already registered by another connection"$/);
  assert.deepEqual(await names(it), ['adr_lint']);
  assert.equal((await it.execute('adr_lint')).textResultForLlm, 'rival');
  const last = await turn(it);
  assert.equal(ours(last).length, 2, 'the hooks are on');
  assert.equal(it.events.filter(({ type, data }) => type === 'hook.end' && data.output?.additionalContext).length, 2);
  assert.equal(it.lines().length, 1);
});

test('a denied permission costs what needs it, and the turn goes on', here, async (t) => {
  let asked = 0;
  const permit = ({ kind }) => {
    if (kind !== 'extension-permission-access') return { kind: 'approve-once' };
    asked += 1;
    return { kind: 'reject' };
  };
  const it = await start(t, { permit, tools: [], env: { ADRKIT_ENGINE: 'embedded' } });
  await it.said(/^adrkit: joined without the hooks and the tools, .*was denied permission access/);
  t.diagnostic(`the permission was asked for ${asked} times`);
  assert.deepEqual(await names(it), []);
  assert.deepEqual(ours(await turn(it)), []);
});

test('a join that is refused whatever it holds ends the process, and the turn goes on', here, async (t) => {
  const at = place(t);
  const copy = copyOfPlugin(at);
  // A canvas without an id is refused, and this one is in every join.
  edits(copy, 'extension.mjs', (source) =>
    source.replace('oneConnection(sdk.joinSession)', '(config) => sdk.joinSession({ ...config, canvases: [{ id: "" }] })'),
  );
  const it = await start(t, { at, plugins: [copy], tools: [] });
  const begin = performance.now();
  assert.deepEqual(ours(await turn(it)), []);
  t.diagnostic(`the turn took ${Math.round(performance.now() - begin)} ms`);
  assert.deepEqual((await it.extensions()).map(({ status }) => status), ['failed']);
});

for (const [what, spoil] of [
  ['no binary for this platform', (native, binaries) => binaries.forEach((name) => rmSync(join(native, name)))],
  ['a binary that does not load', (native, binaries) => binaries.forEach((name) => writeFileSync(join(native, name), 'not a binary'))],
  ['no addon at all', (native) => rmSync(native, { recursive: true })],
]) {
  test(`with ${what} the extension joins, and says so`, here, async (t) => {
    const at = place(t);
    const copy = copyOfPlugin(at);
    const native = join(copy, 'native');
    spoil(native, readdirSync(native).filter((name) => name.endsWith('.node')));
    const asked = [];
    const permit = (request) => {
      asked.push(request.kind);
      return { kind: 'approve-once' };
    };
    const it = await start(t, { at, plugins: [copy], tools: [], permit });
    await it.said(/^adrkit: /);
    assert.deepEqual(it.lines(), [
      `adrkit: its native module for ${process.platform}-${process.arch} could not be loaded. The tools, hooks and panel are off for this session.`,
    ]);
    assert.deepEqual((await it.extensions()).map(({ status }) => status), ['running']);
    assert.deepEqual(await names(it), []);
    assert.deepEqual(ours(await turn(it)), []);
    assert.ok(!asked.includes('extension-permission-access'));
  });
}

test('an addon in the workspace is not loaded', here, async (t) => {
  const at = place(t);
  const copy = copyOfPlugin(at);
  rmSync(join(copy, 'native'), { recursive: true });
  const trap = join(at.repository, 'node_modules', '@adrkit', 'native');
  mkdirSync(trap, { recursive: true });
  writeFileSync(join(trap, 'package.json'), '{ "name": "@adrkit/native", "main": "index.js" }');
  writeFileSync(join(trap, 'index.js'), `require('node:fs').writeFileSync(${JSON.stringify(join(at.directory, 'trapped'))}, '')`);
  const it = await start(t, { at, plugins: [copy], tools: [], env: { NODE_PATH: join(at.repository, 'node_modules') } });
  await it.said(/could not be loaded/);
  assert.ok(!readdirSync(at.directory).includes('trapped'));
});

test('one join, one permission, no word in the log', here, async (t) => {
  const asked = [];
  const permit = (request) => {
    asked.push(request);
    return { kind: 'approve-once' };
  };
  const it = await start(t, { permit, env: { ADRKIT_ENGINE: 'embedded' } });
  assert.deepEqual(await names(it), TOOLS);
  assert.deepEqual(asked.map(({ kind, capabilities }) => [kind, [...capabilities].sort()]), [
    ['extension-permission-access', ['register hooks', 'skip tool permission prompts']],
  ]);
  assert.deepEqual(it.lines(), []);
  assert.match(plugin(), /plugin$/);
});

function edits(plugin, name, change) {
  const file = join(plugin, 'extensions', 'adrkit', name);
  const source = readFileSync(file, 'utf8');
  const changed = change(source);
  assert.notEqual(changed, source);
  writeFileSync(file, changed);
}
