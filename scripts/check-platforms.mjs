// npm run check:platforms [-- TARGET...]: builds for every platform, and runs what this machine can run of it.
//
// What it needs comes from the registries of Debian, PyPI and npm, and stays in target/platforms. It ends with 1 where
// something fails, and with 77 where something could not be had and nothing has failed.
import { buildTests, builder, check, link } from './platforms/build.mjs';
import { exitCode, failures } from './platforms/counts.mjs';
import { record, row, writePage } from './platforms/page.mjs';
import { runners } from './platforms/runners.mjs';
import { Failed, Unavailable } from './platforms/shell.mjs';
import { nodeTests, rustTests } from './platforms/suites.mjs';
import { chosen, targets } from './platforms/targets.mjs';
import { rustc } from './platforms/tools.mjs';

const words = process.argv.slice(2);
const wanted = chosen(words);
if (wanted.length === 0) {
  console.error(`No such target: ${words.join(' ')}. There are ${targets.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const results = [];
for (const target of wanted) {
  console.log(`\n== ${target.name}`);
  const result = await examine(target);
  record(result);
  results.push(result);
}
console.log(`\n${results.map(row).join('\n')}`);
for (const { name, error } of results.filter((result) => result.error)) console.error(`\n${name}: ${error}`);
for (const { name, missing } of results.filter((result) => result.missing)) {
  console.log(`\n${name} could not be done: this machine lacks ${missing}.`);
}
for (const result of results) for (const test of failures(result)) console.error(`${result.name}: failed: ${test}`);
if (writePage()) console.log('\ndocs/platforms.md is written.');
process.exitCode = exitCode(results);

/** Does with a target what can be done here, and says how far that was. */
async function examine(target) {
  const { name, triple } = target;
  const result = { name, triple, date: new Date().toISOString().slice(0, 10), machine: `${rustc.split(' ').slice(0, 2).join(' ')}` };
  try {
    const cargo = await builder(target);
    if (target.effort === 'check') {
      await check(target, cargo);
      return { ...result, compiled: true };
    }
    if (target.effort === 'link') {
      await link(target, cargo);
      return { ...result, compiled: true, linked: true };
    }
    await buildTests(target, cargo);
    Object.assign(result, { compiled: true, linked: true });
    const runner = await runners[target.runner]();
    try {
      result.how = runner.how;
      result.rust = await rustTests(target, cargo, runner);
      result.node = await nodeTests(target, runner);
    } finally {
      await runner.close();
    }
  } catch (error) {
    if (error instanceof Unavailable) result.missing = error.message;
    else if (error instanceof Failed) result.error = error.message;
    else throw error;
  }
  return result;
}
