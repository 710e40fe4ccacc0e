// Runs the Rust tests and the Node tests of a target, and counts them.
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { putAddon } from './build.mjs';
import { breakdown, isComplete, rustResults, sum, tally, tapResults } from './counts.mjs';
import { wrapper } from './runners.mjs';
import { attempt, cache, root, tail } from './shell.mjs';

/** What generators try under an emulator: the long run is done on the machine itself. */
const CASES = '32';

/** What the tests of the package need of the tree. */
const PACKAGE = ['package.json', 'index.js', 'lib', 'plugin', 'scripts', '__test__'];

/**
 * Suites that ask about the tree and its tools rather than about the addon, and the one that counts what the addon asks of
 * the machine's own C library. The machine itself runs them.
 */
const OF_THE_MACHINE = ['bench', 'check-platforms', 'counts', 'package', 'plugin', 'release'].map((name) => `${name}.test.mjs`);

export async function rustTests(target, { env, test: [file, ...words] }, runner) {
  const variable = `CARGO_TARGET_${target.triple.toUpperCase().replaceAll('-', '_')}_RUNNER`;
  const all = { ...env, ...runner.env, [variable]: runner.prefix.join(' '), PROPTEST_CASES: CASES };
  if (env.PATH) all.PATH = runner.env.PATH ? `${env.PATH}:${runner.env.PATH}` : env.PATH;
  if (target.runner === 'qemu') {
    const command = join(cache, 'build', target.name, target.triple, 'debug', 'adr-native');
    all.ADRKIT_GOLDEN_ADR = wrapper(join(cache, 'bin', target.name, 'adr-native'), [...runner.env.ADRKIT_TEST_RUNNER.split(' '), command]);
  }
  const test = (label, ...more) => attempt(`${target.name}: ${label}`, file, [...words, '--no-fail-fast', ...more], { env: all });
  const hanging = target.cannot.filter(({ hangs }) => hangs);
  const runs = [await test('Rust tests', '--lib', '--bins', '--tests', '--', ...hanging.flatMap(({ hangs }) => ['--skip', hangs]))];
  if (runner.env.ADRKIT_WINDOWS_HELPER === undefined) {
    const counts = judge(runs, rustResults, target);
    const left = tally(hanging.map(({ hangs, why }) => ({ name: hangs, outcome: 'skipped', reason: why })), []);
    return sum(counts, left);
  }
  runs.push(await test('Rust tests with the helper', '--lib', '--test', 'windows', '--', '--ignored'));
  const isRunLater = ({ outcome, reason }) => outcome === 'skipped' && /^(needs |a part of)/.test(reason ?? '');
  return judge(runs, rustResults, target, (result) => !isRunLater(result));
}

/** Runs each suite in a Node of its own, in a copy of the package that holds the addon of the target. */
export async function nodeTests(target, runner) {
  const dir = join(cache, 'package', target.name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const entry of PACKAGE) cpSync(join(root, entry), join(dir, entry), { recursive: true, filter: (path) => !/node_modules|__test__.e2e/.test(path) });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
  putAddon(target, dir);
  const suites = readdirSync(join(dir, '__test__')).filter((name) => name.endsWith('.test.mjs') && !OF_THE_MACHINE.includes(name));
  const [file, ...words] = runner.node;
  const runs = [];
  for (const suite of suites) {
    const line = [...words, '--test-reporter=tap', join('__test__', suite)];
    runs.push({ suite, ...(await attempt(`${target.name}: ${suite}`, file, line, { env: runner.env, cwd: dir })) });
  }
  return judge(runs, tapResults, target);
}

/** One tally of all runs. */
function judge(runs, read, target, counts = () => true) {
  const tallies = runs.map(({ code, log, output }) => {
    const one = tally(read(output).filter(counts), target.cannot);
    const broken = breakdown(code, read(output), isComplete(output));
    if (broken) one.failed.push(`${log}: ${broken}`);
    if (one.failed.length > 0) console.error(`${log} ends so:\n${tail(output)}`);
    return one;
  });
  return tallies.reduce(sum);
}
