import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import {
  createServer as createPlainServer,
  type RequestListener,
  type Server as PlainServer,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { setImmediate as freeConnection } from 'node:timers/promises';
import tls from 'node:tls';
import { generate } from 'selfsigned';
import { EgressClient, type EgressOutcome } from './egress-client.js';

const CONNECTIONS_PER_ORIGIN_MAX = 16;
const HOUR_S = 3_600;

let certificateAuthority: string;
let first: Server;
let second: Server;
let plain: PlainServer;
const connections = new Map<NetServer, Socket[]>();
const clients: EgressClient[] = [];
const held: ServerResponse[] = [];
const paths: string[] = [];

beforeAll(async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  certificateAuthority = cert;
  first = createServer({ key, cert }, answer);
  second = createServer({ key, cert }, answer);
  plain = createPlainServer(answer);
  for (const server of [first, second, plain]) {
    // It never closes an idle connection itself.
    server.keepAliveTimeout = 0;
    connections.set(server, []);
    server.on('connection', (socket: Socket) => connections.get(server)?.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
});

afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const sockets of connections.values()) for (const socket of sockets.splice(0)) socket.destroy();
});

afterAll(() => {
  for (const server of connections.keys()) server.close();
});

/** `/close` ends its connection, `/announce` announces that an idle one is kept for an hour, `/hold` waits for the test. */
const answer: RequestListener = (request, response) => {
  paths.push(request.url ?? '');
  request.resume().on('end', () => {
    if (request.url === '/hold') {
      held.push(response);
      return;
    }
    if (request.url === '/close') response.setHeader('connection', 'close');
    if (request.url === '/announce') response.setHeader('keep-alive', `timeout=${HOUR_S}`);
    response.end();
  });
};

function openClient(options: ConstructorParameters<typeof EgressClient>[0] = {}): EgressClient {
  const allow = [first, second].map((server) => `localhost:${getPort(server)}`);
  const client = new EgressClient({ allow, certificateAuthority, ...options });
  clients.push(client);
  return client;
}

function getPort(server: NetServer): number {
  return (server.address() as AddressInfo).port;
}

function countConnections(server: NetServer): number {
  return connections.get(server)?.length ?? 0;
}

/** Resolves when the connection is free for the next call, which is a moment after the end of its answer. */
async function send(client: EgressClient, server: NetServer, path = '/'): Promise<EgressOutcome> {
  const scheme = server === plain ? 'http' : 'https';
  const url = `${scheme}://localhost:${getPort(server)}${path}`;
  const outcome = await client.send({
    method: 'POST',
    url,
    headers: {},
    body: Buffer.from('{}'),
    allowsLoopback: true,
  });
  await freeConnection();
  return outcome;
}

test('calls to one receiver share a connection', async () => {
  const client = openClient();
  for (const path of ['/', '/hooks', '/other']) {
    expect(await send(client, first, path)).toMatchObject({ outcome: 'answered' });
  }
  expect(countConnections(first)).toBe(1);
});

test('simultaneous calls to one receiver open a limited number of connections', async () => {
  const client = openClient();
  const answers = await Promise.all(Array.from({ length: 60 }, () => send(client, first)));
  expect(answers.filter(({ outcome }) => outcome === 'answered')).toHaveLength(60);
  expect(countConnections(first)).toBeLessThanOrEqual(CONNECTIONS_PER_ORIGIN_MAX);
});

test('a new connection parses no certificates of authorities', async () => {
  const client = openClient();
  const createContext = jest.spyOn(tls, 'createSecureContext');
  for (let call = 0; call < 3; call += 1) await send(client, first, '/close');
  expect(countConnections(first)).toBe(3);
  // A connection without a context of its own parses its options; channels of other tests may reconnect meanwhile.
  const ofConnections = createContext.mock.calls.filter(([options]) => options !== undefined && 'port' in options);
  expect(ofConnections).toEqual([]);
});

test('a call to another address never uses a kept connection of the former one', async () => {
  const client = openClient();
  await send(client, first);
  await send(client, second);
  await send(client, first);
  expect([countConnections(first), countConnections(second)]).toEqual([1, 1]);
  const unlisted = `https://127.0.0.1:${getPort(first)}/`;
  const refused = await client.send({ method: 'POST', url: unlisted, headers: {} });
  expect(refused).toMatchObject({ outcome: 'unanswered', reason: 'forbidden' });
  expect(countConnections(first)).toBe(1);
});

test('a kept connection stays at the address that was checked, although the name now has another', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.7']];
  const resolveLocally = (): Promise<readonly string[]> => Promise.resolve(answers.shift() ?? []);
  const client = openClient({ resolveLocally });
  await send(client, plain, '/announce');
  expect(await send(client, plain, '/announce')).toMatchObject({ outcome: 'answered' });
  expect(answers).toEqual([['10.0.0.7']]);
  expect(countConnections(plain)).toBe(1);
});

test('an old connection is replaced, and the name is checked again', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.7']];
  const resolveLocally = (): Promise<readonly string[]> => Promise.resolve(answers.shift() ?? []);
  const client = openClient({ resolveLocally, connectionAgeMsMax: 1 });
  await send(client, plain, '/announce');
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  expect(await send(client, plain, '/announce')).toMatchObject({ outcome: 'unanswered', reason: 'dns' });
  expect(answers).toEqual([]);
});

test('calls are answered although all connections to their receiver are old and busy', async () => {
  const client = openClient({ connectionAgeMsMax: 60_000 });
  const running = Array.from({ length: CONNECTIONS_PER_ORIGIN_MAX }, () => send(client, first, '/hold'));
  const waiting = [send(client, first), send(client, first)];
  while (held.length < CONNECTIONS_PER_ORIGIN_MAX) await freeConnection();
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001);
  const later = [send(client, first), send(client, first)];
  for (const response of held.splice(0)) response.end();
  const outcomes = await Promise.all([...running, ...waiting, ...later]);
  expect(outcomes.filter(({ outcome }) => outcome === 'answered')).toHaveLength(CONNECTIONS_PER_ORIGIN_MAX + 4);
});

test('a call that waits for a connection ends at its deadline, and is not sent later', async () => {
  const client = openClient();
  let answered = 0;
  const countAnswer = (outcome: EgressOutcome): EgressOutcome => {
    answered += 1;
    return outcome;
  };
  const running = Array.from({ length: CONNECTIONS_PER_ORIGIN_MAX }, () =>
    send(client, first, '/hold').then(countAnswer),
  );
  while (held.length < CONNECTIONS_PER_ORIGIN_MAX) await freeConnection();
  const url = `https://localhost:${getPort(first)}/late`;
  expect(await client.send({ method: 'POST', url, headers: {}, deadlineMs: 50 })).toMatchObject({ reason: 'timeout' });
  expect(answered).toBe(0);
  for (const response of held.splice(0)) response.end();
  await Promise.all(running);
  await send(client, first);
  expect(paths).not.toContain('/late');
});

test('an idle connection is closed at our limit, although the receiver announces a longer one', async () => {
  const client = openClient({ idleMsMax: 100 });
  await send(client, first, '/announce');
  const [socket] = connections.get(first) ?? [];
  if (socket === undefined) throw new Error('no connection was opened');
  if (!socket.destroyed) await once(socket, 'close');
  await send(client, first, '/announce');
  expect(countConnections(first)).toBe(2);
});
