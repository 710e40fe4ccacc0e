// Times and ratios. A machine has moods, so what is compared is measured in turn in the same run, and each ratio is of
// two neighbours; the median of the ratios is what counts.

/** What a call takes, in milliseconds. */
export async function timed(call) {
  const begin = performance.now();
  await call();
  return performance.now() - begin;
}

/**
 * Calls all sides once in each round, in turned order, and keeps their times. A side is an asynchronous function that
 * gives its own milliseconds; it is told the number of the round, which is negative while warming up.
 *
 * @returns for each side its samples, in the order of the rounds.
 */
export async function interleave(sides, { rounds, warmUp = Math.ceil(rounds / 10) }) {
  const names = Object.keys(sides);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const ms = await sides[name](round);
      if (round >= 0) samples[name].push(ms);
    }
  }
  return samples;
}

/** The value below which the share `at` of the samples lies; between two samples, in proportion. */
export function percentile(samples, at) {
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}

export const median = (samples) => percentile(samples, 0.5);

/** The median of how many times as long `a` took as its neighbour `b`. */
export function pairedRatio(a, b) {
  return median(a.map((sample, i) => sample / b[i]));
}

/** A sample's summary, in the unit of the samples. */
export function summary(samples) {
  return { n: samples.length, p10: percentile(samples, 0.1), p50: median(samples), p90: percentile(samples, 0.9) };
}
