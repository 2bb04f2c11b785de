import { Module } from '@nestjs/common';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import type { ConnectionLimits } from './connection-limit.js';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import { startGrpcServers } from '../testing/grpc-startup.js';
import { serveHealth } from '../http/health.js';
import { startHttpServer } from '../http/http-server.js';
import { startInternalServer } from '../internal/internal-server.js';
import { formatHostPort } from './listen-address.js';
import { createLog } from '../telemetry/log.js';
import { countDropped, hasIpv6, parseHostPort, TEST_CONNECTIONS_MAX } from '../testing/connections.js';

@Module({})
class EmptyModule {}

const log = createLog({ app: 'test', level: 'silent' });
const authenticate = () => Promise.resolve(null);
const LOOPBACK = '127.0.0.1';

/** The ports of these tests are plain text, also off loopback. */
const encryption = { tls: null, trustedProxies: ['::1', '127.0.0.0/8'] };

interface OpenedPort {
  readonly address: string;
  readonly close: () => Promise<void>;
}

/** Every function that opens a port of an app. */
const PORT_OPENERS: Readonly<Record<string, (connections: ConnectionLimits, host?: string) => Promise<OpenedPort>>> = {
  HTTP: async (connections, host = LOOPBACK) => {
    const openapi = { title: 'test', description: 'test' };
    const parts = { module: EmptyModule, operations: [], port: 0, host, ready: [], log, openapi };
    const { url, close } = await startHttpServer({ ...parts, connections, encryption });
    return { address: url, close };
  },
  gRPC: async (connections, host = LOOPBACK) => {
    const server = { host, port: 0, services: [], authenticate, log, connections, encryption };
    const { servers, close } = await startGrpcServers({ module: EmptyModule, serverOptions: [server] });
    return { address: formatHostPort(host, servers[0]!.port), close };
  },
  'internal gRPC': async (connections, host = LOOPBACK) => {
    const credentials = ServerCredentials.createInsecure();
    const service = { name: 'test.v1.TestService', definition: EposServiceService, implementation: {} };
    const { port, close } = await startInternalServer({ host, port: 0, ...service, connections, credentials });
    return { address: formatHostPort(host, port), close };
  },
  health: async (connections, host = LOOPBACK) => {
    const { url, close } = await serveHealth({ host, port: 0, checks: [], connections });
    return { address: url, close };
  },
};

let openedPort: OpenedPort | null = null;
afterEach(() => openedPort?.close());

test.each(Object.keys(PORT_OPENERS))(
  'a port for %s drops connections of one address beyond its limit',
  async (name) => {
    openedPort = await PORT_OPENERS[name]!({ perAddress: TEST_CONNECTIONS_MAX });
    expect(await countDropped(openedPort.address)).toBe(2);
  },
);

test.each(Object.keys(PORT_OPENERS))('a port for %s closes a connection on which nothing is sent', async (name) => {
  openedPort = await PORT_OPENERS[name]!({ firstByteTimeoutMs: 50 });
  const silent = connect(parseHostPort(openedPort.address)).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
});

/** Opens a connection; each call of the returned function sends a request on it. */
const PROTOCOL_CLIENTS: Readonly<Record<string, (address: string) => Promise<ProtocolClient>>> = {
  HTTP: openHttpClient,
  gRPC: openGrpcClient,
  'internal gRPC': openGrpcClient,
  health: openHttpClient,
};

interface ProtocolClient {
  readonly sendRequest: () => Promise<string>;
  readonly close: () => void;
}

test.each(Object.keys(PORT_OPENERS))('a port for %s keeps a connection on which something was sent', async (name) => {
  openedPort = await PORT_OPENERS[name]!({ firstByteTimeoutMs: 50 });
  const { sendRequest, close } = await PROTOCOL_CLIENTS[name]!(openedPort.address);
  expect(await sendRequest()).toBe('answered');
  const silent = connect(parseHostPort(openedPort.address)).on('error', () => undefined);
  silent.resume();
  await once(silent, 'close');
  expect(await sendRequest()).toBe('answered');
  close();
});

async function openHttpClient(address: string): Promise<ProtocolClient> {
  const socket = connect(parseHostPort(address));
  await once(socket, 'connect');
  const ask = async (): Promise<string> => {
    socket.write('GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n');
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[];
    return String(data).includes('200 OK') ? 'answered' : 'closed';
  };
  return { sendRequest: ask, close: () => socket.destroy() };
}

/** One HTTP/2 session. A gRPC client would silently open another one. */
async function openGrpcClient(address: string): Promise<ProtocolClient> {
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
  return { sendRequest: ask, close: () => session.destroy() };
}

const LISTEN_HOSTS = ['::1', '[::1]', '::', '[::]', '0.0.0.0', 'localhost'];

test.each(LISTEN_HOSTS.flatMap((host) => Object.keys(PORT_OPENERS).map((name) => [name, host] as const)))(
  'a port for %s is opened on %s',
  async (name, host) => {
    if (host.includes(':') && !hasIpv6()) return;
    openedPort = await PORT_OPENERS[name]!({}, host);
    const { port } = parseHostPort(openedPort.address);
    const target = host.includes(':') ? '::1' : LOOPBACK;
    const { sendRequest, close } = await PROTOCOL_CLIENTS[name]!(formatHostPort(target, port));
    expect(await sendRequest()).toBe('answered');
    close();
  },
);
