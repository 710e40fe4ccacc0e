// Leaving. The host sends SIGTERM to this process alone and SIGKILL about a second later; where the host itself was
// killed, there is no signal but the end of stdin. The groups that the addon has started would outlive us either way.
import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** Ends every process group by `killAll`, at once and without a grace, when `host` (this process) ends or is to. */
export function endWithHost(killAll, host = process) {
  const end = (code) => {
    try {
      killAll();
    } finally {
      host.exit(code);
    }
  };
  for (const signal of SIGNALS) host.on(signal, () => end(128 + constants.signals[signal]));
  for (const event of ['end', 'close']) host.stdin.once(event, () => end(0));
  host.on('exit', killAll);
}
