import { Module } from '@nestjs/common';
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { ConnectionLimits } from './connection-limit.js';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import { bootGrpc } from './grpc.js';
import { serveHealth } from './health.js';
import { bootHttp } from './http.js';
import { openInternalPort } from './internal-grpc.js';
import { hostAndPort } from './listen-address.js';
import { openLog } from './log.js';
import { countDropped, hasIpv6, placeOf, TEST_CONNECTIONS_MAX } from './testing-connections.js';

@Module({})
class Empty {}

const log = openLog({ app: 'test', level: 'silent' });
const authenticate = () => Promise.resolve(null);
const LOOPBACK = '127.0.0.1';

interface Opened {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Everything that opens a port of an app. */
const PORTS: Readonly<Record<string, (connections: ConnectionLimits, host?: string) => Promise<Opened>>> = {
  HTTP: async (connections, host = LOOPBACK) => {
    const openapi = { title: 'test', description: 'test' };
    const parts = { module: Empty, operations: [], port: 0, host, authenticate, ready: [], log, openapi };
    const { url, close } = await bootHttp({ ...parts, connections });
    return { address: url, close };
  },
  gRPC: async (connections, host = LOOPBACK) => {
    const door = { host, port: 0, services: [], authenticate, log, connections };
    const { doors, close } = await bootGrpc({ module: Empty, doors: [door] });
    return { address: hostAndPort(host, doors[0]!.port), close };
  },
  'internal gRPC': async (connections, host = LOOPBACK) => {
    const service = { name: 'test.v1.TestService', definition: EposServiceService, implementation: {} };
    const { port, close } = await openInternalPort({ host, port: 0, ...service, connections });
    return { address: hostAndPort(host, port), close };
  },
  health: async (connections, host = LOOPBACK) => {
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
  const silent = connect(placeOf(opened.address)).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
});

/** Makes a connection and asks on it, as often as the returned function is called. */
const ASKING: Readonly<Record<string, (address: string) => Promise<Asking>>> = {
  HTTP: askOverHttp,
  gRPC: askOverGrpc,
  'internal gRPC': askOverGrpc,
  health: askOverHttp,
};

interface Asking {
  readonly ask: () => Promise<string>;
  readonly close: () => void;
}

test.each(Object.keys(PORTS))('a port for %s keeps a connection on which something was sent', async (name) => {
  opened = await PORTS[name]!({ silentMs: 50 });
  const { ask, close } = await ASKING[name]!(opened.address);
  expect(await ask()).toBe('answered');
  const silent = connect(placeOf(opened.address)).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
  expect(await ask()).toBe('answered');
  close();
});

async function askOverHttp(address: string): Promise<Asking> {
  const socket = connect(placeOf(address));
  await once(socket, 'connect');
  const ask = async (): Promise<string> => {
    socket.write('GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n');
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[];
    return String(data).includes('200 OK') ? 'answered' : 'closed';
  };
  return { ask, close: () => socket.destroy() };
}

/** One HTTP/2 session, which a client of gRPC would open anew without a word. */
async function askOverGrpc(address: string): Promise<Asking> {
  const session = connectHttp2(`http://${address}`).on('error', () => undefined);
  await once(session, 'connect');
  const ask = async (): Promise<string> => {
    const headers = { ':method': 'POST', ':path': '/grpc.health.v1.Health/Check', te: 'trailers' };
    const stream = session.request({ ...headers, 'content-type': 'application/grpc' });
    stream.end(Buffer.alloc(5));
    stream.resume();
    const [trailers] = (await once(stream, 'trailers')) as [Readonly<Record<string, unknown>>];
    return trailers['grpc-status'] === '0' ? 'answered' : String(trailers['grpc-message']);
  };
  return { ask, close: () => session.destroy() };
}

const HOSTS = ['::1', '[::1]', '::', '[::]', '0.0.0.0', 'localhost'];

test.each(HOSTS.flatMap((host) => Object.keys(PORTS).map((name) => [name, host] as const)))(
  'a port for %s is opened on %s',
  async (name, host) => {
    if (host.includes(':') && !hasIpv6()) return;
    opened = await PORTS[name]!({}, host);
    const { port } = placeOf(opened.address);
    const target = host.includes(':') ? '::1' : LOOPBACK;
    const { ask, close } = await ASKING[name]!(hostAndPort(target, port));
    expect(await ask()).toBe('answered');
    close();
  },
);
