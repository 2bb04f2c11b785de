import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Defect } from '@pos/core/refusals';
import type { Lease, LeaseState } from '@pos/core/tables';
import { randomUUID } from 'node:crypto';
import type { Tx } from '../database/database.js';

import { hasTimer } from '../queues/timer-claim.js';
import { schedule } from '../queues/timers.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { findLease, insertLease, insertLeaseOfFreeSession } from './leases.js';
import { insertOrderSessions, readOrderOfSession } from './order-sessions.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const SESSION = 'table-4';
const NOON = new Date('2026-03-02T12:00:00.000Z');

function createLease(overrides: Partial<Lease> = {}): Lease {
  return {
    ...{ leaseId: randomUUID(), sessionId: SESSION, owner: 'D1', requestor: { type: 'consumerDevice' } },
    ...{ waiterId: null, state: 'Held', eposLocked: true, lockId: null, openPayments: 0 },
    ...{ acquiredAt: NOON, expiresAt: NOON, version: 1, releasedAt: null },
    ...overrides,
  };
}

/** Inserts a lease of an assumed free session with its timer; reports whether the database has refused both. */
async function insertAssumed(lease: Lease, scope = createTestScope()): Promise<'stored' | 'refused'> {
  const { database } = testDatabase;
  const timer = { kind: 'session-lease', subject: lease.leaseId } as const;
  const insert = (tx: Tx): void => {
    schedule(tx, { ...timer, dueInMs: 60_000, isRepeat: true });
    insertLeaseOfFreeSession(tx, lease);
  };
  const outcome = await database.transact(scope, insert).then(
    () => 'stored' as const,
    (error: unknown) => {
      if (!(error instanceof Defect)) throw error;
      return 'refused' as const;
    },
  );
  const [stored, isTimed] = await database.read(scope, (reader) =>
    Promise.all([findLease(reader, lease.leaseId), hasTimer(reader, timer)]),
  );
  expect({ stored, isTimed }).toEqual(
    outcome === 'stored' ? { stored: lease, isTimed: true } : { stored: null, isTimed: false },
  );
  return outcome;
}

test.each<[LeaseState, boolean, 'stored' | 'refused']>([
  ['Held', true, 'refused'],
  ['Held', false, 'refused'],
  ['Lost', false, 'refused'],
  ['Released', true, 'refused'],
  ['Forced', true, 'refused'],
  ['Released', false, 'stored'],
  ['Forced', false, 'stored'],
])('beside a lease that is %s (locked at the EPOS: %s), a lease of a free session is %s', async (...row) => {
  const [state, eposLocked, expected] = row;
  const scope = createTestScope();
  const releasedAt = state === 'Released' || state === 'Forced' ? NOON : null;
  await testDatabase.database.transact(scope, (tx) => insertLease(tx, createLease({ state, eposLocked, releasedAt })));
  expect(await insertAssumed(createLease({ owner: 'D2' }), scope)).toBe(expected);
  // The lease of another session or scope changes nothing.
  expect(await insertAssumed(createLease({ sessionId: 'table-5' }), scope)).toBe('stored');
  expect(await insertAssumed(createLease())).toBe('stored');
});

test('of many concurrent leases of a free session one is stored', async () => {
  const scope = createTestScope();
  const others = await Promise.all([testDatabase.open(), testDatabase.open()]);
  const inserts = Array.from({ length: 12 }, (_, index) =>
    others[index % 2]!.transactOptimistically(scope, {
      read: () => Promise.resolve(),
      decide: (tx) => {
        if (tx.isLocking) throw new Error('refused');
        insertLeaseOfFreeSession(tx, createLease({ owner: `D${index}` }));
      },
    }),
  );
  const outcomes = await Promise.allSettled(inserts);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('the order of a session is read together with a change, under locks and without', async () => {
  const scope = createTestScope();
  const { database } = testDatabase;
  await database.transact(scope, (tx) => insertOrderSessions(tx, [{ sessionId: SESSION, orderId: 'order-7' }]));
  const readBeside = (sessionId: string) => (tx: Tx) => {
    insertLeaseOfFreeSession(tx, createLease({ sessionId }));
    return readOrderOfSession(tx, sessionId);
  };
  const optimistically = (sessionId: string) =>
    database.transactOptimistically(scope, { read: () => Promise.resolve(), decide: readBeside(sessionId) });
  expect((await optimistically(SESSION))()).toBe('order-7');
  expect((await optimistically('table-5'))()).toBeNull();
  await testDatabase.database.transact(createTestScope(), async (tx) => {
    const getOrderId = readOrderOfSession(tx, SESSION);
    await tx.flush();
    expect(getOrderId()).toBeNull();
  });
});
