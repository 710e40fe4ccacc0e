// What the benches calculate and make. What they measure is judged by nobody but their readers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { check, lint } from '@adrkit/native';

import { generator, makeRepository } from '../benches/node/corpus.mjs';
import { order, shellScript } from '../benches/node/git-calls.mjs';
import { interleave, median, pairedRatio, percentile, summary } from '../benches/node/measure.mjs';
import { comparison, duration, fill, isMet, table } from '../benches/node/report.mjs';
import { onPosix, root, scratch } from './fixtures/processes.mjs';

test('percentiles lie between samples, whatever their order', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(percentile([30, 10, 20], 0), 10);
  assert.equal(percentile([30, 10, 20], 1), 30);
  assert.equal(percentile([5], 0.9), 5);
  assert.deepEqual(summary([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]), { n: 11, p10: 10, p50: 50, p90: 90 });
});

test('a ratio is of neighbours, so that a mood of the machine falls out', () => {
  assert.equal(pairedRatio([2, 20, 200], [1, 10, 100]), 2);
  assert.notEqual(median([2, 20, 6]) / median([1, 10, 100]), pairedRatio([2, 20, 6], [1, 10, 100]));
});

test('sides are called in turn and in turned order, and what warms up is left out', async () => {
  const calls = [];
  const side = (name) => async (round) => calls.push(`${name}${round}`) && round;
  const samples = await interleave({ a: side('a'), b: side('b') }, { rounds: 2, warmUp: 1 });
  assert.deepEqual(calls, ['b-1', 'a-1', 'a0', 'b0', 'b1', 'a1']);
  assert.deepEqual(samples, { a: [0, 1], b: [0, 1] });
});

test('times are shown in the unit that has digits', () => {
  assert.deepEqual([0.0042, 0.02, 0.9, 1, 59.96, 250, 1234].map(duration), [
    '4.20 µs', '20.0 µs', '900 µs', '1.00 ms', '60.0 ms', '250 ms', '1.23 s',
  ]);
});

test('a table is Markdown, and a comparison has ratios only where there are some', () => {
  assert.equal(table(['a', ''], [[1, 'xxxx']]), '| a   |      |\n| --- | ---- |\n| 1   | xxxx |');
  const side = { what: 'x', n: 1, p10: 1, p50: 1, p90: 1 };
  assert.doesNotMatch(comparison([side]), /beside/);
  assert.match(comparison([side, { ...side, times: 3 }]), /beside[^]*3\.00 ×/);
});

test('a target is met at its limit, and not past it', () => {
  assert.deepEqual(
    [{ atMost: 5 }, { atMost: 4 }, { atLeast: 5 }, { atLeast: 6 }].map((limit) => isMet({ measured: 5, ...limit })),
    [true, false, true, false],
  );
});

test('a template and its parts belong together', () => {
  assert.equal(fill('a {{x}} b {{x}} {{y-z}}', { x: '$&', 'y-z': '2' }), 'a $& b $& 2');
  assert.throws(() => fill('{{x}}', {}), /unknown part: x/);
  assert.throws(() => fill('', { x: '' }), /leaves out: x/);
  const template = readFileSync(join(root, 'benches', 'performance.md.in'), 'utf8');
  fill(template, { names: '', machine: '', targets: '', parts: '' });
});

/** Calls of one run: `a` and `b` at once, `c` after both, `d` after `c`, and the one that is `held` goes on for long. */
function run(held) {
  const calls = {};
  const add = (name, after) => {
    const begin = Math.max(0, ...after.map((other) => calls[other].end)) + 1;
    calls[name] = { args: [name], cwd: '/', env: {}, begin, end: begin + (name === held ? 1000 : 10) };
  };
  add('a', []);
  add('b', []);
  add('c', ['a', 'b']);
  add('d', ['b']);
  add('e', ['d']);
  return Object.values(calls);
}

test('who waits for whom shows when one call after another is held', () => {
  const after = (calls) => Object.fromEntries(calls.map((call) => [call.args[0], call.after.map((i) => calls[i].args[0])]));
  assert.deepEqual(after(order([run(), ...['a', 'b', 'c', 'd', 'e'].map(run)])), {
    a: [], b: [], c: ['a', 'b'], d: ['b'], e: ['b', 'd'],
  });
  assert.throws(() => order([run(), run().slice(1)]), /differ/);
});

test('the script makes the calls, and waits where they waited', onPosix, (t) => {
  const said = join(scratch(t), 'said');
  // The second does not begin before the first has ended, however long that takes.
  const [first, second] = [`sleep 0.1; echo "it's first" >>${said}`, `echo second >>${said}; echo noise`];
  const calls = [{ args: ['-c', first], after: [] }, { args: ['-c', second], after: [0] }];
  const stdout = execFileSync('/bin/sh', ['-c', shellScript({ file: '/bin/sh', calls })], { encoding: 'utf8' });
  assert.deepEqual([stdout, readFileSync(said, 'utf8')], ['', "it's first\nsecond\n"]);
});

test('numbers are the same for a seed, and spread', () => {
  const ten = (seed) => Array.from({ length: 10 }, generator(seed));
  assert.deepEqual(ten(7), ten(7));
  assert.notDeepEqual(ten(7), ten(8));
  const many = Array.from({ length: 10_000 }, generator(1));
  assert.ok(many.every((n) => n >= 0 && n < 1));
  assert.ok(Math.abs(median(many) - 0.5) < 0.02);
});

test('a repository is the same every time, its records are valid, and they govern', async (t) => {
  const size = { records: 60, files: 200, git: true };
  const [one, two] = ['one', 'two'].map((name) => join(scratch(t), name));
  const files = makeRepository(one, size);
  assert.deepEqual(makeRepository(two, size), files);
  const listed = (cwd) => readdirSync(cwd, { recursive: true }).filter((file) => /\.(md|ts)$/.test(file)).sort();
  assert.deepEqual(listed(one), listed(two));
  for (const file of listed(one)) assert.equal(readFileSync(join(one, file), 'utf8'), readFileSync(join(two, file), 'utf8'));
  const { report } = await lint({ cwd: one, engine: 'embedded' });
  assert.deepEqual([report.checked, report.findings], [60, []]);
  const checked = await check({ cwd: one, engine: 'embedded' });
  assert.equal(checked.report.changedFiles.length, 120, 'a commit of 100, and 20 that are not committed');
  assert.ok(checked.report.governing.length > 0 && checked.report.history.length > 0);
});
