import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment, Scope } from '@pos/core/identity';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import {
  createIntentId,
  NO_GATEWAY,
  publishIntentStates,
  subscribe,
  TEST_SETTINGS,
  waitUntil,
} from '../testing/test-receiver.js';
import { startWebhookWorker } from '../worker.js';

const DELIVERIES = defineStatement(
  'test_loopback_deliveries',
  'select state, last_status, last_error from deliveries where account_id = $1 and environment = $2',
);
type DeliveryRow = { readonly state: string; readonly last_status: number | null; readonly last_error: string | null };

let testEnvironment: TestDatabase;
let receiver: Server;
let host: string;
const paths: string[] = [];

beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  receiver = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: 'http://10.0.0.7/metadata' }).end();
    else response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  host = `localhost:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.close();
  await testEnvironment.close();
});

interface Setting {
  readonly NODE_ENV: 'development' | 'production';
  readonly environment: Environment;
  readonly path?: string;
}

/** How the delivery of one event to the receiver on loopback ends. */
async function deliver({ NODE_ENV, environment, path = '/hooks' }: Setting): Promise<DeliveryRow> {
  paths.length = 0;
  const scope: Scope = { ...createTestScope(), environment };
  const { database } = testEnvironment;
  await subscribe(database, scope, `http://${host}${path}`);
  await publishIntentStates(database, scope, { id: createIntentId(), states: ['Created'] });
  const egress = new EgressClient();
  const worker = await startWebhookWorker({
    ...{ database, egress, gatewayClient: NO_GATEWAY, effects: {}, fault: () => undefined },
    log: createLog({ app: 'worker', level: 'error', write: () => undefined }),
    settings: { ...TEST_SETTINGS, NODE_ENV },
  });
  const read = (): Promise<DeliveryRow[]> =>
    database.read(scope, (reader) => reader.query<DeliveryRow>(DELIVERIES, [scope.accountId, environment]));
  await waitUntil(async () => (await read()).every(({ state }) => state !== 'Pending'));
  await worker.stop();
  await egress.close();
  const [row] = await read();
  if (row === undefined) throw new Error('there is no delivery');
  return row;
}

const FORBIDDEN = {
  state: 'DeadLettered',
  last_status: null,
  last_error: 'The receiver is never called: only https is called.',
};

test('in development a receiver of a sandbox on loopback has the webhook at once', async () => {
  expect(await deliver({ NODE_ENV: 'development', environment: 'sandbox' })).toMatchObject({
    ...{ state: 'Delivered', last_status: 200 },
  });
  expect(paths).toEqual(['/hooks']);
});

test.each<Setting>([
  { NODE_ENV: 'production', environment: 'sandbox' },
  { NODE_ENV: 'development', environment: 'production' },
  { NODE_ENV: 'production', environment: 'production' },
])('it is never called with %j, also where its address was stored before', async (setting) => {
  expect(await deliver(setting)).toMatchObject(FORBIDDEN);
  expect(paths).toEqual([]);
});

test('its redirect off loopback is a failed attempt, and is not followed', async () => {
  const row = await deliver({ NODE_ENV: 'development', environment: 'sandbox', path: '/moved' });
  expect(row).toMatchObject({ state: 'DeadLettered', last_status: 302 });
  expect(new Set(paths)).toEqual(new Set(['/moved']));
});
