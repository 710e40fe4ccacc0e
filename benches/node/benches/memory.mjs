// What stays in memory of a long session: many hook events and process calls.
import { TRUE, env, started, used } from '../sides/host.mjs';

const EVENTS = 100_000;
const CALLS = 10_000;
/** Once more as many before the first look, so that every cache is full that has a limit. */
const WARM_UP = 0.5;
const LOOKS = 10;
/** Past this the rest is left out, and the table says how much was done. */
const TIME_BOX_MS = 180_000;
/** In so many events, one is the start of a session, and one the first edit of a path. */
const START_EVERY = 500;
const NEW_PATH_EVERY = 10;

export async function measure({ native: { Hooks, run }, tiny: { root, files }, quick }) {
  const scale = quick ? 0.01 : 1;
  const hooks = new Hooks({ env });
  let event = 0;
  const happen = () => {
    event += 1;
    if (event % START_EVERY === 0) return hooks.onSessionStart(started(root, `session-${event}`));
    if (event % NEW_PATH_EVERY === 0) return hooks.onPostToolUse(used('create', root, `packages/core/src/new-${event}.ts`));
    return hooks.onPostToolUse(used(event % 2 === 0 ? 'view' : 'edit', root, files[event % files.length]));
  };
  const call = () => run(TRUE, [], { cwd: '/', env });
  const begin = performance.now();
  /** The work of one look, in small alternating parts. */
  const work = async (events, calls) => {
    const parts = Math.max(1, Math.floor(calls / 10));
    for (let part = 0; part < parts; part += 1) {
      for (let i = 0; i < events / parts; i += 1) await happen();
      for (let i = 0; i < calls / parts; i += 1) await call();
      if (performance.now() - begin > TIME_BOX_MS) return (part + 1) / parts;
    }
    return 1;
  };
  await work(EVENTS * WARM_UP * scale, CALLS * WARM_UP * scale);
  const looks = [await resident()];
  let done = 0;
  while (looks.length <= LOOKS) {
    const share = await work((EVENTS * scale) / LOOKS, (CALLS * scale) / LOOKS);
    done += share / LOOKS;
    looks.push(await resident());
    if (share < 1) break;
  }
  hooks.dispose();
  const more = looks.at(-1).rss - looks[0].rss;
  const [events, calls] = [EVENTS, CALLS].map((all) => Math.round(all * scale * done));
  return {
    figures: [
      {
        title: `Resident memory over ${events} hook events and ${calls} process calls, from the warm-up on`,
        columns: ['', ...looks.map((_, i) => `${(i * 100) / LOOKS} %`)],
        rows: [['resident', ...looks.map(({ rss }) => rss)], ['of it the heap of JavaScript', ...looks.map(({ heap }) => heap)]],
        unit: 'bytes',
      },
    ],
    targets: [
      { what: `memory after ${events} hook events and ${calls} process calls`, unit: 'bytes', measured: more, atMost: 2 * 2 ** 20 },
    ],
  };
}

/** What is resident once all garbage is gone: the least of a few looks, for the collector works in the background. */
async function resident() {
  let least = { rss: Infinity };
  for (let i = 0; i < 5; i += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { rss, heapTotal: heap } = process.memoryUsage();
    if (rss < least.rss) least = { rss, heap };
  }
  return least;
}
