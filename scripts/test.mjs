// npm test: everything that must hold, in order, up to the first step that does not. The last line counts the tests.
//
// All steps share one dev build of the dependencies: nothing here builds for release.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findCargo, hostTriple } from './cargo.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cargo = findCargo();
// `napi build` always names a target, and cargo keeps what is built for a named one apart. So all steps name it.
const host = hostTriple(cargo);
const modules = join(root, 'node_modules');
const total = { passed: 0, failed: 0 };

class StepFailed extends Error {}

const steps = [
  ['npm packages', installPackages],
  ['rustfmt', () => rust('fmt', '--all', '--check')],
  ['clippy', () => rust('clippy', '--locked', '--all-targets', '--', '-D', 'warnings')],
  ['clippy, with the binding', () => rust('clippy', '--locked', '--all-targets', '--features', 'node', '--', '-D', 'warnings')],
  ['rustdoc', rustdoc],
  ['Rust tests', () => rustTests()],
  ['Rust tests of the binding', () => rustTests('--features', 'node', '--lib', 'node::')],
  ['addon', buildAddon],
  ['types', () => node(join(modules, 'typescript', 'bin', 'tsc'), '-p', '__test__/types/tsconfig.json')],
  ['Node tests', () => nodeTests('__test__')],
  ['Panel in Chromium', () => nodeTests(join('__test__', 'browser'), '--test-concurrency=1')],
  ['Copilot CLI', () => nodeTests(join('__test__', 'e2e'), '--test-concurrency=1')],
];

for (const [name, step] of steps) {
  const begin = performance.now();
  const counted = total.failed;
  console.log(`\n== ${name}`);
  let failed = false;
  try {
    await step();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    failed = true;
    // A step that is no test, or that broke before it could count one, counts as one.
    if (total.failed === counted) total.failed += 1;
    if (error.message !== '') console.error(error.message);
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(`== ${name}: ${failed ? 'FAILED' : 'ok'} (${seconds} s)`);
  if (failed) {
    process.exitCode = 1;
    break;
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);

/** Runs a command in the package's directory, passes its output on, and returns its stdout. */
async function command(file, args, env = {}) {
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, CARGO_BUILD_TARGET: host, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new StepFailed(`${file} could not be started: ${error.code}`)));
    child.on('close', resolve);
  });
  return { code, stdout };
}

async function mustSucceed(file, args, env) {
  const { code, stdout } = await command(file, args, env);
  if (code !== 0) throw new StepFailed('');
  return stdout;
}

function rust(...args) {
  return mustSucceed(cargo, args);
}

function node(...args) {
  return mustSucceed(process.execPath, args);
}

/** A link from public documentation to a private item is of use to who reads the source, so it may stand. */
function rustdoc() {
  const flags = '-D warnings -A rustdoc::private-intra-doc-links';
  return mustSucceed(cargo, ['doc', '--locked', '--no-deps', '--lib'], { RUSTDOCFLAGS: flags });
}

/** Installs the development tools, and the Copilot CLI for the end-to-end tests; no package runs a script of its own. */
async function installPackages() {
  await install(root, 'package-lock.json', ['ci']);
  await install(join(root, '__test__', 'e2e'), 'package.json', ['install', '--no-package-lock']);
}

/** Installs what `listed` says in a directory, unless that was done after it was last written. */
async function install(directory, listed, words) {
  const installed = join(directory, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(directory, listed)).mtimeMs) return;
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new StepFailed('Run this as `npm test`: it brings npm along.');
  await node(npm, ...words, '--prefix', directory, '--ignore-scripts', '--loglevel=error');
}

async function rustTests(...args) {
  const { code, stdout } = await command(cargo, ['test', '--locked', '--no-fail-fast', ...args]);
  for (const [, passed, failed] of stdout.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed;/gm)) {
    total.passed += Number(passed);
    total.failed += Number(failed);
  }
  if (code !== 0) throw new StepFailed('');
}

/** Builds the addon beside the tree, and holds the typings in the tree to what that generates. */
async function buildAddon() {
  const built = join(root, 'target', 'addon');
  const napi = join(modules, '@napi-rs', 'cli', 'dist', 'cli.js');
  rmSync(built, { recursive: true, force: true });
  await node(napi, 'build', '--platform', '--features', 'node', '--no-js', '--dts', 'binding.d.ts', '--output-dir', 'target/addon');
  for (const file of readdirSync(built)) {
    if (file.endsWith('.node')) copyFileSync(join(built, file), join(root, file));
    else if (!readFileSync(join(built, file)).equals(readFileSync(join(root, file)))) {
      throw new StepFailed(`${file} is not what the binding generates: run \`npm run build\` and commit it.`);
    }
  }
}

async function nodeTests(directory, ...options) {
  const files = readdirSync(join(root, directory)).filter((name) => name.endsWith('.test.mjs'));
  const scratch = mkdtempSync(join(tmpdir(), 'adrkit-test-'));
  const tap = join(scratch, 'tap');
  try {
    const { code } = await command(process.execPath, [
      '--test',
      ...options,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${tap}`,
      ...files.map((name) => join(directory, name)),
    ]);
    const counts = readFileSync(tap, 'utf8');
    const count = (word) => Number(counts.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
    total.passed += count('pass');
    total.failed += count('fail') + count('cancelled');
    if (code !== 0) throw new StepFailed('');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
