// Twenty times as many records: what the first question costs, and what stays in memory.
import { fileURLToPath } from 'node:url';

import { fresh } from '../sides/processes.mjs';
import { interleave, median, pairedRatio, summary } from '../measure.mjs';

const script = fileURLToPath(new URL('../sides/cold.mjs', import.meta.url));

export async function measure({ entry, small, large, quick }) {
  const rss = { small: [], large: [] };
  const peak = { small: [], large: [] };
  const side = (name, { root, files }) => async () => {
    const seen = await fresh(script, [entry, root, files[0]], { flags: ['--expose-gc'] });
    rss[name].push(seen.rss);
    peak[name].push(seen.peak);
    return seen.ms;
  };
  const cold = await interleave(
    { small: side('small', small), large: side('large', large) },
    { rounds: quick ? 2 : 12, warmUp: 1 },
  );
  const times = pairedRatio(cold.large, cold.small);
  const more = median(rss.large) - median(rss.small);
  return {
    comparisons: [
      {
        title: 'The first question of a process: all records are read',
        sides: [
          { what: '500 records', ...summary(cold.small) },
          { what: '10,000 records', ...summary(cold.large), times },
        ],
      },
    ],
    figures: [
      {
        title: 'Memory of that process, in resident bytes (median)',
        rows: [
          ['500 records', median(rss.small), median(peak.small)],
          ['10,000 records', median(rss.large), median(peak.large)],
        ],
        columns: ['', 'after the answer', 'at its peak'],
        unit: 'bytes',
      },
    ],
    targets: [
      { what: '10,000 records, cold load beside that of 500', unit: 'ratio', measured: times, atMost: 25 },
      { what: '10,000 records, memory above that with 500', unit: 'bytes', measured: more, atMost: 40 * 2 ** 20 },
    ],
  };
}
