import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PaymentIntentEventKind } from '@pos/core/events';
import type { Scope } from '@pos/core/identity';
import { type EventPeriod, replayEventsToEpos } from './epos-replays.js';
import { EposLaneQueue } from './lanes.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { emitIntentEvents, registerEposForEvents } from '../testing/epos-events.js';

const CREATED = 'payment_intent.created';
const UPDATED = 'payment_intent.status_updated';
const LIMITS = { lanes: 100, deliveriesPerLane: 10, leaseMs: 60_000 };
const ALL = { from: null, to: new Date('2100-01-01T00:00:00Z') };

let testDatabase: TestDatabase;
let queue: EposLaneQueue;
let scope: Scope;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  queue = new EposLaneQueue(testDatabase.database);
});
beforeEach(async () => {
  scope = createTestScope();
  await registers(CREATED, UPDATED);
});
afterAll(() => testDatabase.close());

const registers = (...events: PaymentIntentEventKind[]): Promise<void> =>
  registerEposForEvents(testDatabase.database, scope, { kind: 'rest', events });
const happens = (...kinds: PaymentIntentEventKind[]): Promise<string[]> =>
  emitIntentEvents(testDatabase.database, scope, kinds);

/** Completes all due deliveries with this result, and returns their events. */
async function listDeliveredEvents(isDelivered: boolean): Promise<string[]> {
  const events: string[] = [];
  for (const lane of await queue.claim(scope, LIMITS)) {
    events.push(...lane.deliveries.map(({ eventId }) => eventId));
    const end = { isDelivered, status: null, error: isDelivered ? null : 'no', retryInMs: null };
    await queue.complete(
      lane,
      lane.deliveries.map(({ number }) => ({ number, ...end })),
    );
  }
  return events;
}

const replay = (span: EventPeriod = ALL, limit = 1_000) =>
  testDatabase.database.transact(scope, (tx) => replayEventsToEpos(tx, span, limit));

test('events that an EPOS has missed are sent again, in their order and after those that wait', async () => {
  const missed = [...(await happens(CREATED, UPDATED)), ...(await happens(CREATED))];
  expect(await listDeliveredEvents(false)).toEqual(missed);
  const waiting = await happens(UPDATED);
  expect(await replay()).toBe(3);
  expect(await listDeliveredEvents(true)).toEqual([...waiting, ...missed]);
});

test('an event that is being delivered, or was delivered since, is not sent again', async () => {
  const [received] = await happens(CREATED);
  expect(await listDeliveredEvents(true)).toEqual([received]);
  await happens(UPDATED);
  await listDeliveredEvents(false);
  expect(await replay()).toBe(1);
  expect(await replay()).toBe(0);
  await listDeliveredEvents(true);
  expect(await replay()).toBe(0);
});

test('an event that is missed again may be replayed again', async () => {
  const missed = await happens(CREATED);
  await listDeliveredEvents(false);
  for (let round = 0; round < 2; round += 1) {
    expect(await replay()).toBe(1);
    expect(await listDeliveredEvents(false)).toEqual(missed);
  }
});

test('of two concurrent replays one queues the events', async () => {
  await happens(CREATED, UPDATED);
  await listDeliveredEvents(false);
  const other = await testDatabase.open();
  const first = await testDatabase.database.transact(scope, async (tx) => {
    const queued = await replayEventsToEpos(tx, ALL, 1_000);
    const second = other.transact(scope, (seen) => replayEventsToEpos(seen, ALL, 1_000));
    // Long enough for a replay that does not wait to have read the events as they were.
    await Promise.race([second, pause(200)]);
    return { queued, second };
  });
  expect([first.queued, await first.second]).toEqual([2, 0]);
});

test('a span, a number and the current registration select the events', async () => {
  const [created, updated] = await happens(CREATED, UPDATED);
  await listDeliveredEvents(false);
  expect(await replay({ from: ALL.to, to: ALL.to })).toBe(0);
  expect(await replay({ from: null, to: new Date(0) })).toBe(0);
  await registers(UPDATED);
  expect(await replay()).toBe(1);
  expect(await listDeliveredEvents(false)).toEqual([updated]);
  await registers(CREATED, UPDATED);
  expect(await replay(ALL, 1)).toBe(1);
  expect(await listDeliveredEvents(true)).toEqual([created]);
});
