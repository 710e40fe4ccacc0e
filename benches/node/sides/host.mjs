// What a host of the extension hands to its hooks, and the program that it starts.
import { existsSync } from 'node:fs';

/** A program that does nothing. */
export const TRUE = existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';

/** The environment of whatever is compared. Others have variables that make Node itself slow to start, such as
 * `NODE_EXTRA_CA_CERTS`. */
export const bare = { PATH: process.env.PATH };

/** The environment of the package under test: its own engine, and git. */
export const env = { ...bare, ADRKIT_ENGINE: 'embedded' };

export const started = (cwd, sessionId) => ({ sessionId, timestamp: new Date(), workingDirectory: cwd, source: 'new' });

export const used = (toolName, cwd, path, sessionId = 's') => ({
  sessionId,
  timestamp: new Date(),
  workingDirectory: cwd,
  toolName,
  toolArgs: { path, old_str: 'a', new_str: 'b' },
  toolResult: { resultType: 'success', textResultForLlm: 'Done', sessionLog: 'a diff' },
});
