// The summary at the start of a session, beside the git calls that it cannot do without.
import { shellScript, trace } from '../git-calls.mjs';
import { env, started } from '../sides/host.mjs';
import { floor } from '../sides/processes.mjs';
import { interleave, pairedRatio, summary, timed } from '../measure.mjs';

export async function measure({ native: { Hooks }, programs, scratch, small: { root }, quick }) {
  const summarise = async (hooks, session) => {
    if ((await hooks.onSessionStart(started(root, session))) === undefined) throw new Error('nothing was told');
  };
  const traced = await trace(
    async (env) => {
      const hooks = new Hooks({ env });
      await summarise(hooks, 's');
      hooks.dispose();
    },
    { program: programs.gitTrace, scratch, env },
  );
  const script = shellScript(traced);
  const starter = floor(programs.floor);
  const hooks = new Hooks({ env });
  const times = await interleave(
    {
      hook: (round) => timed(() => summarise(hooks, `s${round}`)),
      git: () => starter.run({ file: '/bin/sh', args: ['-c', script], cwd: root, env: traced.calls[0].env }),
    },
    { rounds: quick ? 5 : 60 },
  );
  hooks.dispose();
  starter.close();
  const ratio = pairedRatio(times.hook, times.git);
  return {
    comparisons: [
      {
        title: '`onSessionStart`, 20,000 files, 120 of them changed, 500 records',
        sides: [
          { what: 'the same git calls, by a shell', ...summary(times.git) },
          { what: '`onSessionStart`', ...summary(times.hook), times: ratio },
        ],
      },
    ],
    figures: [
      {
        title: 'The git calls that were traced',
        columns: ['', 'call', 'waits for'],
        rows: traced.calls.map(({ args, after }, i) => [i + 1, `\`${words(args)}\``, after.map((n) => n + 1).join(', ')]),
      },
    ],
    targets: [{ what: '`onSessionStart` beside its git calls', unit: 'ratio', measured: ratio, atMost: 1.25 }],
  };
}

/** The subcommand and its arguments, without the options of git itself, and with commits cut short. */
function words(args) {
  const at = args.findIndex((word, i) => !word.startsWith('-') && args[i - 1] !== '-c');
  return args.slice(at).join(' ').replaceAll(/[0-9a-f]{40,}/g, '<commit>').replaceAll('|', '\\|');
}
