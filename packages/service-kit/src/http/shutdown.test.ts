import { afterEach, expect, test } from '@jest/globals';
import { Agent, type IncomingMessage, request } from 'node:http';
import { startOrderServer, VALID_HEADERS } from '../testing/order-server.js';

let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

/** A server whose shutdown a test can start, and a client that keeps its connections. */
async function startStoppableServer() {
  const shutdown = new AbortController();
  const server = await startOrderServer({ shutdown: shutdown.signal });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  end = async () => {
    agent.destroy();
    await server.close();
  };
  const send = async (path: string): Promise<{ status: number; connection: string; isReused: boolean }> => {
    const sent = request(`${server.url}${path}`, { agent, headers: VALID_HEADERS });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject).end();
    });
    answer.resume();
    await new Promise((resolve) => answer.on('close', resolve));
    const { statusCode: status = 0, headers } = answer;
    return { status, connection: headers.connection ?? '', isReused: sent.reusedSocket };
  };
  return { send, announce: () => shutdown.abort() };
}

const KEPT = { status: 200, connection: 'keep-alive' };
const CLOSED = { status: 200, connection: 'close' };

test('before its end a server answers open and new connections, and closes each with its answer', async () => {
  const { send, announce } = await startStoppableServer();
  expect(await send('/health/live')).toEqual({ ...KEPT, isReused: false });
  expect(await send('/health/live')).toEqual({ ...KEPT, isReused: true });
  announce();
  expect(await send('/health/live')).toEqual({ ...CLOSED, isReused: true });
  expect(await send('/health/live')).toEqual({ ...CLOSED, isReused: false });
});

test.each([
  ['an operation', '/orders/o-1'],
  ['an unknown path', '/nowhere'],
  ['the document', '/openapi.json'],
])('before its end a server closes the connection of %s', async (_, path) => {
  const { send, announce } = await startStoppableServer();
  const { status, connection } = await send(path);
  expect(connection).toBe('keep-alive');
  announce();
  expect(await send(path)).toMatchObject({ status, connection: 'close' });
});

test('before its end a server is not ready', async () => {
  const { send, announce } = await startStoppableServer();
  expect(await send('/health/ready')).toMatchObject({ status: 200 });
  announce();
  expect(await send('/health/ready')).toMatchObject({ status: 503, connection: 'close' });
});
