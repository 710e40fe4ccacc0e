// Model turns in the real CLI: what the hooks tell the model, where it stands in the requests, and what is never there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { here } from './support/cli.mjs';
import { fakeAdr, gone, ours, start } from './support/host.mjs';
import { TITLE } from './support/repository.mjs';

// Everything that we may say to a model. There are no titles, no paths and no words of an error in it.
const ID = '(?:[0-9]{4,32}|[0-9A-Z]{26})';
const SUMMARY = new RegExp(
  String.raw`^adrkit \(advisory; it blocks nothing\): [0-9]+ files? ha(?:s|ve) changed(?:, compared with [A-Za-z/. ]+)?, governed by (?:accepted decisions ${ID}(?:, ${ID})*|no accepted decision)(?:; open proposals that would (?:also )?govern: ${ID} \((?:draft|proposed)\))?\. [A-Za-z :]+\.$`,
);
const NOTE = new RegExp(
  String.raw`^adrkit \(advisory; it blocked nothing\): what you just edited is governed by accepted decisions ${ID}(?:, ${ID})*\. [A-Za-z :]+\.$`,
);
const GUIDANCE = /\n\nTool "(\w+)" succeeded\. Additional guidance from postToolUse hooks:\n/;

/** The model edits one governed file twice, another once, and one that nothing governs. */
const WIRES = {
  completions: {
    model: 'gpt-5',
    steps: (root) => [
      [{ tool: 'create', args: { path: join(root, 'src/new.ts'), file_text: 'a\n' } }],
      [{ tool: 'edit', args: { path: join(root, 'src/new.ts'), old_str: 'a', new_str: 'b' } }],
      [{ tool: 'edit', args: { path: join(root, 'src/other.ts'), old_str: 'one', new_str: 'two' } }],
      [{ tool: 'edit', args: { path: join(root, 'free.txt'), old_str: 'one', new_str: 'two' } }],
      [{ tool: 'view', args: { path: join(root, 'src/net.ts') } }],
    ],
    notes: [true, false, true, false, false],
  },
  responses: {
    model: 'gpt-5.1-codex',
    steps: () => [
      [{ tool: 'apply_patch', args: '*** Begin Patch\n*** Add File: src/new.ts\n+a\n*** End Patch\n' }],
      [{ tool: 'apply_patch', args: '*** Begin Patch\n*** Update File: src/new.ts\n@@\n-a\n+b\n*** End Patch\n' }],
      [{ tool: 'apply_patch', args: '*** Begin Patch\n*** Update File: src/other.ts\n@@\n-one\n+two\n*** Add File: free2.txt\n+x\n*** End Patch\n' }],
      [{ tool: 'apply_patch', args: '*** Begin Patch\n*** Update File: free.txt\n@@\n-one\n+two\n*** End Patch\n' }],
    ],
    notes: [true, false, true, false],
  },
};

/** The environments of the engines. The embedded one asks no command, not even one that would hang. */
const ENGINES = {
  embedded: () => ({ ADRKIT_ENGINE: 'embedded', ...fake({ hang: true }) }),
  cli: () => fake({ report: GOVERNED }),
};
const fake = (behaviour) => ({ ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ default: behaviour }) });

/** Answers the requests of one turn in order. */
const script = (steps) => {
  let next = 0;
  return () => steps[next++] ?? 'done';
};

/** The results of the tools in the last request, cut into the tool's words and ours. */
function results(request) {
  return request.messages
    .filter(({ role }) => role === 'tool')
    .map(({ text }) => {
      const [own, name, added] = text.split(GUIDANCE);
      return { own, name, added };
    });
}

for (const [wire, { model, steps, notes }] of Object.entries(WIRES)) {
  for (const engine of Object.keys(ENGINES)) {
    test(`a turn over ${wire} is told what governs it, by the ${engine} engine`, here, async (t) => {
      const env = ENGINES[engine]();
      const it = await start(t, { env, model, wire });
      const expected = engine === 'cli' ? steps(it.repository).map((_, n) => [true, false, true, true, false][n]) : notes;
      it.model.reply = script(steps(it.repository));
      await it.turn();

      const last = it.model.requests.at(-1);
      const told = results(last);
      assert.deepEqual(told.map(({ added }) => added !== undefined), expected);
      for (const { added } of told) {
        if (added !== undefined) assert.match(added, NOTE);
      }
      for (const request of it.model.requests) {
        const [first, prompt] = request.messages;
        assert.equal(first.role, 'user');
        assert.match(first.text, SUMMARY);
        assert.match(prompt.text, /go/);
      }
      assert.match(last.messages[0].text, /0001/);
      // The title and the paths are in no word of ours, and a second copy of our words is nowhere.
      assert.equal(ours(last).length, 1 + expected.filter(Boolean).length);
      for (const words of [last.messages[0].text, ...told.map(({ added }) => added ?? '')]) {
        assert.doesNotMatch(words, /src|net|\.ts|Error/);
        assert.ok(!words.includes(TITLE));
      }
      assert.equal(readFileSync(join(it.repository, 'src/new.ts'), 'utf8'), 'b\n');
      assert.deepEqual(it.lines(), []);
    });
  }
}

const decision = (recordId, status, bucket) => ({ recordId, title: TITLE, status, bucket, firedMatchers: [{ type: 'path', pattern: 'src/**' }] });
const GOVERNED = {
  changedFiles: [],
  governedBy: [decision('0001', 'accepted', 'governing')],
  governing: [decision('0001', 'accepted', 'governing'), decision('payments:0001', 'accepted', 'governing'), decision('Ignore all', 'accepted', 'governing')],
  activeProposals: [decision('0002', 'proposed', 'activeProposals')],
  history: [],
  changedRecords: [],
  findings: [],
  markerScan: { totalCandidates: 1, limit: 3000, counts: { scanned: 1, absent: 0, unreadable: 0, 'out-of-tree': 0, truncated: 0, skipped: 0 }, absentPaths: [], unreadablePaths: [], outOfTreePaths: [], truncatedPaths: [], skippedPaths: [] },
  ok: true,
};

const SECRET = 'sentinel';
for (const [what, env] of [
  ['hangs', fake({ hang: true })],
  ['hangs and ignores SIGTERM, with a grandchild', fake({ hang: true, trap: ['SIGTERM'], grandchild: { seconds: 600 } })],
  ['crashes', fake({ exit: 70, stderr: `Error: ${SECRET}\n    at /home/${SECRET}.js:1\n` })],
  ['is killed', fake({ signal: 'SIGKILL' })],
  ['prints garbage', fake({ stdout: `{ "governing": [${SECRET}` })],
  ['floods', fake({ flood: { stdout: 80 * 1024 * 1024 } })],
  ['is missing', { ADRKIT_CLI: `/nowhere/${SECRET}` }],
  ['is missing and must be asked', { ADRKIT_CLI: `/nowhere/${SECRET}`, ADRKIT_ENGINE: 'cli' }],
]) {
  test(`a turn goes on where adr ${what}, and the model is told nothing`, here, async (t) => {
    const it = await start(t, { env });
    const root = it.repository;
    it.model.reply = script([
      [{ tool: 'create', args: { path: join(root, 'src/a.ts'), file_text: 'a\n' } }],
      [{ tool: 'edit', args: { path: join(root, 'src/a.ts'), old_str: 'a', new_str: 'b' } }],
    ]);
    await it.turn();
    assert.equal(it.model.requests.length, 3);
    for (const request of it.model.requests) {
      assert.deepEqual(ours(request), []);
      assert.doesNotMatch(JSON.stringify(request.body), new RegExp(SECRET));
    }
    assert.equal(readFileSync(join(root, 'src/a.ts'), 'utf8'), 'b\n');
    await it.said(/^adrkit: .*Nothing was blocked\.$/);
    assert.equal(it.lines().length, 1);
    assert.doesNotMatch(it.lines()[0], new RegExp(SECRET));
    await it.client.stop();
    await gone(it);
  });
}

test('hooks that are switched off are not registered, and a turn has no word of ours', here, async (t) => {
  const asked = [];
  const permit = (request) => {
    asked.push(request);
    return { kind: 'approve-once' };
  };
  const it = await start(t, { env: { ADRKIT_HOOKS: '0', ADRKIT_ENGINE: 'embedded' }, permit });
  it.model.reply = script(WIRES.completions.steps(it.repository));
  await it.turn();
  assert.deepEqual(asked.filter(({ kind }) => kind === 'extension-permission-access').map(({ capabilities }) => capabilities), [['skip tool permission prompts']]);
  for (const request of it.model.requests) assert.deepEqual(ours(request), []);
  assert.ok(it.events.every(({ type }) => type !== 'hook.start'), 'a hook was registered');
  assert.equal((await it.execute('adr_lint')).resultType, 'success');
  assert.deepEqual(it.lines(), []);
});
