import { afterEach, expect, test } from '@jest/globals';
import { type ChannelCredentials, Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CertificateAuthority, writeFiles } from '../network/certificate-authority.js';
import { openPortEncryption, type PortEncryption } from '../network/port-encryption.js';
import { createLog } from '../telemetry/log.js';
import { CountService, TestGrpcModule } from '../testing/grpc-servers.js';
import { startGrpcServers } from '../testing/grpc-startup.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const TRUSTED: PortEncryption = { tls: null, trustedProxies: ['127.0.0.1'] };
const CLIENT = 'PROXY TCP4 203.0.113.7 10.0.0.1 4711 443\r\n';

/** A gRPC port that reads PROXY headers, and the lines of its log. */
async function startServer(encryption: PortEncryption, perAddress = 100) {
  const lines: string[] = [];
  const log = createLog({ app: 'test', level: 'info', write: (line) => lines.push(line) });
  const { servers, close } = await startGrpcServers({
    module: TestGrpcModule,
    serverOptions: [
      {
        ...{ host: '127.0.0.1', port: 0, log, encryption, proxyHeaders: true, closeTimeoutMs: 500 },
        ...{ services: [CountService], authenticate: () => Promise.resolve(null), connections: { perAddress } },
      },
    ],
  });
  closers.push(close);
  return { port: servers[0]!.port, readLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

/** A load balancer that begins each connection with these bytes, and then passes everything on. */
async function startProxy(target: number, header: string): Promise<number> {
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    sockets.push(socket, upstream);
    for (const [from, to] of [[socket, upstream] as const, [upstream, socket] as const]) {
      from.on('error', () => undefined).on('close', () => to.destroy());
    }
    if (header !== '') upstream.write(header, 'latin1');
    socket.pipe(upstream).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return (proxy.address() as AddressInfo).port;
}

function ask(port: number, channelCredentials: ChannelCredentials = credentials.createInsecure()): Promise<string> {
  const client = new Client(`localhost:${port}`, channelCredentials, { 'grpc.use_local_subchannel_pool': 1 });
  closers.push(() => client.close());
  const { path: rpc, requestSerialize, responseDeserialize } = CountService.ask;
  return new Promise((resolve) => {
    const done = (error: ServiceError | null, answer?: string): void => {
      resolve(error === null ? `answered ${answer}` : status[error.code]);
    };
    const options = { deadline: new Date(Date.now() + 20_000) };
    client.makeUnaryRequest(rpc, requestSerialize, responseDeserialize, 'who?', options, done);
  });
}

test('a call over TLS has the address of the client that the header names', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'proxy-headers-'));
  closers.push(() => rm(folder, { recursive: true }));
  const authority = await CertificateAuthority.create('Test CA');
  await writeFiles(folder, { ...(await authority.issue({ names: ['localhost'] })) });
  const config = {
    cert: path.join(folder, 'cert'),
    key: path.join(folder, 'key'),
    TRUSTED_PROXIES: ['127.0.0.1'],
    TLS_RELOAD_MS: 60_000,
  };
  const log = createLog({ app: 'test', level: 'silent' });
  const { port, readLines } = await startServer(openPortEncryption({ cert: 'cert', key: 'key' }, config, log));
  const proxy = await startProxy(port, CLIENT);
  expect(await ask(proxy, credentials.createSsl(Buffer.from(authority.cert)))).toMatch(/^answered/);
  expect(readLines()).toContainEqual(expect.objectContaining({ peer: '203.0.113.7:4711' }));
});

test('a call in plain text has it, too, and a connection of the proxy itself has the address of the proxy', async () => {
  const { port, readLines } = await startServer(TRUSTED);
  expect(await ask(await startProxy(port, CLIENT))).toMatch(/^answered/);
  expect(await ask(await startProxy(port, 'PROXY UNKNOWN\r\n'))).toMatch(/^answered/);
  expect(readLines().map(({ peer }) => peer)).toEqual([
    '203.0.113.7:4711',
    expect.stringMatching(/^127\.0\.0\.1:\d+$/),
  ]);
});

test('connections without a header are dropped, and those from elsewhere than the proxies', async () => {
  const { port, readLines } = await startServer(TRUSTED);
  expect(await ask(await startProxy(port, ''))).toBe('UNAVAILABLE');
  expect(readLines()).toEqual([
    expect.objectContaining({ event: 'connections.without_proxy_header', address: '127.0.0.1' }),
  ]);
  const other = await startServer({ tls: null, trustedProxies: ['10.0.0.0/8'] });
  expect(await ask(await startProxy(other.port, CLIENT))).toBe('UNAVAILABLE');
  expect(other.readLines()).toEqual([
    expect.objectContaining({ event: 'connections.not_from_proxy', address: '127.0.0.1' }),
  ]);
});

test('the limit of connections counts the clients, not the proxy', async () => {
  const { port, readLines } = await startServer(TRUSTED, 1);
  const [first, second] = [await startProxy(port, CLIENT), await startProxy(port, CLIENT.replace('.7 ', '.8 '))];
  expect(await ask(first)).toMatch(/^answered/);
  expect(await ask(second)).toMatch(/^answered/);
  expect(await ask(first)).toBe('UNAVAILABLE');
  expect(readLines()).toContainEqual(expect.objectContaining({ event: 'connections.dropped', address: '203.0.113.7' }));
});

test('without trusted proxies such a port does not start', async () => {
  await expect(startServer({ tls: null, trustedProxies: [] })).rejects.toThrow('TRUSTED_PROXIES: is not set');
});
