import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net';
import { DAY_MS } from '@pos/core/time';
import { generate } from 'selfsigned';
import { EgressClient, type EgressRequest } from './egress-client.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

async function createCertificate({
  name = 'localhost',
  isExpired = false,
  isFuture = false,
}: { readonly name?: string; readonly isExpired?: boolean; readonly isFuture?: boolean } = {}): Promise<Certificate> {
  const startsAt = Date.now() + (isExpired ? -20 : isFuture ? 10 : -1) * DAY_MS;
  const created = await generate([{ name: 'commonName', value: name }], {
    notBeforeDate: new Date(startsAt),
    notAfterDate: new Date(startsAt + 10 * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
  return { key: created.private, cert: created.cert };
}

/** A receiver that answers with the bytes, over TLS, and then does nothing. */
async function openReceiver(certificate: Certificate, answer: string): Promise<{ port: number; sockets: Socket[] }> {
  const sockets: Socket[] = [];
  const server: Server = createServer({ key: certificate.key, cert: certificate.cert });
  server.on('request', ({ socket }: { socket: Socket }) => {
    sockets.push(socket);
    socket.write(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

async function send(
  port: number,
  certificateAuthority: string | null,
  more: Partial<EgressRequest> = {},
): ReturnType<EgressClient['send']> {
  const egress = new EgressClient({ allow: [`localhost:${port}`], certificateAuthority });
  cleanups.push(() => egress.close());
  return egress.send({ method: 'POST', url: `https://localhost:${port}/`, headers: {}, deadlineMs: 10_000, ...more });
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('the cause of a refused certificate is named', () => {
  test.each([
    ['an expired one', { isExpired: true }, true, 'its certificate has expired'],
    ['one of the future', { isFuture: true }, true, 'its certificate is not valid yet'],
    ['one of another name', { name: 'example.com' }, true, 'its certificate is for another host name'],
    ['a self-signed one', {}, false, 'its certificate is self-signed'],
  ] as const)('%s', async (_, options, isTrusted, cause) => {
    const certificate = await createCertificate(options);
    const { port, sockets } = await openReceiver(certificate, `${OK}content-length: 0\r\n\r\n`);
    const outcome = await send(port, isTrusted ? certificate.cert : null);
    expect(outcome).toMatchObject({ outcome: 'unanswered', reason: 'tls', cause, mayHaveArrived: false });
    expect(sockets).toEqual([]);
  });

  test('a port without TLS', async () => {
    const server = createPlainServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await send(port, null)).toMatchObject({
      reason: 'tls',
      cause: 'it does not speak TLS on this port, or an unsupported version',
    });
  });
});

describe('where the status decides', () => {
  test.each([
    ['a body that never begins', 'content-length: 5\r\n\r\n', ''],
    ['a body that never ends', 'transfer-encoding: chunked\r\n\r\n2\r\nok\r\n', 'ok'],
    ['a body that is not well formed', 'transfer-encoding: chunked\r\n\r\nnonsense\r\n', ''],
    ['no length at all', '\r\n', ''],
  ])('%s is no failure, and its connection is closed', async (_, rest, text) => {
    const certificate = await createCertificate();
    const { port, sockets } = await openReceiver(certificate, `${OK}${rest}`);
    const outcome = await send(port, certificate.cert, { isBodyOptional: true });
    expect(outcome).toMatchObject({ outcome: 'answered', httpStatus: 200 });
    expect(outcome.outcome === 'answered' && outcome.body.toString()).toBe(text);
    expect(outcome.tookMs).toBeLessThan(5_000);
    const [socket] = sockets;
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(sockets).toHaveLength(1);
  });

  test('headers that do not come in time are a failure as before', async () => {
    const certificate = await createCertificate();
    const { port } = await openReceiver(certificate, OK);
    expect(await send(port, certificate.cert, { isBodyOptional: true, deadlineMs: 700 })).toMatchObject({
      ...{ outcome: 'unanswered', reason: 'timeout', mayHaveArrived: true },
    });
  });

  test('a whole body is read, and its connection is kept', async () => {
    const certificate = await createCertificate();
    const { port, sockets } = await openReceiver(certificate, `${OK}content-length: 4\r\n\r\nkept`);
    const outcome = await send(port, certificate.cert, { isBodyOptional: true });
    expect(outcome.outcome === 'answered' && [outcome.body.toString(), outcome.isTruncated]).toEqual(['kept', false]);
    expect(sockets[0]?.destroyed).toBe(false);
  });
});
