// Runs the Rust tests and the Node tests of a target, and counts them.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { putAddon } from './build.mjs';
import { attempt, cache, root, tail } from './shell.mjs';

/** What generators try under an emulator: the long run is done on the machine itself. */
const CASES = '32';

/** What the tests of the package need of the tree. */
const PACKAGE = ['package.json', 'index.js', 'binding.js', 'lib', 'plugin', 'npm', '__test__'];

/** Tests that ask about the tree and the tools rather than about the addon: the machine itself runs them. */
const ABOUT_THE_TREE = ['package.test.mjs', 'plugin.test.mjs'];

/** Counts of tests: those that hold, those that `cannot` hold here with their reasons, and the names of those that fail. */
export function tally(results, cannot) {
  const counts = { passed: 0, skipped: {}, failed: [] };
  const skip = (reason) => (counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1);
  for (const { name, outcome, reason } of results) {
    const known = cannot.find(([pattern]) => pattern.test(name));
    if (outcome === 'passed') counts.passed += 1;
    else if (outcome === 'skipped') skip(reason ?? 'ignored');
    else if (known) skip(known[1]);
    else counts.failed.push(name);
  }
  return counts;
}

/** The tests in the output of `cargo test`. */
export function rustResults(output) {
  const outcomes = { ok: 'passed', FAILED: 'failed' };
  const results = [];
  for (const [, name, word, reason] of output.matchAll(/^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, (.*))?$/gm)) {
    results.push({ name, outcome: outcomes[word] ?? 'skipped', reason });
  }
  return results;
}

/** The tests of the first level in the TAP that Node prints. */
export function tapResults(output) {
  const results = [];
  for (const [, not, name, directive, reason] of output.matchAll(/^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO)(?: (.*))?)?$/gm)) {
    results.push({ name, outcome: directive ? 'skipped' : not ? 'failed' : 'passed', reason });
  }
  return results;
}

export async function rustTests(target, { env, test: [file, ...words] }, runner) {
  const variable = `CARGO_TARGET_${target.triple.toUpperCase().replaceAll('-', '_')}_RUNNER`;
  const all = { ...env, ...runner.env, [variable]: runner.prefix.join(' '), PROPTEST_CASES: CASES };
  if (env.PATH) all.PATH = runner.env.PATH ? `${env.PATH}:${runner.env.PATH}` : env.PATH;
  const test = (label, ...more) => attempt(`${target.name}: ${label}`, file, [...words, '--no-fail-fast', ...more], { env: all });
  const runs = [await test('Rust tests', '--lib', '--bins', '--tests')];
  if (runner.env.ADRKIT_WINDOWS_HELPER === undefined) return judge(runs, rustResults, target);
  runs.push(await test('Rust tests with the helper', '--lib', '--test', 'windows', '--', '--ignored'));
  const isRunLater = ({ outcome, reason }) => outcome === 'skipped' && /^(needs |a part of)/.test(reason ?? '');
  return judge(runs, (output) => rustResults(output).filter((result) => !isRunLater(result)), target);
}

/** Runs each suite in a Node of its own, in a copy of the package that holds the addon of the target. */
export async function nodeTests(target, runner) {
  const dir = join(cache, 'package', target.name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const entry of PACKAGE) cpSync(join(root, entry), join(dir, entry), { recursive: true, filter: (path) => !/node_modules|__test__.e2e/.test(path) });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  putAddon(target, dir);
  const suites = readdirSync(join(dir, '__test__')).filter((name) => name.endsWith('.test.mjs') && !ABOUT_THE_TREE.includes(name));
  const [file, ...words] = runner.node;
  const runs = [];
  for (const suite of suites) {
    const line = [...words, '--test-reporter=tap', join('__test__', suite)];
    runs.push({ suite, ...(await attempt(`${target.name}: ${suite}`, file, line, { env: runner.env, cwd: dir })) });
  }
  return judge(runs, tapResults, target);
}

/** One tally of all runs. A run that went wrong without a test that says so is a failure by itself. */
function judge(runs, read, target) {
  const counts = { passed: 0, skipped: {}, failed: [] };
  for (const { code, log, output } of runs) {
    const results = read(output);
    const one = tally(results, target.cannot);
    counts.passed += one.passed;
    counts.failed.push(...one.failed);
    for (const [reason, number] of Object.entries(one.skipped)) counts.skipped[reason] = (counts.skipped[reason] ?? 0) + number;
    const explained = results.some(({ outcome }) => outcome === 'failed');
    if (one.failed.length > 0 || (code !== 0 && !explained)) {
      counts.failed.push(...(explained ? [] : [`${log} ended with ${code}`]));
      console.error(`${log} ends so:\n${tail(output)}`);
    }
  }
  return counts;
}
