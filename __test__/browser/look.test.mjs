// How the page looks: readable for everybody, in both colour schemes, on narrow and wide screens.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeRepository, record } from '../e2e/support/repository.mjs';
import { scratch } from '../fixtures/processes.mjs';
import { here, show } from './support.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SERIOUS = ['serious', 'critical'];
// Without its policy the page asks for an icon.
const FAVICON = /404 \(Not Found\)/;

/** A repository that has something for every part of the page. */
function full(t) {
  const long = 'A title that goes on and on, as long as one may be, without_a_single_space_in_the_second_half_of_all_that_it_says';
  const cwd = makeRepository(join(scratch(t), 'r'), {
    'docs/adr/0001-a.md': record('0001', 'accepted', 'src/**', long),
    'docs/adr/0002-b.md': record('0002', 'proposed', 'src/net.ts', 'Split the core'),
    'docs/adr/0003-c.md': record('0003', 'deprecated', 'src/**', 'Keep it in one piece'),
    'docs/adr/0004-d.md': record('0004', 'accepted', 'lib/**').replace('title:', 'titel:'),
  });
  for (let n = 0; n < 30; n += 1) writeFileSync(join(cwd, `src/f${n}-${'with-a-long-name-'.repeat(n % 8)}.ts`), '');
  writeFileSync(join(cwd, 'free.txt'), 'two\n');
  return cwd;
}

for (const colorScheme of ['light', 'dark']) {
  for (const width of [320, 900, 2000]) {
    test(`${width} pixels wide, ${colorScheme}: accessible, and nothing sticks out`, here, async (t) => {
      const { page } = await show(t, full(t), { width, colorScheme, bypassCSP: true, accepts: FAVICON });
      await page.locator('#p-decisions summary').first().waitFor();
      await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
      await page.evaluate(axe);
      const violations = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
      const found = violations.filter(({ impact }) => SERIOUS.includes(impact)).map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
      assert.deepEqual(found, []);
      t.diagnostic(`less than serious: ${violations.map(({ id }) => id).join(', ') || 'nothing'}`);
      const [inside, outside] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
      assert.equal(outside, inside);
      assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgba(0, 0, 0, 0)');
    });
  }
}
