// The targets, what is done for each, and which tests cannot hold where they run.

const NO_GIT = 'there is no git for Windows here';
const LIBRARY_PATH = 'the emulator needs a variable of its own in every environment';
const EXIT_127 = 'under the emulator a program that cannot start has started, and ends with 127';
const BY_LOADER = 'Node is started through its loader, so the program that runs is the loader itself';
const NO_LOADER = 'the loader that the program of Node names is not on the machine, but only in what the emulator looks into';
const TWO_STEPS = 'under the emulator a process is there before its program is, so a signal can come too early';

/**
 * `effort`: `run` builds and runs the tests, `link` builds the addon and the command, `check` only compiles.
 * `linker`: what links; `zig` brings the C library of each target along.
 * `cannot`: tests that are expected to fail there, told by their whole name (`test`) or by what Node says of them
 * (`error`), and why. They are run and counted apart. One that would hang is not run (`hangs`, its whole name).
 */
export const targets = [
  {
    name: 'windows-x64',
    triple: 'x86_64-pc-windows-gnu',
    addon: { file: 'adrkit_native.dll', platform: 'win32-x64-msvc' },
    effort: 'run',
    runner: 'wine',
    linker: 'mingw',
    cannot: [
      { test: /^(changes|failures|states)::/, why: NO_GIT },
      { error: /spawnSync git ENOENT/, why: NO_GIT },
      { test: /^a directory outside any work tree is refused in one sentence$/, why: NO_GIT },
      { test: /^a part of a snapshot that is missing says so$/, why: NO_GIT },
      { error: /ENOTSUP: .*, symlink/, why: 'wine makes no symbolic links' },
      { error: /EPERM: .*, unlink .*\.node'/, why: 'Windows keeps an addon that is loaded, and the test replaces it' },
    ],
  },
  {
    name: 'linux-arm64-gnu',
    triple: 'aarch64-unknown-linux-gnu',
    addon: { file: 'libadrkit_native.so', platform: 'linux-arm64-gnu' },
    effort: 'run',
    runner: 'qemu',
    linker: 'zig',
    cannot: [
      { test: /^what_cannot_be_started_is_told_by_reason$/, why: EXIT_127 },
      { test: /^a_process_that_cannot_start_says_why$/, why: EXIT_127 },
      { test: /^a_program_that_is_being_written_is_not_executable_yet$/, why: EXIT_127 },
      { test: /^a_process_that_fails_returns_a_fixed_message_/, why: EXIT_127 },
      { test: /^a process that cannot start is told by code$/, why: EXIT_127 },
      { hangs: 'process::registry::tests::an_entry_that_is_dropped_by_a_defect_takes_its_process_along', why: TWO_STEPS },
      { hangs: 'process::registry::tests::nothing_is_signalled_before_the_start_or_after_the_reap', why: TWO_STEPS },
      { hangs: 'process::registry::tests::a_call_that_is_ended_during_its_spawn_is_killed_before_the_end_returns', why: TWO_STEPS },
      { test: /^process::watcher::tests::a_group_that_is_gone_gets_none$/, why: TWO_STEPS },
      { test: /^a_host_that_shuts_down_in_the_middle_of_spawns_leaves_nothing$/, why: TWO_STEPS },
      { test: /^nothing_that_is_being_spawned_escapes_the_end$/, why: TWO_STEPS },
      { test: /^the environment is the one that is given, whole$/, why: LIBRARY_PATH },
      { test: /^a Node that was started through its interpreter is told by the report$/, why: NO_LOADER },
    ],
  },
  {
    name: 'linux-x64-musl',
    triple: 'x86_64-unknown-linux-musl',
    addon: { file: 'libadrkit_native.so', platform: 'linux-x64-musl' },
    effort: 'run',
    runner: 'musl',
    linker: 'zig',
    rustFlags: '-C target-feature=-crt-static',
    cannot: [
      { test: /^the report of Node says the same as its program's interpreter/, why: BY_LOADER },
      { test: /^a Node that was started through its interpreter is told by the report$/, why: BY_LOADER },
    ],
  },
  { name: 'darwin-arm64', triple: 'aarch64-apple-darwin', effort: 'link', linker: 'zig' },
  { name: 'darwin-x64', triple: 'x86_64-apple-darwin', effort: 'link', linker: 'zig' },
  { name: 'windows-x64-msvc', triple: 'x86_64-pc-windows-msvc', effort: 'check' },
  { name: 'windows-arm64-msvc', triple: 'aarch64-pc-windows-msvc', effort: 'check' },
  {
    name: 'linux-arm64-musl',
    triple: 'aarch64-unknown-linux-musl',
    effort: 'link',
    linker: 'zig',
    rustFlags: '-C target-feature=-crt-static',
  },
];

/** The targets that `words` name: the whole name, or its first part. All of them where there are no words. */
export function chosen(words) {
  const named = (target) => words.length === 0 || words.some((word) => `${target.name}-`.startsWith(`${word}-`));
  return targets.filter(named);
}
