// What a built addon must be, before it is packed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

import { findCargo, hostTriple } from '../cargo.mjs';
import { GLIBC, MAX_ADDON_BYTES } from './limits.mjs';
import { root } from './platforms.mjs';

const FORMATS = { linux: 'elf', darwin: 'mach-o', win32: 'pe' };
const ARCHITECTURES = { x64: 'X86_64', arm64: 'Aarch64' };

/** What Node looks up; a symbol beside these could be taken for another addon's. */
const ENTRY = 'napi_register_module_v1';
const EXPORTS = new Set([ENTRY, 'node_api_module_get_api_version_v1']);

/** How many of the other symbols a message shows. */
const SHOWN = 3;

/** The libraries of a bare system, on which Node runs. */
const LIBRARIES = {
  gnu: /^(?:lib(?:c|m|dl|rt|pthread|util)\.so\.\d|ld-linux-[\w-]+\.so\.\d)$/,
  musl: /^libc\.(?:so|musl-\w+\.so\.1)$/,
  darwin: /^\/(?:usr\/lib\/lib[\w.]+\.dylib|System\/Library\/Frameworks\/[\w./]+)$/,
  // The C runtime of Visual Studio is not among them: it must be linked in.
  win32: /^(?:kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|ws2_32|userenv|msvcrt|api-ms-win-[\w-]+)\.dll$/i,
};

/** A directory of a person or of a build service, in a path of any system. */
const HOME = /(?:\/(?:home|root|Users|github|__w)\/|[A-Za-z]:[\\/](?:Users|a)[\\/])[\w.@-]+[\\/][ -~]{0,80}/;

/** The facts of addons, in the order of the files: see examples/inspect-addon.rs. */
export function inspect(files) {
  const cargo = findCargo();
  // The target is named as `npm test` names it, so that what that has built is used.
  const args = ['run', '--quiet', '--locked', '--target', hostTriple(cargo), '--example', 'inspect-addon', '--', ...files];
  const { status, stdout } = spawnSync(cargo, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error('An addon could not be read.');
  return JSON.parse(stdout);
}

/** Why an addon with these facts is none for this platform; nothing where it is one. */
export function identityProblems(platform, facts) {
  const found = [];
  const expect = (name, actual, expected) => {
    if (actual !== expected) found.push(`its ${name} is ${actual}, not ${expected}`);
  };
  expect('format', facts.format, FORMATS[platform.platform]);
  expect('architecture', facts.architecture, ARCHITECTURES[platform.arch]);
  if (!facts.isDynamicLibrary) found.push('it is no library');
  if (!exported(facts).includes(ENTRY)) found.push(`it does not export ${ENTRY}`);
  return found;
}

/** What keeps an addon with these facts and bytes from being published for this platform; nothing where all is well. */
export function problems(platform, facts, bytes) {
  const found = identityProblems(platform, facts);
  const others = exported(facts).filter((name) => !EXPORTS.has(name));
  if (others.length > 0) found.push(`it exports ${others.length} other symbols: ${others.slice(0, SHOWN).join(', ')}`);

  const libraries = LIBRARIES[platform.platform === 'linux' ? platform.abi : platform.platform];
  for (const name of facts.libraries) if (!libraries.test(name)) found.push(`it needs ${name}`);
  for (const version of facts.versions) if (!allowed(version)) found.push(`it needs ${version}, which is newer than ${GLIBC}`);

  if (bytes.length > MAX_ADDON_BYTES) found.push(`it has ${bytes.length} bytes, more than ${MAX_ADDON_BYTES}`);
  const path = pathIn(bytes);
  if (path !== undefined) found.push(`it holds a path of the machine that built it: ${path}`);
  return found;
}

/** The names that it exports, as C has them: Mach-O puts an underscore before each. */
function exported(facts) {
  return facts.format === 'mach-o' ? facts.exports.map((name) => name.replace(/^_/, '')) : facts.exports;
}

/** Whether a system with our glibc has the version. One without numbers, such as GLIBC_ABI_DT_RELR, is of a newer one. */
function allowed(version) {
  const [, major, minor] = version.match(/^GLIBC_(\d+)\.(\d+)(?:\.\d+)?$/) ?? [];
  const [ourMajor, ourMinor] = GLIBC.split('.').map(Number);
  return Number(major) < ourMajor || (Number(major) === ourMajor && Number(minor) <= ourMinor);
}

/** A path of the building machine in a file's bytes: of this one by its name, of another by its form. */
export function pathIn(bytes) {
  const text = bytes.toString('latin1');
  const here = [root, homedir()].find((path) => path.length > 1 && text.includes(`${path}/`));
  return here ?? text.match(HOME)?.[0];
}
