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
import { CertificateAuthority, writeFiles } from '@pos/testing/certificate-authority';
import { TestLog } from '@pos/testing/test-log';
import { ConfigError } from '../config/config.js';
import { Secret } from '../config/secret.js';
import { createLog } from '../telemetry/log.js';
import { createTestChannel } from '../testing/internal-channels.js';
import { formatCallerToken } from './caller-token.js';
import { CallerAuthenticator } from './caller-authenticator.js';
import { findCallerRefusal } from './caller-refusal.js';
import { type InternalChannel, InternalIdentity } from './internal-identity.js';
import { handleInternalCall, startInternalServer } from './internal-server.js';
import { createNonce, formatSignature, SIGNATURE_METADATA, type SignedRequest } from './request-signature.js';

const KEY = 'an internal key of thirty-two signs';
const GATEWAY = 'pay-at-table-gateway';
const log = new TestLog();
const testLog = createLog({ app: 'test', level: 'warn', write: log.write });

let authority: CertificateAuthority;
let other: CertificateAuthority;
let folder: string;
const identities: InternalIdentity[] = [];
const ports = { tls: '', tokens: '', lenient: '', second: '' };
/** What all processes have admitted; the service has a relation for it. */
const admitted = new Set<string>();
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create('Test CA');
  other = await CertificateAuthority.create('Other CA');
  folder = await mkdtemp(path.join(tmpdir(), 'internal-server-'));
  ports.tls = await startGateway((await openIdentity({ names: [GATEWAY] })).createServerCredentials('0.0.0.0'));
  ports.tokens = await startGateway(ServerCredentials.createInsecure());
  ports.second = await startGateway(ServerCredentials.createInsecure());
  ports.lenient = await startGateway(ServerCredentials.createInsecure(), { requiresSignature: false });
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
}: {
  readonly names: readonly string[];
  readonly issuer?: CertificateAuthority;
  readonly trusted?: CertificateAuthority;
}): Promise<InternalIdentity> {
  const target = path.join(folder, `${identities.length}`);
  await writeFiles(target, { ...(await issuer.issue({ names })), ca: trusted.cert });
  const [INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA] = ['cert', 'key', 'ca'].map((name) =>
    path.join(target, name),
  );
  const settings = {
    INTERNAL_TLS_CERT,
    INTERNAL_TLS_KEY,
    INTERNAL_TLS_CA,
    INTERNAL_TLS_BY_MESH: false,
    TLS_RELOAD_MS: 60_000,
  };
  // The names of its certificate say who it is; the app's own name would only be in a token.
  const identity = new InternalIdentity('epos-tester', settings, testLog);
  identities.push(identity);
  return identity;
}

async function startGateway(
  serverCredentials: ServerCredentials,
  { requiresSignature } = { requiresSignature: true },
): Promise<string> {
  const callers = new CallerAuthenticator({
    app: GATEWAY,
    keys: [new Secret(KEY)],
    ...{ acceptsStaticKey: false, requiresSignature },
    sharedNonces: {
      claim: (nonce) => {
        const isNew = !admitted.has(nonce);
        admitted.add(nonce);
        return Promise.resolve(isNew);
      },
    },
    log: testLog,
  });
  const answer = <Request, Response extends object>(rpc: string, response: Response) =>
    handleInternalCall({ callers, log: testLog }, rpc, (_: Request) => Promise.resolve(response));
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
  const { port, close } = await startInternalServer({
    ...{ host: '127.0.0.1', port: 0, credentials: serverCredentials, connections: {} },
    ...service,
  });
  closers.push(close);
  return `127.0.0.1:${port}`;
}

const LIST_REQUEST = { accountId: '', environment: '' };
const EVENT_REQUEST = { ...LIST_REQUEST, eventJson: Buffer.alloc(0), deadlineMsLeft: 1, target: undefined };

interface CallOptions {
  readonly rpc?: 'handleEvent' | 'listConnections';
  readonly metadata?: Metadata;
}

/** How a call of HandleEvent or ListConnections ends. */
async function call(
  address: string,
  channel: InternalChannel,
  { rpc = 'listConnections', metadata = new Metadata() }: CallOptions = {},
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
      if (rpc === 'handleEvent') client.handleEvent(EVENT_REQUEST, metadata, callOptions, done);
      else client.listConnections(LIST_REQUEST, metadata, callOptions, done);
    });
  } finally {
    client.close();
  }
}

function toGateway(identity: InternalIdentity, key: string | null = null): InternalChannel {
  const target = { app: GATEWAY, address: ports.tls, addressSetting: 'GATEWAY_INTERNAL_ADDRESSES' } as const;
  return identity.createChannel({ ...target, key: key === null ? null : new Secret(key) });
}

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
  [
    ['checkout'],
    'listConnections',
    /^PERMISSION_DENIED the client certificate has the DNS name of no app; .*epos-tester/,
  ],
  [['epos-tester.example'], 'listConnections', /^PERMISSION_DENIED the client certificate has the DNS name of no app/],
] as const)('with a certificate of %s, %s ends as it should', async (names, rpc, result) => {
  // The token of the permitted app does not help: the certificate decides.
  const channel = toGateway(await openIdentity({ names }), KEY);
  expect(await call(ports.tls, channel, { rpc })).toEqual(
    typeof result === 'string' ? result : expect.stringMatching(result),
  );
});

test('a refused caller is logged with the rpc and what is missing', async () => {
  log.lines.length = 0;
  await call(ports.tls, toGateway(await openIdentity({ names: ['api'] })));
  expect(log.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      event: 'internal.caller_refused',
      rpc: '/service.gateway_internal.v1.EposService/ListConnections',
      reason: expect.stringContaining('api may not call'),
    }),
  ]);
});

test.each<[string, () => Promise<InternalChannel>]>([
  ['of another authority', async () => toGateway(await openIdentity({ names: ['epos-tester'], issuer: other }))],
  [
    'that trusts another authority',
    async () => toGateway(await openIdentity({ names: ['epos-tester'], trusted: other })),
  ],
  [
    'that expects another app',
    async () => (await openIdentity({ names: ['epos-tester'] })).createChannel({ ...VAULT, address: ports.tls }),
  ],
  [
    'without a certificate',
    () => Promise.resolve({ credentials: credentials.createSsl(Buffer.from(authority.cert)), options: NAMED }),
  ],
  [
    'without TLS',
    () => Promise.resolve(createTestChannel('epos-tester', { app: GATEWAY, address: ports.tls, key: KEY })),
  ],
])('a client %s is not connected', async (_, createChannel) => {
  expect(await call(ports.tls, await createChannel())).toMatch(/^UNAVAILABLE/);
});

const NAMED = { 'grpc.ssl_target_name_override': GATEWAY };
const VAULT = { app: 'card-vault', addressSetting: 'CARD_VAULT_ADDRESS', key: null } as const;

test('a client with TLS does not talk to a port in plain text', async () => {
  expect(await call(ports.tokens, toGateway(await openIdentity({ names: ['epos-tester'] })))).toMatch(/^UNAVAILABLE/);
});

test('without certificates a token names the caller', async () => {
  const target = { app: GATEWAY, address: ports.tokens, key: KEY } as const;
  expect(await call(ports.tokens, createTestChannel('epos-tester', target))).toBe('answered');
  expect(await call(ports.tokens, createTestChannel('webhook-worker', target), { rpc: 'handleEvent' })).toBe(
    'answered',
  );
  expect(await call(ports.tokens, createTestChannel('api', target))).toMatch(/^PERMISSION_DENIED api may not call/);
  expect(await call(ports.tokens, createTestChannel('epos-tester', { ...target, key: null }))).toMatch(
    /^UNAUTHENTICATED metadata request-signature is missing/,
  );
  const otherKey = createTestChannel('epos-tester', { ...target, key: `${KEY}!` });
  expect(await call(ports.tokens, otherKey)).toMatch(/^UNAUTHENTICATED .*another key/);
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${KEY}`);
  const keyItself = createTestChannel('epos-tester', { ...target, key: null });
  expect(await call(ports.tokens, keyItself, { metadata })).toMatch(/^UNAUTHENTICATED/);
});

/** Metadata as a caller sends it, or somebody who has read it. */
function sign(request: Partial<SignedRequest>, key = KEY): Metadata {
  const complete: SignedRequest = {
    ...{ caller: 'epos-tester', audience: GATEWAY, path: EposServiceService.listConnections.path },
    ...{ message: EMPTY_MESSAGE, issuedAtMs: Date.now(), nonce: createNonce() },
    ...request,
  };
  const metadata = new Metadata();
  metadata.set('authorization', formatCallerToken(complete, new Secret(key)));
  metadata.set(SIGNATURE_METADATA, formatSignature(complete, new Secret(key)));
  return metadata;
}

const EMPTY_MESSAGE = EposServiceService.listConnections.requestSerialize(LIST_REQUEST);
const EVENT_MESSAGE = EposServiceService.handleEvent.requestSerialize(EVENT_REQUEST);
const withoutKey = (address: string): InternalChannel => createTestChannel('api', { app: GATEWAY, address, key: null });

test('a signed request is answered once: its replay, another message and another rpc are refused', async () => {
  const channel = withoutKey(ports.tokens);
  const metadata = sign({});
  expect(await call(ports.tokens, channel, { metadata })).toBe('answered');
  expect(await call(ports.tokens, channel, { metadata })).toMatch(/^UNAUTHENTICATED .*the call is a replay/);
  const altered = sign({ message: Buffer.from('other') });
  expect(await call(ports.tokens, channel, { metadata: altered })).toMatch(
    /^UNAUTHENTICATED .*another app, rpc or message/,
  );
  // The same caller and the same bytes: only the rpc differs.
  const event = { caller: 'webhook-worker', message: EVENT_MESSAGE } as const;
  const ofEvent = { path: EposServiceService.handleEvent.path };
  expect(await call(ports.tokens, channel, { metadata: sign(event), rpc: 'handleEvent' })).toMatch(
    /^UNAUTHENTICATED .*another app, rpc or message/,
  );
  expect(await call(ports.tokens, channel, { metadata: sign({ ...event, ...ofEvent }), rpc: 'handleEvent' })).toBe(
    'answered',
  );
  const otherApp = sign({ audience: 'card-vault' });
  expect(await call(ports.tokens, channel, { metadata: otherApp })).toMatch(
    /^UNAUTHENTICATED .*another app, rpc or message/,
  );
});

test('a call that changes something is refused at another process of the app, and reading calls are not recorded', async () => {
  admitted.clear();
  const event = {
    caller: 'webhook-worker',
    message: EVENT_MESSAGE,
    path: EposServiceService.handleEvent.path,
  } as const;
  const metadata = sign(event);
  expect(await call(ports.tokens, withoutKey(ports.tokens), { metadata, rpc: 'handleEvent' })).toBe('answered');
  expect(await call(ports.second, withoutKey(ports.second), { metadata, rpc: 'handleEvent' })).toMatch(
    /^UNAUTHENTICATED .*the call is a replay/,
  );
  expect(admitted.size).toBe(1);
  expect(await call(ports.tokens, withoutKey(ports.tokens), { metadata: sign({}) })).toBe('answered');
  // A caller that the table of callers refuses fills no relation.
  const refused = sign({ ...event, caller: 'epos-tester' });
  expect(await call(ports.second, withoutKey(ports.second), { metadata: refused, rpc: 'handleEvent' })).toMatch(
    /^PERMISSION_DENIED/,
  );
  expect(admitted.size).toBe(1);
});

test('a signature of a caller whose clock differs too much is refused', async () => {
  for (const [skewMs, end] of [
    [-50_000, /^answered$/],
    [-70_000, /^UNAUTHENTICATED .*has ended/],
    [20_000, /^answered$/],
    [40_000, /^UNAUTHENTICATED .*from the future/],
  ] as const) {
    const metadata = sign({ issuedAtMs: Date.now() + skewMs });
    expect(await call(ports.tokens, withoutKey(ports.tokens), { metadata })).toMatch(end);
  }
});

test('a token without a signature is accepted only while the setting allows it, and a wrong signature never', async () => {
  const metadata = sign({});
  metadata.remove(SIGNATURE_METADATA);
  expect(await call(ports.tokens, withoutKey(ports.tokens), { metadata })).toMatch(/signature is missing/);
  expect(await call(ports.lenient, withoutKey(ports.lenient), { metadata })).toBe('answered');
  metadata.set(SIGNATURE_METADATA, 'v1.epos-tester');
  expect(await call(ports.lenient, withoutKey(ports.lenient), { metadata })).toMatch(/no signature of an app/);
});

test('off loopback nothing is opened or called without encryption, except inside a mesh', () => {
  const settings = { INTERNAL_TLS_BY_MESH: false, TLS_RELOAD_MS: 60_000 };
  const plain = new InternalIdentity('api', settings, testLog);
  expect(() => plain.createServerCredentials('10.0.0.5')).toThrow(ConfigError);
  expect(() => plain.createServerCredentials('10.0.0.5')).toThrow('INTERNAL_TLS_CERT: is not set, and INTERNAL_HOST');
  const remote = { ...VAULT, address: 'vault.internal:50053' };
  expect(() => plain.createChannel(remote)).toThrow('INTERNAL_TLS_CA: is not set, and CARD_VAULT_ADDRESS is not');
  const meshed = new InternalIdentity('api', { ...settings, INTERNAL_TLS_BY_MESH: true }, testLog);
  expect(meshed.createServerCredentials('10.0.0.5')._isSecure()).toBe(false);
  expect(meshed.createChannel(remote).credentials._isSecure()).toBe(false);
});

test.each([
  [{ INTERNAL_TLS_CERT: 'cert', INTERNAL_TLS_KEY: 'key' }, 'INTERNAL_TLS_CA: is not set, and INTERNAL_TLS_CERT is'],
  [{ INTERNAL_TLS_CA: 'ca' }, 'INTERNAL_TLS_CERT: is not set, and INTERNAL_TLS_CA is'],
])('an identity of %j is refused', (files, message) => {
  const settings = { ...files, INTERNAL_TLS_BY_MESH: false, TLS_RELOAD_MS: 60_000 };
  expect(() => new InternalIdentity('api', settings, testLog)).toThrow(message);
});
