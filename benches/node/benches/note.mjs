// The note after an edit: what a person waits for, edit by edit.
import { env, used } from '../sides/host.mjs';
import * as javascript from '../sides/javascript.mjs';
import { interleave, pairedRatio, summary, timed } from '../measure.mjs';

export async function measure({ native: { Hooks }, small: { root, files }, quick }) {
  const hooks = new Hooks({ env });
  const unknown = files.values();
  const next = () => unknown.next().value;
  const known = next();
  let told = 0;
  const edit = async (path) => {
    if ((await hooks.onPostToolUse(used('edit', root, path))) !== undefined) told += 1;
  };
  await edit(known);
  const alone = await interleave(
    {
      first: () => timed(() => edit(next())),
      known: () => timed(() => edit(known)),
      other: () => timed(() => hooks.onPostToolUse(used('view', root, known))),
    },
    { rounds: quick ? 20 : 2000 },
  );
  const beside = await interleave(
    { first: () => timed(() => edit(next())), execFile: () => timed(() => javascript.note(root, next())) },
    { rounds: quick ? 2 : 25 },
  );
  hooks.dispose();
  if (told === 0) throw new Error('no edit was noted');
  const times = pairedRatio(beside.execFile, beside.first);
  const [first, again, other] = [alone.first, alone.known, alone.other].map(summary);
  return {
    comparisons: [
      {
        title: 'The note after an edit, 500 records',
        sides: [
          { what: 'first edit of a path', ...first },
          { what: 'path already known', ...again },
          { what: 'tool that is no edit', ...other },
        ],
      },
      {
        title: 'The first edit of a path, in turn with `execFile` of the command',
        sides: [
          { what: 'in process', ...summary(beside.first) },
          { what: '`execFile`, stand-in for `adr`', ...summary(beside.execFile), times },
        ],
      },
    ],
    targets: [
      { what: 'note, first edit of a path', unit: 'ms', measured: first.p50, atMost: 1 },
      { what: 'the same, how many times faster than `execFile`', unit: 'ratio', measured: times, atLeast: 50 },
      { what: 'note, path already known', unit: 'ms', measured: again.p50, atMost: 0.02 },
      { what: 'a tool that is no edit', unit: 'ms', measured: other.p50, atMost: 0.02 },
    ],
  };
}
