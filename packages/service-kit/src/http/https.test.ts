import { Module } from '@nestjs/common';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { CertificateAuthority, type IssuedCertificate, writeFiles } from '../network/certificate-authority.js';
import { openPortEncryption } from '../network/port-encryption.js';
import { createLog } from '../telemetry/log.js';
import { type HttpServer, startHttpServer } from './http-server.js';

@Module({})
class EmptyModule {}

const log = createLog({ app: 'test', level: 'silent' });

let authority: CertificateAuthority;
let other: CertificateAuthority;
let first: IssuedCertificate;
let folder: string;
let server: HttpServer;
let reload: () => Promise<void>;

beforeAll(async () => {
  authority = await CertificateAuthority.create('Test CA');
  other = await CertificateAuthority.create('Other CA');
  first = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
  folder = await mkdtemp(path.join(tmpdir(), 'https-'));
  await writeFiles(folder, { ...first });
  const config = {
    ...{ HTTP_TLS_CERT: path.join(folder, 'cert'), HTTP_TLS_KEY: path.join(folder, 'key') },
    ...{ TRUSTED_PROXIES: [], TLS_RELOAD_MS: 60_000 },
  };
  const encryption = openPortEncryption({ cert: 'HTTP_TLS_CERT', key: 'HTTP_TLS_KEY' }, config, log);
  reload = () => encryption.tls!.reload();
  server = await startHttpServer({
    ...{ module: EmptyModule, operations: [], port: 0, host: '127.0.0.1', ready: [], log, encryption },
    openapi: { title: 'test', description: 'test' },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly serialNumber: string;
}

/** Requests the health of the server over a connection of the agent. */
async function getHealth(agent: Agent): Promise<Answer> {
  const sent = request(`${server.url}/health/live`, { agent });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { serialNumber } = (answer.socket as TLSSocket).getPeerCertificate();
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode, serialNumber };
}

function serialOf({ cert }: IssuedCertificate): string {
  return new X509Certificate(cert).serialNumber;
}

test('an open connection outlives a change of the certificate, and new ones see the new certificate', async () => {
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const ca = [authority.cert, other.cert];
  const before = new Agent({ ca, keepAlive: true, maxSockets: 1 });
  expect(await getHealth(before)).toEqual({ status: 200, serialNumber: serialOf(first) });
  const second = await other.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
  await writeFiles(folder, { ...second });
  await reload();
  expect(await getHealth(before)).toEqual({ status: 200, serialNumber: serialOf(first) });
  expect(await getHealth(new Agent({ ca }))).toEqual({ status: 200, serialNumber: serialOf(second) });
  before.destroy();
  await writeFiles(folder, { ...first });
  await reload();
});

test.each<[string, () => Agent]>([
  ['another authority', () => new Agent({ ca: other.cert })],
  ['the public authorities', () => new Agent()],
  ['another name', () => new Agent({ ca: authority.cert, servername: 'elsewhere.test' })],
])('a client that expects %s is not served', async (_, createAgent) => {
  await expect(getHealth(createAgent())).rejects.toThrow(/certificate|altnames/);
});

test('a client without TLS is disconnected without an answer', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const received: Buffer[] = [];
  socket.on('data', (data) => received.push(data));
  socket.write('GET /health/live HTTP/1.1\r\nhost: test\r\n\r\n');
  await once(socket, 'close');
  expect(Buffer.concat(received).toString('latin1')).not.toContain('HTTP/');
});
