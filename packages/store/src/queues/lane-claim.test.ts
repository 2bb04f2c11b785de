import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope, SubscriptionId } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { createSandboxClock, advanceFrozenClock } from '../clock/sandbox-clock.js';
import { type ClaimedLane, LaneQueue } from './lanes.js';
import { emit } from './outbox.js';
import { deliveries, lanes, subscriptions } from '../relations/queue-relations.js';
import { insertSubscription } from '../webhooks/subscriptions.js';
import { findRows, updateRows } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
let queue: LaneQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  queue = new LaneQueue(testDatabase.database);
});
afterAll(async () => {
  await testDatabase.close();
});

const LIMITS = { lanes: 100, deliveriesPerLane: 10, leaseMs: 60_000 };

/** A subscription with a delivery that is due. */
async function createDelivery(scope: Scope): Promise<SubscriptionId> {
  const subscriptionId = createId('subscription', 'sandbox', randomBytes(16));
  await testDatabase.database.transact(scope, async (tx) => {
    const secret = {
      id: await tx.newId('secret'),
      value: 'a secret',
      isActive: true,
      createdAt: tx.now,
      lastUsedAt: null,
    };
    await insertSubscription(tx, {
      id: subscriptionId,
      url: 'https://example.com/hook',
      description: null,
      isPaused: false,
      events: ['payment_intent.created'],
      secrets: [secret],
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    await emit(tx, {
      id: await tx.newId('event'),
      event: 'payment_intent.created',
      accountId: scope.accountId,
      createdAt: tx.now.toISOString(),
      data: { paymentIntentId: await tx.newId('paymentIntent'), paymentStatus: 'Created', captureMode: 'Auto' },
    });
  });
  return subscriptionId;
}

test('a lane whose subscription is being changed is left alone for a moment instead of being polled', async () => {
  const scope = createTestScope();
  const subscriptionId = await createDelivery(scope);
  const changing = await testDatabase.open();
  let claimedAtMs = 0;
  await changing.transact(scope, async (tx) => {
    await updateRows(tx, subscriptions, { where: { id: subscriptionId }, set: { paused: false } });
    claimedAtMs = Date.now();
    const meanwhile = new Promise<readonly ClaimedLane[]>((resolve, reject) => {
      setImmediate(() => void queue.claim(scope, LIMITS).then(resolve, reject));
    });
    expect(await meanwhile).toEqual([]);
  });
  const [lane] = await testDatabase.database.read(scope, (reader) => findRows(reader, lanes, { where: {} }));
  expect(lane!.due_at.getTime() - claimedAtMs).toBeGreaterThanOrEqual(250);
  let claimed: readonly ClaimedLane[] = [];
  while (claimed.length === 0) claimed = await queue.claim(scope, LIMITS);
});

test('a retry in a sandbox with a frozen clock counts from its attempt, even if another lane advanced the clock meanwhile', async () => {
  const scope = createTestScope();
  const start = new Date('2026-03-02T12:00:00.000Z');
  await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, start));
  await createDelivery(scope);
  const [lane] = await queue.claim(scope, LIMITS);
  await advanceFrozenClock(testDatabase.database, scope, new Date(start.getTime() + 300));
  const { number } = lane!.deliveries[0]!;
  const failed = { number, isDelivered: false, status: 503, error: 'unavailable', retryInMs: 5_000 };
  await queue.complete(lane!, [failed]);
  const [delivery] = await testDatabase.database.read(scope, (reader) => findRows(reader, deliveries, { where: {} }));
  expect(delivery!.next_attempt_at).toEqual(new Date(start.getTime() + 5_000));
});
