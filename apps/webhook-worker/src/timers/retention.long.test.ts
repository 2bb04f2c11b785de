import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createPaymentIntentEvent } from '@pos/core/webhooks';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { buildIntent } from '@pos/core/testing';
import { advanceClock } from '@pos/payments/sandbox-clock';
import { changeSubscription, createSubscription, unsubscribe } from '@pos/payments/webhooks';
import { applySubscriptionChange, runRetention } from '@pos/payments/testing';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import { createTestDatabase, createTestScope, insertActivities, type TestDatabase } from '@pos/store/testing';
import { createAccount, insertMail } from '@pos/store/repositories';
import type { Tx } from '@pos/store/database';
import { computeBookingKeptUntil, emit, LaneQueue, TimerQueue } from '@pos/store/queues';
import { runOnce } from '@pos/store/idempotency';
import { insertIntent } from '@pos/store/payments';
import { defineStatement } from '@pos/postgres/statements';
import { bindBooking, putBooking, putDepositClaim } from '@pos/store/tables';
import { NO_GATEWAY } from '../testing/test-receiver.js';
import { startWebhookWorker, type WebhookWorker } from '../worker.js';

const DAY_MS = 86_400_000;
/** More than are deleted at once. */
const HELD = 450;
const ACTIVITIES_KEPT_MS = 30 * DAY_MS;

let testEnvironment: TestDatabase;
let egress: EgressClient;
let sandbox: Scope;
let production: Scope;
let worker: WebhookWorker;

async function startTestWorker(): Promise<WebhookWorker> {
  const parts = { database: testEnvironment.database, queue: new TimerQueue(testEnvironment.database) };
  return startWebhookWorker({
    ...{ database: testEnvironment.database, egress, gatewayClient: NO_GATEWAY },
    ...{ log: createLog({ app: 'worker', level: 'error' }), fault: () => undefined },
    effects: {
      'webhook-subscription': (claimed) => applySubscriptionChange(parts, claimed),
      retention: (claimed) => runRetention({ ...parts, activitiesKeptMs: ACTIVITIES_KEPT_MS }, claimed),
    },
    settings: {
      ...{ DELIVERY_CONCURRENCY: 4, DELIVERY_ACCOUNT_CONCURRENCY: 4, DELIVERY_ENDPOINT_CONCURRENCY: 4 },
      ...{
        TIMER_CONCURRENCY: 4,
        TIMER_ACCOUNT_CONCURRENCY: 4,
        ACQUIRER_CONCURRENCY: 4,
        LANE_LEASE_MS: 60_000,
        TIMER_LEASE_MS: 60_000,
      },
      ...{ POLL_MS: 20, WEBHOOK_BACKOFF_SCALE: 1, SEED: undefined, NODE_ENV: 'test' },
    },
  });
}

beforeAll(async () => {
  testEnvironment = await createTestDatabase();
  // No receiver is on the allow-list, so no attempt leaves the process.
  egress = new EgressClient({ allow: [], certificateAuthority: null });
});
afterAll(async () => {
  await egress.close();
  await testEnvironment.close();
});
beforeEach(async () => {
  sandbox = createTestScope();
  production = { ...sandbox, environment: 'production' };
  await createAccount(testEnvironment.database, {
    ...{
      id: sandbox.accountId,
      name: 'a',
      tradingName: 'A',
      locationId: 'loc_AAAAAAAAAAAAAAAAAAAAAA',
      merchantId: 'm',
    },
    ...{ currencies: ['GBP'], settings: {}, createdAt: new Date() },
  });
  worker = await startTestWorker();
});
afterEach(() => worker.stop());

test('events and their deliveries are stored for thirty days of their account’s time, in every state', async () => {
  await publishEvents(sandbox, 3);
  const request = { events: ['payment_intent.created'], url: 'https://192.0.2.1/hooks', description: null } as const;
  const { id } = await testEnvironment.database.transact(sandbox, (tx) => createSubscription(tx, request));
  await publishEvents(sandbox, 2);
  await advanceClock(testEnvironment.database, sandbox, 6 * DAY_MS);
  await testEnvironment.database.transact(sandbox, (tx) => changeSubscription(tx, id, { paused: true }));
  await publishEvents(sandbox, HELD);
  await publishEvents(production, 4);
  expect(await countStored(sandbox)).toEqual({
    ...{ events: HELD + 5, deliveries: HELD + 2, lanes: HELD + 7 },
    states: 'DeadLettered Held',
  });
  await advanceClock(testEnvironment.database, sandbox, 23 * DAY_MS);
  expect(await countStored(sandbox)).toMatchObject({ events: HELD + 5, deliveries: HELD + 2 });
  await advanceClock(testEnvironment.database, sandbox, 2 * DAY_MS);
  expect(await countStored(sandbox)).toEqual({ events: HELD, deliveries: HELD, lanes: HELD, states: 'Held' });
  await publishEvents(sandbox, 1);
  await advanceClock(testEnvironment.database, sandbox, 6 * DAY_MS);
  expect(await countStored(sandbox)).toEqual({ events: 1, deliveries: 1, lanes: 1, states: 'Held' });
  await advanceClock(testEnvironment.database, sandbox, 366 * DAY_MS);
  expect(await countStored(sandbox)).toEqual({ events: 0, deliveries: 0, lanes: 0, states: '' });
  // A sandbox clock does not move the time of production.
  expect(await countStored(production)).toMatchObject({ events: 4 });
  expect(await new LaneQueue(testEnvironment.database).listReadyAccounts({ limit: 100 })).not.toContainEqual(sandbox);
});

test('answers to idempotency keys are deleted when their real time is over, those of refunds never', async () => {
  const remember = (key: string, keepMs: number) => {
    const idempotency = { method: 'POST', path: '/x', key, fingerprintInput: '{}', retentionMs: keepMs };
    return runOnce(testEnvironment.database, { scope: sandbox, idempotency }, () =>
      Promise.resolve({ status: 200, body: {} }),
    );
  };
  await remember('over', 0);
  await remember('kept', 30 * DAY_MS);
  await remember('refund', Infinity);
  await advanceClock(testEnvironment.database, sandbox, 40 * DAY_MS);
  const rows = await queryRows<{ days: number }>(
    `select extract(day from keep_until - now())::int as days from idempotency_keys where account_id = $1 order by 1`,
    sandbox,
  );
  expect([rows.length, rows[0]?.days, (rows[1]?.days ?? 0) > 365 * 1_000]).toEqual([2, 29, true]);
});

test('a sandbox deletes its mails after thirty days of its time', async () => {
  const mailed = async () => {
    await testEnvironment.database.transact(sandbox, async (tx) => {
      const intent = { ...buildIntent(), id: createId('paymentIntent', 'sandbox', randomBytes(16)) };
      await insertIntent(tx, { intent, events: [], entries: [], webhookEvents: [], transactions: [] });
      const mail = { subject: 's', text: 't', html: 'h', recipient: 'guest@example.com', paymentIntentId: intent.id };
      await insertMail(tx, mail);
    });
  };
  await mailed();
  await advanceClock(testEnvironment.database, sandbox, 20 * DAY_MS);
  await mailed();
  const count = () => queryRows('select id from mails where account_id = $1', sandbox).then(({ length }) => length);
  await advanceClock(testEnvironment.database, sandbox, 9 * DAY_MS);
  expect(await count()).toBe(2);
  await advanceClock(testEnvironment.database, sandbox, 2 * DAY_MS);
  expect(await count()).toBe(1);
  await advanceClock(testEnvironment.database, sandbox, 21 * DAY_MS);
  expect(await count()).toBe(0);
});

test('the activity log of an account is deleted by its own retention and by the account’s time', async () => {
  const record = (scope: Scope, count: number) =>
    testEnvironment.database.transact(scope, (tx) => {
      insertActivities(
        tx,
        Array.from({ length: count }, () => ({
          ...({
            scope,
            kind: 'WebhookAttempt',
            name: 'x',
            subjectId: null,
            outcome: 'Succeeded',
            status: 200,
          } as const),
          ...{ reason: null, keyId: null, traceId: null, startedAtMs: performance.now(), tookMs: 1, details: {} },
        })),
      );
    });
  const count = async (scope: Scope): Promise<number> => {
    const sql = 'select id from activities where account_id = $1 and environment = $2';
    return (await queryRows(sql, scope)).length;
  };
  await record(sandbox, 400);
  await record(production, 3);
  await advanceClock(testEnvironment.database, sandbox, 20 * DAY_MS);
  await record(sandbox, 2);
  await advanceClock(testEnvironment.database, sandbox, 9 * DAY_MS);
  expect(await count(sandbox)).toBe(402);
  await advanceClock(testEnvironment.database, sandbox, 2 * DAY_MS);
  expect(await count(sandbox)).toBe(2);
  await advanceClock(testEnvironment.database, sandbox, 40 * DAY_MS);
  expect([await count(sandbox), await count(production)]).toEqual([0, 3]);
});

test('secrets of customers are deleted once they have expired, and their customers stay', async () => {
  const customer = createId('customer', 'sandbox', randomBytes(16));
  await testEnvironment.database.transact(sandbox, async (tx) => {
    await tx.query(INSERT_CUSTOMER, [sandbox.accountId, customer, tx.now]);
    await tx.query(INSERT_SECRETS, [sandbox.accountId, customer, tx.now, 2_500, new Date(tx.now.getTime() + DAY_MS)]);
    await tx.query(INSERT_SECRETS, [sandbox.accountId, customer, tx.now, 3, new Date(tx.now.getTime() + 50 * DAY_MS)]);
  });
  const count = () =>
    queryRows('select id from customer_secrets where account_id = $1', sandbox).then(({ length }) => length);
  expect(await count()).toBe(2_503);
  await advanceClock(testEnvironment.database, sandbox, 31 * DAY_MS);
  expect(await count()).toBe(3);
  await advanceClock(testEnvironment.database, sandbox, 51 * DAY_MS);
  expect(await count()).toBe(0);
  expect(await queryRows('select id from customers where account_id = $1', sandbox)).toHaveLength(1);
});

test('a deleted subscription is deleted with the last of its deliveries, and no other', async () => {
  const { database } = testEnvironment;
  const subscribe = (kind: 'payment_intent.created' | 'payment_intent.status_updated') =>
    database.transact(sandbox, (tx) =>
      createSubscription(tx, { events: [kind], url: 'https://192.0.2.1/hooks', description: null }),
    );
  const [gone, kept] = [await subscribe('payment_intent.created'), await subscribe('payment_intent.status_updated')];
  const list = () =>
    queryRows<{ id: string }>('select id from webhook_subscriptions where account_id = $1', sandbox).then((rows) =>
      rows.map(({ id }) => id).sort(),
    );
  await publishEvents(sandbox, 3);
  await database.transact(sandbox, (tx) => unsubscribe(tx, gone.id));
  await advanceClock(database, sandbox, 29 * DAY_MS);
  expect(await list()).toEqual([gone.id, kept.id].sort());
  await advanceClock(database, sandbox, 40 * DAY_MS);
  expect(await list()).toEqual([kept.id]);
  expect(await countStored(sandbox)).toMatchObject({ deliveries: 0 });
});

describe('of bookings', () => {
  const list = async (relation: 'epos_bookings' | 'epos_booking_owners' | 'deposit_claims', column: string) =>
    (await queryRows<{ id: string }>(`select ${column} as id from ${relation} where account_id = $1`, sandbox))
      .map(({ id }) => id)
      .sort();
  const book = (serviceId: string, days: number) =>
    testEnvironment.database.transact(sandbox, async (tx) => {
      const keepUntil = computeBookingKeptUntil(tx.now, new Date(tx.now.getTime() + days * DAY_MS));
      const binding = { eposId: `epos-${serviceId}`, keepUntil, requestedAt: null };
      await bindBooking(tx, { kind: 'Reservation', serviceId }, binding);
    });

  test('the ids are deleted thirty days after the booking has ended, with their owner, and no others', async () => {
    await book('over', -5);
    await book('soon', 20);
    await testEnvironment.database.transact(sandbox, (tx) =>
      putBooking(tx, { kind: 'Party', serviceId: 'unanswered' }, computeBookingKeptUntil(tx.now)),
    );
    await advanceClock(testEnvironment.database, sandbox, 29 * DAY_MS);
    expect(await list('epos_bookings', 'service_id')).toEqual(['over', 'soon', 'unanswered']);
    await advanceClock(testEnvironment.database, sandbox, 8 * DAY_MS);
    expect(await list('epos_bookings', 'service_id')).toEqual(['soon']);
    expect(await list('epos_booking_owners', 'epos_id')).toEqual(['epos-soon']);
    await advanceClock(testEnvironment.database, sandbox, 30 * DAY_MS);
    expect([await list('epos_bookings', 'service_id'), await list('epos_booking_owners', 'epos_id')]).toEqual([[], []]);
  });

  test('a payment stays the deposit of its party as long as it has money', async () => {
    const ids = await testEnvironment.database.transact(sandbox, async (tx) => {
      const statuses = ['Authorized', 'Captured', 'Refunded', 'Reversed', 'Canceled'] as const;
      const claimed: string[] = [];
      for (const status of statuses) {
        const intent = { ...buildIntent(), status, id: createId('paymentIntent', 'sandbox', randomBytes(16)) };
        await insertIntent(tx, { intent, events: [], entries: [], webhookEvents: [], transactions: [] });
        const party = { serviceId: 'party', heldUntil: tx.now, startsAt: tx.now };
        const claim = { intentId: intent.id, amount: intent.amount, ...party };
        await putDepositClaim(tx, claim, computeBookingKeptUntil(tx.now));
        claimed.push(intent.id);
      }
      return claimed;
    });
    await advanceClock(testEnvironment.database, sandbox, 29 * DAY_MS);
    expect(await list('deposit_claims', 'intent_id')).toEqual(ids.toSorted());
    await advanceClock(testEnvironment.database, sandbox, 400 * DAY_MS);
    // A refund that is undone gives a payment its money again.
    expect(await list('deposit_claims', 'intent_id')).toEqual(ids.slice(0, 3).toSorted());
    const end = `update payment_intents set status = 'Reversed' where account_id = $1 returning 1`;
    await queryRows(end, sandbox);
    await advanceClock(testEnvironment.database, sandbox, 200 * DAY_MS);
    expect(await list('deposit_claims', 'intent_id')).toEqual([]);
  });
});

const INSERT_CUSTOMER = defineStatement(
  'test_insert_customer',
  `insert into customers (account_id, environment, id, version, created_at, updated_at)
   values ($1, 'sandbox', $2, 1, $3, $3) returning id`,
);
const INSERT_SECRETS = defineStatement(
  'test_insert_customer_secrets',
  `insert into customer_secrets (account_id, environment, id, customer_id, hash, created_at, expire_at)
   select $1, 'sandbox', gen_random_uuid()::text, $2, 'hash', $3, $5 from generate_series(1, $4) returning id`,
);

/** Publishes an event for each of these intents. */
async function publishEvents(scope: Scope, count: number): Promise<void> {
  await testEnvironment.database.transact(scope, async (tx: Tx) => {
    for (let at = 0; at < count; at += 1) {
      const kind = 'payment_intent.created' as const;
      const head = { id: await tx.newId('event'), kind, accountId: scope.accountId, createdAt: tx.now };
      const id = createId('paymentIntent', scope.environment, randomBytes(16));
      await emit(tx, createPaymentIntentEvent(head, { ...buildIntent(), id }));
    }
  });
}

async function countStored(scope: Scope) {
  const of = 'where account_id = $1 and environment = $2';
  const [row] = await queryRows(
    `select (select count(*) from events ${of}) as events, (select count(*) from deliveries ${of}) as deliveries,
       (select count(*) from lanes ${of}) as lanes,
       (select coalesce(string_agg(distinct state, ' ' order by state), '') from deliveries ${of}) as states`,
    scope,
  );
  return row;
}

function queryRows<Row>(sql: string, { accountId, environment }: Scope): Promise<Row[]> {
  const values = sql.includes('$2') ? [accountId, environment] : [accountId];
  return testEnvironment.database.readSystem((reader) => reader.query<Row>(defineStatement('test_look', sql), values));
}

test('token buckets are deleted once they are full again, and not before', async () => {
  const full = { burst: 10, perSecond: 1 };
  const spent = { burst: 10, perSecond: 0.001 };
  await testEnvironment.database.takeTokens([
    { name: 'full', allowance: full, spent: 0, aloneSeconds: 0, wanted: 0 },
    { name: 'spent', allowance: spent, spent: 0, aloneSeconds: 0, wanted: 10 },
  ]);
  const another = await startTestWorker();
  const bursts = () =>
    testEnvironment.database.dataSource.query<{ tokens: number }[]>('select tokens from token_buckets');
  while ((await bursts()).length > 1) await pause(5);
  await another.stop();
  expect(await bursts()).toEqual([{ tokens: 0 }]);
});
