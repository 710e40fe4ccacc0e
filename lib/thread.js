'use strict';

/** Whether this is the main thread. Asked when it matters: the module that knows takes a third of the package's loading. */
function isMainThread() {
  return require('node:worker_threads').isMainThread;
}

module.exports = { isMainThread };
