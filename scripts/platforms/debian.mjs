// Packages of Debian, unpacked into the cache: nothing is installed but what cannot run from elsewhere.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt, cache, mustHave, mustRun, Unavailable } from './shell.mjs';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const SUITES = ['trixie', 'trixie-backports'];
const SOURCES = '/etc/apt/sources.list.d';

/** The mirror that this machine uses. */
function mirror() {
  const files = existsSync(SOURCES) ? readdirSync(SOURCES).map((name) => join(SOURCES, name)) : [];
  const lines = ['/etc/apt/sources.list', ...files].filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  return lines.join('\n').match(/^(?:URIs:|deb(?: \[.*\])?) +(https?:\/\/\S+\/debian)\/?(?:\s|$)/m)?.[1];
}

let index;

/** An apt of our own: it knows a later release, and nothing that is installed. */
async function apt() {
  index ??= prepare();
  return index;
}

async function prepare() {
  const from = mirror();
  if (from === undefined || !existsSync(KEYRING)) throw new Unavailable('a Debian mirror among the sources of apt');
  const dir = join(cache, 'apt');
  for (const made of ['etc/preferences.d', 'etc/apt.conf.d', 'lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(dir, made), { recursive: true });
  }
  writeFileSync(join(dir, 'status'), '');
  writeFileSync(join(dir, 'etc', 'sources.list'), SUITES.map((suite) => `deb [signed-by=${KEYRING} arch=amd64] ${from} ${suite} main\n`).join(''));
  const config = join(dir, 'apt.conf');
  const places = { 'Dir::Etc': 'etc', 'Dir::State::lists': 'lists', 'Dir::State::status': 'status', 'Dir::Cache': 'cache' };
  writeFileSync(config, [
    ...Object.entries(places).map(([key, place]) => `${key} "${join(dir, place)}";`),
    'APT::Architecture "amd64"; APT::Architectures {"amd64";}; APT::Sandbox::User "root";',
  ].join('\n'));
  const env = { APT_CONFIG: config };
  await mustHave('an answer of the Debian mirror', 'apt-get update', 'apt-get', ['update', '-qq'], { env });
  return env;
}

/** The versions of a package that the mirror has, the newest first. */
export async function versions(name) {
  const output = await mustRun(`versions of ${name}`, 'apt-cache', ['madison', name], { env: await apt() });
  return output.split('\n').map((line) => line.split('|')[1]?.trim()).filter(Boolean);
}

/** The directory into which `packages` (`name`, `name=version` or `name/suite`) are unpacked together. */
export async function unpacked(name, packages) {
  const dir = join(cache, 'debian', name);
  const done = join(dir, '.done');
  const wanted = packages.join(' ');
  if (existsSync(done) && readFileSync(done, 'utf8') === wanted) return dir;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  await mustHave(`the Debian packages ${wanted}`, `download ${name}`, 'apt-get', ['download', '-qq', ...packages], { env: await apt(), cwd: dir });
  for (const file of readdirSync(dir).filter((entry) => entry.endsWith('.deb'))) {
    await mustRun(`unpack ${file}`, 'dpkg-deb', ['-x', file, '.'], { cwd: dir });
    rmSync(join(dir, file));
  }
  writeFileSync(done, wanted);
  return dir;
}

/** Sees to it that `file` is there, which only works where its package puts it. */
export async function installed(file, packages) {
  if (existsSync(file)) return file;
  const words = ['install', '-qq', '--yes', '--no-install-recommends', ...packages];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  if (process.getuid?.() === 0) {
    await attempt('apt-get update of the machine', 'apt-get', ['update', '-qq']);
    await attempt(`install ${packages.join(' ')}`, 'apt-get', words, { env });
  }
  if (!existsSync(file)) throw new Unavailable(`${file} (apt-get install ${packages.join(' ')})`);
  return file;
}
