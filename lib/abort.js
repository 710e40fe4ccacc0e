'use strict';

const { AdrkitError } = require('./error.js');

// One listener for each signal, however many calls share it: Node warns on stderr about the eleventh.
const watched = new WeakMap();

/** Whether the signal has been aborted. Throws where `signal` is neither absent nor an AbortSignal. */
function isAborted(signal) {
  if (signal === undefined) return false;
  if (
    typeof signal !== 'object' ||
    signal === null ||
    typeof signal.aborted !== 'boolean' ||
    typeof signal.addEventListener !== 'function'
  ) {
    throw new AdrkitError('invalid-argument', 'The argument signal must be an AbortSignal.');
  }
  return signal.aborted;
}

/** Cancels `handle` when `signal` is aborted, or at once if it is, until the function that is returned is called. */
function watch(signal, handle) {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    handle.cancel();
    return () => {};
  }
  let watch = watched.get(signal);
  if (watch === undefined) {
    const handles = new Set();
    const onAbort = () => {
      for (const each of handles) each.cancel();
    };
    watch = { handles, onAbort };
    watched.set(signal, watch);
    signal.addEventListener('abort', onAbort, { once: true });
  }
  const { handles, onAbort } = watch;
  handles.add(handle);
  return () => {
    handles.delete(handle);
    if (handles.size === 0) {
      watched.delete(signal);
      signal.removeEventListener('abort', onAbort);
    }
  };
}

module.exports = { isAborted, watch };
