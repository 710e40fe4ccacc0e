// What a host pays for having the package at all: its load, and its size.
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { fresh } from '../sides/processes.mjs';
import { interleave, summary } from '../measure.mjs';

const script = fileURLToPath(new URL('../sides/load.cjs', import.meta.url));

export async function measure({ entry, programs, quick }) {
  const { load } = await interleave(
    { load: async () => (await fresh(script, [entry])).ms },
    { rounds: quick ? 3 : 30, warmUp: 2 },
  );
  const bytes = statSync(programs.addon).size;
  return {
    comparisons: [{ title: '`require` in a fresh process', sides: [{ what: '`require(\'@adrkit/native\')`', ...summary(load) }] }],
    targets: [
      { what: '`require` of the addon', unit: 'ms', measured: summary(load).p50, atMost: 5 },
      { what: 'size of the stripped addon', unit: 'bytes', measured: bytes, atMost: 4 * 2 ** 20 },
    ],
  };
}
