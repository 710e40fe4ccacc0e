// Installs a release into an empty project, as a person would, and looks at what came of it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npm } from './npm.mjs';
import { serve } from './registry.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);

/** Each package manager, and its command line: no script is run, and nothing is asked of another registry. */
const MANAGERS = {
  npm: (project) => [process.execPath, [npm(), 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(project, '.cache'), NAME]],
  pnpm: (project) => [
    require.resolve('pnpm/pnpm'),
    ['add', '--ignore-scripts', `--store-dir=${join(project, '.store')}`, `--config.cache-dir=${join(project, '.cache')}`, NAME],
  ],
};
const NAME = '@adrkit/native';
const SCOPE = NAME.slice(0, NAME.indexOf('/'));

/** What is wrong with an installation of the release in `directory` by `manager`; nothing where all is well. */
export async function tryInstall(directory, manager, { types }) {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'adrkit-install-')));
  const registry = await serve(directory);
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
    writeFileSync(join(project, '.npmrc'), `registry=${registry.url}\n`);
    const [file, args] = MANAGERS[manager](project);
    const installed = await run(file, args, project);
    if (installed.code !== 0) return [`the installation failed:\n${installed.output}`];

    const found = presence(project, registry.downloads);
    for (const name of ['smoke.mjs', 'consumer.mts', 'consumer.cts', 'tsconfig.json']) {
      writeFileSync(join(project, name), readFileSync(join(here, 'project', name)));
    }
    const smoke = await run(process.execPath, ['smoke.mjs'], project);
    if (smoke.code !== 0 || smoke.output !== '') found.push(`it does not work:\n${smoke.output}`);
    if (types) {
      const compiler = join(here, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
      const roots = join(here, '..', '..', 'node_modules', '@types');
      const compiled = await run(process.execPath, [compiler, '-p', '.', '--typeRoots', roots], project);
      if (compiled.code !== 0) found.push(`its types do not compile:\n${compiled.output}`);
    }
    return found;
  } finally {
    await registry.close();
    rmSync(project, { recursive: true, force: true });
  }
}

/** What is installed must be the main package and one for this platform, and no more must have been fetched. */
function presence(project, downloads) {
  const found = [];
  const packages = packagesIn(project);
  const others = packages.filter((name) => !name.startsWith(SCOPE));
  if (others.length > 0) found.push(`${others.join(', ')} came along`);
  const own = packages.filter((name) => name.startsWith(`${NAME}-`));
  if (!packages.includes(NAME)) found.push(`${NAME} is not there`);
  const forThis = new RegExp(`^${NAME}-${process.platform}-${process.arch}(?:-\\w+)?$`);
  if (own.length !== 1 || !forThis.test(own[0])) found.push(`the packages of platforms are [${own.join(', ')}]`);
  // A package manager may ask for the same one again.
  const fetched = [...new Set(downloads)];
  if (fetched.length !== 2) found.push(`the tarballs that were fetched are [${fetched.join(', ')}]`);
  return found;
}

/** The names of all packages that are installed, wherever a package manager lays them. */
function packagesIn(project) {
  const modules = join(project, 'node_modules');
  const store = join(modules, '.pnpm');
  const places = [modules, ...(existsSync(store) ? readdirSync(store).map((name) => join(store, name, 'node_modules')) : [])];
  const names = new Set();
  for (const place of places.filter((each) => existsSync(each))) {
    for (const name of readdirSync(place).filter((each) => !each.startsWith('.'))) {
      if (!name.startsWith('@')) names.add(name);
      else for (const part of readdirSync(join(place, name))) names.add(`${name}/${part}`);
    }
  }
  return [...names].sort();
}

/** Runs a program apart from what npm gave this one, and returns its exit code and all that it printed. */
async function run(file, args, cwd) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/i.test(name)));
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, output };
}
