// Chromium, and a page of a panel in it. What the page may not do, and what it complains about, fails the test.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import * as adrkit from '@adrkit/native';

import { Panels } from '../../plugin/extensions/adrkit/panels.mjs';
import { NAMES, executablePath, launch } from './chromium.mjs';

/** How long a test waits for what must happen. Only a failure waits so long. */
const PATIENCE_MS = 20_000;

/** Why these tests cannot run here. Where `ADRKIT_REQUIRE_CHROMIUM` is set they fail instead of being skipped. */
export const here =
  executablePath === undefined && !process.env.ADRKIT_REQUIRE_CHROMIUM
    ? { skip: `There is none of ${NAMES.join(', ')} on PATH, and ADRKIT_CHROMIUM is not set.` }
    : {};

let browser;
after(() => browser?.close());

/** Panels of real reviews, by the embedded engine, served. */
export async function serve(t) {
  const env = { PATH: process.env.PATH, ADRKIT_ENGINE: 'embedded' };
  const panels = new Panels((cwd) => new adrkit.Review({ cwd, env }));
  await panels.listen();
  t.after(() => panels.dispose());
  return panels;
}

/** A panel of `directory`, collected, in a page of its own. */
export async function show(t, directory, options = {}) {
  const panels = options.panels ?? (await serve(t));
  const { url } = panels.open('panel', directory);
  await panels.get('panel').refresh('manual');
  return { panels, url, ...(await openPage(t, url, options)) };
}

/**
 * Opens a page, after the script `before` in it. What it asks of another host, and each complaint that is none of those
 * that the test `accepts`, makes the test fail.
 */
export async function openPage(t, url, { width = 900, height = 800, colorScheme = 'light', bypassCSP = false, permissions = [], accepts, before } = {}) {
  const complaints = [];
  browser ??= await launch();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, bypassCSP, permissions });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(request.url());
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(violatedDirective, blockedURI));
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints.filter((words) => !accepts?.test(words)), []);
  });
  if (before !== undefined) await page.addInitScript(before);
  await page.goto(url);
  return { page };
}
