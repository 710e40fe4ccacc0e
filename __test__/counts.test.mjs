// What each step of a session asks of the system: processes, files, bytes. The same on every machine, and so a guard
// against work that creeps in, which no clock could be.
//
// The numbers are exact. A change that lowers one is welcome, and writes it down here.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fixtures, host, scratch } from './fixtures/processes.mjs';
import { RECORD, repository } from './fixtures/repository.mjs';

const RECORDS = 3;
const FILE = '// @adr 0001\n';

/** How often a run is repeated in which a note came too late, for the machine was busy. */
const TRIES = 5;

// Finding out where the session is: its directory is resolved, and looked at.
const directory = { resolves: 1, stats: 1 };
// The corpus: its directory is listed, and opened to look at each of its records. These are not, for all are known.
const corpus = { lists: 1, opens: 1, stats: RECORDS };
// Reading a record: opened; looked at before and after.
const parse = { opens: 1, stats: 2, bytes: RECORD.length };
// The way to src/net/x.ts, on which each component may be a link: the root, src and net are opened.
const way = { opens: 3 };
// The marker window of a file in an open directory: looked at before it is opened, and after.
const marker = { opens: 1, stats: 2, bytes: FILE.length };
// Where an edit goes: the session's directory, then the file, seen from it and from the corpus, and the corpus.
const target = { resolves: 4, stats: 1 };
// Which corpus a tool means, and that no link leads out of the session's directory.
const toolCorpus = { ...directory, resolves: 2 };

const expected = {
  'session start': sum(
    { starts: ['rev-parse', 'config', 'status', 'rev-parse', 'diff'] },
    // Whether git can start in the directory, and which git is the repository's own: that needs its top level.
    { stats: 2, resolves: 1 },
    directory,
    // None is known yet, so none is looked at before it is read.
    { lists: 1, opens: 1 },
    times(RECORDS, parse),
    // Two files in one directory.
    way,
    times(2, marker),
  ),
  'first edit of a path': sum(target, directory, corpus, way, marker),
  'second edit of it': target,
  'first edit of another path': sum(target, directory, corpus, way, marker),
  'tool that does not edit': {},
  // src/gone.ts: src is open, and it is not there. The way is walked again, by name, to tell why.
  'adr_check of 2 paths': sum(toolCorpus, directory, corpus, way, marker, { stats: 1 }, { stats: 2 }),
  'adr_explain': sum(toolCorpus, directory, corpus, way, marker),
  // Listed again for the files that are passed over.
  'adr_lint': sum(toolCorpus, directory, corpus, { lists: 1 }),
};

test('each step asks the system for what it needs and no more', { skip: cannot() }, async (t) => {
  const library = join(scratch(t), 'counting.so');
  execFileSync('cc', ['-O1', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', library, join(fixtures, 'counting.c'), '-ldl']);
  const cwd = realpathSync(repository(t));
  mkdirSync(join(cwd, 'src', 'net'));
  for (const name of ['a', 'b']) writeFileSync(join(cwd, 'src', 'net', `${name}.ts`), FILE);
  commit(cwd);
  let steps;
  for (let tries = 0; tries < TRIES && !isAnswered(steps); tries += 1) steps = await run(t, cwd, library);
  assert.ok(isAnswered(steps), JSON.stringify(steps));
  const counted = Object.fromEntries(Object.entries(steps).map(([name, { lines }]) => [name, count(lines)]));
  assert.deepEqual(counted, Object.fromEntries(Object.entries(expected).map(([name, counts]) => [name, sum(counts)])));
});

/** Records, and a remote's branch to compare with. What remains to be told of are the files in src/net. */
function commit(cwd) {
  for (const id of ['0002', '0003']) {
    writeFileSync(join(cwd, 'docs', 'adr', `${id}-x.md`), RECORD.replace('0001', id));
  }
  const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd });
  git('add', 'docs', 'src/a.ts');
  git('commit', '--quiet', '--message=Records');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}

async function run(t, cwd, library) {
  const log = join(scratch(t), 'log');
  const asked = ({ starts, lists, opens, stats, resolves }) => starts.length + lists + opens + stats + resolves;
  const times = Object.fromEntries(Object.entries(expected).map(([name, counts]) => [name, asked(sum(counts))]));
  const { code, stdout, stderr } = await host('counted.mjs', [cwd, JSON.stringify(times)], {
    LD_PRELOAD: library,
    COUNTING_ROOT: cwd,
    COUNTING_LOG: log,
  }).ended;
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Whether each step that has something to tell has told it. */
function isAnswered(steps) {
  const silent = ['second edit of it', 'tool that does not edit'];
  return steps !== undefined && Object.entries(steps).every(([name, { answer }]) => (answer === null) === silent.includes(name));
}

function count(lines) {
  const counts = sum();
  for (const line of lines) {
    const [kind, what, bytes] = line.split('\t');
    if (kind === 'start') counts.starts.push(subcommand(what));
    else if (kind === 'read') counts.bytes += Number(bytes);
    else counts[{ list: 'lists', open: 'opens', stat: 'stats', realpath: 'resolves', readlink: 'resolves' }[kind]] += 1;
  }
  counts.starts.sort();
  return counts;
}

/** The subcommand of a command line of git. */
function subcommand(line) {
  const [file, ...words] = line.split(' ');
  assert.match(file, /\/git$/);
  return words.find((word, i) => !word.startsWith('-') && words[i - 1] !== '-c');
}

/** The sum of counts, with all of them in it. */
function sum(...all) {
  const total = { starts: [], lists: 0, opens: 0, bytes: 0, stats: 0, resolves: 0 };
  for (const { starts = [], ...numbers } of all) {
    total.starts.push(...starts);
    for (const [key, value] of Object.entries(numbers)) total[key] += value;
  }
  total.starts.sort();
  return total;
}

function times(n, counts) {
  return Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, n * value]));
}

function cannot() {
  if (process.platform !== 'linux') return 'counts by a library that Linux loads in front of the C library';
  if (process.report.getReport().header.glibcVersionRuntime === undefined) return 'counts the calls of the GNU C library';
  return false;
}
