import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase, webhookSecretContext } from '@pos/store/testing';
import { isLongRun } from '@pos/testing';
import {
  TestReceiver,
  createIntentId,
  createSessionId,
  computeReferenceSignature,
  subscribe,
  publishIntentStates,
  publishSessionStates,
  waitUntil,
  NO_GATEWAY,
  TEST_SETTINGS,
} from './testing/test-receiver.js';
import { startWebhookWorker, type WebhookWorker, type WorkerSettings } from './worker.js';

const DELIVERIES = defineStatement(
  'test_deliveries',
  `select d.id, d.state, d.attempts, d.last_status, d.last_error, d.next_attempt_at, e.subject_id
   from deliveries d join events e on e.account_id = d.account_id and e.environment = d.environment and e.id = d.event_id
   where d.account_id = $1 and d.environment = $2 order by e.recorded_at, d.number`,
);
const ROTATE_SECRET = defineStatement(
  'test_rotate',
  `update webhook_secrets set value_ciphertext = $4 where account_id = $1 and environment = $2 and subscription_id = $3
   returning id`,
);

interface DeliveryRow {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: Date | null;
  readonly subject_id: string;
}

let testEnvironment: TestDatabase;
let receiver: TestReceiver;
let egress: EgressClient;
let scope: Scope;
let workers: WebhookWorker[] = [];
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  receiver = await TestReceiver.open();
  egress = new EgressClient({ allow: [receiver.host], certificateAuthority: receiver.authority });
});

afterAll(async () => {
  receiver.close();
  await egress.close();
  await testEnvironment.close();
});

beforeEach(() => {
  scope = createTestScope();
  receiver.expectOnlyAccounts(scope);
  receiver.reaction = () => 200;
  lines.length = 0;
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

test('a webhook has the stored bytes, both signatures and its own ids', async () => {
  const { secret } = await subscribe(testEnvironment.database, scope, receiver.buildUrl('/a?b=1'));
  const intent = createIntentId();
  await publishIntentStates(testEnvironment.database, scope, { id: intent, states: ['Created'] });
  await startTestWorker();
  await waitUntil(() => receiver.receivedHooks.length === 1);
  const [hook] = receiver.receivedHooks;
  const { id, headers, raw } = hook!;
  expect(hook).toMatchObject({ path: '/a?b=1', event: 'payment_intent.status_updated', subject: intent, attempt: 1 });
  expect(headers['content-type']).toBe('application/json');
  expect(headers['service-signature']).toBe(computeReferenceSignature(secret, raw));
  expect(headers['webhook-id']).toBe(id);
  const stamp = String(headers['webhook-timestamp']);
  const standard = createHmac('sha256', secret).update(`${id}.${stamp}.`).update(raw).digest('base64');
  expect(headers['webhook-signature']).toBe(`v1,${standard}`);
  const [row] = await waitUntilSettled();
  expect(row).toMatchObject({ id: headers['delivery-id'], state: 'Delivered', attempts: 1, last_status: 200 });
  expect(lines.filter(({ event }) => event === 'delivery.attempted')).toEqual([
    expect.objectContaining({ delivery_id: row!.id, outcome: 'delivered', http_status: 200, attempt: 1 }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(secret);
});

test("a session's events arrive in order across retries, and another session does not wait for them", async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const [slow, quick] = [createSessionId(), createSessionId()];
  receiver.reaction = ({ subject, state, attempt }) =>
    subject === slow && state === 'Initiated' && attempt < 4 ? 500 : 200;
  await publishSessionStates(testEnvironment.database, scope, {
    id: slow,
    states: ['Initiated', 'Authorized', 'Captured'],
  });
  await publishSessionStates(testEnvironment.database, scope, { id: quick, states: ['Initiated', 'Declined'] });
  await startTestWorker();
  await waitUntil(() => receiver.receivedHooks.length === 8);
  expect(receiver.listStates(slow)).toEqual([
    'Initiated',
    'Initiated',
    'Initiated',
    'Initiated',
    'Authorized',
    'Captured',
  ]);
  expect(receiver.listStates(quick)).toEqual(['Initiated', 'Declined']);
  const repeats = receiver.receivedHooks.filter(({ subject, state }) => subject === slow && state === 'Initiated');
  expect(repeats.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  expect(new Set(repeats.map(({ raw, headers }) => `${String(headers['delivery-id'])} ${raw.toString()}`)).size).toBe(
    1,
  );
});

test('a failed event of an intent does not hold up the next one', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const intent = createIntentId();
  receiver.reaction = ({ state, attempt }) => (state === 'Created' && attempt === 1 ? 503 : 200);
  await publishIntentStates(testEnvironment.database, scope, { id: intent, states: ['Created', 'Captured'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 0.2 });
  await waitUntil(() => receiver.receivedHooks.length === 3);
  expect(receiver.listStates(intent)).toEqual(['Created', 'Captured', 'Created']);
});

test.each([
  [400, 'answered 400'],
  [404, 'answered 404'],
  [429, 'answered 429'],
  [500, 'answered 500'],
  [302, 'answered 302'],
  [304, 'answered 304'],
])('an answer of %i is a failure', async (status, error) => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  receiver.reaction = () => status;
  await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 1 });
  await waitUntil(async () => (await readDeliveryRows())[0]?.attempts === 1);
  const [row] = await readDeliveryRows();
  expect(row).toMatchObject({ state: 'Pending', last_status: status, last_error: error });
  expect(row!.next_attempt_at).not.toBeNull();
});

test.each([200, 201, 204, 299])('an answer of %i is a success', async (status) => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  receiver.reaction = () => status;
  await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
  await startTestWorker();
  expect(await waitUntilSettled()).toMatchObject([{ state: 'Delivered', last_status: status }]);
});

test('a delivery is a dead letter after thirteen attempts, and the next event is sent', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const session = createSessionId();
  receiver.reaction = ({ state }) => (state === 'Initiated' ? 500 : 200);
  await publishSessionStates(testEnvironment.database, scope, { id: session, states: ['Initiated', 'Captured'] });
  await startTestWorker();
  expect(await waitUntilSettled()).toMatchObject([
    { state: 'DeadLettered', attempts: 13, last_status: 500, next_attempt_at: null },
    { state: 'Delivered', attempts: 1 },
  ]);
  expect(receiver.listStates(session)).toEqual([...Array.from({ length: 13 }, () => 'Initiated'), 'Captured']);
  expect(receiver.receivedHooks.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 1]);
});

test('a receiver that never answers delays its own lane only', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const [stuck, ...others] = [createSessionId(), createSessionId(), createSessionId(), createSessionId()];
  receiver.reaction = ({ subject }) => (subject === stuck ? 'hang' : 200);
  await publishSessionStates(testEnvironment.database, scope, { id: stuck, states: ['Initiated', 'Captured'] });
  for (const other of others)
    await publishSessionStates(testEnvironment.database, scope, { id: other, states: ['Initiated', 'Captured'] });
  await startTestWorker({ LANE_LEASE_MS: 12_000, WEBHOOK_BACKOFF_SCALE: 1 });
  await waitUntil(() => others.every((other) => receiver.listStates(other).length === 2));
  await waitUntil(async () =>
    (await readDeliveryRows()).some(({ last_error }) => last_error === 'The receiver did not answer in time.'),
  );
  expect(receiver.listStates(stuck)).toEqual(['Initiated']);
});

test('a receiver whose 200 has a body that never ends has the webhook, once', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  receiver.reaction = () => 'endless';
  const session = createSessionId();
  await publishSessionStates(testEnvironment.database, scope, { id: session, states: ['Initiated', 'Captured'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 1 });
  expect(await waitUntilSettled()).toMatchObject([
    { state: 'Delivered', attempts: 1, last_status: 200, last_error: null },
    { state: 'Delivered', attempts: 1 },
  ]);
  expect(receiver.listStates(session)).toEqual(['Initiated', 'Captured']);
});

test('an account with a dead receiver does not delay the others', async () => {
  const noisy = createTestScope();
  receiver.expectOnlyAccounts(scope, noisy);
  await subscribe(testEnvironment.database, noisy, receiver.buildUrl('/noisy'));
  await subscribe(testEnvironment.database, scope, receiver.buildUrl('/quiet'));
  receiver.reaction = ({ path }) => (path === '/noisy' ? 'hang' : 200);
  for (let count = 0; count < 20; count += 1)
    await publishIntentStates(testEnvironment.database, noisy, { id: createIntentId(), states: ['Created'] });
  await startTestWorker({ DELIVERY_CONCURRENCY: 6, DELIVERY_ACCOUNT_CONCURRENCY: 5, DELIVERY_ENDPOINT_CONCURRENCY: 2 });
  await waitUntil(() => receiver.receivedHooks.length >= 2);
  const intents = Array.from({ length: 10 }, createIntentId);
  for (const id of intents) await publishIntentStates(testEnvironment.database, scope, { id, states: ['Created'] });
  await waitUntil(() => intents.every((id) => receiver.listStates(id).length === 1));
  expect(receiver.receivedHooks.filter(({ path }) => path === '/noisy').length).toBeLessThanOrEqual(2);
  receiver.reaction = () => 200;
  receiver.closeSockets();
  await waitUntilSettled(noisy);
});

test('a private address that is not on the allow-list is never called', async () => {
  await subscribe(testEnvironment.database, scope, 'https://127.0.0.1:8443/hooks');
  await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 1 });
  await waitUntil(async () => (await readDeliveryRows())[0]?.attempts === 1);
  expect(await readDeliveryRows()).toMatchObject([
    {
      state: 'Pending',
      last_error: 'The receiver is never called: the address is not public: it is a loopback address.',
      last_status: null,
    },
  ]);
});

test('a name that does not resolve is reported in a sentence', async () => {
  await subscribe(testEnvironment.database, scope, 'https://no-such-name.invalid/hooks');
  await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 1 });
  await waitUntil(async () => (await readDeliveryRows())[0]?.attempts === 1);
  const last_error = 'The name does not resolve to a public address.';
  expect(await readDeliveryRows()).toMatchObject([{ state: 'Pending', last_error, last_status: null }]);
});

test('each attempt is signed with the secret that is active then', async () => {
  const { id, secret, secretId } = await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  // The secret changes during the first attempt, so that the speed of the machine does not decide which one signs.
  receiver.reaction = async ({ attempt }) => {
    if (attempt > 1) return 200;
    await testEnvironment.database.transact(scope, (tx) =>
      tx.query(ROTATE_SECRET, [
        scope.accountId,
        scope.environment,
        id,
        tx.seal(webhookSecretContext(id, secretId), 'rotated'),
      ]),
    );
    return 500;
  };
  await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 0.03 });
  await waitUntil(() => receiver.receivedHooks.length === 2);
  const [first, second] = receiver.receivedHooks;
  expect(first!.headers['service-signature']).toBe(computeReferenceSignature(secret, first!.raw));
  expect(second!.headers['service-signature']).toBe(computeReferenceSignature('rotated', second!.raw));
  expect(second!.raw.equals(first!.raw)).toBe(true);
});

test('two workers share the lanes: everything once, every session in order', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const sessions = Array.from({ length: isLongRun ? 30 : 8 }, createSessionId);
  const states = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;
  const other = await testEnvironment.open();
  await startTestWorker({ DELIVERY_ACCOUNT_CONCURRENCY: 4 });
  await startTestWorker({ DELIVERY_ACCOUNT_CONCURRENCY: 4 }, other);
  await Promise.all(sessions.map((id) => publishSessionStates(testEnvironment.database, scope, { id, states })));
  await waitUntil(() => receiver.receivedHooks.length >= sessions.length * states.length);
  await waitUntilSettled();
  for (const id of sessions) expect(receiver.listStates(id)).toEqual(states);
  expect(new Set(receiver.receivedHooks.map(({ headers }) => headers['delivery-id'])).size).toBe(
    receiver.receivedHooks.length,
  );
});

test('a worker that stops finishes its attempt and releases the rest of the lane', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  const session = createSessionId();
  const states = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;
  await publishSessionStates(testEnvironment.database, scope, { id: session, states });
  const first = startTestWorker();
  const stopping: Promise<void>[] = [];
  receiver.reaction = async () => {
    const worker = await first;
    stopping.push(worker.stop());
    return 200;
  };
  await waitUntil(() => stopping.length > 0);
  await Promise.all(stopping);
  const sent = receiver.receivedHooks.length;
  expect(sent).toBeLessThan(states.length);
  await startTestWorker();
  await waitUntilSettled();
  expect(receiver.listStates(session)).toEqual(states);
});

test('a worker delivers new work on notification, and by polling without one', async () => {
  await subscribe(testEnvironment.database, scope, receiver.buildUrl());
  await startTestWorker({ POLL_MS: 1_000 });
  for (let round = 0; round < 3; round += 1) {
    await publishSessionStates(testEnvironment.database, scope, { id: createSessionId(), states: ['Initiated'] });
    await waitUntil(() => receiver.receivedHooks.length === round + 1);
  }
});

async function startTestWorker(
  settings: Partial<WorkerSettings> = {},
  database = testEnvironment.database,
): Promise<WebhookWorker> {
  const log = createLog({
    app: 'worker',
    level: 'info',
    write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  const worker = await startWebhookWorker({
    database,
    egress,
    gatewayClient: NO_GATEWAY,
    effects: {},
    log,
    fault: () => undefined,
    settings: { ...TEST_SETTINGS, ...settings },
  });
  workers.push(worker);
  return worker;
}

async function readDeliveryRows(of = scope): Promise<DeliveryRow[]> {
  return testEnvironment.database.read(of, (reader) =>
    reader.query<DeliveryRow>(DELIVERIES, [of.accountId, of.environment]),
  );
}

/** The deliveries of the account, once none is pending. */
async function waitUntilSettled(of = scope): Promise<DeliveryRow[]> {
  await waitUntil(async () => (await readDeliveryRows(of)).every(({ state }) => state !== 'Pending'));
  return readDeliveryRows(of);
}
