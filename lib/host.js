'use strict';

const { isMainThread } = require('./thread.js');

// Windows needs no listener: there the system ends the processes with their host.
const SIGNALS = process.platform === 'win32' ? [] : ['SIGTERM', 'SIGINT', 'SIGHUP'];

let addon;
let inFlight = 0;
let listening = false;

function onSignal(signal) {
  addon.killAll();
  unlisten();
  // Ours was in front. Where it was the only one, the host would have died of the signal, so it does. Where others
  // are left, the decision is theirs, and none of them can see that we were here.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function listen() {
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  listening = true;
}

function unlisten() {
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  listening = false;
}

/**
 * Holds the host for a call that may start processes: until the function that is returned is called, they are ended
 * when the host is told to end. From the first call on they are ended at its exit too.
 *
 * A worker gets no signals, and must not end what others started: when it ends, the addon sees to its processes.
 */
function hold(native) {
  if (!isMainThread()) return () => {};
  if (addon === undefined) {
    addon = native;
    process.on('exit', () => addon.shutDown());
  }
  inFlight += 1;
  if (!listening) listen();
  return () => {
    inFlight -= 1;
    if (inFlight === 0 && listening) unlisten();
  };
}

module.exports = { hold };
