import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { PERMISSIONS, type Permission } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import type { GrpcService } from '@pos/service-kit/grpc';
import type { RpcDefinition } from '@pos/service-kit/testing';
import { listAreas, PARTY_OPERATIONS, RESERVATION_OPERATIONS } from '@pos/rest-contracts/bookings';
import { createPaymentIntent, sendReceipt } from '@pos/rest-contracts/payment-intents';
import { simulateDevice } from '@pos/rest-contracts/sandbox';
import { insertApiKey } from '@pos/store/repositories';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { randomBytes } from 'node:crypto';
import { isLongRun } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import { buildCallMetadata, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';

jest.setTimeout(120_000);

/** The operations of the REST API that do the same, whose permission the rpc has, or why it has another. */
type Direct =
  | { readonly operation: { readonly permission: unknown } }
  | { readonly unlike: readonly { readonly permission: unknown }[]; readonly because: string };

const ONLY_OF_ITS_JOURNEY = 'it only concerns the payments of its own journey at a table';
const NO_OTHER_WAY = 'the REST API has no such operation';
const ONLY_ANSWERS = 'it only answers and reports what the service has ordered';

const readTables = { permission: 'tables.use', direct: { operation: simulateDevice } } as const;
const ofJourney = (...unlike: readonly { readonly permission: unknown }[]) =>
  ({ permission: 'tables.use', direct: { unlike, because: ONLY_OF_ITS_JOURNEY } }) as const;
const alone = (permission: Permission, because: string) => ({ permission, direct: { unlike: [], because } }) as const;

interface NamedOperation {
  readonly id: string;
  readonly permission: Permission;
}

/** Rpcs that have the names and the permissions of operations of the REST API. */
function nameRpcs(service: string, operations: readonly NamedOperation[]) {
  return Object.fromEntries(
    operations.map((operation) => {
      const path = `${service}${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}`;
      return [path, { permission: operation.permission, direct: { operation } }] as const;
    }),
  );
}

/** Every rpc of the public port. What else an operation behind it needs is tested beside that operation. */
const RPCS: Readonly<Record<string, { readonly permission: Permission; readonly direct: Direct }>> = {
  '/service.tables.v1.TablesService/ListSessions': readTables,
  '/service.tables.v1.TablesService/GetSession': readTables,
  '/service.tables.v1.TablesService/ListTables': readTables,
  '/service.tables.v1.TablesService/GetTable': readTables,
  '/service.tables.v1.TablesService/GetBillItems': readTables,
  '/service.tables.v1.TablesService/ListBillItems': readTables,
  '/service.tables.v1.TablesService/GetFullBill': readTables,
  '/service.tables.v1.TablesService/LockSession': readTables,
  '/service.tables.v1.TablesService/UnlockSession': readTables,
  '/service.tables.v1.TablesService/RecordPayment': readTables,
  '/service.gateway.v1.JourneyService/GetDeviceSettings': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/StartJourney': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/TakePayment': ofJourney(createPaymentIntent, createTerminalSession),
  '/service.gateway.v1.JourneyService/MoveJourney': ofJourney(createTerminalSession),
  '/service.gateway.v1.JourneyService/CancelPayment': ofJourney(createTerminalSession),
  '/service.gateway.v1.JourneyService/DecideSignature': ofJourney(createTerminalSession),
  '/service.gateway.v1.JourneyService/GetJourney': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/WatchJourney': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/PrintBill': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/PrintReceipt': alone('tables.use', NO_OTHER_WAY),
  '/service.gateway.v1.JourneyService/SendReceipt': ofJourney(sendReceipt),
  '/service.gateway.v1.JourneyService/FinishJourney': alone('tables.use', NO_OTHER_WAY),
  ...nameRpcs('/service.gateway.v1.BookingService/', [listAreas, ...RESERVATION_OPERATIONS, ...PARTY_OPERATIONS]),
  '/service.gateway.v1.EposConnectorService/Connect': alone('epos.connect', ONLY_ANSWERS),
  '/service.card_machine.v1.CardMachineService/Connect': alone('machines.connect', ONLY_ANSWERS),
};

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let account: GatewayAccount;
let client: Client;
let rpcs: readonly RpcDefinition[];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  account = await environment.createAccount();
  client = new Client(gateway.urls.grpc, credentials.createInsecure());
  rpcs = await listRpcs();
});
afterAll(() => {
  client.close();
  return environment.close();
});

test('the public port serves the rpcs of this table, and no other rpc of any contract', async () => {
  const served: string[] = [];
  for (const rpc of rpcs) {
    const { code } = await callRpc(rpc, new Metadata());
    if (code !== status.UNIMPLEMENTED) served.push(rpc.path);
  }
  expect(served.toSorted()).toEqual(Object.keys(RPCS).toSorted());
});

test('an rpc has the permission of the operation that does the same over REST, or a reason for another', () => {
  for (const { permission, direct } of Object.values(RPCS)) {
    if ('operation' in direct) expect(direct.operation.permission).toBe(permission);
    else expect(direct.because).not.toBe('');
  }
});

test.each(Object.entries(RPCS))('%s needs its permission, which no other replaces', async (path, { permission }) => {
  const rpc = requireValue(rpcs.find((each) => each.path === path) ?? null, path);
  expect((await callRpc(rpc, new Metadata())).code).toBe(status.UNAUTHENTICATED);
  const others = PERMISSIONS.filter((each) => each !== permission);
  // All others together in `npm test`; in the long run also each alone.
  const singles = isLongRun ? others.map((each) => [each]) : [];
  for (const permissions of [[], others, ...singles]) {
    const { code, details } = await callRpc(rpc, await buildMetadata(permissions));
    expect([permissions, status[code], details]).toEqual([
      permissions,
      'PERMISSION_DENIED',
      expect.stringContaining(`lacks the permission ${permission}`),
    ]);
  }
  const { details } = await callRpc(rpc, await buildMetadata([permission]));
  expect(details).not.toMatch(/lacks the permission|credentials/);
});

/** Every rpc of every generated contract. */
async function listRpcs(): Promise<RpcDefinition[]> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('@pos/grpc-contracts/tables').replace(/dist\/.*/, 'package.json');
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, { default?: string }> };
  const names = Object.entries(exports).flatMap(([name, { default: file = '' }]) =>
    file.includes('/gen/index.') ? [name.replace('./', '@pos/grpc-contracts/')] : [],
  );
  const addresses = names.map((name) => pathToFileURL(require.resolve(name)).href);
  const modules = await Promise.all(addresses.map((url) => import(url) as Promise<Record<string, unknown>>));
  return modules.flatMap((contracts) =>
    Object.entries(contracts).flatMap(([name, service]) =>
      name.endsWith('ServiceService') ? Object.values(service as GrpcService) : [],
    ),
  );
}

const keys = new Map<string, Metadata>();

/** The metadata of a call with a key that has exactly these permissions. */
async function buildMetadata(permissions: readonly Permission[]): Promise<Metadata> {
  const name = permissions.join();
  const known = keys.get(name);
  if (known !== undefined) return known;
  const text = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
  await environment.testDatabase.database.transact(account.scope, async (tx) =>
    insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'test', permissions: [...permissions] }),
  );
  const metadata = buildCallMetadata(text, { 'software-house-id': 'house' });
  keys.set(name, metadata);
  return metadata;
}

const DEADLINE_MS = 10_000;
const pass = (bytes: Buffer): Buffer => bytes;

/** Calls an rpc with an empty message, and returns how it ends. */
function callRpc(rpc: RpcDefinition, metadata: Metadata): Promise<{ readonly code: status; readonly details: string }> {
  const options = { deadline: Date.now() + DEADLINE_MS };
  const [path, empty] = [rpc.path, Buffer.alloc(0)];
  return new Promise((resolve) => {
    const end = (error: ServiceError | null): void => {
      resolve(error === null ? { code: status.OK, details: '' } : { code: error.code, details: error.details });
    };
    if (!rpc.requestStream && !rpc.responseStream) {
      client.makeUnaryRequest(path, pass, pass, empty, metadata, options, end);
      return;
    }
    const stream = openStream(rpc, metadata, options);
    stream.on('error', end);
    stream.on('end', () => {
      end(null);
    });
    stream.resume();
  });
}

/** Opens a stream of an rpc: with one empty message, or without a message where the caller sends many. */
function openStream(rpc: RpcDefinition, metadata: Metadata, options: { readonly deadline: number }) {
  if (!rpc.requestStream) {
    return client.makeServerStreamRequest(rpc.path, pass, pass, Buffer.alloc(0), metadata, options);
  }
  const stream = client.makeBidiStreamRequest(rpc.path, pass, pass, metadata, options);
  stream.end();
  return stream;
}
