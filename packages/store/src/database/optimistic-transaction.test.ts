import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import type { Lease } from '@pos/core/tables';
import type { Database, DecisionReader, Tx } from './database.js';
import { findLease, insertLease, lockLease, lockLeaseOfSession, updateLease } from '../tables/leases.js';
import { defineSeparateChange, defineStatement } from '@pos/postgres/statements';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { cancelTimer, schedule } from '../queues/timers.js';
import { hasTimer, scheduleAndClaim } from '../queues/timer-claim.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const SESSION = 'table-4';
const WAITING = defineStatement(
  'test_waiting',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);
const ONE = defineSeparateChange('one', 'select 1 as one');

function leaseOf(leaseId: string): Lease {
  const acquiredAt = new Date('2026-03-02T12:00:00.000Z');
  return {
    ...{ leaseId, sessionId: SESSION, owner: 'D1', requestor: { type: 'consumerDevice' }, waiterId: null },
    ...{ state: 'Held', eposLocked: false, lockId: null, openPayments: 0, acquiredAt, expiresAt: acquiredAt },
    ...{ version: 1, releasedAt: null },
  };
}

/** A leased session; returns the id of its lease. */
async function insertTestLease(scope: Scope): Promise<string> {
  const leaseId = randomUUID();
  await testDatabase.database.transact(scope, (tx) => insertLease(tx, leaseOf(leaseId)));
  return leaseId;
}

const ownerOf = async (scope: Scope, leaseId: string) =>
  (await testDatabase.database.read(scope, (reader) => findLease(reader, leaseId)))?.owner ?? null;
const isTimed = (scope: Scope, subject: string) =>
  testDatabase.database.read(scope, (reader) => hasTimer(reader, { kind: 'session-lease', subject }));
const timer = (subject: string) => ({ kind: 'session-lease', subject, dueInMs: 60_000, isRepeat: true }) as const;

/** Gives the session to another owner, and its lease a timer. Records for each try whether it ran under locks. */
function handOver(tries: boolean[], meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  return {
    read: (decisionReader: DecisionReader) => lockLeaseOfSession(decisionReader, SESSION),
    decide: async (tx: Tx, found: Lease | null) => {
      tries.push(tx.isLocking);
      if (!tx.isLocking) await meanwhile();
      const lease = await updateLease(tx, found!, { ...found!, owner: `${found!.owner}, then D2` });
      schedule(tx, timer(lease.leaseId));
      return lease.version;
    },
  };
}

test('changes that are proved by versions or unique indexes are all made without locks', async () => {
  const scope = createTestScope();
  const leaseId = await insertTestLease(scope);
  const tries: boolean[] = [];
  expect(await testDatabase.database.transactOptimistically(scope, handOver(tries))).toBe(2);
  expect(tries).toEqual([false]);
  expect([await ownerOf(scope, leaseId), await isTimed(scope, leaseId)]).toEqual(['D1, then D2', true]);
});

test('a row that was changed after it was read is decided again, under locks', async () => {
  const scope = createTestScope();
  const leaseId = await insertTestLease(scope);
  const tries: boolean[] = [];
  const other = await testDatabase.open();
  const meanwhile = () =>
    other.transact(scope, async (tx) => {
      const lease = (await lockLeaseOfSession(tx, SESSION))!;
      return updateLease(tx, lease, { ...lease, owner: 'D9' });
    });
  expect(await testDatabase.database.transactOptimistically(scope, handOver(tries, meanwhile))).toBe(3);
  expect(tries).toEqual([false, true]);
  expect(await ownerOf(scope, leaseId)).toBe('D9, then D2');
});

/** Lets optimistic work and a transaction of another process lock two rows in opposite orders. */
async function runDeadlock(other: Database) {
  const scope = createTestScope();
  const [first, second] = [{ ...leaseOf(randomUUID()), sessionId: 'table-5' }, leaseOf(randomUUID())];
  await testDatabase.database.transact(scope, async (tx) => {
    for (const lease of [first, second]) await insertLease(tx, lease);
  });
  const tries: boolean[] = [];
  let theirs: Promise<unknown> = Promise.resolve();
  const meanwhile = () =>
    new Promise<void>((resolve) => {
      theirs = other.transact(scope, async (tx) => {
        await lockLease(tx, second.leaseId);
        resolve();
        // By then the first row is locked by the statement that waits for the second, which has waited longer.
        while ((await tx.query(WAITING, [])).length === 0) await pause(20);
        await pause(300);
        await lockLease(tx, first.leaseId);
      });
    });
  const work = testDatabase.database.transactOptimistically(scope, {
    read: async (decisionReader) =>
      Promise.all([first, second].map(({ leaseId }) => findLease(decisionReader, leaseId))),
    decide: async (tx, found) => {
      tries.push(tx.isLocking);
      if (!tx.isLocking) await meanwhile();
      for (const lease of found) await updateLease(tx, lease!, { ...lease!, owner: 'D2' });
    },
  });
  const [, theirOutcome] = await Promise.allSettled([work, theirs]);
  await work;
  return {
    tries,
    owners: [await ownerOf(scope, first.leaseId), await ownerOf(scope, second.leaseId)],
    isOtherTheLoser: theirOutcome.status === 'rejected',
  };
}

test('the loser of a deadlock with work in another order is decided again, under locks', async () => {
  const other = await testDatabase.open();
  // The server ends the one that it checks first: on a slow machine that may be the other one, which is refused.
  let deadlock = await runDeadlock(other);
  while (deadlock.isOtherTheLoser) deadlock = await runDeadlock(other);
  expect(deadlock.tries).toEqual([false, true]);
  expect(deadlock.owners).toEqual(['D2', 'D2']);
});

test.each<[string, (tx: Tx) => unknown]>([
  ['the account’s time', (tx) => tx.now],
  ['whether the account’s clock is frozen', (tx) => tx.isClockFrozen],
  ['TypeORM', (tx) => tx.runWithManager('one', (manager) => manager.query('select 1'))],
  ['an answer of the database', (tx) => tx.query(ONE, [])],
  ['to know at once whether it was stored', (tx) => tx.flush()],
  ['a change behind all others', (tx) => tx.enqueueAtCommit(ONE, [])],
  ['a change that is no plain one', (tx) => tx.enqueue(ONE, [])],
])('work that needs %s is done under locks, and what it wrote before is written once', async (_, need) => {
  const scope = createTestScope();
  const leaseId = randomUUID();
  const tries: boolean[] = [];
  await testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: async (tx) => {
      tries.push(tx.isLocking);
      await insertLease(tx, leaseOf(leaseId));
      await need(tx);
    },
  });
  expect(tries).toEqual([false, true]);
  expect(await ownerOf(scope, leaseId)).toBe('D1');
});

test('of two concurrent leases of a session the second is refused, and nothing of it is stored', async () => {
  const scope = createTestScope();
  await insertTestLease(scope);
  const second = randomUUID();
  const take = testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: async (tx) => {
      schedule(tx, timer(second));
      await insertLease(tx, leaseOf(second));
    },
  });
  await expect(take).rejects.toMatchObject({ code: '23505' });
  expect(await isTimed(scope, second)).toBe(false);
});

test('any error of the work undoes all of it and reaches the caller unchanged', async () => {
  const scope = createTestScope();
  const leaseId = randomUUID();
  const trouble = new Error('the card machine is on fire');
  const work = testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: async (tx) => {
      await insertLease(tx, leaseOf(leaseId));
      throw trouble;
    },
  });
  await expect(work).rejects.toBe(trouble);
  expect(await ownerOf(scope, leaseId)).toBeNull();
});

test('rows that were read before are not read again, unless they have changed', async () => {
  const scope = createTestScope();
  await insertTestLease(scope);
  const seen = await testDatabase.database.read(scope, (reader) => lockLeaseOfSession(reader, SESSION));
  const checks: boolean[] = [];
  const work = (tries: boolean[]) => ({
    ...handOver(tries),
    read: (decisionReader: DecisionReader) => {
      checks.push(decisionReader.isLocking);
      return lockLeaseOfSession(decisionReader, SESSION);
    },
    known: seen,
  });
  expect(await testDatabase.database.transactOptimistically(scope, work([]))).toBe(2);
  expect(checks).toEqual([]);
  expect(await testDatabase.database.transactOptimistically(scope, work([]))).toBe(3);
  expect(checks).toEqual([true]);
});

test.each<[string, (tx: Tx, subject: string) => unknown]>([
  [
    'set and cancelled',
    (tx, subject) => {
      schedule(tx, timer(subject));
      cancelTimer(tx, timer(subject));
    },
  ],
  [
    'cancelled, set and claimed',
    (tx, subject) => {
      cancelTimer(tx, timer(subject));
      scheduleAndClaim(tx, timer(subject), 60_000);
    },
  ],
  [
    'set twice',
    (tx, subject) => {
      schedule(tx, timer(subject));
      schedule(tx, { ...timer(subject), dueInMs: 30_000 });
    },
  ],
])('a timer that is %s by one change is a defect, and nothing is stored', async (_, change) => {
  const scope = createTestScope();
  const [subject, leaseId] = [randomUUID(), randomUUID()];
  const work = testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: async (tx) => {
      await insertLease(tx, leaseOf(leaseId));
      change(tx, subject);
    },
  });
  await expect(work).rejects.toMatchObject({ name: 'Defect' });
  expect([await ownerOf(scope, leaseId), await isTimed(scope, subject)]).toEqual([null, false]);
});

test('timers of one kind or of one subject are changed together', async () => {
  const scope = createTestScope();
  const [first, second] = [randomUUID(), randomUUID()];
  await testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: (tx) => {
      schedule(tx, timer(first));
      schedule(tx, timer(second));
      cancelTimer(tx, { kind: 'order-lock', subject: first });
    },
  });
  expect([await isTimed(scope, first), await isTimed(scope, second)]).toEqual([true, true]);
});

test('the rows of one change among several reach its caller', async () => {
  const scope = createTestScope();
  const [first, second] = [randomUUID(), randomUUID()];
  const claims = await testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: (tx) => {
      cancelTimer(tx, { kind: 'session-lease', subject: second });
      return [first, second].map((subject) => scheduleAndClaim(tx, { kind: 'order-lock', subject }, 60_000));
    },
  });
  expect(claims.map((claimed) => claimed())).toMatchObject([
    { subject: first, revision: 0, attempts: 1 },
    { subject: second, revision: 0, attempts: 1 },
  ]);
});

test('the time of a change without locks is the database’s, and not ahead of it', async () => {
  const scope = createTestScope();
  const timeOf = (database: Database) =>
    database.transactOptimistically(scope, { read: () => Promise.resolve(), decide: (tx) => tx.databaseNow });
  const before = await testDatabase.database.now();
  const times = [
    await timeOf(testDatabase.database),
    await timeOf(testDatabase.database),
    await timeOf(testDatabase.database),
  ];
  const after = await testDatabase.database.now();
  for (const time of times) {
    expect(time.getTime()).toBeGreaterThanOrEqual(before.getTime() - 60_000);
    expect(time.getTime()).toBeLessThanOrEqual(after.getTime());
  }
});

test('a read that takes longer than the received time stays fresh succeeds', async () => {
  const scope = createTestScope();
  const timeAfter = (waitMs: number) =>
    testDatabase.database.transactOptimistically(scope, {
      read: () => pause(waitMs),
      decide: (tx) => tx.databaseNow.getTime(),
    });
  const first = await timeAfter(0);
  expect(await timeAfter(1_100)).toBeGreaterThanOrEqual(first);
});

test('an account id that could be SQL is a defect before anything is sent', async () => {
  const scope = { accountId: `acc_x'; drop table accounts; --` as const, environment: 'sandbox' as const };
  const work = testDatabase.database.transactOptimistically(scope, {
    read: () => Promise.resolve(),
    decide: () => null,
  });
  await expect(work).rejects.toMatchObject({ name: 'Defect' });
});
