import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EVENT_KINDS } from '@pos/core/event-kind';
import type { Scope } from '@pos/core/identity';
import { advanceClock } from '@pos/payments/sandbox-clock';
import { addSigningSecret, removeSigningSecret, activateSigningSecret } from '@pos/payments/webhook-secrets';
import { replayDelivery, replayRange } from '@pos/payments/webhook-deliveries';
import { applySubscriptionChange, enqueueDueReplay, runRetention } from '@pos/payments/webhook-work';
import { getLockedSubscription, changeSubscription, createSubscription, unsubscribe } from '@pos/payments/webhooks';
import { Egress } from '@pos/service-kit/egress';
import { openLog } from '@pos/service-kit/log';
import { createAccount } from '@pos/store/accounts';
import type { Database, Tx } from '@pos/store/database';
import { defineStatement } from '@pos/store/statement';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { TimerQueue } from '@pos/store/timers';
import {
  freshIntent,
  freshSession,
  Receiver,
  signatureByTheBook,
  tellIntent,
  tellSession,
  until,
  NO_GATEWAY,
} from './testing.js';
import { startWorker, type Worker, type WorkerSettings } from './worker.js';

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
};
const STATES = ['InitiateRequested', 'Initiated', 'Authorized', 'Captured'] as const;

let world: TestDatabase;
let receiver: Receiver;
let egress: Egress;
let scope: Scope;
let workers: Worker[] = [];

beforeAll(async () => {
  world = await createTestDatabase({ poolMax: 16 });
  receiver = await Receiver.open();
  egress = new Egress({ allow: [receiver.host], certificateAuthority: receiver.authority });
});
afterAll(async () => {
  receiver.close();
  await egress.close();
  await world.close();
});
beforeEach(async () => {
  scope = createTestScope();
  await createAccount(world.database, {
    ...{ id: scope.accountId, name: 'a', tradingName: 'A', locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA', merchantId: 'm' },
    ...{ currencies: ['GBP'], settings: {}, createdAt: new Date() },
  });
  receiver.expectOnly(scope);
  receiver.reaction = () => 200;
});
afterEach(async () => {
  receiver.hangUp();
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

test('all twelve redeliveries happen in a moment when the sandbox’s clock is advanced, and a replay begins anew', async () => {
  const id = await subscribed();
  receiver.reaction = () => 500;
  await work();
  const intent = freshIntent();
  await tellIntent(world.database, scope, { id: intent, states: ['Created'] });
  await until(() => heard().length === 1);
  await advanceClock(world.database, scope, days(5));
  expect(heard().map(({ attempt }) => attempt)).toEqual(Array.from({ length: 13 }, (_, at) => at + 1));
  const [dead] = await rows();
  expect(dead).toMatchObject({ state: 'DeadLettered', attempts: 13, last_status: 500 });
  receiver.reaction = () => 200;
  await transact((tx) => replayDelivery(tx, { id: dead!.id, subscriptionId: id }));
  await until(async () => (await rows())[0]?.state === 'Delivered');
  const [last] = heard().slice(-1);
  expect(last).toMatchObject({ attempt: 1, subject: intent });
  expect(last!.headers['delivery-id']).toBe(dead!.id);
});

test('replays do not delay live events, even while their receiver never answers', async () => {
  const id = await subscribed();
  const old = Array.from({ length: 40 }, freshSession);
  for (const session of old) await tellSession(world.database, scope, { id: session, states: ['Initiated'] });
  const first = await work();
  await until(async () => (await rows()).every(({ state }) => state === 'Delivered'));
  await first.stop();
  receiver.reaction = ({ subject }) => ((old as string[]).includes(subject) ? 'hang' : 200);
  expect(await transact((tx) => replayRange(tx, id, { from: null, to: null, states: ['Delivered'] }))).toBe(40);
  await work();
  // Two replays are under way, as many as there may be, and neither ever ends.
  await until(() => heard().length === old.length + 2);
  const sessions = Array.from({ length: 10 }, freshSession);
  for (const session of sessions) await tellSession(world.database, scope, { id: session, states: STATES });
  await until(() => sessions.every((session) => receiver.statesOf(session).length === STATES.length));
  for (const session of sessions) expect(receiver.statesOf(session)).toEqual(STATES);
  expect(heard().filter(({ subject }) => (old as string[]).includes(subject))).toHaveLength(old.length + 2);
});

test('two workers replay what nobody wanted, each session in its order, each event once', async () => {
  const sessions = Array.from({ length: 130 }, freshSession);
  await Promise.all(
    Array.from({ length: 5 }, async (_, share) => {
      for (let at = share; at < sessions.length; at += 5)
        await tellSession(world.database, scope, { id: sessions[at]!, states: STATES.slice(0, (at % 3) + 2) });
    }),
  );
  const told = sessions.reduce((sum, _, at) => sum + (at % 3) + 2, 0);
  const id = await subscribed();
  receiver.reaction = ({ subject, state, attempt }) =>
    subject === sessions[0] && state === 'Initiated' && attempt === 1 ? 500 : 200;
  const queued = await transact((tx) => replayRange(tx, id, { from: null, to: null, states: ['NotSubscribed'] }));
  expect(queued).toBe(told);
  await work({ WEBHOOK_BACKOFF_SCALE: 0.001 });
  await work({ WEBHOOK_BACKOFF_SCALE: 0.001 }, await world.open());
  await until(async () => (await rows()).filter(({ state }) => state === 'Delivered').length === told);
  for (const [at, session] of sessions.slice(1).entries())
    expect(receiver.statesOf(session)).toEqual(STATES.slice(0, ((at + 1) % 3) + 2));
  expect(receiver.statesOf(sessions[0]!)).toEqual(['InitiateRequested', 'Initiated', 'Initiated']);
  const ours = heard();
  expect(new Set(ours.map(({ id: event }) => event)).size).toBe(told);
  // The one that failed came twice.
  expect(ours).toHaveLength(told + 1);
  expect(await transact((tx) => replayRange(tx, id, { from: null, to: null, states: ['NotSubscribed'] }))).toBe(0);
});

test('what is held while a subscription is paused arrives afterwards, before what came later, with two workers', async () => {
  const id = await subscribed();
  await work();
  await work({}, await world.open());
  const sessions = Array.from({ length: 12 }, freshSession);
  const tell = (state: (typeof STATES)[number]) =>
    Promise.all(sessions.map((session) => tellSession(world.database, scope, { id: session, states: [state] })));
  await tell('InitiateRequested');
  await until(() => heard().length === sessions.length);
  await transact((tx) => changeSubscription(tx, id, { paused: true }));
  await tell('Initiated');
  await tell('Authorized');
  await until(async () => (await rows()).filter(({ state }) => state === 'Held').length === 2 * sessions.length);
  expect(heard()).toHaveLength(sessions.length);
  await Promise.all([transact((tx) => changeSubscription(tx, id, { paused: false })), tell('Captured')]);
  await until(() => heard().length === 4 * sessions.length);
  for (const session of sessions) expect(receiver.statesOf(session)).toEqual(STATES);
});

test('deliveries that wait go to the url and are signed by the secret of the moment, and end when it is deleted', async () => {
  const id = await subscribed('/old');
  receiver.reaction = ({ path }) => (path.endsWith('/old') ? 500 : 200);
  await work();
  const intents = Array.from({ length: 7 }, freshIntent);
  for (const intent of intents) await tellIntent(world.database, scope, { id: intent, states: ['Created'] });
  await until(() => heard().length === intents.length);
  const value = await transact(async (tx) => {
    const secrets = await addSigningSecret(tx, await getLockedSubscription(tx, id));
    const [old, next] = secrets;
    await activateSigningSecret(tx, await getLockedSubscription(tx, id), next!.id);
    removeSigningSecret(tx, await getLockedSubscription(tx, id), old!.id);
    await changeSubscription(tx, id, { url: receiver.url(`/${scope.accountId}/new`) });
    return next!.value;
  });
  await advanceClock(world.database, scope, 60_000);
  const moved = heard().filter(({ path }) => path.endsWith('/new'));
  expect(moved.map(({ attempt }) => attempt)).toEqual(intents.map(() => 2));
  for (const { headers, raw } of moved) expect(headers['service-signature']).toBe(signatureByTheBook(value, raw));
  receiver.reaction = () => 500;
  await tellIntent(world.database, scope, { id: intents[0]!, states: ['Captured'] });
  await until(() => heard().length === 2 * intents.length + 1);
  await transact((tx) => unsubscribe(tx, id));
  await until(async () => (await rows()).filter(({ state }) => state === 'DeadLettered').length === 1);
  await advanceClock(world.database, scope, days(2));
  expect(heard()).toHaveLength(2 * intents.length + 1);
});

/** What came for this test's account; those of the tests before may still be trying. */
function heard() {
  return receiver.hooks.filter(({ path }) => path.startsWith(`/${scope.accountId}`));
}

async function subscribed(path = ''): Promise<string> {
  const wish = { events: EVENT_KINDS, url: receiver.url(`/${scope.accountId}${path}`), description: null };
  return (await transact((tx) => createSubscription(tx, wish))).id;
}

function transact<T>(doing: (tx: Tx) => Promise<T>): Promise<T> {
  return world.database.transact(scope, doing);
}

const days = (count: number): number => count * 86_400_000;

async function work(settings: Partial<WorkerSettings> = {}, database: Database = world.database): Promise<Worker> {
  const parts = { database, queue: new TimerQueue(database) };
  const worker = await startWorker({
    ...{
      database,
      egress,
      eposDoor: NO_GATEWAY,
      log: openLog({ app: 'worker', level: 'error' }),
      fault: () => undefined,
    },
    effects: {
      'webhook-subscription': (claimed) => applySubscriptionChange(parts, claimed),
      'webhook-replay': (claimed) => enqueueDueReplay(parts, claimed),
      retention: (claimed) => runRetention(parts, claimed),
    },
    settings: { ...SETTINGS, ...settings },
  });
  workers.push(worker);
  return worker;
}

const ROWS = defineStatement(
  'test_rows',
  `select id, state, attempts, last_status from deliveries where account_id = $1 and environment = $2 order by created_at`,
);
interface Row {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly last_status: number | null;
}

function rows(): Promise<Row[]> {
  return world.database.read(scope, (reader) => reader.query<Row>(ROWS, [scope.accountId, scope.environment]));
}
