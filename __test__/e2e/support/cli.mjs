// The real Copilot CLI, as its npm package brings it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../fixtures/processes.mjs';

const e2e = join(root, '__test__', 'e2e');
const PLATFORMS = ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
const platform = `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`;

/** Why a test cannot run here; nothing where it can. */
export const here =
  process.platform === 'win32'
    ? { skip: 'The stand-in adr is a script that Windows does not start.' }
    : PLATFORMS.includes(platform)
      ? {}
      : { skip: `The Copilot CLI has no package for ${platform}.` };

/** The version that the suite is pinned to; see docs/host.md. */
export const version = JSON.parse(readFileSync(join(e2e, 'package.json'), 'utf8')).dependencies['@github/copilot'];

/** The executable. */
export function executable() {
  const file = join(e2e, 'node_modules', '@github', `copilot-${platform}`, 'copilot');
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm test\`.`);
  return file;
}

/** Where the CLI unpacks its 235 MB: once, for all runs. */
export const unpacked = join(e2e, 'node_modules', '.cache', 'copilot');
