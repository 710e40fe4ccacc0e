// Runs commands, each with a log of its own.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Everything that is downloaded or built lies here. */
export const cache = join(root, 'target', 'platforms');

/** How much of a log is shown of what has failed. */
const TAIL_LINES = 40;

/** Something that this machine or its mirrors do not have. */
export class Unavailable extends Error {}

/** Something that should have held. */
export class Failed extends Error {}

/** Runs a command to its end. Its output goes into a file: under wine a pipe is no output for Node. */
export async function attempt(label, file, args, { env = {}, cwd = root } = {}) {
  const logs = join(cache, 'logs');
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${label.replaceAll(/[^\w.]+/g, '-')}.log`);
  const begin = performance.now();
  const out = openSync(log, 'w');
  const code = await new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', out, out] });
    child.on('error', (error) => resolve(error.code));
    child.on('close', (code, signal) => resolve(code ?? signal));
  });
  closeSync(out);
  console.log(`   ${label}: ${code === 0 ? 'ok' : `ended with ${code}`} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  return { code, log, output: readFileSync(log, 'utf8') };
}

/** As `attempt`, for what must succeed. */
export async function mustRun(label, file, args, options) {
  const done = await attempt(label, file, args, options);
  if (done.code === 0) return done.output;
  throw new Failed(`${label} ended with ${done.code}; ${done.log} ends so:\n${tail(done.output)}`);
}

/** As `attempt`, for what the machine may be without. */
export async function mustHave(what, label, file, args, options) {
  const { code, output } = await attempt(label, file, args, options);
  if (code !== 0) throw new Unavailable(what);
  return output;
}

export function tail(text) {
  return text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
}
