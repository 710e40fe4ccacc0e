// A session of the real CLI with the plugin in it, offline: a stand-in model, a home of its own, nobody logged in.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { CopilotClient, RuntimeConnection, approveAll } from '@github/copilot-sdk';

import { alive as living, fixtures, root, until } from '../../fixtures/processes.mjs';
import { executable, unpacked } from './cli.mjs';
import { startModel } from './model.mjs';
import { makeRepository } from './repository.mjs';

// The CLI masks every occurrence of the key in what tools return, so it must occur nowhere.
const KEY = 'no-key-8c1f0e5a7b3d49628c1f0e5a7b3d4962';
/** How long a model turn may take. Only a failure takes so long. */
export const TURN_MS = 30_000;
export const TOOLS = ['adr_check', 'adr_explain', 'adr_lint'];
export const fakeAdr = join(fixtures, 'fake-adr.mjs');
/** A directory with extensions to put beside ours. */
export const beside = (name) => join(dirname(fixtures), 'e2e', 'plugins', name);

/** The processes that were started for a session. Only Linux tells. */
export const alive = (it) => (process.platform === 'linux' ? living(it.mark) : []);

let packed;
/** The plugin under test: what `npm run plugin:pack` makes, or `ADRKIT_E2E_PLUGIN`. */
export function plugin() {
  if (process.env.ADRKIT_E2E_PLUGIN) return resolve(process.env.ADRKIT_E2E_PLUGIN);
  if (packed === undefined) {
    const directory = mkdtempSync(join(tmpdir(), 'adrkit-plugin-'));
    process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
    packed = join(directory, 'plugin');
    execFileSync(process.execPath, [join(root, 'scripts', 'plugin-pack.mjs'), '--no-tarball', '--output', packed], { stdio: 'ignore' });
  }
  return packed;
}

/** A copy of the plugin that a test may spoil. */
export function copyOfPlugin(it) {
  const copy = join(it.directory, 'plugin');
  cpSync(plugin(), copy, { recursive: true });
  return copy;
}

/** A place for a session, and its end: when the test has ended, no process of it may be alive. */
export function place(t) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'copilot-e2e-')));
  const it = { directory, mark: randomUUID(), repository: makeRepository(join(directory, 'repository')), closing: [] };
  t.after(async () => {
    try {
      for (const close of it.closing.reverse()) await close();
      await gone(it);
    } finally {
      alive(it).forEach((pid) => process.kill(Number(pid), 'SIGKILL'));
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    }
  });
  return it;
}

/** Waits until no process that was started for the session is alive. */
export function gone(it) {
  return until(() => alive(it).length === 0, 'no process is left');
}

/**
 * Starts a runtime and a session.
 *
 * @param {object} o
 * @param {string[]} [o.plugins] plugin directories; the plugin under test when absent.
 * @param {object} [o.env] for the runtime, and so for the extension.
 * @param {string} [o.model], [o.wire] `completions` or `responses`.
 * @param {Function} [o.reply] what the model says; see `startModel`.
 * @param {Function} [o.permit] answers permission requests.
 * @param {string[]} [o.tools] the tools to wait for.
 * @param {boolean} [o.renderer] whether the host shows canvases, and so offers them to the model.
 */
export async function start(t, o = {}) {
  return session(await runtime(t, o), o);
}

/** The environment of a CLI that knows nobody, and no model but `model`. */
export function environment(at, model, env = {}, name = 'gpt-5') {
  const home = join(at.directory, 'home');
  for (const directory of [home, unpacked]) mkdirSync(directory, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    COPILOT_HOME: join(home, '.copilot'),
    COPILOT_PKG_CACHE_HOME: unpacked,
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: model.url,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: name,
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_DISABLE_KEYTAR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    ADRKIT_TEST_MARK: at.mark,
    ...env,
  };
}

/** Starts a runtime in a place. */
export async function runtime(t, { at = place(t), env = {}, model = 'gpt-5', reply } = {}) {
  const stub = await startModel(reply);
  at.closing.push(stub.stop);
  const client = new CopilotClient({
    workingDirectory: at.repository,
    useLoggedInUser: false,
    connection: RuntimeConnection.forStdio({
      path: executable(),
      env: environment(at, stub, env, model),
    }),
  });
  await client.start();
  at.closing.push(() => client.stop());
  return { ...at, at, client, model: stub, modelName: model };
}

/** Starts, or with `resume` takes up, a session in a runtime. */
export async function session(it, o = {}) {
  const events = [];
  const config = {
    workingDirectory: it.repository,
    pluginDirectories: o.plugins ?? [plugin()],
    requestExtensions: true,
    ...(o.renderer && { requestCanvasRenderer: true }),
    model: it.modelName,
    provider: { type: 'openai', baseUrl: it.model.url, apiKey: KEY, ...(o.wire === 'responses' && { wireApi: 'responses' }) },
    onPermissionRequest: o.permit ?? approveAll,
    onEvent: (event) => events.push(event),
  };
  const session = o.resume === undefined ? await it.client.createSession(config) : await it.client.resumeSession(o.resume, config);
  const host = { ...it, ...controls(it, session, events), session, events };
  await host.settled(o.tools ?? TOOLS);
  return host;
}

function controls(it, session, events) {
  const tools = async () => (await session.rpc.tools.getCurrentMetadata()).tools ?? [];
  const extensions = async () => (await session.rpc.extensions.list()).extensions;
  return {
    tools,
    extensions,
    /** Waits until every extension runs or has failed, and `names` are offered. */
    settled: async (names = TOOLS) => {
      for (const end = Date.now() + TURN_MS; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
        const [there, offered] = [await extensions(), (await tools()).map((tool) => tool.name)];
        const missing = names.filter((name) => !offered.includes(name));
        const starting = there.filter(({ status }) => status === 'starting');
        if (there.length > 0 && starting.length === 0 && missing.length === 0) return;
        if (Date.now() > end) throw new Error(`not there: ${missing}; extensions: ${JSON.stringify(there)}`);
      }
    },
    execute: (name, args = {}) => session.rpc.tools.execute({ name, arguments: args }),
    /** Sends a prompt and waits for the end of the turn. */
    turn: (prompt = 'go') => session.sendAndWait(prompt, TURN_MS),
    /** The lines of our log that the person was shown. */
    lines: () => events.filter(({ type }) => type === 'session.warning').map(({ data }) => data.message),
    said: async (pattern) => until(() => events.some(({ type, data }) => type === 'session.warning' && pattern.test(data.message)), `a line like ${pattern}`),
  };
}

/** The messages of a request of the model that hold words of ours. */
export function ours(request) {
  return request.messages.filter(({ text }) => text.includes('adrkit'));
}
