// The targets, what is done for each, and which tests cannot hold where they run.

/** Where a target's programs are not what they would be on a machine of their own. */
const NO_GIT = 'there is no git for Windows here';
const QEMU = 'the emulator answers for the system';

/**
 * `effort`: `run` builds and runs the tests, `link` builds the addon and the command, `check` only compiles.
 * `linker`: what links; `zig` brings the C library of each target along.
 * `cannot`: tests that are expected to fail there, by their whole name, and why. They are run and counted apart.
 */
export const targets = [
  {
    name: 'windows-x64',
    triple: 'x86_64-pc-windows-gnu',
    addon: { file: 'adrkit_native.dll', platform: 'win32-x64-msvc' },
    effort: 'run',
    runner: 'wine',
    linker: 'mingw',
    cannot: [[/^(changes|failures|states)::/, NO_GIT]],
  },
  {
    name: 'linux-arm64-gnu',
    triple: 'aarch64-unknown-linux-gnu',
    addon: { file: 'libadrkit_native.so', platform: 'linux-arm64-gnu' },
    effort: 'run',
    runner: 'qemu',
    linker: 'zig',
    cannot: [[/^what_cannot_be_started_is_told_by_reason$/, QEMU]],
  },
  {
    name: 'linux-x64-musl',
    triple: 'x86_64-unknown-linux-musl',
    addon: { file: 'libadrkit_native.so', platform: 'linux-x64-musl' },
    effort: 'run',
    runner: 'musl',
    linker: 'zig',
    rustFlags: '-C target-feature=-crt-static',
    cannot: [],
  },
  { name: 'darwin-arm64', triple: 'aarch64-apple-darwin', effort: 'link', linker: 'zig' },
  { name: 'darwin-x64', triple: 'x86_64-apple-darwin', effort: 'link', linker: 'zig' },
  { name: 'windows-x64-msvc', triple: 'x86_64-pc-windows-msvc', effort: 'check' },
  { name: 'windows-arm64-msvc', triple: 'aarch64-pc-windows-msvc', effort: 'check' },
  { name: 'linux-arm64-musl', triple: 'aarch64-unknown-linux-musl', effort: 'check' },
];

/** The targets that `words` name: the whole name, or its first part. All of them where there are no words. */
export function chosen(words) {
  const named = (target) => words.length === 0 || words.some((word) => `${target.name}-`.startsWith(`${word}-`));
  return targets.filter(named);
}
