import { afterEach, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { endConnection, limitConnections } from './connection-limit.js';
import { NetworkList } from './network-list.js';
import { createLog } from '../telemetry/log.js';
import { TestLog } from '@pos/testing';
import { hasIpv6 } from '../testing/connections.js';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function startServer(prepare: (server: Server) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true });
  servers.push(server);
  // A half-open connection stays when its client ends.
  server.on('connection', (socket) => sockets.push(socket));
  prepare(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function openSocket(port: number, { localAddress = '127.0.0.1', allowHalfOpen = false } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

test('connections of one address beyond the limit are dropped; other addresses and later ones are served', async () => {
  const port = await startServer((server) => {
    limitConnections(server, { perAddress: 3 });
    server.on('connection', (socket) => {
      socket.on('error', () => undefined).on('end', () => socket.end());
      socket.resume();
      if (!socket.destroyed) socket.write('served');
    });
  });
  const [first] = await Promise.all(Array.from({ length: 3 }, () => openSocket(port)));
  const tooMany = await openSocket(port);
  tooMany.resume();
  await once(tooMany, 'close');
  const other = await openSocket(port, { localAddress: '127.0.0.2' });
  expect(String((await once(other, 'data'))[0])).toBe('served');
  first!.destroy();
  // The server sees the end of a connection a moment later.
  for (let served = ''; served === '';) {
    const next = await openSocket(port);
    next.resume();
    const [data] = (await Promise.race([once(next, 'data'), once(next, 'close')])) as unknown[];
    if (Buffer.isBuffer(data)) served = data.toString();
    else next.destroy();
  }
});

test('dropped connections are logged in one line, which names the setting', async () => {
  const log = new TestLog();
  const port = await startServer((server) => {
    const warned = createLog({ app: 'test', level: 'info', write: log.write });
    limitConnections(server, { perAddress: 1, log: warned });
  });
  await openSocket(port);
  for (let count = 0; count < 3; count += 1) {
    const dropped = await openSocket(port);
    dropped.resume();
    await once(dropped, 'close');
  }
  expect(log.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ event: 'connections.dropped', address: '127.0.0.1', setting: 'CONNECTIONS_PER_ADDRESS' }),
  ]);
  log.expectNoLeaks();
});

test('a port for proxies drops connections from other networks, and logs their address once', async () => {
  const log = new TestLog();
  const port = new EventEmitter() as Server;
  limitConnections(port, {
    admitted: new NetworkList(['10.1.0.0/16', '2001:db8::7']),
    log: createLog({ app: 'test', level: 'info', write: log.write }),
  });
  const isAdmitted = (remoteAddress: string): boolean => {
    const socket = new Socket();
    sockets.push(socket);
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    port.emit('connection', socket);
    return !socket.destroyed;
  };
  const admitted = ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::7', '127.0.0.1', '::ffff:127.0.0.1', '::1'];
  expect(admitted.filter(isAdmitted)).toEqual(admitted);
  const strangers = ['10.2.0.1', '::ffff:10.2.0.1', '2001:db8::8', '', '10.2.0.1'];
  expect(strangers.filter(isAdmitted)).toEqual([]);
  expect(log.lines.map((line) => (JSON.parse(line) as { address: string }).address)).toEqual(strangers.slice(0, 4));
  expect(log.lines[0]).toContain('"setting":"TRUSTED_PROXIES"');
});

test('an IPv4 address counts as one on a dual-stack port', async () => {
  if (!hasIpv6()) return;
  const log = new TestLog();
  const server = createServer();
  servers.push(server);
  limitConnections(server, { perAddress: 1, log: createLog({ app: 'test', level: 'info', write: log.write }) });
  server.listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await openSocket(port);
  const dropped = await openSocket(port);
  dropped.resume();
  await once(dropped, 'close');
  expect(log.lines.join()).toContain('"address":"127.0.0.1"');
});

test('addresses of one IPv6 subscriber count as one', () => {
  // The machine has one IPv6 address, so the test uses a fake port that reports other remote addresses.
  const port = new EventEmitter() as Server;
  limitConnections(port, { perAddress: 2 });
  const isAccepted = (remoteAddress: string): boolean => {
    const socket = new Socket();
    sockets.push(socket);
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    port.emit('connection', socket);
    return !socket.destroyed;
  };
  expect(['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:DB8:0:1:ffff::3'].map(isAccepted)).toEqual([true, true, false]);
  expect(['2001:db8:0:2::1', '2001:db8:0:2::1', '2001:db8:0:2::2'].map(isAccepted)).toEqual([true, true, false]);
  expect(['::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'].map(isAccepted)).toEqual([
    ...[true, true, false, true],
  ]);
});

test('an ended connection is closed although its client keeps sending', async () => {
  let ended: Socket | null = null;
  const port = await startServer((server) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      ended = socket;
      endConnection(socket, 'no');
    });
  });
  const client = await openSocket(port, { allowHalfOpen: true });
  client.write('x'.repeat(100_000));
  expect(String((await once(client, 'data'))[0])).toBe('no');
  await once(ended as unknown as Socket, 'close');
});
