import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Envelope } from '@pos/core/webhooks';
import type { EventKind } from '@pos/core/events';
import type { Scope, SubscriptionId, TerminalSessionId } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Tx } from '../database/database.js';
import { applyStateToSubscriptionLanes } from './held-deliveries.js';
import { LaneQueue, type ClaimedDelivery } from '../queues/lanes.js';
import { emit } from '../queues/outbox.js';
import { deliveries, lanes, subscriptions } from '../relations/queue-relations.js';
import { deleteSubscription, insertSubscription } from './subscriptions.js';
import { findRows, updateRows } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 16 });
});
afterAll(() => testDatabase.close());

const KINDS = ['terminal_session.notification', 'terminal_session.status_updated'] as const;
const LIMITS = { lanes: 100, deliveriesPerLane: 3, leaseMs: 60_000 };

test('a claim first takes in what was held for a subscription that continues', async () => {
  const { scope, ids } = await subscribe();
  const session = newSession();
  const queue = new LaneQueue(testDatabase.database);
  await setPaused(scope, ids[0], true);
  for (let number = 1; number <= 5; number += 1) await emitEvent(scope, { session, number });
  expect(await states(scope)).toEqual(['Held', 'Held', 'Held', 'Held', 'Held']);
  expect(await queue.listReadyAccounts({ limit: 10 })).not.toContainEqual(scope);
  // The held deliveries are not taken in yet, and a new event arrives.
  await setPaused(scope, ids[0], false);
  await emitEvent(scope, { session, number: 6 });
  const received: number[] = [];
  for (let claims = 0; claims < 2; claims += 1) {
    const [lane] = await queue.claim(scope, LIMITS);
    received.push(...lane!.deliveries.map(numberIn));
    await queue.complete(lane!, lane!.deliveries.map(listDelivered));
  }
  expect(received).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await pendingOf(scope)).toEqual([0]);
});

test('a delivery that a worker has claimed is not held, and the deliveries of another subscription continue', async () => {
  const { scope, ids } = await subscribe();
  const session = newSession();
  const queue = new LaneQueue(testDatabase.database);
  await emitEvent(scope, { session, number: 1 });
  await emitEvent(scope, { session, number: 2, kind: KINDS[1] });
  await emitEvent(scope, { session, number: 3 });
  const [inHand] = await queue.claim(scope, { ...LIMITS, deliveriesPerLane: 1 });
  await setPaused(scope, ids[0], true);
  await listLane(scope, ids[0]);
  expect(await states(scope)).toEqual(['Pending', 'Pending', 'Pending']);
  await queue.complete(inHand!, inHand!.deliveries.map(listDelivered));
  const [rest] = await queue.claim(scope, LIMITS);
  expect(rest!.deliveries.map(numberIn)).toEqual([2]);
  await queue.complete(rest!, rest!.deliveries.map(listDelivered));
  expect(await queue.claim(scope, LIMITS)).toEqual([]);
  expect(await states(scope)).toEqual(['Delivered', 'Delivered', 'Held']);
});

test.each([
  ['pausing', 'Held'],
  ['deleting', 'DeadLettered'],
])('%s brings hundreds of lanes in line, some at a time', async (what, state) => {
  const { scope, ids } = await subscribe();
  const sessions = Array.from({ length: 450 }, newSession);
  await testDatabase.database.transact(scope, async (tx) => {
    for (const session of sessions) await emit(tx, eventOf({ session, number: 1 }));
  });
  if (what === 'pausing') await setPaused(scope, ids[0], true);
  else await testDatabase.database.transact(scope, (tx) => deleteSubscription(tx, ids[0]));
  expect(await listLane(scope, ids[0])).toBe(3);
  expect(new Set(await states(scope))).toEqual(new Set([state]));
  expect(new Set(await pendingOf(scope))).toEqual(new Set([0]));
  if (what !== 'pausing') return;
  await setPaused(scope, ids[0], false);
  await listLane(scope, ids[0]);
  expect(new Set(await states(scope))).toEqual(new Set(['Pending']));
  expect(new Set(await pendingOf(scope))).toEqual(new Set([1]));
});

test('despite repeated pauses during events and two workers, nothing overtakes and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 10 }), async (pauses) => {
      const { scope, ids } = await subscribe();
      const sessions = Array.from({ length: 4 }, newSession);
      const received = new Map<string, number[]>(sessions.map((session) => [session, []]));
      const clients = [testDatabase.database, await testDatabase.open()];
      let isBusy = true;
      const workers = clients.map((client) => work(client, { scope, received, isMoreComing: () => isBusy }));
      const emitting = sessions.map(async (session) => {
        for (let number = 1; number <= 15; number += 1) await emitEvent(scope, { session, number });
      });
      const pausing = (async () => {
        for (const isPaused of pauses) {
          await setPaused(scope, ids[0], isPaused);
          await listLane(scope, ids[0]);
        }
        await Promise.all(emitting);
        await setPaused(scope, ids[0], false);
        await listLane(scope, ids[0]);
      })();
      await Promise.all([...emitting, pausing]);
      isBusy = false;
      await Promise.all(workers);
      for (const session of sessions) {
        expect(received.get(session)).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
      }
      expect(new Set(await states(scope))).toEqual(new Set(['Delivered']));
      expect(new Set(await pendingOf(scope))).toEqual(new Set([0]));
    }),
    { numRuns: process.env['LONG'] === '1' ? 4 : 2 },
  );
}, 60_000);

const TRIES_MAX = 4_000;

async function work(
  client: Database,
  how: {
    readonly scope: Scope;
    readonly received: ReadonlyMap<string, number[]>;
    readonly isMoreComing: () => boolean;
  },
): Promise<void> {
  const queue = new LaneQueue(client);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const isMoreComing = how.isMoreComing();
    const claimed = await queue.claim(how.scope, LIMITS);
    for (const lane of claimed) {
      how.received.get(lane.key)?.push(...lane.deliveries.map(numberIn));
      await queue.complete(lane, lane.deliveries.map(listDelivered));
    }
    const left = claimed.length > 0 || (await states(how.scope)).some((state) => state !== 'Delivered');
    if (!isMoreComing && !left) return;
    if (claimed.length === 0) await pause(5);
  }
  throw new Error('the lanes were not emptied');
}

async function subscribe() {
  const scope = createTestScope();
  const ids = await testDatabase.database.transact(scope, async (tx) => {
    const made: SubscriptionId[] = [];
    for (const kind of KINDS) made.push(await insert(tx, kind));
    return made;
  });
  return { scope, ids: ids as [SubscriptionId, SubscriptionId] };
}

async function insert(tx: Tx, kind: EventKind) {
  const id = await tx.newId('subscription');
  const secret = {
    id: await tx.newId('secret'),
    value: 'a secret',
    isActive: true,
    createdAt: tx.now,
    lastUsedAt: null,
  };
  await insertSubscription(tx, {
    ...{ id, url: 'https://example.com/hook', description: null, isPaused: false, events: [kind] },
    ...{ secrets: [secret], createdAt: tx.now, updatedAt: tx.now },
  });
  return id;
}

async function setPaused(scope: Scope, id: SubscriptionId, paused: boolean): Promise<void> {
  await testDatabase.database.transact(scope, (tx) =>
    updateRows(tx, subscriptions, { where: { id }, set: { paused } }),
  );
}

/** Applies the subscription's state to all lanes, and returns the number of steps. */
async function listLane(scope: Scope, id: SubscriptionId): Promise<number> {
  let steps = 0;
  for (let after: string | null = ''; after !== null; steps += 1) {
    const from: string = after;
    after = await testDatabase.database.transact(scope, (tx) => applyStateToSubscriptionLanes(tx, id, from));
  }
  return steps;
}

interface EmittedEvent {
  readonly session: TerminalSessionId;
  readonly number: number;
  readonly kind?: EventKind;
}

async function emitEvent(scope: Scope, emitted: EmittedEvent): Promise<void> {
  await testDatabase.database.transact(scope, (tx) => emit(tx, eventOf(emitted)));
}

function newSession(): TerminalSessionId {
  return createId('terminalSession', 'sandbox', randomBytes(16));
}

function eventOf({ session, number, kind = KINDS[0] }: EmittedEvent): Envelope {
  const at = '2026-03-01T12:00:00.000Z';
  return {
    ...{ id: createId('event', 'sandbox', randomBytes(16)), event: kind, accountId: 'acc_AAAAAAAAAAAAAAAAAAAAAA' },
    createdAt: at,
    data: {
      ...{ terminalSessionId: session, state: 'EnterPin', terminalId: 'tm_sandbox_66a1f0c2d4e5f60718293a01' },
      ...{ createdAt: at, updatedAt: at, expireAt: at, sessionType: 'Sale' },
      paymentDetails: { cardScheme: 'VISA', maskedPan: '************1096', authCode: String(number) },
    },
  };
}

function numberIn({ body }: ClaimedDelivery): number {
  const { data } = JSON.parse(body.toString('utf8')) as { data: { paymentDetails: { authCode: string } } };
  return Number(data.paymentDetails.authCode);
}

function listDelivered({ number }: ClaimedDelivery) {
  return { number, isDelivered: true, status: 200, error: null, retryInMs: null };
}

async function states(scope: Scope): Promise<string[]> {
  const rows = await testDatabase.database.read(scope, (reader) => findRows(reader, deliveries, { where: {} }));
  return rows.map(({ state }) => state).sort();
}

async function pendingOf(scope: Scope): Promise<number[]> {
  const rows = await testDatabase.database.read(scope, (reader) => findRows(reader, lanes, { where: {} }));
  return rows.map(({ pending }) => pending);
}
