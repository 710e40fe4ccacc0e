// The first question of a process: node --expose-gc cold.mjs PACKAGE DIRECTORY PATH
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [entry, cwd, path] = process.argv.slice(2);
const { check } = createRequire(import.meta.url)(entry);
const begin = performance.now();
await check({ cwd, paths: [path], engine: 'embedded' });
const ms = performance.now() - begin;
globalThis.gc();
console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss(), peak: peak() }));

/** The largest resident size so far, in bytes. */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(readFileSync('/proc/self/status', 'utf8').match(/^VmHWM:\s+(\d+) kB$/m)[1]) * 1024;
}
