// The canvas `decision-review`: a panel beside the session that shows which decisions govern the change in hand.
import { Panels } from './panels.mjs';

const TITLE = 'Decision review';
/** How long the action waits for a refresh. A slower one goes on, and the answer is as of before it. */
export const ACTION_MS = 10_000;

/**
 * Starts what the panel needs, and says what `register` takes of it. The host may open panels before its answer to the
 * join, so this has to be settled before. Never rejects: what fails here is told when the canvases are built.
 *
 * @param {object} parts
 * @param {{ Review: new (options: { cwd: string }) => object }} parts.addon
 * @param {(options: object) => object} parts.createCanvas the SDK's.
 */
export async function startPanel({ addon, createCanvas }) {
  const panels = new Panels((cwd) => new addon.Review({ cwd }));
  let failure;
  try {
    await panels.listen();
  } catch (error) {
    failure = error;
  }
  return {
    canvases: () => {
      if (failure !== undefined) throw failure;
      return [createCanvas(decisionReview(panels))];
    },
    refresh: (directory, options) => panels.refreshOpen(directory, options),
    onHooks: (hooks) => panels.follow(hooks),
  };
}

/**
 * The options of the canvas. The host has no deadline, so nothing here waits for a review but the action, for a bounded
 * time; and what it says in a failure is fixed, for a model reads it.
 */
export function decisionReview(panels) {
  return {
    id: 'decision-review',
    displayName: TITLE,
    description: 'Shows which architecture decisions govern the files that have changed. It is advisory and follows edits.',
    open: (request) => {
      try {
        const { url, hasDirectory } = panels.open(request?.instanceId, request?.session?.workingDirectory);
        return { url, title: TITLE, status: hasDirectory ? 'Live' : 'No directory' };
      } catch {
        throw new Error('adrkit could not open the panel.');
      }
    },
    onClose: (request) => {
      try {
        panels.close(request?.instanceId);
      } catch {
        // It is closed for the host, and rests here before long.
      }
    },
    actions: [
      {
        name: 'refresh',
        description:
          'Looks again at what has changed and which decisions govern it, and answers with the ids, statuses and counts that the panel shows.',
        handler: async (request) => {
          const panel = panels.get(request?.instanceId);
          if (panel === undefined) return failure('not-open', 'This panel is not open. Open it again.');
          try {
            await within(ACTION_MS, panel.refresh('manual'));
            return panel.summary();
          } catch {
            return failure('internal', 'An internal error occurred.');
          }
        },
      },
    ],
  };
}

function failure(code, message) {
  return { textResultForLlm: JSON.stringify({ error: { code, message } }), resultType: 'failure' };
}

/** Waits for `work`, but no longer than `ms`. */
async function within(ms, work) {
  let timer;
  const bound = new Promise((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([work, bound]);
  clearTimeout(timer);
}
