// node scripts/panel-picture.mjs: makes docs/panel.png, the panel of a made-up repository, by the addon and the Chromium
// that are there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { launch } from '../__test__/browser/chromium.mjs';
import { makeRepository, record } from '../__test__/e2e/support/repository.mjs';
import { Panels } from '../plugin/extensions/adrkit/panels.mjs';
import { root } from './cargo.mjs';

const RECORDS = [
  ['0003', 'accepted', 'src/net/**', 'Retry only what is idempotent'],
  ['0007', 'accepted', 'src/**', 'Keep the core free of frameworks'],
  ['0012', 'accepted', 'src/store/*.ts', 'Write to the store through one queue'],
  ['0019', 'proposed', 'src/store/**', 'Replace the queue by a write-ahead log'],
  ['0021', 'accepted', 'docs/**', 'Write documentation beside the code'],
];
const CHANGED = ['src/net/client.ts', 'src/net/retry.ts', 'src/store/queue.ts', 'src/main.ts', 'scripts/release.sh', 'README.md'];

const { Review } = createRequire(import.meta.url)(root);
const scratch = mkdtempSync(join(tmpdir(), 'adrkit-picture-'));
const panels = new Panels((cwd) => new Review({ cwd, env: { PATH: process.env.PATH, ADRKIT_ENGINE: 'embedded' } }));
try {
  const files = RECORDS.map((it) => [`docs/adr/${it[0]}-a.md`, record(...it)]);
  const repository = makeRepository(join(scratch, 'parcel-tracker'), Object.fromEntries(files));
  for (const name of CHANGED) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), '');
  }
  await panels.listen();
  const { url } = panels.open('panel', repository);
  await panels.get('panel').refresh('manual');
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 860, height: 980 } });
  await page.goto(url);
  await page.locator('#p-decisions [data-row]').first().waitFor();
  await page.screenshot({ path: join(root, 'docs', 'panel.png') });
  await browser.close();
} finally {
  await panels.dispose();
  rmSync(scratch, { recursive: true, force: true });
}
