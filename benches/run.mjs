// npm run bench [-- [--quick] [NAME...]]: measures, prints tables, and writes docs/performance.md.
//
// A run of all parts takes a few minutes, and the builds before it take as long again. With names only these parts are
// measured, and nothing is written. With --quick the harness is tried with a few samples, and the page is written below
// target/bench. For Linux and macOS: what is started beside us are POSIX programs.
import { execFileSync, fork } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

import { findCargo } from '../scripts/cargo.mjs';
import { SETTLED_MS, makeRepository } from './node/corpus.mjs';
import { measureEngine } from './node/engine.mjs';
import { bare } from './node/sides/host.mjs';
import { comparison, duration, fill, isMet, mebibytes, ratio, table, targetTable } from './node/report.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const cargo = findCargo();
const PARTS = ['note', 'check', 'scale', 'start', 'process', 'loop', 'load', 'memory', 'engine'];
const SHOWN = { ms: duration, ratio, bytes: mebibytes };

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const names = words.filter((word) => word !== '--quick');
const unknown = names.filter((name) => !PARTS.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. The parts are ${PARTS.join(', ')}.`);
  process.exit(2);
}
if (process.platform === 'win32') {
  console.error('The benches start POSIX programs, and so do not run on Windows.');
  process.exit(2);
}
const wanted = names.length === 0 ? PARTS : names;

const host = execFileSync(cargo, ['-vV'], { encoding: 'utf8' }).match(/^host: (.*)$/m)[1];
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? 'target');
const buildEnv = { ...process.env, CARGO_BUILD_TARGET: host };
const entry = join(target, 'bench', 'native', 'index.js');
const built = (name) => join(target, host, 'release', name);

install();
const addon = build();
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'adrkit-bench-')));
try {
  await measureAll();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The packages that are compared with. */
function install() {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Run this as `npm run bench`: it brings npm along.');
  const options = ['--no-package-lock', '--ignore-scripts', '--loglevel=error', '--prefix', here];
  execFileSync(process.execPath, [npm, 'install', ...options], { stdio: ['ignore', 2, 'inherit'] });
}

/** The addon as it ships, in a package of its own: the one in the tree may be of another profile. */
function build() {
  const run = (file, args) => execFileSync(file, args, { cwd: root, env: buildEnv, stdio: ['ignore', 2, 'inherit'] });
  const directory = dirname(entry);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  run(process.execPath, [join(root, 'scripts', 'build.mjs'), '--target', host, '--output', directory]);
  for (const name of ['index.js', 'lib', 'package.json']) cpSync(join(root, name), join(directory, name), { recursive: true });
  run(cargo, ['build', '--release', '--locked', '--package', 'adrkit-benches', '--package', 'adrkit-native', '--bins']);
  if (wanted.includes('engine')) run(cargo, ['bench', '--locked', '--package', 'adrkit-benches', '--no-run']);
  return join(directory, readdirSync(directory).find((name) => name.endsWith('.node')));
}

async function measureAll() {
  const repositories = join(scratch, 'repositories');
  const context = { entry, scratch, quick, programs: programs(), ...makeRepositories(repositories) };
  // Younger records are read again by every question.
  await sleep(SETTLED_MS);
  const load = loadavg()[0];
  const results = [];
  for (const name of wanted) {
    console.error(`measuring: ${name}`);
    const env = buildEnv;
    const result =
      name === 'engine'
        ? measureEngine({ cargo, root, home: join(target, 'bench', 'criterion'), repositories, env, quick })
        : await measureApart(name, context);
    results.push({ name, ...result });
    console.log(`\n${part(result)}`);
  }
  const targets = results.flatMap((result) => result.targets).map((each) => ({ ...each, show: SHOWN[each.unit] }));
  console.log(`\n${targetTable(targets)}\n\n${targets.filter(isMet).length} of ${targets.length} targets are met.`);
  if (names.length > 0) return;
  const template = readFileSync(join(here, 'performance.md.in'), 'utf8');
  const parts = results.map((result) => part(result)).join('\n\n');
  const filled = { names: PARTS.join(', '), machine: machine(load), targets: targetTable(targets), parts };
  const page = join(quick ? join(target, 'bench') : join(root, 'docs'), 'performance.md');
  writeFileSync(page, fill(template, filled));
  console.log(`Written: ${page}`);
}

function programs() {
  return { floor: built('bench-floor'), gitTrace: built('bench-git-trace'), adrNative: built('adr-native'), addon };
}

function makeRepositories(directory) {
  console.error('making the repositories');
  const make = (name, size) => {
    const root = join(directory, name);
    const files = makeRepository(root, size);
    writeFileSync(`${root}.files.txt`, files.join('\n'));
    return { root, files };
  };
  return {
    tiny: make('20', { records: 20, files: 200, git: true }),
    small: make('500', { records: 500, files: 20_000, git: true }),
    large: make('10000', { records: 10_000, files: 200 }),
  };
}

/** Runs one part in a process of its own. */
function measureApart(name, context) {
  const child = fork(join(here, 'node', 'child.mjs'), [name], {
    // The young generation of V8 is as large as it gets from the beginning: it would grow in the middle of a bench.
    execArgv: ['--expose-gc', '--min-semi-space-size=16', '--max-semi-space-size=16'],
    env: bare,
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  child.send(context);
  return new Promise((resolve, reject) => {
    let result;
    child.on('message', (message) => (result = message));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 && result ? resolve(result) : reject(new Error(`${name} ended with ${code}`))));
  });
}

/** The tables of one part. */
function part({ comparisons = [], figures = [] }) {
  const show = (unit) => (value) => (typeof value === 'number' && unit !== undefined ? SHOWN[unit](value) : value);
  return [
    ...comparisons.map(({ title, sides }) => `### ${title}\n\n${comparison(sides)}`),
    ...figures.map(({ title, columns, rows, unit }) => `### ${title}\n\n${table(columns, rows.map((row) => row.map(show(unit))))}`),
  ].join('\n\n');
}

/** Where and with what it was measured. */
function machine(load) {
  const version = (file, ...args) => execFileSync(file, args, { encoding: 'utf8' }).trim();
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const rows = [
    ['when', `${new Date().toISOString().slice(0, 10)}, load ${load.toFixed(2)} at the beginning`],
    ['processor', `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} in sight, ${mebibytes(totalmem())} of memory`],
    ['system', `${type()} ${release()} ${arch()}`],
    ['Node', process.version],
    ['Rust', version(cargo, '--version')],
    ['git', version('git', '--version')],
    ['beside', Object.entries(dependencies).map(([name, at]) => `${name} ${at}`).join(', ')],
  ];
  return table(['', ''], rows);
}
