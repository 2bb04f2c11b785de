import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { credentials, Metadata, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import {
  type CallRequest,
  type CallResponse,
  type EposServiceServer,
  EposServiceClient,
  EposServiceService,
  Transport,
} from '@pos/grpc-contracts/gateway-internal';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CertificateAuthority, type CertificateRequest, writeFiles } from '../network/certificate-authority.js';
import { TestLog } from '@pos/testing';
import { ConfigError } from '../config/config.js';
import { createLog } from '../telemetry/log.js';
import { findCallerRefusal } from './caller-refusal.js';
import { type InternalChannel, InternalIdentity } from './internal-identity.js';
import { handleInternalCall, startInternalServer } from './internal-server.js';

const GATEWAY = 'pay-at-table-gateway';
const SETTINGS = { TLS_RELOAD_MS: 60_000, NODE_ENV: 'test' };
const DAY_MS = 24 * 60 * 60 * 1_000;
const log = new TestLog();
const testLog = createLog({ app: 'test', level: 'warn', write: log.write });

let authority: CertificateAuthority;
let other: CertificateAuthority;
let folder: string;
let port: string;
const identities: InternalIdentity[] = [];
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create('Test CA');
  other = await CertificateAuthority.create('Other CA');
  folder = await mkdtemp(path.join(tmpdir(), 'internal-server-'));
  port = await startGateway((await openIdentity({ names: [GATEWAY] })).createServerCredentials());
});
afterAll(async () => {
  for (const close of closers) await close();
  for (const identity of identities) identity.close();
  await rm(folder, { recursive: true });
  log.expectNoLeaks();
});

/** An app with a certificate of these names. */
async function openIdentity({
  names,
  issuer = authority,
  trusted = authority,
  target = path.join(folder, `${identities.length}`),
  reloadMs = SETTINGS.TLS_RELOAD_MS,
}: {
  readonly names: readonly string[];
  readonly issuer?: CertificateAuthority;
  readonly trusted?: CertificateAuthority;
  readonly target?: string;
  readonly reloadMs?: number;
}): Promise<InternalIdentity> {
  await writeFiles(target, { ...(await issuer.issue({ names })), ca: trusted.cert });
  const [INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA] = ['cert', 'key', 'ca'].map((name) =>
    path.join(target, name),
  );
  const files = { INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA };
  const identity = new InternalIdentity({ ...SETTINGS, ...files, TLS_RELOAD_MS: reloadMs }, testLog);
  identities.push(identity);
  return identity;
}

async function startGateway(serverCredentials: ServerCredentials): Promise<string> {
  const answer = <Request, Response extends object>(rpc: string, response: Response) =>
    handleInternalCall({ log: testLog }, rpc, (_: Request) => Promise.resolve(response));
  const implementation: EposServiceServer = {
    call: answer<CallRequest, CallResponse>('Call', {
      response: undefined,
      transport: Transport.TRANSPORT_UNSPECIFIED,
      connectionId: '',
      unreadableMembers: [],
    }),
    handleEvent: answer('HandleEvent', { handled: undefined }),
    listConnections: answer('ListConnections', { connections: [] }),
  };
  const service = { name: 'service.gateway_internal.v1.EposService', definition: EposServiceService, implementation };
  const server = await startInternalServer({
    ...{ host: '127.0.0.1', port: 0, credentials: serverCredentials, connections: {} },
    ...service,
  });
  closers.push(server.close);
  return `127.0.0.1:${server.port}`;
}

const LIST_REQUEST = { accountId: '', environment: '' };
const EVENT_REQUEST = { ...LIST_REQUEST, eventJson: Buffer.alloc(0), deadlineMsLeft: 1, target: undefined };

/** How a call of HandleEvent or ListConnections ends. */
async function call(
  address: string,
  channel: InternalChannel,
  rpc: 'handleEvent' | 'listConnections' = 'listConnections',
): Promise<string> {
  const options = { ...channel.options, 'grpc.use_local_subchannel_pool': 1 };
  const client = new EposServiceClient(address, channel.credentials, options);
  try {
    return await new Promise((resolve) => {
      const done = (error: ServiceError | null): void => {
        const refusal = error === null ? null : findCallerRefusal(error);
        if (error === null) resolve('answered');
        else resolve(`${status[error.code]} ${refusal ?? ''}`);
      };
      const callOptions = { deadline: new Date(Date.now() + 20_000) };
      if (rpc === 'handleEvent') client.handleEvent(EVENT_REQUEST, new Metadata(), callOptions, done);
      else client.listConnections(LIST_REQUEST, new Metadata(), callOptions, done);
    });
  } finally {
    client.close();
  }
}

function toGateway(identity: InternalIdentity, address = port): InternalChannel {
  return identity.createChannel({ app: GATEWAY, address, addressSetting: 'GATEWAY_INTERNAL_ADDRESSES' });
}

/** A client that shows a certificate without the checks of `InternalIdentity`. */
async function showCertificate(request: CertificateRequest, issuer = authority): Promise<InternalChannel> {
  const { cert, key } = await issuer.issue(request);
  return {
    credentials: credentials.createSsl(...[authority.cert, key, cert].map((pem) => Buffer.from(pem))),
    options: NAMED,
  };
}

const NAMED = { 'grpc.ssl_target_name_override': GATEWAY };

test.each([
  [['epos-tester'], 'listConnections', 'answered'],
  [['webhook-worker'], 'handleEvent', 'answered'],
  [['localhost', 'admin'], 'listConnections', 'answered'],
  [
    ['api'],
    'listConnections',
    /^PERMISSION_DENIED api may not call .*ListConnections, which is for epos-tester, admin$/,
  ],
  [['webhook-worker'], 'listConnections', /^PERMISSION_DENIED webhook-worker may not call/],
  [['epos-tester'], 'handleEvent', /^PERMISSION_DENIED epos-tester may not call/],
  [
    ['checkout'],
    'listConnections',
    /^PERMISSION_DENIED the client certificate has the DNS name of no app; .*epos-tester/,
  ],
  [['epos-tester.example'], 'listConnections', /^PERMISSION_DENIED the client certificate has the DNS name of no app/],
] as const)('with a certificate of %s, %s ends as it should', async (names, rpc, result) => {
  expect(await call(port, toGateway(await openIdentity({ names })), rpc)).toEqual(
    typeof result === 'string' ? result : expect.stringMatching(result),
  );
});

test('a refused caller is logged with the rpc and what is missing', async () => {
  log.lines.length = 0;
  await call(port, toGateway(await openIdentity({ names: ['api'] })));
  expect(log.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      event: 'internal.caller_refused',
      rpc: '/service.gateway_internal.v1.EposService/ListConnections',
      reason: expect.stringContaining('api may not call'),
    }),
  ]);
});

const NAMES = ['epos-tester'];

test.each<[string, () => Promise<InternalChannel>]>([
  ['of another authority', () => showCertificate({ names: NAMES }, other)],
  ['with an expired certificate', () => showCertificate({ names: NAMES, notAfter: new Date(Date.now() - 1_000) })],
  [
    'with a certificate that is not valid yet',
    () => showCertificate({ names: NAMES, notBefore: new Date(Date.now() + DAY_MS) }),
  ],
  ['that trusts another authority', async () => toGateway(await openIdentity({ names: NAMES, trusted: other }))],
  [
    'that expects another app',
    async () =>
      (await openIdentity({ names: NAMES })).createChannel({
        ...{ app: 'card-vault', address: port, addressSetting: 'CARD_VAULT_ADDRESS' },
      }),
  ],
  [
    'without a certificate',
    () => Promise.resolve({ credentials: credentials.createSsl(Buffer.from(authority.cert)), options: NAMED }),
  ],
  ['without settings', () => Promise.resolve(toGateway(new InternalIdentity(SETTINGS, testLog)))],
  ['without TLS', () => Promise.resolve({ credentials: credentials.createInsecure(), options: {} })],
])('a client %s is not connected', async (_, createChannel) => {
  // The same client with a right certificate is answered, so the refusal has no other reason.
  expect(await call(port, await showCertificate({ names: NAMES }))).toBe('answered');
  expect(await call(port, await createChannel())).toMatch(/^UNAVAILABLE/);
});

test('a port that was opened without TLS by mistake serves nobody, and no app calls it', async () => {
  const plain = await startGateway(ServerCredentials.createInsecure());
  expect(await call(plain, { credentials: credentials.createInsecure(), options: {} })).toBe(
    'UNAUTHENTICATED the connection has no client certificate',
  );
  expect(await call(plain, toGateway(await openIdentity({ names: NAMES }), plain))).toMatch(/^UNAVAILABLE/);
});

test('certificates and authorities are replaced while the port is open', async () => {
  const target = path.join(folder, 'replaced');
  const identity = await openIdentity({ names: [GATEWAY], target, reloadMs: 20 });
  const address = await startGateway(identity.createServerCredentials());
  const previous = toGateway(await openIdentity({ names: NAMES }), address);
  const next = toGateway(await openIdentity({ names: NAMES, issuer: other, trusted: other }), address);
  expect([await call(address, previous), await call(address, next)]).toEqual(['answered', 'UNAVAILABLE ']);
  const { key, cert } = await other.issue({ names: [GATEWAY] });
  await writeFiles(target, { key, cert, ca: other.cert });
  while ((await call(address, next)) !== 'answered') await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await call(address, previous)).toMatch(/^UNAVAILABLE/);
});

test('without a certificate no port is opened, and in production and off loopback none is called', () => {
  const target = { app: 'card-vault', addressSetting: 'CARD_VAULT_ADDRESS' } as const;
  const bare = new InternalIdentity(SETTINGS, testLog);
  expect(() => bare.createServerCredentials()).toThrow(ConfigError);
  const missing = 'INTERNAL_TLS_CERT: is not set, and calls to CARD_VAULT_ADDRESS need it';
  expect(() => bare.createChannel({ ...target, address: 'vault.internal:50053' })).toThrow(missing);
  const production = new InternalIdentity({ ...SETTINGS, NODE_ENV: 'production' }, testLog);
  expect(() => production.createChannel({ ...target, address: '127.0.0.1:50053' })).toThrow(missing);
  expect(bare.createChannel({ ...target, address: '127.0.0.1:50053' }).credentials._isSecure()).toBe(true);
});

test.each([
  [{ INTERNAL_TLS_CERT: 'cert', INTERNAL_TLS_KEY: 'key' }, 'INTERNAL_TLS_CA: is not set, and INTERNAL_TLS_CERT is'],
  [{ INTERNAL_TLS_CA: 'ca' }, 'INTERNAL_TLS_CERT: is not set, and INTERNAL_TLS_CA is'],
])('an identity of %j is refused', (files, message) => {
  expect(() => new InternalIdentity({ ...SETTINGS, ...files }, testLog)).toThrow(message);
});
