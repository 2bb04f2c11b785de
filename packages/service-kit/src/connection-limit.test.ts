import { afterEach, expect, test } from '@jest/globals';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { endConnection, limitConnections } from './connection-limit.js';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listening(prepare: (server: Server) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true });
  servers.push(server);
  prepare(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function open(port: number, { localAddress = '127.0.0.1', allowHalfOpen = false } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

test('connections of one address beyond the limit are dropped; other addresses and later ones are served', async () => {
  const port = await listening((server) => {
    limitConnections(server, { perAddress: 3 });
    server.on('connection', (socket) => {
      socket.on('error', () => undefined).on('end', () => socket.end());
      socket.resume();
      if (!socket.destroyed) socket.write('served');
    });
  });
  const [first] = await Promise.all(Array.from({ length: 3 }, () => open(port)));
  const tooMany = await open(port);
  tooMany.resume();
  await once(tooMany, 'close');
  const other = await open(port, { localAddress: '127.0.0.2' });
  expect(String((await once(other, 'data'))[0])).toBe('served');
  first!.destroy();
  // The server learns of the end a moment later.
  for (let served = ''; served === '';) {
    const next = await open(port);
    next.resume();
    const [data] = (await Promise.race([once(next, 'data'), once(next, 'close')])) as unknown[];
    if (Buffer.isBuffer(data)) served = data.toString();
    else next.destroy();
  }
});

test('a connection that is ended is gone although the client keeps its side open and goes on sending', async () => {
  let ended: Socket | null = null;
  const port = await listening((server) => {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      ended = socket;
      endConnection(socket, 'no');
    });
  });
  const client = await open(port, { allowHalfOpen: true });
  client.write('x'.repeat(100_000));
  expect(String((await once(client, 'data'))[0])).toBe('no');
  await once(ended as unknown as Socket, 'close');
});
