// What an extension in JavaScript does without this package: `execFile` of the command, under a deadline.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { bare } from './host.mjs';

const execute = promisify(execFile);

/** The stand-in for the command. */
export const adr = fileURLToPath(new URL('adr.mjs', import.meta.url));

/** Far above what is measured: a bench is not to be cut short. */
const DEADLINE_MS = 60_000;

/** A check of paths by the stand-in for the command. */
export async function check(cwd, paths) {
  const { stdout } = await execute(process.execPath, [adr, 'check', '--json', '--dir', 'docs/adr', ...paths], {
    cwd,
    env: bare,
    signal: AbortSignal.timeout(DEADLINE_MS),
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout);
}

/** The note on an edit. */
export async function note(cwd, path) {
  const ids = (await check(cwd, [path])).governing.map(({ recordId }) => recordId);
  return ids.length === 0 ? undefined : `What you just edited is governed by accepted decisions ${ids.join(', ')}.`;
}
