// What the plugin costs beside an extension that does nothing, in the same run. Printed; only the gross is judged, for
// the machine may be busy.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { here } from './support/cli.mjs';
import { beside, start } from './support/host.mjs';

const ROUNDS = 60;
const WARM_UP = 10;
/** Far above what is measured; only a hook that works where it should not reaches it. */
const MOST = 5;

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

test('the cost of a tool call and of an edit, beside an extension that does nothing', here, async (t) => {
  const noop = await start(t, { plugins: [beside('noop')], tools: ['noop'] });
  const adrkit = await start(t, { env: { ADRKIT_ENGINE: 'embedded' } });
  for (const it of [noop, adrkit]) await it.session.rpc.tools.initializeAndValidate();
  let n = 0;
  const calls = {
    'view, which is no edit': [view, view],
    'create, the first edit of a governed file': [create, create],
    'edit, of a file that was noted before': [again, again],
    'adr_explain, beside a tool that does nothing': [(it) => it.execute('noop'), (it) => it.execute('adr_explain', { path: 'src/net.ts' })],
  };
  function view(it) {
    return it.execute('view', { path: join(it.repository, 'src/other.ts') });
  }
  function create(it) {
    return it.execute('create', { path: join(it.repository, `src/n${(n += 1)}.ts`), file_text: 'a\n' });
  }
  function again(it) {
    writeFileSync(join(it.repository, 'src/net.ts'), 'a\n');
    return it.execute('edit', { path: join(it.repository, 'src/net.ts'), old_str: 'a', new_str: 'b' });
  }
  for (const [what, [base, ours]] of Object.entries(calls)) {
    const times = [[], []];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      // Alternated, and in turned order: the machine's moods meet both alike.
      const pair = [[0, noop, base], [1, adrkit, ours]];
      for (const [side, it, call] of round % 2 === 0 ? pair : pair.reverse()) {
        const begin = performance.now();
        const { resultType, textResultForLlm } = await call(it);
        if (round >= WARM_UP) times[side].push(performance.now() - begin);
        assert.equal(resultType, 'success', textResultForLlm);
      }
    }
    const [theirs, mine] = times.map(median);
    t.diagnostic(`${what}: ${mine.toFixed(2)} ms beside ${theirs.toFixed(2)} ms, ratio ${(mine / theirs).toFixed(2)}`);
    assert.ok(mine / theirs < MOST, `${what}: ${mine} / ${theirs}`);
  }
});
