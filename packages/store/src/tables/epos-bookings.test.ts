import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Scope } from '@pos/core/identity';
import type { Tx } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';
import { deleteExpiredBookings } from '../queues/booking-retention.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import {
  bindBooking,
  type BookingClaim,
  claimBooking,
  deleteBooking,
  findServiceId,
  listBoundIds,
  putBooking,
  releaseBooking,
} from './epos-bookings.js';

const LATER = new Date('2040-01-01T00:00:00Z');
const LEASE_MS = 60_000;

let testDatabase: TestDatabase;
let scope: Scope;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());
beforeEach(() => {
  scope = createTestScope();
});

const key = (serviceId: string) => ({ kind: 'Party', serviceId }) as const;
const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => testDatabase.database.transact(scope, work);

/** Stores a booking and claims the right to create it. */
async function request(serviceId: string, leaseMs = LEASE_MS): Promise<BookingClaim> {
  await transact((tx) => putBooking(tx, key(serviceId), LATER));
  return transact((tx) => claimBooking(tx, key(serviceId), { leaseMs, keepUntil: LATER }));
}

const bind = (serviceId: string, eposId: string, requestedAt: Date | null = null): Promise<boolean> =>
  transact((tx) => bindBooking(tx, key(serviceId), { eposId, keepUntil: LATER, requestedAt }));
const claim = (serviceId: string) =>
  transact((tx) => claimBooking(tx, key(serviceId), { leaseMs: LEASE_MS, keepUntil: LATER }));
const findOwner = (eposId: string): Promise<string | null> =>
  testDatabase.database.read(scope, (reader) => findServiceId(reader, 'Party', eposId));

describe('the right to create a booking', () => {
  test('has one of the requests that want it at once', async () => {
    await transact((tx) => putBooking(tx, key('s-1'), LATER));
    const claims = await Promise.allSettled(Array.from({ length: 8 }, () => claim('s-1')));
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = claims.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toEqual(
      Array.from({ length: 7 }, () => expect.objectContaining({ code: 'idempotency_in_progress' })),
    );
  });

  test('is free after its time, and for no booking that is not stored', async () => {
    expect(await request('s-1', 0)).toMatchObject({ mayExist: false });
    expect(await claim('s-1')).toMatchObject({ mayExist: true, eposId: null });
    await expect(claim('s-1')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await expect(claim('s-2')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });

  test('is not ended by a request that has lost it, which changes nothing', async () => {
    const lost = await request('s-1', 0);
    const current = await claim('s-1');
    const release = ({ lease }: BookingClaim) =>
      transact((tx) => releaseBooking(tx, key('s-1'), { lease, mayExist: false }));
    expect(await release(lost)).toBe(false);
    await expect(claim('s-1')).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    expect(await release(current)).toBe(true);
    expect(await claim('s-1')).toMatchObject({ mayExist: false });
  });
});

describe('a booking of the EPOS', () => {
  test('belongs to one of the requests that find it at once', async () => {
    for (const id of ['s-1', 's-2', 's-3', 's-4']) await request(id);
    const bound = await Promise.all(['s-1', 's-2', 's-3', 's-4'].map((id) => bind(id, 'epos-1')));
    expect(bound.filter(Boolean)).toHaveLength(1);
    expect(await findOwner('epos-1')).toBe(`s-${bound.indexOf(true) + 1}`);
    expect(await bind((await findOwner('epos-1')) ?? '', 'epos-1')).toBe(true);
  });

  test('whose id the EPOS uses again belongs to the request that has created it since', async () => {
    await request('s-1');
    expect(await bind('s-1', 'epos-1')).toBe(true);
    const { requestedAt } = await request('s-2');
    expect(await bind('s-2', 'epos-1', requestedAt)).toBe(true);
    expect(await findOwner('epos-1')).toBe('s-2');
    expect(await bind('s-1', 'epos-1')).toBe(false);
    expect(await findOwner('epos-1')).toBe('s-2');
  });

  test('that was bound after a request was made stays where it is, also if the EPOS names it in its answer', async () => {
    const { requestedAt } = await request('s-1');
    await request('s-2');
    expect(await bind('s-2', 'epos-1')).toBe(true);
    expect(await bind('s-1', 'epos-1', requestedAt)).toBe(false);
    expect(await findOwner('epos-1')).toBe('s-2');
  });

  test('of another account or kind has nothing to do with it', async () => {
    expect(await bind('s-1', 'epos-1')).toBe(true);
    const other = createTestScope();
    const binding = { eposId: 'epos-1', keepUntil: LATER, requestedAt: null };
    const bound = [
      await testDatabase.database.transact(other, (tx) => bindBooking(tx, key('s-2'), binding)),
      await transact((tx) => bindBooking(tx, { kind: 'Reservation', serviceId: 's-2' }, binding)),
    ];
    expect(bound).toEqual([true, true]);
    expect(await findOwner('epos-1')).toBe('s-1');
    const list = await testDatabase.database.read(scope, (reader) => listBoundIds(reader, 'Party', ['epos-1', 'x']));
    expect([...list]).toEqual(['epos-1']);
  });

  test('that was deleted has no owner, and its id may be bound again', async () => {
    await bind('s-1', 'epos-1');
    expect(await transact((tx) => deleteBooking(tx, 'Party', 'epos-1'))).toEqual(['s-1']);
    expect(await findOwner('epos-1')).toBeNull();
    expect(await bind('s-2', 'epos-1')).toBe(true);
  });
});

const END_BOOKINGS = defineStatement(
  'test_end_bookings',
  `update epos_bookings set keep_until = '2000-01-01' where account_id = $1 returning 1`,
);

const BLOCKED = defineStatement(
  'test_blocked_transactions',
  `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/** Resolves once another transaction of the database waits for a lock. */
async function waitUntilBlocked(): Promise<void> {
  for (let checks = 0; checks < 1_000; checks += 1) {
    if ((await testDatabase.database.readSystem((reader) => reader.query(BLOCKED, []))).length > 0) return;
    await pause(10);
  }
  throw new Error('no transaction waits for a lock');
}

describe('a request that has locked the owner of a booking, and locks the booking next', () => {
  const OWNER = `select from epos_booking_owners where account_id = $1 and epos_id = 'epos-1' for update`;
  const BOOKING = `select from epos_bookings where account_id = $1 and epos_id = 'epos-1' for update nowait`;

  /** Runs the work while the owner is locked; then the booking must be free for the holder of the lock. */
  async function runBeside(start: () => Promise<unknown>, isBlocked: boolean): Promise<void> {
    await bind('s-1', 'epos-1');
    await bind('s-2', 'epos-2');
    const holder = new pg.Client({ connectionString: testDatabase.ownerUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query(OWNER, [scope.accountId]);
    const work = start();
    if (isBlocked) await waitUntilBlocked();
    else await work;
    await holder.query(BOOKING, [scope.accountId]);
    await holder.query('commit');
    await work;
    await holder.end();
  }

  test('does not wait for a deletion that waits for the owner', async () => {
    await runBeside(() => transact((tx) => deleteBooking(tx, 'Party', 'epos-1')), true);
    expect([await findOwner('epos-1'), await findOwner('epos-2')]).toEqual([null, 's-2']);
  });

  test('keeps the booking that is over, which is deleted later with its owner', async () => {
    const deleteExpired = async () => {
      await transact((tx) => tx.query(END_BOOKINGS, [scope.accountId]));
      await transact(deleteExpiredBookings);
    };
    await runBeside(deleteExpired, false);
    expect([await findOwner('epos-1'), await findOwner('epos-2')]).toEqual(['s-1', null]);
    expect(await bind('s-3', 'epos-1')).toBe(false);
    await deleteExpired();
    expect(await findOwner('epos-1')).toBeNull();
    expect(await bind('s-3', 'epos-1')).toBe(true);
  });
});
