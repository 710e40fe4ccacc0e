// The programs of benches/rust, and processes of Node, as sides of a comparison.
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { bare } from './host.mjs';

const execute = promisify(execFile);

/**
 * The floor: a small process that starts programs and says what each took; see benches/rust/src/bin/floor.rs.
 */
export function floor(program) {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Runs a program to its end; gives its milliseconds. */
    async run({ file, args = [], cwd, env }) {
      child.stdin.write(`${JSON.stringify({ program: file, args, cwd, env })}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error('the floor has ended');
      const { ns, code } = JSON.parse(value);
      if (code !== 0) throw new Error(`${file} ended with ${code}`);
      return ns / 1e6;
    },
    close: () => child.stdin.end(),
  };
}

/** Runs a script in a fresh Node, and gives what it prints as JSON. */
export async function fresh(script, args, { flags = [] } = {}) {
  const { stdout } = await execute(process.execPath, [...flags, script, ...args.map(String)], { env: bare, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}
