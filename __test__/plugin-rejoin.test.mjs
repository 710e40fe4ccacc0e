// After a refused join, one connection answers the host.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

import { oneConnection } from '../plugin/extensions/adrkit/rejoin.mjs';

/** A host that refuses the first joins, and connections that write down what they read. */
function sdk(refusals) {
  const stdin = new PassThrough();
  const read = [];
  const joinSession = async (name) => {
    await turn();
    stdin.on('data', (chunk) => read.push(`${name}:${chunk}`));
    await turn();
    if (refusals-- > 0) throw new Error(`refused ${name}`);
    return name;
  };
  return { stdin, read, join: oneConnection(joinSession, stdin) };
}

test('the connection of a refused join listens until the next one does', async () => {
  const { stdin, read, join } = sdk(2);
  const others = [];
  stdin.on('data', (chunk) => others.push(String(chunk)));
  await assert.rejects(join('a'), { message: 'refused a' });
  stdin.on('end', () => {});
  stdin.write('1');
  await turn();
  await assert.rejects(join('b'), { message: 'refused b' });
  assert.equal(await join('c'), 'c');
  stdin.write('2');
  await turn();
  assert.deepEqual(read, ['a:1', 'c:2']);
  assert.deepEqual(others, ['1', '2']);
  assert.equal(stdin.listenerCount('newListener'), 0);
});

test('a join that is accepted at once is left alone', async () => {
  const { stdin, read, join } = sdk(0);
  await join('a');
  stdin.write('1');
  await turn();
  assert.deepEqual(read, ['a:1']);
  assert.equal(stdin.listenerCount('newListener'), 0);
});
