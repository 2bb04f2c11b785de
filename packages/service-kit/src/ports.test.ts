import { Module } from '@nestjs/common';
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ConnectionLimits } from './connection-limit.js';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import { bootGrpc } from './grpc.js';
import { serveHealth } from './health.js';
import { bootHttp } from './http.js';
import { openInternalPort } from './internal-grpc.js';
import { openLog } from './log.js';
import { countDropped, TEST_CONNECTIONS_MAX } from './testing-connections.js';

@Module({})
class Empty {}

const log = openLog({ app: 'test', level: 'silent' });
const authenticate = () => Promise.resolve(null);
const host = '127.0.0.1';

interface Opened {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Everything that opens a port of an app. */
const PORTS: Readonly<Record<string, (connections: ConnectionLimits) => Promise<Opened>>> = {
  HTTP: async (connections) => {
    const openapi = { title: 'test', description: 'test' };
    const parts = { module: Empty, operations: [], port: 0, host, authenticate, ready: [], log, openapi };
    const { url, close } = await bootHttp({ ...parts, connections });
    return { address: url, close };
  },
  gRPC: async (connections) => {
    const door = { address: `${host}:0`, services: [], authenticate, log, connections };
    const { doors, close } = await bootGrpc({ module: Empty, doors: [door] });
    return { address: `${host}:${doors[0]!.port}`, close };
  },
  'internal gRPC': async (connections) => {
    const service = { name: 'test.v1.TestService', definition: EposServiceService, implementation: {} };
    const { port, close } = await openInternalPort({ host, port: 0, ...service, connections });
    return { address: `${host}:${port}`, close };
  },
  health: async (connections) => {
    const { url, close } = await serveHealth({ host, port: 0, checks: [], connections });
    return { address: url, close };
  },
};

let opened: Opened | null = null;
afterEach(() => opened?.close());

test.each(Object.keys(PORTS))('a port for %s drops connections of one address beyond its limit', async (name) => {
  opened = await PORTS[name]!({ perAddress: TEST_CONNECTIONS_MAX });
  expect(await countDropped(opened.address)).toBe(2);
});

test.each(Object.keys(PORTS))('a port for %s closes a connection on which nothing is sent', async (name) => {
  opened = await PORTS[name]!({ silentMs: 50 });
  const { hostname, port } = new URL(opened.address.replace(/^(?!http)/, 'http://'));
  const silent = connect(Number(port), hostname).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
});

test('a connection on which something was sent is kept', async () => {
  opened = await PORTS['health']!({ silentMs: 50 });
  const { hostname, port } = new URL(opened.address);
  const socket = connect(Number(port), hostname);
  const ask = async (): Promise<string> => {
    socket.write('GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n');
    return String((await once(socket, 'data'))[0]);
  };
  expect(await ask()).toContain('200 OK');
  const silent = connect(Number(port), hostname).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
  expect(await ask()).toContain('200 OK');
  socket.destroy();
});
