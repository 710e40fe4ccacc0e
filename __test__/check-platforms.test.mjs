// How `npm run check:platforms` reads and counts the tests of other platforms.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { breakdown, exitCode, isComplete, rustResults, sum, tally, tapResults } from '../scripts/platforms/counts.mjs';
import { chosen, targets } from '../scripts/platforms/targets.mjs';

const RUST = `     Running unittests src/lib.rs (target/debug/deps/a-1)
test a::b ... ok
test a::long has been running for over 60 seconds
test a::panics - should panic ... ok
test a::long ... FAILED
test c ... ignored, needs a helper
test d ... ignored
test result: FAILED. 2 passed; 1 failed
     Running tests/e.rs (target/debug/deps/e-2)
test e::f ... FAILED
test result: FAILED. 0 passed; 1 failed
`;

const TAP = `TAP version 13
    # Subtest: inner
    not ok 1 - inner
# Subtest: a
ok 1 - a
  ---
  error: 'not of b'
  ...
    # Subtest: within
    not ok 1 - within
      error: 'no such program'
not ok 2 - b # of two
  ---
  error: 'one subtest failed'
  ...
ok 3 - c # SKIP reads /proc
ok 4 - d # SKIP
1..4
# tests 4
`;

const brief = (results) => results.map(({ name, outcome, reason }) => [name, outcome, reason].filter(Boolean).join(' '));

test('tests are read from what cargo and Node print', () => {
  assert.deepEqual(brief(rustResults(RUST)), [
    'a::b passed', 'a::panics passed', 'a::long failed', 'c skipped needs a helper', 'd skipped', 'e::f failed',
  ]);
  assert.deepEqual(brief(tapResults(TAP)), ['a passed', 'b # of two failed', 'c skipped reads /proc', 'd skipped']);
});

test('what is expected to fail is counted apart, and nothing else is', () => {
  const one = tally(rustResults(RUST), [{ test: /^e::/, why: 'no such system' }]);
  assert.deepEqual(one, { passed: 2, skipped: { 'needs a helper': 1, ignored: 1, 'no such system': 1 }, failed: ['a::long'] });
  const other = tally(tapResults(TAP), []);
  assert.deepEqual(other, { passed: 1, skipped: { 'reads /proc': 1, ignored: 1 }, failed: ['b # of two'] });
  const excused = (error) => tally(tapResults(TAP), [{ error, why: 'excused' }]).failed.length === 0;
  assert.deepEqual([/no such program/, /one subtest/, /not of b/, /nothing/].map(excused), [true, true, false, false]);
  assert.deepEqual(sum(one, other), {
    passed: 3,
    skipped: { 'needs a helper': 1, ignored: 2, 'no such system': 1, 'reads /proc': 1 },
    failed: ['a::long', 'b # of two'],
  });
});

test('a run that breaks off is a failure, whatever its tests say', () => {
  assert.ok(isComplete(RUST) && isComplete(TAP));
  const cut = RUST.slice(0, RUST.lastIndexOf('test result'));
  for (const output of ['', cut, TAP.slice(0, -10)]) assert.ok(!isComplete(output), output);
  const [passes, fails] = [[{ outcome: 'passed' }], [{ outcome: 'failed' }]];
  assert.equal(breakdown(0, passes, true), undefined);
  assert.equal(breakdown(101, fails, true), undefined);
  for (const [code, results, complete] of [[101, passes, true], ['SIGKILL', fails, false], [0, passes, false]]) {
    assert.match(breakdown(code, results, complete), new RegExp(`ended with ${code}`));
  }
});

test('a target is named by its name or the first parts of it', () => {
  const names = (...words) => chosen(words).map(({ name }) => name);
  assert.deepEqual(names(), targets.map(({ name }) => name));
  assert.deepEqual(names('darwin'), ['darwin-arm64', 'darwin-x64']);
  assert.deepEqual(names('windows-x64', 'linux-x64'), ['windows-x64', 'linux-x64-musl', 'windows-x64-msvc']);
  assert.deepEqual(names('win', ''), []);
});

test('a failure counts more than what could not be had, and that more than what held', () => {
  const counts = (...failed) => ({ passed: 3, skipped: {}, failed });
  const [held, linked] = [{ rust: counts(), node: counts() }, { linked: true }];
  const [missing, error] = [{ missing: 'source of the standard library' }, { error: 'build ended with 101' }];
  const [rust, node] = [{ rust: counts('a'), node: counts() }, { rust: counts(), node: counts('b') }];
  for (const [results, code] of [
    [[held, linked], 0],
    [[held, missing], 77],
    [[missing, error], 1],
    [[missing, rust], 1],
    [[node, held], 1],
  ]) {
    assert.equal(exitCode(results), code, JSON.stringify(results));
  }
});
