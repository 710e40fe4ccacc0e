'use strict';

// The public face of the addon, thin: it bridges AbortSignal, parses what crosses as JSON, gives failures their class,
// and lets no process outlive the host. Everything else is decided in Rust. The types and their documentation are in
// index.d.ts.

const { isAborted, watch } = require('./lib/abort.js');
const { toJson } = require('./lib/arguments.js');
const { logger, optional, refresher } = require('./lib/callbacks.js');
const { AdrkitError, fromNative } = require('./lib/error.js');
const { hold } = require('./lib/host.js');
const { load } = require('./lib/load.js');
const { isMainThread } = require('./lib/thread.js');

const native = load();

/** Starts a native call and waits for it, under `signal`. */
async function call(start, options, signal) {
  const handle = sync(() => new native.CancelHandle());
  const unwatch = watch(signal, handle);
  let release = () => {};
  try {
    const answer = start(options, handle);
    // Meanwhile a thread wakes to begin with it, which takes longer than this.
    release = hold(native);
    return await answer;
  } catch (error) {
    throw fromNative(error);
  } finally {
    release();
    unwatch();
  }
}

/** Asks a question whose answer crosses as JSON. */
async function ask(question, options) {
  const { signal, ...asked } = { ...options };
  if (isAborted(signal)) throw aborted();
  return JSON.parse(await call(question, withEnvironment(asked), signal));
}

/** A worker has an environment of its own, which only JavaScript knows. The main thread's is the process's. */
function withEnvironment(options) {
  return options.env !== undefined || isMainThread() ? options : { ...options, env: { ...process.env } };
}

function aborted() {
  return new AdrkitError('aborted', 'The call was aborted.');
}

async function run(file, args, options) {
  const { signal, ...asked } = { ...options };
  if (isAborted(signal)) return neverStarted();
  return call(native.run, { ...withEnvironment(asked), file, args }, signal);
}

function neverStarted() {
  return {
    outcome: 'aborted',
    exitCode: null,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    outputIncomplete: false,
    durationMs: 0,
  };
}

async function changedFiles(options) {
  return ask(native.changedFiles, options);
}

async function check(options) {
  return ask(native.check, options);
}

async function explain(options) {
  return ask(native.explain, options);
}

async function lint(options) {
  return ask(native.lint, options);
}

async function queue(options) {
  const asOf = options?.asOf ?? new Date().toISOString().slice(0, 10);
  return ask(native.queue, { ...options, asOf });
}

async function resolveCli(options) {
  return ask(native.resolveCli, options);
}

/** An abort does not reject: each part of the answer says for itself what became of it. */
async function collectAndCheck(options) {
  const { signal, ...asked } = { ...options };
  isAborted(signal); // refuses what is no signal
  return JSON.parse(await call(native.collectAndCheck, withEnvironment(asked), signal));
}

/** Calls a function of the addon that answers at once. */
function sync(work, ...args) {
  try {
    return work(...args);
  } catch (error) {
    throw fromNative(error);
  }
}

function validatePath(path) {
  return sync(native.validatePath, path);
}

function validateRevision(revision) {
  return sync(native.validateRevision, revision);
}

function isRecordId(id) {
  return sync(native.isRecordId, id);
}

function joinLadder(present) {
  return sync(native.joinLadder, { ...present });
}

function killAll() {
  return sync(native.killAll);
}

/** What a host tells about a call. It goes into the log and nowhere else, so what is no string is left out. */
const TRACE = ['sessionId', 'toolCallId', 'traceparent', 'tracestate'];

class Tools {
  #native;

  constructor(options) {
    const { cwd = currentDirectory(), env } = { ...options };
    this.#native = sync(() => new native.Tools(withEnvironment({ cwd, env })));
  }

  get directory() {
    return sync(() => this.#native.directory);
  }

  definitions() {
    return JSON.parse(sync(native.toolDefinitions));
  }

  // These two swallow what goes wrong, a wrong `this` too. So they are bound, and a host can be handed them as they are.

  call = async (name, args, options) => {
    try {
      const { signal, ...rest } = { ...options };
      if (isAborted(signal)) throw aborted();
      const trace = Object.fromEntries(TRACE.map((key) => [key, rest[key]]).filter(([, text]) => typeof text === 'string'));
      const tool = typeof name === 'string' ? name : '';
      return await call((asked, handle) => this.#native.call(tool, toJson(args), asked, handle), trace, signal);
    } catch (error) {
      return failed(error);
    }
  };

  contextChanged = (event) => {
    try {
      const { type, data } = event;
      const { cwd } = data;
      // A host has many kinds of events. Most have no directory.
      if (typeof cwd === 'string') this.#native.contextChanged(type, cwd);
    } catch {
      // It was no event.
    }
  };
}

function hooksEnabled(env) {
  return sync(native.hooksEnabled, withEnvironment({ env }));
}

class Hooks {
  #native;
  #release = () => {};

  constructor(options) {
    const { env, log, refresh } = { ...options };
    const told = optional('log', log) && logger(log);
    const refreshed = optional('refresh', refresh) && refresher(refresh, (id, done) => this.#native.refreshed(id, done));
    this.#native = sync(() => new native.Hooks(withEnvironment({ env }), told, refreshed));
  }

  // A host is handed these two as they are, and a session must never be held by what goes wrong in them.

  onSessionStart = (input) => this.#answer(() => this.#native.onSessionStart(input));

  onPostToolUse = (input) => this.#answer(() => this.#native.onPostToolUse(input));

  panelOpened(dir) {
    sync(() => this.#native.panelOpened(dir));
  }

  panelClosed(dir) {
    sync(() => this.#native.panelClosed(dir));
  }

  dispose() {
    this.#native.dispose();
    this.#release();
    this.#release = () => {};
  }

  async #answer(ask) {
    try {
      const answer = ask();
      if (answer === null) return undefined;
      if (!(answer instanceof Promise)) return answer;
      this.#hold();
      return await answer;
    } catch {
      return undefined;
    }
  }

  /** What an answer has begun may outlive it. So the host is held from the last answer on, until the hooks are gone. */
  #hold() {
    const release = hold(native);
    this.#release();
    this.#release = release;
  }
}

class Review {
  #native;

  constructor(options) {
    this.#native = sync(() => new native.Review(withEnvironment({ ...options })));
  }

  get directory() {
    return sync(() => this.#native.directory);
  }

  get version() {
    return sync(() => this.#native.version);
  }

  /** An abort does not reject: the page says for itself what became of its parts. */
  async refresh(options) {
    const { signal, trigger } = { ...options };
    isAborted(signal); // refuses what is no signal
    await call((asked, handle) => this.#native.refresh(asked, handle), { trigger }, signal);
  }

  document(page) {
    return sync(() => this.#native.document({ ...page }));
  }

  fragments() {
    return JSON.parse(sync(() => this.#native.fragments()));
  }

  summary() {
    return JSON.parse(sync(() => this.#native.summary()));
  }

  dispose() {
    sync(() => this.#native.dispose());
  }
}

function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    throw new AdrkitError('working-directory-gone', 'The working directory does not exist or is not a directory.');
  }
}

/** The result of a tool call that came to nothing. Only our own failures have words that a model may read. */
function failed(error) {
  const { code, message } = error instanceof AdrkitError ? error : fromNative();
  return { textResultForLlm: JSON.stringify({ error: { code, message } }), resultType: 'failure' };
}

module.exports = {
  AdrkitError,
  Hooks,
  Review,
  Tools,
  changedFiles,
  check,
  collectAndCheck,
  explain,
  hooksEnabled,
  isRecordId,
  joinLadder,
  killAll,
  lint,
  queue,
  resolveCli,
  run,
  validatePath,
  validateRevision,
};
