import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type PortProxy, openPortProxy } from './port-proxy.js';

const LOOPBACK = '127.0.0.1';

let echo: Server;
let behind: { host: string; port: number };
let proxy: PortProxy;
const served: Socket[] = [];

beforeAll(async () => {
  echo = createServer((socket) => {
    served.push(socket);
    socket.pipe(socket);
  });
  echo.listen(0, LOOPBACK);
  await once(echo, 'listening');
  behind = { host: LOOPBACK, port: (echo.address() as AddressInfo).port };
  proxy = await openPortProxy({ host: '0.0.0.0', port: 0 }, behind);
});

afterAll(() => {
  proxy.close();
  echo.close();
});

async function openSocket(): Promise<Socket> {
  const socket = connect({ host: LOOPBACK, port: proxy.port });
  await once(socket, 'connect');
  return socket;
}

async function sendAndReceive(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

test('data is forwarded, and the answer returned', async () => {
  const [first, second] = [await openSocket(), await openSocket()];
  expect(await sendAndReceive(first, 'table 4')).toBe('table 4');
  expect(await sendAndReceive(second, 'table 5')).toBe('table 5');
  first.destroy();
  second.destroy();
});

test('a side that disconnects ends the other', async () => {
  const socket = await openSocket();
  expect(await sendAndReceive(socket, 'hello')).toBe('hello');
  served.at(-1)?.destroy();
  await once(socket, 'close');
});

test('a port in use is refused', async () => {
  await expect(openPortProxy({ host: LOOPBACK, port: behind.port }, behind)).rejects.toThrow('EADDRINUSE');
});

test('after it is closed, no client connects, and none stays connected', async () => {
  const own = await openPortProxy({ host: LOOPBACK, port: 0 }, behind);
  const socket = connect({ host: LOOPBACK, port: own.port });
  await once(socket, 'connect');
  expect(await sendAndReceive(socket, 'hello')).toBe('hello');
  own.close();
  await once(socket, 'close');
  const late = connect({ host: LOOPBACK, port: own.port });
  await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED');
});
