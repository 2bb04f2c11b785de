import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EVENT_KINDS } from '@pos/core/events';
import type { Scope } from '@pos/core/identity';
import { advanceClock } from '@pos/payments/sandbox-clock';
import {
  activateSigningSecret,
  addSigningSecret,
  changeSubscription,
  createSubscription,
  getLockedSubscription,
  removeSigningSecret,
  replayDelivery,
  replayRange,
  unsubscribe,
} from '@pos/payments/webhooks';
import { applySubscriptionChange, enqueueDueReplay, runRetention } from '@pos/payments/testing';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { createAccount } from '@pos/store/repositories';
import type { Database, Tx } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { TimerQueue } from '@pos/store/queues';
import { isLongRun } from '@pos/testing';
import {
  createIntentId,
  createSessionId,
  TestReceiver,
  computeReferenceSignature,
  publishIntentStates,
  publishSessionStates,
  waitUntil,
  NO_GATEWAY,
} from '../testing/test-receiver.js';
import { startWebhookWorker, type WebhookWorker, type WorkerSettings } from '../worker.js';

const SETTINGS: WorkerSettings = {
  DELIVERY_CONCURRENCY: 32,
  DELIVERY_ACCOUNT_CONCURRENCY: 8,
  DELIVERY_ENDPOINT_CONCURRENCY: 8,
  TIMER_CONCURRENCY: 4,
  TIMER_ACCOUNT_CONCURRENCY: 4,
  ACQUIRER_CONCURRENCY: 4,
  LANE_LEASE_MS: 60_000,
  TIMER_LEASE_MS: 60_000,
  POLL_MS: 20,
  WEBHOOK_BACKOFF_SCALE: 1,
  SEED: undefined,
  NODE_ENV: 'test',
};
const STATES = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;

let testEnvironment: TestDatabase;
let receiver: TestReceiver;
let egress: EgressClient;
let scope: Scope;
let workers: WebhookWorker[] = [];

beforeAll(async () => {
  testEnvironment = await createTestDatabase({ poolMax: 16 });
  receiver = await TestReceiver.open();
  egress = new EgressClient({ allow: [receiver.host], certificateAuthority: receiver.authority });
});
afterAll(async () => {
  receiver.close();
  await egress.close();
  await testEnvironment.close();
});
beforeEach(async () => {
  scope = createTestScope();
  await createAccount(testEnvironment.database, {
    ...{ id: scope.accountId, name: 'a', tradingName: 'A', locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA', merchantId: 'm' },
    ...{ currencies: ['GBP'], settings: {}, createdAt: new Date() },
  });
  receiver.expectOnlyAccounts(scope);
  receiver.reaction = () => 200;
});
afterEach(async () => {
  receiver.closeSockets();
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

test('an advance of the sandbox’s clock runs all twelve retries at once, and a replay starts again', async () => {
  const id = await createTestSubscription();
  receiver.reaction = () => 500;
  await startTestWorker();
  const intent = createIntentId();
  await publishIntentStates(testEnvironment.database, scope, { id: intent, states: ['Created'] });
  await waitUntil(() => listReceived().length === 1);
  await advanceClock(testEnvironment.database, scope, daysToMs(5));
  expect(listReceived().map(({ attempt }) => attempt)).toEqual(Array.from({ length: 13 }, (_, at) => at + 1));
  const [dead] = await readDeliveryRows();
  expect(dead).toMatchObject({ state: 'DeadLettered', attempts: 13, last_status: 500 });
  receiver.reaction = () => 200;
  await runTransaction((tx) => replayDelivery(tx, { id: dead!.id, subscriptionId: id }));
  await waitUntil(async () => (await readDeliveryRows())[0]?.state === 'Delivered');
  const [last] = listReceived().slice(-1);
  expect(last).toMatchObject({ attempt: 1, subject: intent });
  expect(last!.headers['delivery-id']).toBe(dead!.id);
});

test('replays do not delay live events, even while their receiver never answers', async () => {
  const id = await createTestSubscription();
  const old = Array.from({ length: isLongRun ? 40 : 10 }, createSessionId);
  for (const session of old)
    await publishSessionStates(testEnvironment.database, scope, { id: session, states: ['Initiated'] });
  const first = await startTestWorker();
  await waitUntil(async () => (await readDeliveryRows()).every(({ state }) => state === 'Delivered'));
  await first.stop();
  receiver.reaction = ({ subject }) => ((old as string[]).includes(subject) ? 'hang' : 200);
  expect(await runTransaction((tx) => replayRange(tx, id, { from: null, to: null, states: ['Delivered'] }))).toBe(
    old.length,
  );
  await startTestWorker();
  // Two replays are running, which is their limit, and neither ever ends.
  await waitUntil(() => listReceived().length === old.length + 2);
  const sessions = Array.from({ length: 10 }, createSessionId);
  for (const session of sessions)
    await publishSessionStates(testEnvironment.database, scope, { id: session, states: STATES });
  await waitUntil(() => sessions.every((session) => receiver.listStates(session).length === STATES.length));
  for (const session of sessions) expect(receiver.listStates(session)).toEqual(STATES);
  expect(listReceived().filter(({ subject }) => (old as string[]).includes(subject))).toHaveLength(old.length + 2);
});

test('two workers replay events without a subscription: each session in order, each event once', async () => {
  const sessions = Array.from({ length: isLongRun ? 130 : 30 }, createSessionId);
  await Promise.all(
    Array.from({ length: 5 }, async (_, share) => {
      for (let at = share; at < sessions.length; at += 5)
        await publishSessionStates(testEnvironment.database, scope, {
          id: sessions[at]!,
          states: STATES.slice(0, (at % 3) + 2),
        });
    }),
  );
  const published = sessions.reduce((sum, _, at) => sum + (at % 3) + 2, 0);
  const id = await createTestSubscription();
  receiver.reaction = ({ subject, state, attempt }) =>
    subject === sessions[0] && state === 'Initiated' && attempt === 1 ? 500 : 200;
  const queued = await runTransaction((tx) => replayRange(tx, id, { from: null, to: null, states: ['NotSubscribed'] }));
  expect(queued).toBe(published);
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 0.001 });
  await startTestWorker({ WEBHOOK_BACKOFF_SCALE: 0.001 }, await testEnvironment.open());
  await waitUntil(
    async () => (await readDeliveryRows()).filter(({ state }) => state === 'Delivered').length === published,
  );
  for (const [at, session] of sessions.slice(1).entries())
    expect(receiver.listStates(session)).toEqual(STATES.slice(0, ((at + 1) % 3) + 2));
  expect(receiver.listStates(sessions[0]!)).toEqual(['InitiateRequested', 'Initiated', 'Initiated']);
  const ours = listReceived();
  expect(new Set(ours.map(({ id: event }) => event)).size).toBe(published);
  // The failed delivery arrived twice.
  expect(ours).toHaveLength(published + 1);
  expect(await runTransaction((tx) => replayRange(tx, id, { from: null, to: null, states: ['NotSubscribed'] }))).toBe(
    0,
  );
});

test('two workers deliver events that were held during a pause afterwards, before later events', async () => {
  const id = await createTestSubscription();
  await startTestWorker();
  await startTestWorker({}, await testEnvironment.open());
  const sessions = Array.from({ length: 12 }, createSessionId);
  const publishAll = (state: (typeof STATES)[number]) =>
    Promise.all(
      sessions.map((session) =>
        publishSessionStates(testEnvironment.database, scope, { id: session, states: [state] }),
      ),
    );
  await publishAll('InitiateRequested');
  await waitUntil(() => listReceived().length === sessions.length);
  await runTransaction((tx) => changeSubscription(tx, id, { paused: true }));
  await publishAll('Initiated');
  await publishAll('Authorized');
  await waitUntil(
    async () => (await readDeliveryRows()).filter(({ state }) => state === 'Held').length === 2 * sessions.length,
  );
  expect(listReceived()).toHaveLength(sessions.length);
  await Promise.all([runTransaction((tx) => changeSubscription(tx, id, { paused: false })), publishAll('Captured')]);
  await waitUntil(() => listReceived().length === 4 * sessions.length);
  for (const session of sessions) expect(receiver.listStates(session)).toEqual(STATES);
});

test('retries use the subscription’s current url and secret, and end when it is deleted', async () => {
  const id = await createTestSubscription('/old');
  receiver.reaction = ({ path }) => (path.endsWith('/old') ? 500 : 200);
  await startTestWorker();
  const intents = Array.from({ length: 7 }, createIntentId);
  for (const intent of intents)
    await publishIntentStates(testEnvironment.database, scope, { id: intent, states: ['Created'] });
  await waitUntil(() => listReceived().length === intents.length);
  const value = await runTransaction(async (tx) => {
    const secrets = await addSigningSecret(tx, await getLockedSubscription(tx, id));
    const [old, next] = secrets;
    await activateSigningSecret(tx, await getLockedSubscription(tx, id), next!.id);
    await removeSigningSecret(tx, await getLockedSubscription(tx, id), old!.id);
    await changeSubscription(tx, id, { url: receiver.buildUrl(`/${scope.accountId}/new`) });
    return next!.value;
  });
  await advanceClock(testEnvironment.database, scope, 60_000);
  const moved = listReceived().filter(({ path }) => path.endsWith('/new'));
  expect(moved.map(({ attempt }) => attempt)).toEqual(intents.map(() => 2));
  for (const { headers, raw } of moved)
    expect(headers['service-signature']).toBe(computeReferenceSignature(value, raw));
  receiver.reaction = () => 500;
  await publishIntentStates(testEnvironment.database, scope, { id: intents[0]!, states: ['Captured'] });
  await waitUntil(() => listReceived().length === 2 * intents.length + 1);
  await runTransaction((tx) => unsubscribe(tx, id));
  await waitUntil(async () => (await readDeliveryRows()).filter(({ state }) => state === 'DeadLettered').length === 1);
  await advanceClock(testEnvironment.database, scope, daysToMs(2));
  expect(listReceived()).toHaveLength(2 * intents.length + 1);
});

/** The hooks of this test's account; retries of earlier tests may still arrive. */
function listReceived() {
  return receiver.receivedHooks.filter(({ path }) => path.startsWith(`/${scope.accountId}`));
}

async function createTestSubscription(path = ''): Promise<string> {
  const request = { events: EVENT_KINDS, url: receiver.buildUrl(`/${scope.accountId}${path}`), description: null };
  return (await runTransaction((tx) => createSubscription(tx, request))).id;
}

function runTransaction<T>(doing: (tx: Tx) => Promise<T>): Promise<T> {
  return testEnvironment.database.transact(scope, doing);
}

const daysToMs = (count: number): number => count * 86_400_000;

async function startTestWorker(
  settings: Partial<WorkerSettings> = {},
  database: Database = testEnvironment.database,
): Promise<WebhookWorker> {
  const parts = { database, queue: new TimerQueue(database) };
  const worker = await startWebhookWorker({
    ...{
      database,
      egress,
      gatewayClient: NO_GATEWAY,
      log: createLog({ app: 'worker', level: 'error' }),
      fault: () => undefined,
    },
    effects: {
      'webhook-subscription': (claimed) => applySubscriptionChange(parts, claimed),
      'webhook-replay': (claimed) => enqueueDueReplay(parts, claimed),
      retention: (claimed) => runRetention({ ...parts, activitiesKeptMs: daysToMs(30) }, claimed),
    },
    settings: { ...SETTINGS, ...settings },
  });
  workers.push(worker);
  return worker;
}

const LIST_DELIVERIES = defineStatement(
  'test_rows',
  `select id, state, attempts, last_status from deliveries where account_id = $1 and environment = $2 order by created_at`,
);
interface DeliveryRow {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
}

function readDeliveryRows(): Promise<DeliveryRow[]> {
  return testEnvironment.database.read(scope, (reader) =>
    reader.query<DeliveryRow>(LIST_DELIVERIES, [scope.accountId, scope.environment]),
  );
}
