// Writes docs/platforms.md from what has been seen of each target.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cache, root } from './shell.mjs';
import { targets } from './targets.mjs';

const records = join(cache, 'results');

/** Keeps what was seen of a target, so that checking another one later does not lose it. */
export function record(result) {
  mkdirSync(records, { recursive: true });
  writeFileSync(join(records, `${result.name}.json`), JSON.stringify(result, null, 2));
}

/** Writes the page. False where a target has never been checked in this tree: the page would have a hole. */
export function writePage() {
  const files = targets.map(({ name }) => join(records, `${name}.json`));
  if (!files.every((file) => existsSync(file))) return false;
  writeFileSync(join(root, 'docs', 'platforms.md'), page(files.map((file) => JSON.parse(readFileSync(file, 'utf8')))));
  return true;
}

/** The row of one target. */
export function row({ name, triple, compiled, linked, how, rust, node, date, missing, machine }) {
  const cells = [
    `${name} (\`${triple}\`)`,
    compiled ? (linked ? 'compiled and linked' : 'compiled') : 'no',
    how ?? 'no',
    counted(rust),
    counted(node),
    `${date}, ${machine}`,
    missing ?? '',
  ];
  return `| ${cells.join(' | ')} |`;
}

function counted(counts) {
  if (!counts) return '';
  const skipped = Object.values(counts.skipped).reduce((sum, number) => sum + number, 0);
  const parts = [`${counts.passed} passed`];
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (counts.failed.length > 0) parts.push(`**${counts.failed.length} failed**`);
  return parts.join(', ');
}

function page(results) {
  const reasons = results.flatMap(({ name, rust, node }) =>
    [['Rust', rust], ['Node', node]].flatMap(([kind, counts]) =>
      Object.entries(counts?.skipped ?? {}).map(([reason, number]) => `| ${name} | ${kind} | ${number} | ${reason.trim()} |`)));
  return `# Platforms

Written by \`npm run check:platforms\`; do not edit. It builds for each target with a standard library from source, and runs
what this one machine can run: Windows under wine, Linux on arm64 under qemu, Linux with musl through musl's own loader. One
target alone: \`npm run check:platforms -- windows\`. It ends with 1 where something fails, with 77 where something could not
be had and nothing has failed. Linux x64 with glibc is what \`npm test\` runs on.

| target | built | run by | Rust tests | Node tests | when, on what | could not be done |
| --- | --- | --- | --- | --- | --- | --- |
${results.map(row).join('\n')}

Windows is built with the GNU ABI to be run, and compiled for the MSVC ABI, which is what is published.

## Tests that were skipped

| target | tests | how many | why |
| --- | --- | --- | --- |
${reasons.join('\n')}

${NOT_SEEN}`;
}

const NOT_SEEN = `## Not seen by this check

- **macOS**: nothing runs. By documentation these differ there: \`kill\` answers EPERM for a group that has only zombies left,
  which is taken for "gone" once its leader has ended; \`waitid\` tells no signal, so the status is asked of \`waitpid\`; there is
  no pidfd, so a thread waits for the exit, which Linux is tested with too; and the file system mostly ignores letter case, so
  whether an entry of PATH lies in the work tree is up to what \`realpath\` calls both.
- **A real Windows**: wine stands in for it. It does not show that no console window appears, what a job of the host's with
  limits of its own refuses, how antivirus and sharing violations behave, or NTFS: names are compared by wine on a case-sensitive
  file system. A refused assignment is made with a job handle that lacks the right.
- **git for Windows**: none can be had here. Which \`git.exe\` is chosen is tested with a stand-in; what it answers is not.
- **The MSVC ABI**: compiled only. **Linux on arm64 with musl**: linked, and nothing runs.
- **A real arm64**: qemu-user passes system calls to the kernel of the machine.
`;
