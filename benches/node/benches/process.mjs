// One process call: a trivial program, its outputs captured.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { execa } from 'execa';

import { TRUE, bare } from '../sides/host.mjs';
import { floor } from '../sides/processes.mjs';
import { interleave, pairedRatio, summary, timed } from '../measure.mjs';

const execute = promisify(execFile);
const DEADLINE_MS = 60_000;

export async function measure({ native: { run }, programs, quick }) {
  const [cwd, env] = ['/', bare];
  const starter = floor(programs.floor);
  const ours = () => timed(() => run(TRUE, [], { cwd, env, timeoutMs: DEADLINE_MS }));
  const rounds = quick ? 10 : 1000;
  // Two comparisons: where JavaScript forks, it leaves the pages of the host to be copied by whoever runs next.
  const alone = await interleave({ run: ours, floor: () => starter.run({ file: TRUE, cwd, env }) }, { rounds });
  const times = await interleave(
    {
      run: ours,
      execFile: () => timed(() => execute(TRUE, [], { cwd, env, signal: AbortSignal.timeout(DEADLINE_MS) })),
      execa: () => timed(() => execa(TRUE, [], { cwd, env, extendEnv: false, stdin: 'ignore', timeout: DEADLINE_MS })),
    },
    { rounds },
  );
  starter.close();
  const beside = (side) => pairedRatio(times[side], times.run);
  return {
    comparisons: [
      {
        title: `\`run\` of \`${TRUE}\``,
        sides: [
          { what: '`run`', ...summary(alone.run) },
          {
            what: '`std::process::Command` in a small process',
            ...summary(alone.floor),
            times: pairedRatio(alone.floor, alone.run),
          },
        ],
      },
      {
        title: `\`run\` of \`${TRUE}\`, in turn with what JavaScript has`,
        sides: [
          { what: '`run`', ...summary(times.run) },
          { what: '`execFile`', ...summary(times.execFile), times: beside('execFile') },
          { what: '`execa`', ...summary(times.execa), times: beside('execa') },
        ],
      },
    ],
    targets: [
      { what: '`run` beside `std::process::Command`', unit: 'ratio', measured: pairedRatio(alone.run, alone.floor), atMost: 1.15 },
      { what: '`run` beside `execFile`', unit: 'ratio', measured: pairedRatio(times.run, times.execFile), atMost: 1 },
      { what: '`run` beside `execa`', unit: 'ratio', measured: pairedRatio(times.run, times.execa), atMost: 1 },
    ],
  };
}
