// Joining again after a refusal. Each join of the SDK opens a connection of its own over the one stdin, and that of a
// refused join stays open: it would go on answering the host's requests beside the one that was accepted, and the host
// takes the first answer. A refused join without hooks would so take the word from an accepted one with hooks.

/** `joinSession`, of which a refused call stops listening as soon as the next one listens. */
export function oneConnection(joinSession, stdin = process.stdin) {
  return async (config) => {
    const before = stdin.listeners('data');
    try {
      return await joinSession(config);
    } catch (error) {
      const stale = stdin.listeners('data').filter((listener) => !before.includes(listener));
      stopWhenFollowed(stdin, stale);
      throw error;
    }
  };
}

// Not at once: what arrives while nobody listens is lost, and the next connection would begin within a message.
function stopWhenFollowed(stdin, stale) {
  const onListener = (event) => {
    if (event !== 'data') return;
    stdin.off('newListener', onListener);
    for (const listener of stale) stdin.off('data', listener);
  };
  stdin.on('newListener', onListener);
}
