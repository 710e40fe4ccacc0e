// A model on loopback that says what a test tells it to. It speaks the two interfaces that the CLI uses, without
// streaming: chat completions and responses.
import { createServer } from 'node:http';

/**
 * Starts it. `reply(request)` answers a request with a text, or with an array of calls `{ tool, args }`: an object of
 * arguments, or a string for a freeform tool.
 *
 * A request is `{ messages, tools, body }`. A message is `{ role, text }`, in order, without the system's; a tool's
 * result has the role `tool`.
 */
export async function startModel(reply = () => 'done') {
  const requests = [];
  let calls = 0;
  const model = { requests, reply };
  const server = createServer(async (incoming, response) => {
    let raw = '';
    for await (const chunk of incoming.setEncoding('utf8')) raw += chunk;
    const wire = WIRES.find(({ path }) => incoming.url.split('?')[0].endsWith(path));
    response.setHeader('content-type', 'application/json');
    if (incoming.method !== 'POST' || wire === undefined) {
      response.end(JSON.stringify({ object: 'list', data: [] }));
      return;
    }
    const body = JSON.parse(raw);
    const request = { body, ...wire.read(body) };
    requests.push(request);
    const said = await model.reply(request);
    const answer = Array.isArray(said) ? { calls: said.map((call) => ({ id: `call_${(calls += 1)}`, ...call })) } : { text: said };
    response.end(JSON.stringify(wire.write(body.model, answer, requests.length)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  model.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return model;
}

const text = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');

const WIRES = [
  {
    path: '/chat/completions',
    read: ({ messages, tools = [] }) => ({
      messages: messages.filter(({ role }) => role !== 'system').map(({ role, content }) => ({ role, text: text(content) })),
      tools: tools.map((tool) => ({ name: tool.function?.name, deferred: tool.function?.defer_loading === true })),
    }),
    write(model, { text: content = null, calls }, n) {
      const tool_calls = calls?.map(({ id, tool, args }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) };
      return {
        id: `chatcmpl-${n}`,
        object: 'chat.completion',
        created: 0,
        model,
        choices: [{ index: 0, finish_reason: calls ? 'tool_calls' : 'stop', message }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
    },
  },
  {
    path: '/responses',
    read: ({ input, tools = [] }) => ({
      messages: input
        .filter(({ role, output }) => output !== undefined || (role !== undefined && role !== 'system' && role !== 'developer'))
        .map(({ role, content, output }) => (output === undefined ? { role, text: text(content) } : { role: 'tool', text: text(output) })),
      tools: tools.map((tool) => ({ name: tool.name ?? tool.type, deferred: tool.defer_loading === true })),
    }),
    write(model, { text: content, calls }, n) {
      const message = { type: 'message', id: `msg_${n}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: content, annotations: [] }] };
      const output = calls?.map(({ id, tool, args }) =>
        typeof args === 'string'
          ? { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name: tool, input: args, status: 'completed' }
          : { type: 'function_call', id: `fc_${id}`, call_id: id, name: tool, arguments: JSON.stringify(args), status: 'completed' },
      ) ?? [message];
      const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
      return {
        id: `resp_${n}`,
        object: 'response',
        created_at: 0,
        model,
        status: 'completed',
        output,
        parallel_tool_calls: true,
        tool_choice: 'auto',
        tools: [],
        error: null,
        incomplete_details: null,
        usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details },
      };
    },
  },
];
