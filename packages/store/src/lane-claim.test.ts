import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { type ClaimedLane, LaneQueue } from './lanes.js';
import { emit } from './outbox.js';
import { lanes, subscriptions } from './queue-rows.js';
import { insertSubscription } from './subscriptions.js';
import { findRows, updateRows } from './table.js';
import { createTestDatabase, createTestScope, type TestDatabase } from './testing.js';

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

test('a lane whose subscription is being changed is let alone for a moment instead of asked for without end', async () => {
  const scope = createTestScope();
  const subscriptionId = newId('subscription', 'sandbox', randomBytes(16));
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
