// The three tools in the real CLI: offered, answered, and deaf to hostile arguments.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { here } from './support/cli.mjs';
import { TOOLS, fakeAdr, start } from './support/host.mjs';
import { ONE_RECORD, TITLE, makeRepository } from './support/repository.mjs';

const answer = (result) => JSON.parse(result.textResultForLlm);

test('the tools are offered and answer, and follow the session', here, async (t) => {
  const it = await start(t, { env: { ADRKIT_ENGINE: 'embedded' } });
  const offered = (await it.tools()).filter(({ name }) => name.startsWith('adr_'));
  assert.deepEqual(offered.map(({ name }) => name).sort(), TOOLS);
  for (const { description, input_schema: schema } of offered) {
    assert.match(description, /Read-only/);
    assert.equal(schema.additionalProperties, false);
  }

  const check = await it.execute('adr_check', { paths: ['src/net.ts', 'free.txt'] });
  assert.equal(check.resultType, 'success');
  assert.equal(answer(check).exitCode, 0);
  assert.deepEqual(answer(check).report.governing.map(({ recordId, title }) => [recordId, title]), [['0001', TITLE]]);
  const changed = await it.execute('adr_check', {});
  assert.deepEqual(answer(changed).report.changedFiles, ['src/net.ts']);
  const explain = await it.execute('adr_explain', { path: 'src/net.ts' });
  assert.deepEqual(answer(explain).report.governedBy.map(({ recordId }) => recordId), ['0001', '0002']);
  assert.equal(answer(await it.execute('adr_lint')).report.checked, 2);

  for (const [name, args] of HOSTILE) {
    const result = await it.execute(name, args);
    assert.equal(result.resultType, 'failure', JSON.stringify(args));
    const { error, ...rest } = answer(result);
    assert.deepEqual(rest, {});
    assert.match(error.code, /^[a-z-]+$/);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET), 'an argument came back');
  }

  const elsewhere = makeRepository(join(it.directory, 'elsewhere'), ONE_RECORD);
  await it.session.rpc.metadata.setWorkingDirectory({ workingDirectory: elsewhere });
  await it.session.rpc.tools.initializeAndValidate();
  assert.equal(answer(await it.execute('adr_lint')).report.checked, 1);
  assert.deepEqual(answer(await it.execute('adr_explain', { path: 'free.txt' })).report.governedBy.map(({ recordId }) => recordId), ['0009']);
});

const SECRET = 'sentinel';
const HOSTILE = [
  ['adr_check', { paths: [`/etc/${SECRET}`] }],
  ['adr_check', { paths: [`../${SECRET}`] }],
  ['adr_check', { paths: [`--${SECRET}`] }],
  ['adr_check', { paths: [`C:\\${SECRET}`] }],
  ['adr_check', { paths: [`a\u0000${SECRET}`] }],
  ['adr_check', { paths: [] }],
  ['adr_check', { paths: SECRET }],
  ['adr_check', { paths: ['a'], base: SECRET }],
  ['adr_check', { base: `--output=${SECRET}` }],
  ['adr_check', { base: `no-such-${SECRET}` }],
  ['adr_check', { cli: `/bin/${SECRET}` }],
  ['adr_check', { paths: ['a'], dir: `../${SECRET}` }],
  ['adr_explain', {}],
  ['adr_explain', { path: 7, extra: SECRET }],
  ['adr_explain', { path: `a/../../${SECRET}` }],
  ['adr_lint', { dir: `/${SECRET}` }],
  ['adr_lint', { paths: [SECRET] }],
];

test('a command that fails gives fixed words', here, async (t) => {
  const it = await start(t, { env: { ADRKIT_CLI: fakeAdr, FAKE_ADR: JSON.stringify({ default: { exit: 70, stderr: `Error: ${SECRET}\n    at /home/${SECRET}.js:1\n` } }) } });
  for (const [name, args] of [['adr_check', { paths: ['a'] }], ['adr_explain', { path: 'a' }], ['adr_lint', {}]]) {
    const result = await it.execute(name, args);
    assert.equal(result.resultType, 'failure');
    assert.equal(answer(result).error.code, 'no-report');
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
  }
});

test('a command that cannot be found gives fixed words, and is not replaced', here, async (t) => {
  const it = await start(t, { env: { ADRKIT_CLI: `/nowhere/${SECRET}` } });
  const result = await it.execute('adr_lint');
  assert.deepEqual([result.resultType, answer(result).error.code], ['failure', 'cli-unresolved']);
  assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
});
