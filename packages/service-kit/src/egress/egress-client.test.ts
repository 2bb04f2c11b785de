import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createServer as createPlain, type AddressInfo, type Server as PlainServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';
import { EgressClient, type EgressRequest } from './egress-client.js';

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const receivedRequests: ReceivedRequest[] = [];
const connections = new Set<Duplex>();
let receiver: Server;
let port: number;
let certificateAuthority: string;
let egress: EgressClient;
let bodyBytesSent = 0;

beforeAll(async () => {
  const created = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  certificateAuthority = created.cert;
  receiver = createServer({ key: created.private, cert: created.cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      receivedRequests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      });
      switch (request.url ?? '') {
        case '/redirect':
          response.writeHead(302, { location: `https://localhost:${port}/stolen` }).end();
          break;
        case '/endless':
          response.writeHead(200);
          bodyBytesSent = 0;
          (function more(): void {
            if (response.destroyed || bodyBytesSent > 50_000_000) return;
            bodyBytesSent += 16_384;
            if (response.write(Buffer.alloc(16_384, 'x'))) setImmediate(more);
            else response.once('drain', more);
          })();
          break;
        case '/drip':
          response.writeHead(200);
          response.write('a');
          break;
        case '/silent':
          break;
        case '/hang-up':
          request.socket.destroy();
          break;
        default:
          response.writeHead(202, { 'content-type': 'application/json' }).end('{"ok":true}');
      }
    });
  });
  receiver.on('connection', (socket) => connections.add(socket));
  port = await listenOnFreePort(receiver);
  egress = new EgressClient({ allow: [`localhost:${port}`], certificateAuthority });
});

afterAll(async () => {
  for (const socket of connections) socket.destroy();
  await egress.close();
  receiver.close();
});

beforeEach(() => {
  receivedRequests.length = 0;
});

test('an allow-listed receiver is reached over TLS, with exactly the bytes given', async () => {
  const answer = await egress.send(createPost(`https://localhost:${port}/hooks?x=1`, { headers: { 'x-one': '1' } }));
  expect(answer).toMatchObject({
    outcome: 'answered',
    httpStatus: 202,
    contentType: 'application/json',
    isTruncated: false,
  });
  expect(receivedRequests).toHaveLength(1);
  expect(receivedRequests[0]).toMatchObject({
    method: 'POST',
    url: '/hooks?x=1',
    body: '{"a":1}',
    headers: { 'x-one': '1' },
  });
});

test.each([
  ['http', 'http://example.com/', 'only https is called'],
  ['another scheme', 'ftp://example.com/', 'only https is called'],
  ['a file', 'file:///etc/passwd', 'only https is called'],
  ['no URL', 'example.com/hooks', 'the URL cannot be read'],
  ['a user name', 'https://user@example.com/', 'the URL carries credentials'],
  ['a password', 'https://:secret@example.com/', 'the URL carries credentials'],
  ['an endless URL', `https://example.com/${'a'.repeat(2048)}`, 'the URL is longer than 2048 characters'],
  ['mail', 'https://example.com:25/', 'port 25 is never called'],
  ['ssh', 'https://example.com:22/', 'port 22 is never called'],
  ['PostgreSQL', 'https://example.com:5432/', 'port 5432 is never called'],
  ['port zero', 'https://example.com:0/', 'port 0 is never called'],
  ['loopback', 'https://127.0.0.1/', 'the address is not public: it is a loopback address'],
  ['loopback as one number', 'https://2130706433/', 'the address is not public: it is a loopback address'],
  ['loopback in octal', 'https://0177.0.0.1/', 'the address is not public: it is a loopback address'],
  ['loopback in hex', 'https://0x7f.1/', 'the address is not public: it is a loopback address'],
  ['loopback in full-width digits', 'https://１２７.０.０.１/', 'the address is not public: it is a loopback address'],
  ['loopback v6', 'https://[::1]/', 'the address is not public: it is a loopback address'],
  ['IPv4-mapped loopback', 'https://[::ffff:127.0.0.1]/', 'the address is not public: it is a loopback address'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/', 'the address is not public'],
  ['6to4', 'https://[2002:7f00:1::]/', 'the address is not public'],
  [
    'cloud metadata',
    'https://169.254.169.254/latest/meta-data',
    'the address is not public: it is a link-local address',
  ],
  ['a private network', 'https://192.168.0.10/', 'the address is not public: it is a private address'],
])('%s is refused before anything is sent', async (_, url, detail) => {
  expect(await egress.send(createPost(url))).toMatchObject({
    outcome: 'unanswered',
    reason: 'forbidden',
    detail,
    mayHaveArrived: false,
  });
});

test.each([
  ['a private address', ['10.0.0.7']],
  ['a public and a private one', ['8.8.8.8', '127.0.0.1']],
  ['a link-local v6 one', ['fe80::1']],
  ['an IPv4-mapped one', ['::ffff:127.0.0.1']],
])('a name that resolves to %s is refused', async (_, addresses) => {
  const publicClient = new EgressClient({ resolve: () => Promise.resolve(addresses) });
  expect(await publicClient.send(createPost(`https://innocent.example:${port}/`))).toMatchObject({
    outcome: 'unanswered',
    reason: 'dns',
    detail: 'The name does not resolve to a public address.',
    mayHaveArrived: false,
  });
  await publicClient.close();
  expect(receivedRequests).toHaveLength(0);
});

test('a name is resolved once per connection, which goes to exactly the checked addresses', async () => {
  const answers = [['203.0.113.9'], ['127.0.0.1']];
  let resolveCount = 0;
  const publicClient = new EgressClient({ resolve: () => Promise.resolve(answers[resolveCount++] ?? []) });
  const first = await publicClient.send(createPost(`https://rebinding.example:${port}/`));
  expect(first).toMatchObject({ reason: 'dns' });
  expect(resolveCount).toBe(1);
  const second = await publicClient.send(createPost(`https://rebinding.example:${port}/`));
  expect(second).toMatchObject({ reason: 'dns' });
  expect(receivedRequests).toHaveLength(0);
  await publicClient.close();
});

test.each([
  ['another port of the same host', (): string => `https://localhost:${port + 1}/`],
  ['another name of the same host', (): string => `https://127.0.0.1:${port}/`],
  ['plain http', (): string => `http://localhost:${port}/`],
  ['credentials', (): string => `https://me:you@localhost:${port}/`],
])('the allow-list is exact: not %s', async (_, url) => {
  const answer = await egress.send(createPost(url()));
  expect(answer).toMatchObject({ outcome: 'unanswered', mayHaveArrived: false });
  expect(receivedRequests).toHaveLength(0);
});

test('a name that does not resolve and a private name have the same outcome', async () => {
  const publicClient = new EgressClient({ resolve: () => Promise.reject(new Error('servfail')) });
  const unresolvedCall = await publicClient.send(createPost('https://nowhere.example/'));
  await publicClient.close();
  const inside = new EgressClient({ resolve: () => Promise.resolve(['10.0.0.7']) });
  const hidden = await inside.send(createPost('https://nowhere.example/'));
  await inside.close();
  expect({ ...hidden, tookMs: 0 }).toEqual({ ...unresolvedCall, tookMs: 0 });
  expect(unresolvedCall).toMatchObject({ reason: 'dns', mayHaveArrived: false });
});

test('a certificate of an unknown authority is a TLS failure', async () => {
  const strict = new EgressClient({ allow: [`localhost:${port}`] });
  expect(await strict.send(createPost(`https://localhost:${port}/`))).toMatchObject({
    reason: 'tls',
    mayHaveArrived: false,
  });
  await strict.close();
  expect(receivedRequests).toHaveLength(0);
});

test('a redirect is an answer and is not followed', async () => {
  expect(await egress.send(createPost(`https://localhost:${port}/redirect`))).toMatchObject({
    outcome: 'answered',
    httpStatus: 302,
  });
  expect(receivedRequests.map(({ url }) => url)).toEqual(['/redirect']);
});

test('an endless answer is read to 64 KB and no further', async () => {
  const answer = await egress.send(createPost(`https://localhost:${port}/endless`));
  expect(answer).toMatchObject({ outcome: 'answered', isTruncated: true });
  expect(answer.outcome === 'answered' && answer.body.length).toBe(64 * 1024);
  expect(bodyBytesSent).toBeLessThan(10_000_000);
});

test.each(['/silent', '/drip'])('a call with an endless answer (%s) is aborted, and may have arrived', async (path) => {
  const answer = await egress.send(createPost(`https://localhost:${port}${path}`, { deadlineMs: 1_500 }));
  expect(answer).toMatchObject({ outcome: 'unanswered', reason: 'timeout', mayHaveArrived: true });
  expect(receivedRequests).toHaveLength(1);
});

test('a request whose receiver hangs up may have arrived', async () => {
  const answer = await egress.send(createPost(`https://localhost:${port}/hang-up`));
  expect(answer).toMatchObject({ outcome: 'unanswered', reason: 'reset', mayHaveArrived: true });
  expect(receivedRequests).toHaveLength(1);
});

test('a closed port is refused, and nothing arrived', async () => {
  const closed = createPlain();
  const free = await listenOnFreePort(closed);
  closed.close();
  const local = new EgressClient({ allow: [`localhost:${free}`] });
  expect(await local.send(createPost(`https://localhost:${free}/`))).toMatchObject({
    reason: 'refused',
    mayHaveArrived: false,
  });
  await local.close();
});

test.each([
  ['loopback, when it may be', 'http://127.0.0.1:1/', true, 'refused'],
  ['the name of loopback, when it may be', 'http://localhost:1/', true, 'refused'],
  ['a listed address, when it may be', 'http://listed.invalid:81/', true, 'dns'],
  ['loopback', 'http://127.0.0.1:1/', false, 'forbidden'],
  ['a listed address', 'http://listed.invalid:81/', false, 'forbidden'],
  ['another port of a listed address', 'http://listed.invalid/', true, 'forbidden'],
  ['a public address', 'http://93.184.216.34/', true, 'forbidden'],
  ['a private address', 'http://10.0.0.1/', true, 'forbidden'],
  ['another protocol', 'ftp://127.0.0.1/', true, 'forbidden'],
])('without TLS, %s is called or not: %s', async (_, url, allowsPlaintext, reason) => {
  const local = new EgressClient({ allow: ['listed.invalid:81'] });
  expect(await local.send(createPost(url, { allowsPlaintext }))).toMatchObject({ outcome: 'unanswered', reason });
  await local.close();
});

test('the outcome of a failure contains neither address nor secret', async () => {
  const publicClient = new EgressClient({ resolve: () => Promise.resolve(['10.9.8.7']) });
  const answer = await publicClient.send(createPost('https://secret-host.example/token-in-path'));
  expect(JSON.stringify(answer)).not.toMatch(/10\.9|secret-host|token/);
  await publicClient.close();
});

function createPost(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { method: 'POST', url, headers: {}, body: Buffer.from('{"a":1}'), ...more };
}

async function listenOnFreePort(server: Server | PlainServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
