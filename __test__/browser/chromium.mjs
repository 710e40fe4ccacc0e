// The Chromium that is there.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { chromium } from 'playwright-core';

/** What it may be called on PATH. */
export const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
/** A test may run as root, and asks nobody but us. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Its path: `$ADRKIT_CHROMIUM`, or else what is on PATH; undefined where there is none. */
export const executablePath = process.env.ADRKIT_CHROMIUM ?? onPath();

function onPath() {
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => directories.map((directory) => join(directory, name))).find((file) => existsSync(file));
}

/** Starts it, headless. */
export function launch() {
  return chromium.launch({ executablePath, args: FLAGS });
}
