import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PaymentIntentEventKind } from '@pos/core/events';
import type { Scope } from '@pos/core/identity';
import { wakeEposLane } from './epos-lanes.js';
import { deleteEposIntegration } from '../repositories/epos-integrations.js';
import { type ClaimedLane, type EposDelivery, EposLaneQueue, LaneQueue } from './lanes.js';
import { deliveries, lanes } from '../relations/queue-relations.js';
import { findRows } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { emitIntentEvents, registerEposForEvents } from '../testing/epos-events.js';

const CREATED = 'payment_intent.created';
const UPDATED = 'payment_intent.status_updated';
const RECEIPT = 'payment_intent.send-receipt';
const LIMITS = { lanes: 100, deliveriesPerLane: 10, leaseMs: 60_000 };

let testDatabase: TestDatabase;
let queue: EposLaneQueue;
let scope: Scope;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  queue = new EposLaneQueue(testDatabase.database);
});
beforeEach(() => {
  scope = createTestScope();
});
afterAll(() => testDatabase.close());

const registers = (kind: 'rest' | 'ws' | 'service', ...events: PaymentIntentEventKind[]): Promise<void> =>
  registerEposForEvents(testDatabase.database, scope, { kind, events });
const happens = (...kinds: PaymentIntentEventKind[]): Promise<string[]> =>
  emitIntentEvents(testDatabase.database, scope, kinds);

const claim = () => queue.claim(scope, LIMITS);
const eventsOf = (lane: ClaimedLane<EposDelivery> | undefined) => lane?.deliveries.map(({ eventId }) => eventId);
const delivered = ({ number }: EposDelivery) => ({
  number,
  isDelivered: true,
  status: 200,
  error: null,
  retryInMs: null,
});
const failed = ({ number }: EposDelivery) => ({
  number,
  isDelivered: false,
  status: 500,
  error: 'no',
  retryInMs: 60_000,
});
const rowsOf = () =>
  testDatabase.database.read(scope, (reader) => findRows(reader, deliveries, { where: {}, orderBy: 'number' }));

describe('an EPOS receives the kinds that it has registered, and no others', () => {
  test.each([
    ['both, at an address', ['rest'], [CREATED, UPDATED], 2],
    ['both, over a socket', ['ws'], [CREATED, UPDATED], 2],
    ['both, twice registered', ['rest', 'ws'], [CREATED, UPDATED], 2],
    ['one of two', ['rest'], [UPDATED], 1],
    ['none', ['rest'], [], 0],
    ['nothing at all', [], [], 0],
    ['by the operator alone', ['service'], [CREATED, UPDATED], 0],
  ] as const)('%s', async (_, kinds, registered, count) => {
    for (const kind of kinds) await registers(kind, ...registered);
    await happens(CREATED, UPDATED, RECEIPT);
    expect((await claim()).flatMap((lane) => lane.deliveries)).toHaveLength(count);
  });

  test('another account receives nothing', async () => {
    await registers('rest', CREATED);
    await happens(CREATED);
    scope = createTestScope();
    expect(await claim()).toEqual([]);
  });

  test('a kind that it removes is not sent any more, including events that already wait', async () => {
    await registers('rest', CREATED, UPDATED);
    await happens(CREATED, UPDATED);
    await registers('rest', UPDATED);
    const [lane] = await claim();
    expect(lane?.deliveries.map(({ kind, transport }) => [kind, transport])).toEqual([
      [CREATED, null],
      [UPDATED, 'rest'],
    ]);
    await testDatabase.database.transact(scope, (tx) => deleteEposIntegration(tx, 'rest'));
    expect(await happens(UPDATED)).toHaveLength(1);
    expect(await rowsOf()).toHaveLength(2);
  });
});

describe('the lane of an EPOS', () => {
  test('is one lane, in the order in which all intents of the account changed', async () => {
    await registers('rest', CREATED, UPDATED);
    const eventIds = [...(await happens(CREATED)), ...(await happens(CREATED, UPDATED)), ...(await happens(UPDATED))];
    const claimed = await claim();
    expect(claimed).toHaveLength(1);
    expect(eventsOf(claimed[0])).toEqual(eventIds);
  });

  test('is another one for kinds that are sent over a socket only, which do not delay those of the address', async () => {
    await registers('ws', CREATED);
    await registers('rest', UPDATED);
    const [created, updated] = await happens(CREATED, UPDATED);
    const claimed = await claim();
    expect(new Map(claimed.map((lane) => [lane.key, eventsOf(lane)]))).toEqual(
      new Map([
        ['epos/ws', [created]],
        ['epos/rest', [updated]],
      ]),
    );
  });

  test('is separate: neither webhooks nor replays claim it, and it claims none of theirs', async () => {
    await registers('rest', CREATED);
    await happens(CREATED);
    for (const traffic of ['live', 'replays'] as const) {
      const webhooks = new LaneQueue(testDatabase.database, traffic);
      expect(await webhooks.claim(scope, LIMITS)).toEqual([]);
      expect(await webhooks.listReadyAccounts({ limit: 1_000 })).not.toContainEqual(scope);
    }
    expect(await queue.listReadyAccounts({ limit: 1_000 })).toContainEqual(scope);
    expect(await queue.listReadyAccounts({ limit: 1_000, excluded: [scope] })).not.toContainEqual(scope);
  });

  test('moves a failed event out, and the next one is delivered meanwhile', async () => {
    await registers('rest', CREATED, UPDATED);
    const [created, updated] = await happens(CREATED, UPDATED);
    const [lane] = await claim();
    expect(await queue.complete(lane!, [failed(lane!.deliveries[0]!)])).toBe(true);
    const [next] = await claim();
    expect([next?.key, eventsOf(next)]).toEqual(['epos/rest', [updated]]);
    await queue.complete(next!, [delivered(next!.deliveries[0]!)]);
    const [row] = (await rowsOf()).filter(({ event_id: id }) => id === created);
    expect(row).toMatchObject({ state: 'Pending', attempts: 1, lane_key: row!.id, subscription_id: null });
    const all = await testDatabase.database.read(scope, (reader) =>
      findRows(reader, lanes, { where: { key: row!.id } }),
    );
    expect(all).toMatchObject([{ is_epos: true, is_replay: false, pending: 1 }]);
    expect(await claim()).toEqual([]);
  });

  test('rests completely with an event that was not tried, without counting an attempt, until its EPOS connects', async () => {
    await registers('ws', CREATED, UPDATED);
    const eventIds = await happens(CREATED, UPDATED);
    const [lane] = await claim();
    expect(await queue.complete(lane!, [], 60_000)).toBe(true);
    await happens(UPDATED);
    expect(await claim()).toEqual([]);
    await testDatabase.database.transact(scope, wakeEposLane);
    const [woken] = await claim();
    expect(eventsOf(woken)).toHaveLength(3);
    expect(eventsOf(woken)?.slice(0, 2)).toEqual(eventIds);
    expect(woken?.deliveries.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  });

  test('is completed only by the worker that holds it', async () => {
    await registers('rest', CREATED);
    await happens(CREATED);
    const [lane] = await claim();
    expect(await queue.complete({ ...lane!, fence: lane!.fence - 1 }, [delivered(lane!.deliveries[0]!)])).toBe(false);
    expect(await queue.complete(lane!, [delivered(lane!.deliveries[0]!)])).toBe(true);
    expect(await claim()).toEqual([]);
    expect(await rowsOf()).toMatchObject([{ state: 'Delivered', attempts: 1, last_status: 200 }]);
  });

  test('numbers the events of concurrent transactions, and loses none', async () => {
    await registers('rest', CREATED, UPDATED);
    await Promise.all(Array.from({ length: 12 }, () => happens(CREATED, UPDATED)));
    const rows = await rowsOf();
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
  });
});
