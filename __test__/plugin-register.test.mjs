// The join of the Copilot extension, with a host and an addon that only remember what they are asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { joinLadder } from '@adrkit/native';

import { quote, register } from '../plugin/extensions/adrkit/register.mjs';

/** A host that refuses a join by `refuse(config)`, a message. */
function host(refuse = () => undefined) {
  const joins = [];
  const lines = [];
  const session = {
    async log(line, options) {
      assert.equal(options.level, 'warning');
      lines.push(line);
    },
  };
  const joinSession = async (config) => {
    assert.deepEqual(lines, [], 'nothing can be logged before the join');
    joins.push(config);
    const message = refuse(config, joins.length);
    if (message !== undefined) throw new Error(message);
    return session;
  };
  return { joinSession, joins, lines, session, fields: () => joins.map((config) => Object.keys(config).filter((key) => key !== 'onEvent').sort().join()) };
}

/** An addon with the interface of the real one. */
function addon({ failing = [], hooks = true } = {}) {
  const seen = { events: [], calls: [], inputs: [], hooks: undefined };
  const fail = (what) => {
    if (failing.includes(what)) throw new Error(`no ${what}`);
  };
  class Tools {
    constructor(options) {
      fail('tools');
      assert.deepEqual(options, { cwd: process.cwd() });
    }
    definitions() {
      return [{ name: 'adr_lint', description: 'd', parameters: { type: 'object' }, skipPermission: true }];
    }
    async call(...call) {
      fail('call');
      seen.calls.push(call);
      return { textResultForLlm: '{}', resultType: 'success' };
    }
    contextChanged(event) {
      fail('contextChanged');
      seen.events.push(event);
    }
  }
  class Hooks {
    constructor(options) {
      fail('hooks');
      seen.hooks = options;
    }
    async onSessionStart(input) {
      fail('onSessionStart');
      seen.inputs.push(input);
      return { additionalContext: 'start' };
    }
    async onPostToolUse(input) {
      seen.inputs.push(input);
      return undefined;
    }
  }
  return { Tools, Hooks, hooksEnabled: () => hooks, joinLadder, seen };
}

const canvases = () => [{ id: 'panel' }];
const workflows = () => [{ name: 'review' }];
const moved = { type: 'session.context_changed', data: { cwd: '/b' } };

test('one join registers everything that is there', async () => {
  const it = host();
  const native = addon();
  const refresh = async () => {};
  const heard = [];
  const onHooks = (hooks) => heard.push(hooks instanceof native.Hooks && it.joins.length);
  assert.equal(await register({ joinSession: it.joinSession, addon: native, canvases, workflows, refresh, onHooks }), it.session);
  assert.deepEqual(heard, [0], 'the panels know the hooks before the host can open one');
  assert.deepEqual(it.fields(), ['canvases,hooks,tools,workflows']);
  assert.deepEqual(it.lines, []);
  const [config] = it.joins;
  assert.deepEqual(Object.keys(config.hooks), ['onSessionStart', 'onPostToolUse']);
  assert.deepEqual(await config.hooks.onSessionStart({ sessionId: 's' }), { additionalContext: 'start' });
  assert.equal(await config.hooks.onPostToolUse({ sessionId: 's' }), undefined);
  assert.deepEqual(native.seen.inputs, [{ sessionId: 's' }, { sessionId: 's' }]);
  assert.equal(native.seen.hooks.refresh, refresh);
});

test('a tool is the definition of the addon, and its handler asks the addon', async () => {
  const it = host();
  const native = addon();
  await register({ joinSession: it.joinSession, addon: native });
  const [{ handler, ...definition }] = it.joins[0].tools;
  assert.deepEqual(definition, new native.Tools({ cwd: process.cwd() }).definitions()[0]);
  const { signal } = new AbortController();
  const invocation = { sessionId: 's', toolCallId: 'c', toolName: 'adr_lint', arguments: {}, signal, traceparent: '00-1', tracestate: undefined };
  assert.equal((await handler({ dir: 'd' }, invocation)).resultType, 'success');
  assert.deepEqual(native.seen.calls, [['adr_lint', { dir: 'd' }, { signal, sessionId: 's', toolCallId: 'c', traceparent: '00-1' }]]);
});

test('only a change of the directory crosses to the addon, whenever it comes', async () => {
  const native = addon();
  const it = host((config) => {
    config.onEvent(moved);
    for (const event of [{ type: 'session.idle' }, {}, null, undefined, 'x']) config.onEvent(event);
  });
  await register({ joinSession: it.joinSession, addon: native });
  assert.deepEqual(native.seen.events, [moved]);
});

for (const [failing, joined, word] of [
  ['tools', 'canvases,hooks,workflows', 'tools'],
  ['hooks', 'canvases,tools,workflows', 'hooks'],
  ['canvases', 'hooks,tools,workflows', 'canvases'],
  ['workflows', 'canvases,hooks,tools', 'workflows'],
]) {
  test(`${failing} that cannot be built cost themselves only`, async () => {
    const it = host();
    const broken = () => {
      throw new Error(`no ${failing}`);
    };
    await register({
      joinSession: it.joinSession,
      addon: addon({ failing: [failing] }),
      canvases: failing === 'canvases' ? broken : canvases,
      workflows: failing === 'workflows' ? broken : workflows,
    });
    assert.deepEqual(it.fields(), [joined]);
    assert.equal(typeof it.joins[0].onEvent, 'function');
    assert.doesNotThrow(() => it.joins[0].onEvent(moved));
    assert.deepEqual(it.lines, [`adrkit: the ${word} could not be built and are off for this session: "no ${failing}"`]);
  });
}

test('hooks that are switched off are no key of the join', async () => {
  const it = host();
  await register({ joinSession: it.joinSession, addon: addon({ hooks: false }) });
  assert.deepEqual(Object.keys(it.joins[0]).sort(), ['onEvent', 'tools']);
  assert.deepEqual(it.lines, []);
});

test('without an addon the extension joins all the same, and says so', async () => {
  const it = host();
  await register({ joinSession: it.joinSession, notice: 'adrkit: no module for this platform.' });
  assert.deepEqual(Object.keys(it.joins[0]), ['onEvent']);
  assert.deepEqual(it.lines, ['adrkit: no module for this platform.']);
});

test('nothing that throws reaches the host', async () => {
  const it = host();
  await register({ joinSession: it.joinSession, addon: addon({ failing: ['call', 'contextChanged', 'onSessionStart'] }) });
  const [{ tools, hooks, onEvent }] = it.joins;
  assert.equal(onEvent(moved), undefined);
  assert.equal(await hooks.onSessionStart({}), undefined);
  const result = await tools[0].handler({ secret: 1 }, undefined);
  assert.deepEqual(result, { textResultForLlm: '{"error":{"code":"internal","message":"An internal error occurred."}}', resultType: 'failure' });
});

// What is left out of each join, by the field that the host refuses.
const LADDERS = [
  ['hooks', ['canvases,hooks,tools,workflows', 'canvases,tools,workflows']],
  ['tools', ['canvases,hooks,tools,workflows', 'canvases,tools,workflows', 'canvases,hooks,workflows']],
  ['hooks tools', ['canvases,hooks,tools,workflows', 'canvases,tools,workflows', 'canvases,hooks,workflows', 'canvases,workflows']],
  ['canvases', ['canvases,hooks,tools,workflows', 'canvases,tools,workflows', 'canvases,hooks,workflows', 'canvases,workflows', 'hooks,tools,workflows']],
  ['hooks canvases', ['canvases,hooks,tools,workflows', 'canvases,tools,workflows', 'canvases,hooks,workflows', 'canvases,workflows', 'hooks,tools,workflows', 'workflows']],
];

for (const [refused, joins] of LADDERS) {
  test(`a host that refuses ${refused} gets the rest`, async () => {
    const it = host((config, n) => {
      assert.equal(typeof config.onEvent, 'function');
      const field = refused.split(' ').find((name) => name in config);
      return field && `refused: ${field} in join ${n}`;
    });
    await register({ joinSession: it.joinSession, addon: addon(), canvases, workflows });
    assert.deepEqual(it.fields(), joins);
    assert.equal(it.lines.length, 1);
    for (const field of refused.split(' ')) assert.match(it.lines[0], new RegExp(`the ${field}\\b`));
    assert.equal(it.lines[0].match(/"refused: \w+ in join \d"/g).length, joins.length - 1);
  });
}

test('hooks that went first are not blamed', async () => {
  const it = host((config, n) => (n === 1 ? 'a hiccup' : undefined));
  await register({ joinSession: it.joinSession, addon: addon() });
  assert.deepEqual(it.lines, [
    'adrkit: joined without the hooks, after the host had refused a fuller join. ' +
      'The hooks are off for this session, though they may not have caused it. Refused with everything: "a hiccup"',
  ]);
});

test('a refusal that is repeated is quoted once', async () => {
  const it = host((config) => ('hooks' in config || 'tools' in config ? 'denied' : undefined));
  await register({ joinSession: it.joinSession, addon: addon() });
  assert.deepEqual(it.lines, [
    'adrkit: joined without the hooks and the tools, after the host had refused a fuller join. ' +
      'Off for this session: the hooks and the tools. Refused with everything, without the hooks, without the tools: "denied"',
  ]);
});

test('where every join is refused, the first refusal is thrown', async () => {
  const it = host((config, n) => `refusal ${n}`);
  await assert.rejects(register({ joinSession: it.joinSession, addon: addon(), canvases, workflows }), { message: 'refusal 1' });
  assert.equal(it.joins.length, 6);
});

test('an addon without a ladder leaves a last join', async () => {
  const it = host((config) => ('tools' in config ? 'no' : undefined));
  await register({ joinSession: it.joinSession, addon: { ...addon(), joinLadder: undefined } });
  assert.deepEqual(it.fields(), ['hooks,tools', '']);
});

test('a log that throws, rejects or never answers holds nothing', async () => {
  for (const log of [() => { throw new Error('x'); }, () => Promise.reject(new Error('x')), () => new Promise(() => {})]) {
    const native = addon();
    await register({ joinSession: async () => ({ log }), addon: native, notice: 'a line' });
    assert.equal(native.seen.hooks.log('a later line'), undefined);
  }
});

test('a line of the hooks that comes before the join waits for it', async () => {
  const native = addon();
  const it = host(() => native.seen.hooks.log('early'));
  await register({ joinSession: it.joinSession, addon: native });
  native.seen.hooks.log('late');
  assert.deepEqual(it.lines, ['early', 'late']);
});

test('a quoted error is one bounded line', () => {
  assert.equal(quote(new Error('a\n b\u001b[31m\tc\u202e')), '"a b [31m c"');
  assert.equal(quote(new Error('x'.repeat(10_000))).length, 503);
  for (const odd of [undefined, null, 7, Object.create(null), { message: Object.create(null) }]) assert.match(quote(odd), /^".+"$/);
});
