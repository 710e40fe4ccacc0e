'use strict';

const { AdrkitError } = require('./error.js');

/** Throws where the option `name` is neither absent nor a function. */
function optional(name, value) {
  if (value === undefined || typeof value === 'function') return value;
  throw new AdrkitError('invalid-argument', `The argument ${name} must be a function.`);
}

/** `log` as the addon calls it: whether it throws, rejects or never settles, nobody hears of it. */
function logger(log) {
  return async (line) => {
    try {
      await log(line);
    } catch {
      // It is the last resort: there is nowhere to say so.
    }
  };
}

/**
 * `refresh` as the addon calls it: `(id, dir)` begins a refresh and `(id, null)` aborts it. `settled(id, succeeded)`
 * tells the addon how it ended.
 */
function refresher(refresh, settled) {
  const running = new Map();
  return async (id, dir) => {
    if (dir === null) {
      running.get(id)?.abort();
      return;
    }
    const abort = new AbortController();
    running.set(id, abort);
    let succeeded = false;
    try {
      await refresh(dir, { signal: abort.signal });
      succeeded = true;
    } catch {
      // The addon has the words for it.
    }
    running.delete(id);
    settled(id, succeeded);
  };
}

module.exports = { logger, optional, refresher };
