// Verdicts cross the border whole. Their rules are tested in Rust.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isRecordId, validatePath, validateRevision } from '@adrkit/native';

test('an accepted value is ok and nothing else', () => {
  assert.deepEqual(validatePath('src/a.ts'), { ok: true });
  assert.deepEqual(validateRevision('main'), { ok: true });
});

test('a refused value has a code and a sentence', () => {
  const cases = [
    [validatePath, '../secret', 'path-parent-segment'],
    [validatePath, '/secret', 'path-absolute'],
    [validatePath, 'secret\u0000', 'path-control-character'],
    [validatePath, 'secret\ud800', 'path-not-unicode'],
    [validatePath, 'secret'.repeat(1000), 'path-too-long'],
    [validateRevision, '--output=secret', 'revision-start'],
    [validateRevision, 'secret..HEAD', 'revision-range'],
    [validateRevision, 'secret\ud800', 'revision-character'],
  ];
  for (const [validate, value, code] of cases) {
    const verdict = validate(value);
    assert.deepEqual(Object.keys(verdict), ['ok', 'code', 'message']);
    assert.deepEqual({ ok: verdict.ok, code: verdict.code }, { ok: false, code });
    assert.ok(!verdict.message.includes('secret'));
  }
});

test('what is no string is refused and never throws', () => {
  const hostile = { toString: () => { throw new Error(); } };
  for (const value of [undefined, null, 5, NaN, 5n, true, Symbol('a'), {}, [], ['a'], () => 'a', hostile, new String('0001')]) {
    assert.equal(validatePath(value).code, 'path-empty');
    assert.equal(validateRevision(value).code, 'revision-empty');
    assert.equal(isRecordId(value), false);
  }
});

test('record ids', () => {
  assert.equal(isRecordId('0001'), true);
  assert.equal(isRecordId('01ARZ3NDEKTSV4RRFFQ69G5FAV'), true);
  assert.equal(isRecordId('payments:0001'), false);
  assert.equal(isRecordId('0001\ud800'), false);
});
