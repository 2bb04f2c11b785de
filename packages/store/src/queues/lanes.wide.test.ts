import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Envelope } from '@pos/core/webhooks';
import type { EventKind } from '@pos/core/events';
import type { Scope, SubscriptionId, TerminalSessionId } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Tx } from '../database/database.js';
import { type AttemptRecord, type ClaimedDelivery, type ClaimedLane, LaneQueue } from './lanes.js';
import { emit, emitAll } from './outbox.js';
import { type DeliveryRow, deliveries, lanes, subscriptions } from '../relations/queue-relations.js';
import { defineStatement } from '@pos/postgres/statements';
import { insertSubscription } from '../webhooks/subscriptions.js';
import { findRow, findRows, updateRows } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { KIND, createSessionEvent, createIntentEvent } from '../testing/lane-events.js';

let testDatabase: TestDatabase;
let queue: LaneQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 16 });
  queue = new LaneQueue(testDatabase.database);
});
afterAll(async () => {
  await testDatabase.close();
});

const LIMITS = { lanes: 100, deliveriesPerLane: 10, leaseMs: 60_000 };

test('an event is sent once to the subscriber of its kind, with the bytes that were stored', async () => {
  const { scope, subscriptionId } = await subscribe();
  const session = newSession(scope);
  await testDatabase.database.transact(scope, (tx) => emit(tx, createSessionEvent(session, 1)));
  const [lane] = await queue.claim(scope, LIMITS);
  expect(lane?.deliveries).toMatchObject([
    { attempts: 0, subscriptionId, url: 'https://example.com/hook', secret: 'a secret' },
  ]);
  expect(JSON.parse(lane!.deliveries[0]!.body.toString('utf8'))).toEqual(createSessionEvent(session, 1));
  expect(await queue.complete(lane!, [markDelivered(lane!.deliveries[0]!)])).toBe(true);
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
  expect(await states(scope)).toEqual(['Delivered 1']);
});

test('an event without a subscription is stored and sent nowhere', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => emit(tx, createSessionEvent(newSession(scope), 1)));
  expect(await states(scope)).toEqual([]);
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
});

test('an event of an undone transaction never existed', async () => {
  const { scope } = await subscribe();
  const work = testDatabase.database.transact(scope, async (tx) => {
    await emit(tx, createSessionEvent(newSession(scope), 1));
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
});

test('the events of a session wait for the one before, across kinds; another session does not wait', async () => {
  const { scope } = await subscribe();
  const [slow, quick] = [newSession(scope), newSession(scope)];
  await emitNumbered(scope, slow, 3);
  await emitNumbered(scope, quick, 1);
  const claimed = await queue.claim(scope, LIMITS);
  const first = claimed.find(({ key }) => key === slow)!;
  await queue.complete(first, [markFailed(first.deliveries[0]!, 3_600_000)]);
  const other = claimed.find(({ key }) => key === quick)!;
  await queue.complete(other, [markDelivered(other.deliveries[0]!)]);
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
  expect(await states(scope)).toEqual(['Delivered 1', 'Pending 0', 'Pending 0', 'Pending 1']);
});

test('a failed event of an intent continues alone, and the ones after it do not wait', async () => {
  const { scope } = await subscribe(['payment_intent.status_updated']);
  const intent = createId('paymentIntent', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, async (tx) => {
    await emit(tx, createIntentEvent(scope, intent));
    await emit(tx, createIntentEvent(scope, intent));
  });
  const [lane] = await queue.claim(scope, LIMITS);
  await queue.complete(lane!, [markFailed(lane!.deliveries[0]!, 0)]);
  const again = await queue.claim(scope, LIMITS);
  expect(again.map(({ key, deliveries: waiting }) => [key, waiting.map(({ id, attempts }) => [id, attempts])])).toEqual(
    expect.arrayContaining([
      [intent, [[lane!.deliveries[1]!.id, 0]]],
      [lane!.deliveries[0]!.id, [[lane!.deliveries[0]!.id, 1]]],
    ]),
  );
  expect(again).toHaveLength(2);
  const alone = again.find(({ key }) => key === lane!.deliveries[0]!.id)!;
  await queue.complete(alone, [markFailed(alone.deliveries[0]!, null)]);
  expect(await states(scope)).toEqual(['DeadLettered 2', 'Pending 0']);
});

test("after a dead letter the session's events continue", async () => {
  const { scope } = await subscribe();
  const session = newSession(scope);
  await emitNumbered(scope, session, 2);
  const [lane] = await queue.claim(scope, LIMITS);
  const [first, second] = lane!.deliveries;
  await queue.complete(lane!, [markFailed(first!, null), markDelivered(second!)]);
  expect(await states(scope)).toEqual(['DeadLettered 1', 'Delivered 1']);
  expect(
    await testDatabase.database.read(scope, (reader) => findRow(reader, lanes, { where: { key: session } })),
  ).toMatchObject({ pending: 0, failures: 0 });
});

test('a lane that a worker holds is claimed by no other until its lease ends; then the late worker changes nothing', async () => {
  const { scope } = await subscribe();
  await emitNumbered(scope, newSession(scope), 1);
  const [held] = await queue.claim(scope, LIMITS);
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
  await queue.complete(held!, []);
  const [late] = await queue.claim(scope, { ...LIMITS, leaseMs: 20 });
  await pause(40);
  const [next] = await queue.claim(scope, LIMITS);
  expect(next!.fence).toBeGreaterThan(late!.fence);
  expect(await queue.complete(late!, [markFailed(late!.deliveries[0]!, null)])).toBe(false);
  expect(await states(scope)).toEqual(['Pending 0']);
  expect(await queue.complete(next!, [markDelivered(next!.deliveries[0]!)])).toBe(true);
  expect(await queue.complete(late!, [markDelivered(late!.deliveries[0]!)])).toBe(false);
  expect(await states(scope)).toEqual(['Delivered 1']);
});

test('a worker that stops returns the rest, due now', async () => {
  const { scope } = await subscribe();
  await emitNumbered(scope, newSession(scope), 3);
  const [lane] = await queue.claim(scope, LIMITS);
  await queue.complete(lane!, [markDelivered(lane!.deliveries[0]!)]);
  const [rest] = await queue.claim(scope, LIMITS);
  expect(rest!.deliveries.map(({ number }) => number)).toEqual([2, 3]);
});

test('an attempt after a delivery that is to be tried again is a defect', async () => {
  const { scope } = await subscribe();
  await emitNumbered(scope, newSession(scope), 2);
  const [lane] = await queue.claim(scope, LIMITS);
  const [first, second] = lane!.deliveries;
  await expect(queue.complete(lane!, [markFailed(first!, 10), markDelivered(second!)])).rejects.toMatchObject({
    name: 'Defect',
  });
});

test.each([
  ['paused', { paused: true }, 'Held 0'],
  ['deleted', { deleted_at: new Date() }, 'DeadLettered 0'],
])('the waiting deliveries of a %s subscription leave their lanes at the next claim', async (_, set, left) => {
  const { scope, subscriptionId } = await subscribe();
  const session = newSession(scope);
  await emitNumbered(scope, session, 2);
  await testDatabase.database.transact(scope, (tx) =>
    updateRows(tx, subscriptions, { where: { id: subscriptionId }, set }),
  );
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
  expect(await states(scope)).toEqual([left, left]);
  const lane = await testDatabase.database.read(scope, (reader) => findRow(reader, lanes, { where: { key: session } }));
  expect(lane).toMatchObject({ pending: 0, leased_until: null });
});

test('accounts with ready lanes are found, except those that have enough running', async () => {
  const [one, other] = [await subscribe(), await subscribe()];
  for (const { scope } of [one, other]) await emitNumbered(scope, newSession(scope), 1);
  const found = await queue.listReadyAccounts({ limit: 100 });
  expect(found).toEqual(expect.arrayContaining([one.scope, other.scope]));
  const without = await queue.listReadyAccounts({ limit: 100, excluded: [one.scope] });
  expect(without).toContainEqual(other.scope);
  expect(without).not.toContainEqual(one.scope);
});

test('a completion that meets an enqueuer’s open transaction leaves the new delivery awake', async () => {
  const { scope } = await subscribe();
  const session = newSession(scope);
  await emitNumbered(scope, session, 1);
  const [lane] = await queue.claim(scope, LIMITS);
  let finishing: Promise<boolean> = Promise.resolve(false);
  const second = await testDatabase.open();
  await second.transact(scope, async (tx) => {
    await emit(tx, createSessionEvent(session, 2));
    // We have locked the lane, so the completion waits and must count again when we are done.
    finishing = new Promise((resolve) => setImmediate(resolve)).then(() => finishOutside(lane!));
    await pause(100);
  });
  expect(await finishing).toBe(true);
  expect((await queue.claim(scope, LIMITS))[0]?.deliveries.map(({ number }) => number)).toEqual([2]);
});

test("despite failures and lost workers, each session's events arrive in commit order and none is lost", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('deliver', 'deliver', 'deliver', 'fail', 'crash', 'giveUp'), {
        minLength: 8,
        maxLength: 24,
      }),
      fc.integer({ min: 2, max: 4 }),
      async (outcomes, perTransaction) => {
        const { scope } = await subscribe();
        const sessions = Array.from({ length: 5 }, () => newSession(scope)).sort();
        const received = new Map<string, string[]>(sessions.map((session) => [session, []]));
        const clients = [testDatabase.database, await testDatabase.open(), await testDatabase.open()];
        let isEnqueueing = true;
        const workers = clients.map((client, at) =>
          work(client, { scope, received, outcomes: outcomes.slice(at), isMoreComing: () => isEnqueueing }),
        );
        await Promise.all(clients.map((client) => enqueue(client, { scope, sessions, perTransaction, rounds: 6 })));
        isEnqueueing = false;
        await Promise.all(workers);
        await Promise.all(clients.slice(1).map((client) => client.close()));
        for (const session of sessions) expectOrder(received.get(session)!);
        const left = await testDatabase.database.read(scope, (reader) => findRows(reader, lanes, { where: {} }));
        expect(left.filter(({ pending }) => pending !== 0)).toEqual([]);
        const rows = await allDeliveries(scope);
        expect(rows.filter(({ state }) => state !== 'Delivered')).toEqual([]);
        expect(rows).toHaveLength(sessions.length * clients.length * 6 * perTransaction);
      },
    ),
    { numRuns: process.env['LONG'] === '1' ? 4 : 2 },
  );
}, 60_000);

interface EnqueueOptions {
  readonly scope: Scope;
  readonly sessions: readonly TerminalSessionId[];
  readonly perTransaction: number;
  readonly rounds: number;
}

/** Numbers the events of a session under a lock of its own, so that the numbers are the order of the commits. */
async function enqueue(client: Database, { scope, sessions, perTransaction, rounds }: EnqueueOptions): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await client.transact(scope, async (tx) => {
      const envelopes: Envelope[] = [];
      for (const session of sessions) {
        const reached = await count(tx, session, perTransaction);
        for (let at = perTransaction - 1; at >= 0; at -= 1) envelopes.push(createSessionEvent(session, reached - at));
      }
      await emitAll(tx, envelopes);
    });
  }
}

interface WorkOptions {
  readonly scope: Scope;
  readonly received: ReadonlyMap<string, string[]>;
  readonly outcomes: readonly string[];
  readonly isMoreComing: () => boolean;
}

const TRIES_MAX = 4_000;

/**
 * A worker with the given outcomes one after another, and then only successes. A crash is silence until the lease is
 * over.
 */
async function work(client: Database, { scope, received, outcomes, isMoreComing }: WorkOptions): Promise<void> {
  const lanesOf = new LaneQueue(client);
  const left = [...outcomes];
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const claimed = await lanesOf.claim(scope, { lanes: 3, deliveriesPerLane: 4, leaseMs: 150 });
    if (claimed.length === 0) {
      if (!isMoreComing() && (await countPending(scope)) === 0) return;
      await pause(5);
      continue;
    }
    for (const lane of claimed) await workLane(lanesOf, lane, { received, outcome: left.shift() ?? 'deliver' });
  }
  throw new Error('the lanes were not emptied');
}

async function workLane(
  lanesOf: LaneQueue,
  lane: ClaimedLane,
  { received, outcome }: { readonly received: ReadonlyMap<string, string[]>; readonly outcome: string },
): Promise<void> {
  const [first, ...rest] = lane.deliveries;
  const receive = (delivery: ClaimedDelivery): void => void received.get(lane.key)!.push(numberIn(delivery));
  if (outcome === 'fail') {
    await lanesOf.complete(lane, [markFailed(first!, 3)]);
  } else if (outcome === 'giveUp') {
    receive(first!);
    await lanesOf.complete(lane, [markDelivered(first!)]);
  } else if (outcome === 'crash') {
    receive(first!);
    await pause(200);
    expect(typeof (await lanesOf.complete(lane, [markDelivered(first!)]))).toBe('boolean');
  } else {
    for (const each of [first!, ...rest]) receive(each);
    await lanesOf.complete(lane, [first!, ...rest].map(markDelivered));
  }
}

/** Repeats are allowed; gaps and steps over an event that was not received are not. */
function expectOrder(numbers: readonly string[]): void {
  let reached = 0;
  for (const text of numbers) {
    expect(Number(text)).toBeLessThanOrEqual(reached + 1);
    reached = Math.max(reached, Number(text));
  }
}

const COUNT = defineStatement(
  'test_count',
  `insert into id_counters (account_id, environment, kind, last) values ($1, $2, $3, $4)
   on conflict (account_id, environment, kind) do update set last = id_counters.last + $4 returning last`,
);

async function count(tx: Tx, session: string, by: number): Promise<number> {
  const [row] = await tx.query<{ last: number }>(COUNT, [tx.scope.accountId, tx.scope.environment, session, by]);
  return row!.last;
}

async function finishOutside(lane: ClaimedLane): Promise<boolean> {
  const other = await testDatabase.open();
  return new LaneQueue(other).complete(lane, [markDelivered(lane.deliveries[0]!)]);
}

async function subscribe(
  kinds: readonly EventKind[] = [KIND],
): Promise<{ scope: Scope; subscriptionId: SubscriptionId }> {
  const scope = createTestScope();
  const subscriptionId = createId('subscription', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, async (tx) =>
    insertSubscription(tx, {
      id: subscriptionId,
      url: 'https://example.com/hook',
      description: null,
      isPaused: false,
      events: kinds,
      secrets: [
        { id: await tx.newId('secret'), value: 'a secret', isActive: true, createdAt: tx.now, lastUsedAt: null },
      ],
      createdAt: tx.now,
      updatedAt: tx.now,
    }),
  );
  return { scope, subscriptionId };
}

function newSession({ environment }: Scope): TerminalSessionId {
  return createId('terminalSession', environment, randomBytes(16));
}

async function emitNumbered(scope: Scope, session: TerminalSessionId, howMany: number): Promise<void> {
  await testDatabase.database.transact(scope, async (tx) => {
    for (let number = 1; number <= howMany; number += 1) await emit(tx, createSessionEvent(session, number));
  });
}

function numberIn({ body }: ClaimedDelivery): string {
  const { data } = JSON.parse(body.toString('utf8')) as { data: { paymentDetails: { authCode: string } } };
  return data.paymentDetails.authCode;
}

function markDelivered({ number }: ClaimedDelivery): AttemptRecord {
  return { number, isDelivered: true, status: 200, error: null, retryInMs: null };
}

function markFailed({ number }: ClaimedDelivery, retryInMs: number | null): AttemptRecord {
  return { number, isDelivered: false, status: 503, error: 'unavailable', retryInMs };
}

async function allDeliveries(scope: Scope): Promise<DeliveryRow[]> {
  return testDatabase.database.read(scope, (reader) => findRows(reader, deliveries, { where: {} }));
}

async function states(scope: Scope): Promise<string[]> {
  return (await allDeliveries(scope)).map(({ state, attempts }) => `${state} ${attempts}`).sort();
}

async function countPending(scope: Scope): Promise<number> {
  return (await allDeliveries(scope)).filter(({ state }) => state === 'Pending').length;
}
