// How long a process call holds the event loop of a host that has much in memory.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { TRUE, bare } from '../sides/host.mjs';
import { interleave, pairedRatio, summary } from '../measure.mjs';

const execute = promisify(execFile);
const DEADLINE_MS = 60_000;
const RESIDENT_BYTES = 2 ** 30;
/** As long as a call takes, or about. */
const IDLE_MS = 2;

export async function measure({ native: { run }, quick }) {
  const [cwd, env] = ['/', bare];
  const resident = Buffer.alloc(RESIDENT_BYTES, 1);
  const calls = {
    run: () => run(TRUE, [], { cwd, env, timeoutMs: DEADLINE_MS }),
    execFile: () => execute(TRUE, [], { cwd, env, signal: AbortSignal.timeout(DEADLINE_MS) }),
    nothing: () => sleep(IDLE_MS),
  };
  const held = { run: [], execFile: [], nothing: [] };
  const side = (name) => async (round) => {
    // A fork leaves the pages of the host to be copied by whoever writes to them next. That is part of its own cost.
    if (name !== 'execFile') await calls[name]();
    const { gap, synchronous } = await longestGap(calls[name]);
    if (round >= 0) held[name].push(synchronous);
    return gap;
  };
  const gaps = await interleave(
    { run: side('run'), execFile: side('execFile'), nothing: side('nothing') },
    { rounds: quick ? 5 : 200 },
  );
  if (resident[RESIDENT_BYTES - 1] !== 1) throw new Error('the memory is gone');
  const ours = summary(gaps.run);
  return {
    comparisons: [
      {
        title: 'The longest gap in the event loop during one call, 1 GiB resident',
        sides: [
          { what: '`run`', ...ours },
          { what: '`execFile`', ...summary(gaps.execFile), times: pairedRatio(gaps.execFile, gaps.run) },
          { what: 'no call, a timer', ...summary(gaps.nothing), times: pairedRatio(gaps.nothing, gaps.run) },
        ],
      },
      {
        title: 'The time until the call has returned its promise, 1 GiB resident',
        sides: [
          { what: '`run`', ...summary(held.run) },
          { what: '`execFile`', ...summary(held.execFile), times: pairedRatio(held.execFile, held.run) },
        ],
      },
    ],
    targets: [{ what: 'event loop held by one `run`, 1 GiB resident', unit: 'ms', measured: ours.p50, atMost: 0.2 }],
  };
}

/** The longest time in which nothing else could run, from before the call to after its end; and the call's own part. */
async function longestGap(call) {
  let gap = 0;
  let last;
  let isOver = false;
  const watched = new Promise((resolve) => {
    const tick = () => {
      const now = performance.now();
      if (last !== undefined) gap = Math.max(gap, now - last);
      last = now;
      if (isOver) resolve();
      else setImmediate(tick);
    };
    setImmediate(tick);
  });
  // Into the running loop, and not before it.
  await new Promise((resolve) => setImmediate(resolve));
  const begin = performance.now();
  const pending = call();
  const synchronous = performance.now() - begin;
  await pending;
  isOver = true;
  await watched;
  return { gap, synchronous };
}
