// Which git calls something makes, which of them waits for which, and the same as a shell script.
import { accessSync, constants, copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How long a call is held to see who waits for it. Far above what a git call takes. */
const HOLD_MS = 400;

/**
 * Traces the git calls of `act`, which is given the environment to make them in. It is run once as it is, and once for
 * each call with that call held: what begins meanwhile does not wait for it.
 *
 * @returns the calls in the order of their beginnings, each `{ args, cwd, env, after }` with the places of those it
 *   waits for, and `file`, the git itself.
 */
export async function trace(act, { program, scratch, env }) {
  const file = find('git', env.PATH);
  const directory = mkdtempSync(join(scratch, 'trace-'));
  copyFileSync(program, join(directory, 'git'));
  const run = async (hold) => {
    const into = join(directory, 'calls');
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into);
    await act({
      ...env,
      PATH: [directory, env.PATH].join(delimiter),
      BENCH_GIT: file,
      BENCH_TRACE: into,
      ...(hold === undefined ? {} : { BENCH_HOLD: hold, BENCH_HOLD_MS: String(HOLD_MS) }),
    });
    return readdirSync(into).map((name) => JSON.parse(readFileSync(join(into, name), 'utf8')));
  };
  const plain = await run();
  const runs = [plain];
  for (const { args } of plain) runs.push(await run(args.join(' ')));
  return { file, calls: order(runs).map((call) => ({ ...call, env: { ...call.env, PATH: env.PATH } })) };
}

/** The calls of the first run, each with those that had ended in every run before it began. */
export function order(runs) {
  const key = ({ args }) => args.join(' ');
  const seen = runs.map((calls) => new Map(calls.map((call) => [key(call), call])));
  const calls = runs[0].toSorted((a, b) => a.begin - b.begin);
  for (const calls of seen) {
    if (calls.size !== seen[0].size || [...seen[0].keys()].some((k) => !calls.has(k))) throw new Error('the runs differ');
  }
  const waits = (call, other) => seen.every((run) => run.get(key(other)).end <= run.get(key(call)).begin);
  return calls.map((call) => ({
    args: call.args,
    cwd: call.cwd,
    env: call.env,
    after: calls.flatMap((other, i) => (other !== call && waits(call, other) ? [i] : [])),
  }));
}

/** A script for a POSIX shell that makes the calls as concurrently as they were made, and keeps nothing of what they say. */
export function shellScript({ file, calls }) {
  const lines = calls.map(({ args, after }, i) => {
    const wait = after.length === 0 ? '' : `wait ${after.map((n) => `$p${n}`).join(' ')}\n`;
    return `${wait}${[file, ...args].map(quote).join(' ')} >/dev/null 2>&1 & p${i}=$!`;
  });
  return `${lines.join('\n')}\nwait\n`;
}

const quote = (word) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The first executable of that name on a PATH. */
function find(name, path) {
  const isThere = (candidate) => {
    try {
      accessSync(candidate, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  const found = path.split(delimiter).map((directory) => join(directory, name)).find(isThere);
  if (found === undefined) throw new Error(`${name} is not on PATH`);
  return found;
}
