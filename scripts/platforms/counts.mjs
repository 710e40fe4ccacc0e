// What the output of test runs says. Pure.

/** Counts of tests: those that hold, those that `cannot` hold here with their reasons, and the names of those that fail. */
export function tally(results, cannot) {
  const counts = { passed: 0, skipped: {}, failed: [] };
  const skip = (reason) => (counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1);
  for (const { name, outcome, reason, said = '' } of results) {
    const known = cannot.find(({ test, error }) => test?.test(name) || error?.test(said));
    if (outcome === 'passed') counts.passed += 1;
    else if (outcome === 'skipped') skip(reason ?? 'ignored');
    else if (known) skip(known.why);
    else counts.failed.push(name);
  }
  return counts;
}

/** The tests in the output of `cargo test`. */
export function rustResults(output) {
  const outcomes = { ok: 'passed', FAILED: 'failed' };
  const results = [];
  for (const [, name, word, reason] of output.matchAll(/^test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, (.*))?$/gm)) {
    results.push({ name, outcome: outcomes[word] ?? 'skipped', reason });
  }
  return results;
}

/** The tests of the first level in the TAP that Node prints, each with what was said of it and of those within. */
export function tapResults(output) {
  const results = [];
  let begin = 0;
  for (const match of output.matchAll(/^(not )?ok \d+ - (.*?)(?: # (SKIP|TODO)(?: (.*))?)?$/gm)) {
    const [, not, name, directive, reason] = match;
    const end = Math.max(output.indexOf('\n  ...\n', match.index), match.index);
    results.push({ name, outcome: directive ? 'skipped' : not ? 'failed' : 'passed', reason, said: output.slice(begin, end) });
    begin = end;
  }
  return results;
}

/**
 * Whether a run has come to its end: every program of `cargo test` has summed up, or the one Node has.
 */
export function isComplete(output) {
  const count = (pattern) => [...output.matchAll(pattern)].length;
  const programs = count(/^ +Running (?:unittests |tests\/)/gm);
  if (programs > 0) return count(/^test result: /gm) === programs;
  return count(/^# tests \d+/gm) === 1;
}

/** What went wrong with a run beside its tests; nothing where its end is that of its tests. */
export function breakdown(code, results, complete) {
  if (!complete) return `ended with ${code} before its tests did`;
  if (code !== 0 && !results.some(({ outcome }) => outcome === 'failed')) return `ended with ${code}, though no test failed`;
  return undefined;
}

/** Both tallies as one. */
export function sum(a, b) {
  const skipped = { ...a.skipped };
  for (const [reason, number] of Object.entries(b.skipped)) skipped[reason] = (skipped[reason] ?? 0) + number;
  return { passed: a.passed + b.passed, skipped, failed: [...a.failed, ...b.failed] };
}

/** The names of the tests of a target that failed. */
export function failures({ rust, node }) {
  return [...(rust?.failed ?? []), ...(node?.failed ?? [])];
}

/** What a test harness takes for "not tried". */
const NOT_TRIED = 77;

/** With which code a check of several targets ends. A failure counts more than what could not be had. */
export function exitCode(results) {
  if (results.some((result) => result.error || failures(result).length > 0)) return 1;
  return results.some(({ missing }) => missing) ? NOT_TRIED : 0;
}
