// One join with everything that could be built. Each part is built on its own, so that one that fails costs itself
// only; a join that the host refuses is tried again with less, in the order that the addon's `joinLadder` gives.

/** The most of an error that is quoted, in UTF-16 code units. */
const MAX_QUOTE = 500;
const CONTEXT_CHANGED = 'session.context_changed';
const INTERNAL = {
  textResultForLlm: JSON.stringify({ error: { code: 'internal', message: 'An internal error occurred.' } }),
  resultType: 'failure',
};

/**
 * Joins the session.
 *
 * @param {object} parts
 * @param {(config: object) => Promise<object>} parts.joinSession the SDK's.
 * @param {object} [parts.addon] the native package; absent where it could not be loaded.
 * @param {string} [parts.notice] a line for the person's log.
 * @param {() => object[] | undefined} [parts.canvases] makes the panels.
 * @param {() => object[] | undefined} [parts.workflows] makes the workflows, which no join leaves out.
 * @param {(directory: string, options: { signal: AbortSignal }) => Promise<void>} [parts.refresh] refreshes the panels
 *   of a directory.
 * @param {(hooks: object) => void} [parts.onHooks] hears of the hooks, which want to know for which directories panels
 *   are open.
 * @returns {Promise<object>} the session. Rejects with the first refusal where every join was refused.
 */
export async function register({ joinSession, addon, notice, canvases, workflows, refresh, onHooks }) {
  const log = heldLog();
  if (notice !== undefined) log.write(notice);
  const build = (what, make) => {
    try {
      return make?.();
    } catch (error) {
      log.write(`adrkit: the ${what} could not be built and are off for this session: ${quote(error)}`);
      return undefined;
    }
  };

  const tools = build('tools', addon && (() => buildTools(addon)));
  const fixed = present({
    onEvent: (event) => followDirectory(tools?.tools, event),
    workflows: build('workflows', workflows),
  });
  const optional = present({
    hooks: build('hooks', addon && (() => buildHooks(addon, log.write, refresh, onHooks))),
    tools: tools?.list,
    canvases: build('canvases', canvases),
  });

  const joined = await join(joinSession, fixed, optional, ladder(addon, optional));
  if (joined.refusals.length > 0) log.write(explain(joined));
  log.open(joined.session);
  return joined.session;
}

function buildTools(addon) {
  const tools = new addon.Tools({ cwd: process.cwd() });
  const handler = (name) => async (args, invocation) => {
    try {
      const { signal, sessionId, toolCallId, traceparent, tracestate } = invocation ?? {};
      return await tools.call(name, args, present({ signal, sessionId, toolCallId, traceparent, tracestate }));
    } catch {
      // The host would put the rejected arguments into its own words.
      return INTERNAL;
    }
  };
  return { tools, list: tools.definitions().map((tool) => ({ ...tool, handler: handler(tool.name) })) };
}

function buildHooks(addon, log, refresh, onHooks) {
  if (!addon.hooksEnabled()) return undefined;
  const hooks = new addon.Hooks(present({ log, refresh }));
  onHooks?.(hooks);
  const handler = (name) => async (input) => {
    try {
      return await hooks[name](input);
    } catch {
      return undefined;
    }
  };
  return { onSessionStart: handler('onSessionStart'), onPostToolUse: handler('onPostToolUse') };
}

/** Tells the tools of a new directory. The host sends hundreds of events, and this alone need cross to the addon. */
function followDirectory(tools, event) {
  if (event?.type !== CONTEXT_CHANGED) return;
  try {
    tools?.contextChanged(event);
  } catch {
    // The tools stay where they were.
  }
}

function ladder(addon, optional) {
  const has = (field) => optional[field] !== undefined;
  const fields = { hooks: has('hooks'), tools: has('tools'), canvases: has('canvases') };
  try {
    return addon.joinLadder(fields);
  } catch {
    return [{ drop: [] }, ...(Object.values(fields).some(Boolean) ? [{ drop: Object.keys(optional) }] : [])];
  }
}

async function join(joinSession, fixed, optional, rungs) {
  const refusals = [];
  for (const { drop } of rungs) {
    const kept = Object.entries(optional).filter(([field]) => !drop.includes(field));
    try {
      return { session: await joinSession({ ...fixed, ...Object.fromEntries(kept) }), drop, refusals };
    } catch (error) {
      refusals.push({ drop, error });
    }
  }
  throw refusals[0].error;
}

/** What the person reads where the first join was refused. A refusal that was repeated is quoted once. */
function explain({ drop, refusals }) {
  const without = (fields) => (fields.length === 0 ? 'with everything' : `without ${named(fields)}`);
  const quoted = new Map();
  for (const { drop, error } of refusals) quoted.set(quote(error), [...(quoted.get(quote(error)) ?? []), without(drop)]);
  const refused = [...quoted].map(([words, joins]) => `${joins.join(', ')}: ${words}`).join('; ');
  const off = drop.length === 1 && drop[0] === 'hooks'
    ? 'The hooks are off for this session, though they may not have caused it.'
    : `Off for this session: ${named(drop)}.`;
  return `adrkit: joined ${without(drop)}, after the host had refused a fuller join. ${off} Refused ${refused}`;
}

function named(fields) {
  return fields.map((field) => `the ${field}`).join(fields.length > 2 ? ', ' : ' and ');
}

/** An error's message on one line, in quotes, cut to a length. */
export function quote(error) {
  let message;
  try {
    message = String(error?.message ?? error);
  } catch {
    message = 'an error without words';
  }
  const line = message.replace(/[\s\p{C}]+/gu, ' ').trim();
  return `"${line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line}"`;
}

/** A log that holds its lines until there is a session. Nobody waits for it: the host's answer has no deadline. */
function heldLog() {
  const held = [];
  let session;
  const send = async (line) => {
    try {
      await session.log(line, { level: 'warning' });
    } catch {
      // There is no second place to say it.
    }
  };
  return {
    write: (line) => {
      if (session === undefined) held.push(line);
      else void send(line);
    },
    open: (joined) => {
      session = joined;
      for (const line of held.splice(0)) void send(line);
    },
  };
}

function present(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
