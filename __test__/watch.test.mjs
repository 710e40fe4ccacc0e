// What the panel's command watches: what git would list, and what tells of a commit, a checkout or a fetch.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { scope, watchTree } from '../scripts/watch.mjs';
import { repository } from './fixtures/repository.mjs';
import { scratch, until } from './fixtures/processes.mjs';

const GIT = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'core.excludesFile='];
const git = (cwd, ...args) => execFileSync('git', [...GIT, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function write(cwd, files) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
}

const RULES = {
  '.gitignore': '/target\nnode_modules/\n*.log\n!keep.log\nfoo/*\n!foo/bar/\n',
  'sub/.gitignore': '!*.log\nbuild\n/only\n',
  'sub/deep/.gitignore': '*\n!*.ts\n',
};
const PATHS = [
  'a.ts', 'target', 'target/x', 'sub/target', 'node_modules', 'node_modules/p/x.js', 'sub/node_modules', 'a.log', 'keep.log', 'x/a.log',
  'sub/a.log', 'sub/build', 'sub/only', 'sub/x/only', 'sub/x/build', 'sub/deep/a.js', 'sub/deep/a.ts', 'foo/x', 'foo/bar', 'foo/bar/y', 'excluded', 'A.LOG',
];
const DIRECTORIES = ['target', 'sub/target', 'node_modules', 'sub/node_modules', 'foo/bar', 'sub/x/build'];

test('what git ignores is left out, by the rules of every directory', (t) => {
  const cwd = repository(t);
  write(cwd, RULES);
  write(cwd, { '.git/info/exclude': 'excluded\n' });
  for (const name of PATHS) {
    if (DIRECTORIES.includes(name)) mkdirSync(join(cwd, name), { recursive: true });
    else write(cwd, { [name]: '' });
  }
  const { stdout } = spawnSync('git', [...GIT, 'check-ignore', '-z', '--stdin'], { cwd, input: PATHS.join('\0'), encoding: 'utf8' });
  const ignored = stdout.split('\0').filter(Boolean);
  assert.ok(ignored.length > 5 && ignored.length < PATHS.length - 5);
  const { skips } = scope(cwd);
  // A watcher asks about the directories above a path first, and goes no further where one is left out.
  const above = (name) => name.split('/').slice(0, -1).map((_, n, all) => all.slice(0, n + 1).join('/'));
  const isLeftOut = (name) => above(name).some((each) => skips(join(cwd, each), true)) || skips(join(cwd, name), DIRECTORIES.includes(name));
  for (const name of PATHS) assert.equal(isLeftOut(name), ignored.includes(name), name);
});

test("of git's own directory only what changes a review is watched", (t) => {
  const cwd = repository(t);
  const { own, skips } = scope(cwd);
  assert.deepEqual(own, [join(cwd, '.git')]);
  for (const [name, isLeftOut] of [
    ['', false], ['HEAD', false], ['index', false], ['packed-refs', false], ['refs', false], ['refs/remotes/origin/main', false],
    ['index.lock', true], ['HEAD.lock', true], ['refs/heads/main.lock', true], ['objects', true], ['logs/HEAD', true], ['config', true], ['FETCH_HEAD', true], ['COMMIT_EDITMSG', true],
  ]) {
    assert.equal(skips(join(cwd, '.git', name)), isLeftOut, name);
  }
  assert.ok(skips(join(cwd, 'sub', '.git')), 'that of another repository is not');
});

test('below the top of a work tree, and in a linked one, the same is watched', (t) => {
  const cwd = repository(t);
  write(cwd, { '.gitignore': 'sub/x\n', 'sub/a': '' });
  const below = scope(join(cwd, 'sub'));
  assert.deepEqual(below.own, [join(cwd, '.git')]);
  assert.deepEqual([below.skips(join(cwd, 'sub/x')), below.skips(join(cwd, 'sub/y'))], [true, false]);

  const linked = join(realpathSync(scratch(t)), 'linked');
  git(cwd, 'worktree', 'add', linked);
  write(cwd, { '.git/info/exclude': 'excluded\n' });
  const { own, skips } = scope(linked);
  const real = realpathSync(cwd);
  assert.deepEqual(own, [join(real, '.git', 'worktrees', 'linked'), join(real, '.git')]);
  assert.equal(skips(join(own[0], 'HEAD')), false);
  assert.equal(skips(join(own[0], 'logs')), true);
  assert.equal(skips(join(own[1], 'refs', 'heads', 'main')), false);
  assert.equal(skips(join(linked, 'excluded')), true);
});

test('without a repository everything is watched', (t) => {
  const cwd = scratch(t);
  const { own, skips } = scope(cwd);
  assert.deepEqual([own, skips(join(cwd, 'a')), skips(join(cwd, 'node_modules'), true)], [[], false, false]);
});

for (const [what, change] of Object.entries({
  'a new file': (cwd) => write(cwd, { 'src/new.ts': '' }),
  'a file that is written': (cwd) => write(cwd, { 'src/a.ts': 'two\n' }),
  'a file that is replaced': (cwd) => {
    write(cwd, { 'src/b.ts': '' });
    renameSync(join(cwd, 'src/b.ts'), join(cwd, 'src/a.ts'));
  },
  'a file that goes': (cwd) => rmSync(join(cwd, 'src/a.ts')),
  'a directory with a file': (cwd) => write(cwd, { 'new/deep/a.ts': '' }),
  'git add': (cwd) => git(cwd, 'add', '.'),
  'a commit': (cwd) => git(cwd, 'commit', '--allow-empty', '--message=Next'),
  'a branch': (cwd) => git(cwd, 'checkout', '-b', 'next'),
  'what a fetch writes': (cwd) => git(cwd, 'update-ref', 'refs/remotes/origin/main', 'HEAD'),
})) {
  test(`${what} is seen, and then one more change`, async (t) => {
    const cwd = realpathSync(repository(t));
    let calls = 0;
    const failures = [];
    const watcher = await watchTree(cwd, { changed: () => (calls += 1), failed: (error) => failures.push(error) });
    t.after(() => watcher.close());
    assert.equal(calls, 0);
    change(cwd);
    await until(() => calls > 0, 'it is seen');
    const before = calls;
    write(cwd, { 'src/last.ts': 'x' });
    await until(() => calls > before, 'it is still followed');
    await watcher.close();
    assert.deepEqual(failures, []);
  });
}
