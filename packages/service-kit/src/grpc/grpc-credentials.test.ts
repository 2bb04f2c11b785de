import { afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  type ChannelCredentials,
  type Client,
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { requireValue } from '@pos/core/refusals';
import { HealthImplementation, service } from 'grpc-health-check';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { CertificateAuthority, type IssuedCertificate, writeFiles } from '../network/certificate-authority.js';
import { openTlsFiles, type TlsFiles } from '../network/tls-files.js';
import { createLog } from '../telemetry/log.js';
import { createChannelCredentials, createServerCredentials } from './grpc-credentials.js';

const HealthClient = makeGenericClientConstructor(service, 'Health');
const HOUR_MS = 60 * 60 * 1_000;

let authority: CertificateAuthority;
let other: CertificateAuthority;
let server: IssuedCertificate;
let client: IssuedCertificate;
beforeAll(async () => {
  authority = await CertificateAuthority.create('Test CA');
  other = await CertificateAuthority.create('Other CA');
  server = await authority.issue({ names: ['localhost'] });
  client = await authority.issue({ names: ['client.test'] });
});

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Files that hold these texts, and the function that replaces them. */
class TestFiles {
  private constructor(
    readonly files: TlsFiles,
    private readonly folder: string,
  ) {}

  static async open(texts: Readonly<Record<string, string>>): Promise<TestFiles> {
    const folder = await mkdtemp(path.join(tmpdir(), 'grpc-credentials-'));
    await writeFiles(folder, texts);
    const settings = Object.fromEntries(Object.keys(texts).map((name) => [name, path.join(folder, name)]));
    const log = createLog({ app: 'test', level: 'silent' });
    const files = openTlsFiles({ cert: 'cert', key: 'key', ca: 'ca' }, settings, { log, reloadMs: HOUR_MS })!;
    ends.push(
      () => files.close(),
      () => rm(folder, { recursive: true, force: true }),
    );
    return new TestFiles(files, folder);
  }

  async replace(texts: Readonly<Record<string, string>>): Promise<void> {
    await writeFiles(this.folder, texts);
    await this.files.reload();
  }
}

async function startServer(serverCredentials: ServerCredentials): Promise<number> {
  const grpcServer = new Server();
  new HealthImplementation({ '': 'SERVING' }).addToServer(grpcServer);
  const port = await bindGrpcServer(grpcServer, '127.0.0.1:0', serverCredentials);
  ends.push(() => grpcServer.forceShutdown());
  return port;
}

function openClient(port: number, channelCredentials: ChannelCredentials): Client {
  // Without a pool of its own a channel would share the open connection of an earlier one.
  const opened = new HealthClient(`localhost:${port}`, channelCredentials, { 'grpc.use_local_subchannel_pool': 1 });
  ends.push(() => opened.close());
  return opened;
}

/** How a call over the client ends. */
function call(healthClient: Client): Promise<string> {
  const { path: rpc, requestSerialize, responseDeserialize } = requireValue(service['Check'], 'the definition');
  return new Promise((resolve) => {
    const options = { deadline: new Date(Date.now() + 20_000) };
    const done = (error: ServiceError | null, answer?: { status?: string }): void => {
      resolve(error === null ? String(answer?.status) : `${status[error.code]} ${error.details}`);
    };
    healthClient.makeUnaryRequest(rpc, requestSerialize, responseDeserialize, { service: '' }, options, done);
  });
}

async function readServedSerial(port: number, ca: string, identity: object = {}): Promise<string> {
  const socket: TLSSocket = connect({ port, host: 'localhost', ca, ALPNProtocols: ['h2'], ...identity });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

function serialOf({ cert }: IssuedCertificate): string {
  return new X509Certificate(cert).serialNumber;
}

test('a call over TLS is answered, and continues on its connection when the certificate is replaced', async () => {
  const serverFiles = await TestFiles.open({ cert: server.cert, key: server.key });
  const clientFiles = await TestFiles.open({ ca: authority.cert });
  const port = await startServer(createServerCredentials(serverFiles.files));
  const before = openClient(port, createChannelCredentials(clientFiles.files));
  expect(await call(before)).toBe('SERVING');
  expect(await readServedSerial(port, authority.cert)).toBe(serialOf(server));

  const next = await other.issue({ names: ['localhost'] });
  await serverFiles.replace({ cert: next.cert, key: next.key });
  // The open connection stays; new ones see the new certificate.
  expect(await call(before)).toBe('SERVING');
  expect(await readServedSerial(port, other.cert)).toBe(serialOf(next));
  const untrusting = openClient(port, createChannelCredentials(clientFiles.files));
  expect(await call(untrusting)).toMatch(/^UNAVAILABLE .*(certificate|verify)/);
  await clientFiles.replace({ ca: `${authority.cert}\n${other.cert}` });
  expect(await call(openClient(port, createChannelCredentials(clientFiles.files)))).toBe('SERVING');
});

test('a port with authorities requires a certificate of theirs, and follows a change of them', async () => {
  const serverFiles = await TestFiles.open({ cert: server.cert, key: server.key, ca: authority.cert });
  const clientFiles = await TestFiles.open({ cert: client.cert, key: client.key, ca: authority.cert });
  const port = await startServer(createServerCredentials(serverFiles.files));
  expect(await call(openClient(port, createChannelCredentials(clientFiles.files)))).toBe('SERVING');

  await serverFiles.replace({ ca: other.cert });
  expect(await call(openClient(port, createChannelCredentials(clientFiles.files)))).toMatch(/^UNAVAILABLE/);
  const replaced = await other.issue({ names: ['client.test'] });
  await clientFiles.replace({ cert: replaced.cert, key: replaced.key });
  expect(await call(openClient(port, createChannelCredentials(clientFiles.files)))).toBe('SERVING');
});

/** The port of each row requires client certificates of the authority and has the name localhost. */
const REFUSED_CLIENTS: Readonly<Record<string, () => Promise<ChannelCredentials>>> = {
  'a client without a certificate': async () =>
    createChannelCredentials((await TestFiles.open({ ca: authority.cert })).files),
  'a client of another authority': async () => {
    const { cert, key } = await other.issue({ names: ['client.test'] });
    return createChannelCredentials((await TestFiles.open({ cert, key, ca: authority.cert })).files);
  },
  'a client whose certificate has ended': async () => {
    const { cert, key } = await authority.issue({ names: ['client.test'], notAfter: new Date(Date.now() - HOUR_MS) });
    return credentials.createSsl(Buffer.from(authority.cert), Buffer.from(key), Buffer.from(cert));
  },
  'a client that trusts another authority': async () =>
    createChannelCredentials((await TestFiles.open({ cert: client.cert, key: client.key, ca: other.cert })).files),
  'a client that trusts the public authorities': async () =>
    createChannelCredentials((await TestFiles.open({ cert: client.cert, key: client.key })).files),
  'a client without TLS': () => Promise.resolve(credentials.createInsecure()),
};

test.each(Object.keys(REFUSED_CLIENTS))('%s is refused', async (name) => {
  const { files } = await TestFiles.open({ cert: server.cert, key: server.key, ca: authority.cert });
  const port = await startServer(createServerCredentials(files));
  expect(await call(openClient(port, await REFUSED_CLIENTS[name]!()))).toMatch(/^UNAVAILABLE/);
});

test.each<[string, () => Promise<ServerCredentials>, RegExp]>([
  [
    'with another name',
    async () => toServer(await authority.issue({ names: ['elsewhere.test'] })),
    /does not match|altnames/,
  ],
  [
    'whose certificate has ended',
    async () => toServer(await authority.issue({ names: ['localhost'], notAfter: new Date(Date.now() - HOUR_MS) })),
    /expired/,
  ],
  ['without TLS', () => Promise.resolve(ServerCredentials.createInsecure()), /./],
])('a client refuses a server %s', async (_, createCredentials, reason) => {
  const { files } = await TestFiles.open({ ca: authority.cert });
  const port = await startServer(await createCredentials());
  const answer = await call(openClient(port, createChannelCredentials(files)));
  expect(answer).toMatch(/^UNAVAILABLE/);
  expect(answer).toMatch(reason);
});

function toServer({ cert, key }: IssuedCertificate): ServerCredentials {
  return ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }]);
}
