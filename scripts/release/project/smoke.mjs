// Uses the installed package as other people do, on a small repository. Silent where all is well.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import * as adrkit from '@adrkit/native';

const cwd = join(import.meta.dirname ?? process.cwd(), 'repository');
const record = `---
schemaVersion: 0.1.0
id: "0001"
title: Keep it simple
status: accepted
date: 2026-01-31
deciders: ["team:core"]
affects:
  - type: path
    pattern: "src/**"
---

# Keep it simple
`;
mkdirSync(join(cwd, 'docs', 'adr'), { recursive: true });
mkdirSync(join(cwd, 'src'));
writeFileSync(join(cwd, 'docs', 'adr', '0001-keep-it-simple.md'), record);
execFileSync('git', ['init', '--quiet'], { cwd });
writeFileSync(join(cwd, 'src', 'a.ts'), '// @adr 0001\n');
const env = { ...process.env, ADRKIT_ENGINE: 'embedded' };

assert.equal(createRequire(import.meta.url)('@adrkit/native').check, adrkit.check);

const { report } = await adrkit.check({ cwd, paths: ['src/a.ts'], env });
assert.deepEqual(report.governing.map(({ recordId }) => recordId), ['0001']);
const { report: linted } = await adrkit.lint({ cwd, env });
assert.deepEqual([linted.checked, linted.findings], [1, []]);
assert.equal(adrkit.validatePath('../a').code, 'path-parent-segment');

const ran = await adrkit.run(process.execPath, ['-e', 'process.stdout.write("out"); process.exitCode = 3'], { cwd });
assert.deepEqual([ran.outcome, ran.exitCode, ran.stdout.toString()], ['exited', 3, 'out']);

const tools = new adrkit.Tools({ cwd, env });
assert.deepEqual(tools.definitions().map(({ name }) => name), ['adr_check', 'adr_explain', 'adr_lint']);
const answer = await tools.call('adr_explain', { path: 'src/a.ts' }, {});
assert.equal(answer.resultType, 'success');
assert.match(answer.textResultForLlm, /0001/);

const hooks = new adrkit.Hooks({ env });
const edit = { sessionId: 's', timestamp: new Date(), workingDirectory: cwd, toolName: 'edit', toolArgs: { path: 'src/a.ts' } };
let told;
// A machine that is too busy for the hook's deadline gets nothing, and is told when it asks again.
for (let i = 0; i < 10 && told === undefined; i += 1) {
  told = await hooks.onPostToolUse({ ...edit, toolResult: { resultType: 'success', textResultForLlm: 'Done' } });
}
assert.match(told?.additionalContext ?? '', /0001/);
hooks.dispose();

await assert.rejects(adrkit.check({ cwd: 'relative' }), adrkit.AdrkitError);
assert.equal(adrkit.killAll(), 0);
