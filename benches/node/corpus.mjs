// Repositories of any size, the same ones every time: records in docs/adr, and source files, some with markers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is younger than this is read again by the engine: see SETTLED in src/corpus/cache.rs, and a second beyond. */
export const SETTLED_MS = 4000;

/** Every file was written then. Git believes its index only about files that are older than it. */
const WRITTEN = new Date('2026-01-31T00:00:00Z');

const FILES_OF_A_COMMIT = 100;
const UNCOMMITTED_FILES = 20;

/**
 * Makes a repository in `root`, which must not exist: `records` records and `files` source files. With `git` all but a
 * few files are committed, and `origin/main` lags behind by one commit of 100 files.
 *
 * @returns the paths of the source files, relative to `root`.
 */
export function makeRepository(root, { records, files, git = false }) {
  const random = generator(records * 31 + files);
  const paths = Array.from({ length: files }, (_, i) => sourcePath(i));
  for (let i = 0; i < records; i += 1) put(root, `docs/adr/${idOf(i)}-${slug(titleOf(i))}.md`, record(i, records, random));
  for (const [i, path] of paths.entries()) put(root, path, source(i, records, random));
  if (git) commit(root, paths);
  return paths;
}

function commit(root, paths) {
  const config = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', '-c', 'commit.gpgSign=false', '-c', 'gc.auto=0'];
  const run = (...args) => execFileSync('git', [...config, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  run('init', '--quiet', '--initial-branch=main');
  run('add', '.');
  run('commit', '--quiet', '--message=Everything');
  run('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const change = (path) => put(root, path, `// changed\n${path}\n`);
  paths.slice(0, FILES_OF_A_COMMIT).forEach(change);
  run('add', '.');
  run('commit', '--quiet', '--message=A branch');
  paths.slice(FILES_OF_A_COMMIT, FILES_OF_A_COMMIT + UNCOMMITTED_FILES).forEach(change);
}

function put(root, path, text) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, WRITTEN, WRITTEN);
}

/** Numbers in [0, 1) from a 32-bit seed (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = (random, list) => list[Math.floor(random() * list.length)];

const AREAS = ['api', 'auth', 'billing', 'cache', 'cli', 'core', 'events', 'export', 'http', 'index', 'jobs', 'mail', 'net', 'queue', 'search', 'sync'];
const PARTS = ['client', 'codec', 'config', 'errors', 'events', 'handlers', 'limits', 'model', 'parser', 'policy', 'router', 'schema', 'server', 'store', 'types', 'util'];
const VERBS = ['Adopt', 'Bound', 'Cache', 'Deprecate', 'Isolate', 'Keep', 'Measure', 'Move', 'Publish', 'Separate', 'Sign', 'Version'];
const WORDS = 'a the of and to in that for with as is are be by on which when where not only each every one record caller service boundary contract deadline retry failure state change version reader writer store index queue event schema field value default limit bound cost time test measured decision context consequence because therefore until unless before after without instead'.split(' ');

const idOf = (i) => String(i + 1).padStart(4, '0');
const titleOf = (i) => `${VERBS[i % VERBS.length]} the ${PARTS[(i * 7) % PARTS.length]} of ${AREAS[(i * 5) % AREAS.length]} ${i}`;
const slug = (title) => title.toLowerCase().replaceAll(' ', '-');

function sourcePath(i) {
  const area = AREAS[i % AREAS.length];
  const part = PARTS[Math.floor(i / AREAS.length) % PARTS.length];
  const kind = i % 10 === 9 ? '.test.ts' : '.ts';
  return `packages/${area}/src/${part}/file-${i}${kind}`;
}

/** One marker in ten files; a few hundred bytes to some 20 KB, most of them small. */
function source(i, records, random) {
  const marker = random() < 0.1 ? ` * @adr ${idOf(Math.floor(random() * records))}\n` : '';
  const lines = Math.ceil(8 + 400 * random() ** 3);
  const body = Array.from({ length: lines }, (_, n) => `export const value${n} = compute(${i}, '${prose(random, 4)}');`);
  return `/**\n * ${prose(random, 12)}\n${marker} */\n${body.join('\n')}\n`;
}

const prose = (random, words) => Array.from({ length: words }, () => pick(random, WORDS)).join(' ');

/** A directory, a suffix, one level, alternatives or one file, in the proportions of records that were counted. */
function pattern(random) {
  const [area, part] = [pick(random, AREAS), pick(random, PARTS)];
  const kind = random();
  if (kind < 0.35) return `packages/${area}/src/${part}/**`;
  if (kind < 0.5) return `packages/${area}/**/*.test.ts`;
  if (kind < 0.6) return `packages/*/src/${part}/*.ts`;
  if (kind < 0.7) return `packages/{${area},${pick(random, AREAS)}}/src/${part}/**/*.ts`;
  if (kind < 0.75) return `packages/*/package.json`;
  return sourcePath(Math.floor(random() * 20_000));
}

function status(i, records, random) {
  const at = random();
  if (at < 0.8) return 'status: accepted';
  if (at < 0.87) return 'status: proposed\nreview:\n  tier: async';
  if (at < 0.9) return 'status: draft';
  if (at < 0.92) return 'status: rejected';
  if (at < 0.95) return 'status: deprecated';
  return i + 1 < records ? `status: superseded\nsupersededBy: "${idOf(i + 1)}"` : 'status: accepted';
}

function record(i, records, random) {
  const matchers = Array.from({ length: 1 + Math.floor(4 * random()) }, () => `  - type: path\n    pattern: "${pattern(random)}"`);
  const related = Array.from({ length: Math.floor(4 * random()) }, () => `"${idOf(Math.floor(random() * records))}"`);
  const paragraphs = (n) => Array.from({ length: n }, () => `${prose(random, 60)}.`).join('\n\n');
  return `---
schemaVersion: 0.1.0
id: "${idOf(i)}"
title: ${titleOf(i)}
${status(i, records, random)}
date: 2026-0${1 + (i % 9)}-1${i % 10}
deciders: ["team:${pick(random, AREAS)}", "@${pick(random, PARTS)}"]
tags: [${pick(random, AREAS)}, ${pick(random, PARTS)}-part]
scope: component
reversibility: two-way-door
relatesTo: [${[...new Set(related)].join(', ')}]
affects:
${matchers.join('\n')}
externalRefs:
  - type: other
    id: ref-${i}
    url: "https://example.org/${i}"
    label: ${prose(random, 5)}
---

# ${titleOf(i)}

## Context

${paragraphs(2 + Math.floor(6 * random()))}

## Decision

${paragraphs(1 + Math.floor(6 * random()))}

## Consequences

${paragraphs(1 + Math.floor(4 * random()))}
`;
}
