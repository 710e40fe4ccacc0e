// The benches in Rust: criterion runs them and writes what it saw.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { summary } from './measure.mjs';

const NANOSECONDS = 1e-6;

/** Runs them and gives the results as those of any other bench. */
export function measureEngine({ cargo, root, home, repositories, env, quick }) {
  rmSync(home, { recursive: true, force: true });
  execFileSync(cargo, ['bench', '--locked', '--package', 'adrkit-benches'], {
    cwd: root,
    env: {
      ...env,
      CRITERION_HOME: home,
      ADRKIT_BENCH_REPOSITORIES: repositories,
      ...(quick ? { ADRKIT_BENCH_QUICK: '1' } : {}),
    },
    stdio: ['ignore', 2, 'inherit'],
  });
  return { comparisons: [{ title: 'The embedded engine alone, in Rust', sides: criterionResults(home) }], targets: [] };
}

/** What stands in criterion's directory: for each bench its samples, as times of one iteration. */
function criterionResults(home) {
  const files = readdirSync(home, { recursive: true }).filter((file) => file.endsWith(join('new', 'benchmark.json')));
  return files.sort().map((file) => {
    const read = (name) => JSON.parse(readFileSync(join(home, file, '..', name), 'utf8'));
    const { iters, times } = read('sample.json');
    return { what: read('benchmark.json').full_id.replace('/', ': '), ...summary(times.map((ns, i) => (ns / iters[i]) * NANOSECONDS)) };
  });
}
