import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scope } from '@pos/core/identity';
import type { Lease } from '@pos/core/lease';
import type { Database, Looking, Tx } from './database.js';
import { findLease, insertLease, lockLease, lockLeaseOf, updateLease } from './leases.js';
import { statement } from './statement.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';
import { cancelTimer, schedule } from './timers.js';
import { isScheduled, scheduleClaimed } from './timer-claim.js';

let place: TestDatabase;
beforeAll(async () => {
  place = await freshDatabase();
});
afterAll(() => place.close());

const SESSION = 'table-4';
const WAITING = statement(
  'test_waiting',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);
const ONE = statement('one', 'select 1 as one');

function leaseOf(leaseId: string): Lease {
  const acquiredAt = new Date('2026-03-02T12:00:00.000Z');
  return {
    ...{ leaseId, sessionId: SESSION, owner: 'D1', requestor: { type: 'consumerDevice' }, waiterId: null },
    ...{ state: 'Held', eposLocked: false, lockId: null, openPayments: 0, acquiredAt, expiresAt: acquiredAt },
    ...{ version: 1, releasedAt: null },
  };
}

/** A session that is leased; the id of its lease. */
async function leased(scope: Scope): Promise<string> {
  const leaseId = randomUUID();
  await place.database.transact(scope, (tx) => insertLease(tx, leaseOf(leaseId)));
  return leaseId;
}

const ownerOf = async (scope: Scope, leaseId: string) =>
  (await place.database.read(scope, (reader) => findLease(reader, leaseId)))?.owner ?? null;
const isTimed = (scope: Scope, subject: string) =>
  place.database.read(scope, (reader) => isScheduled(reader, { kind: 'session-lease', subject }));
const timer = (subject: string) => ({ kind: 'session-lease', subject, dueInMs: 60_000, isRepeat: true }) as const;

/** Gives the session to another owner, and its lease a timer; says under which locks that was decided, try by try. */
function handOver(tries: boolean[], meanwhile: () => Promise<unknown> = () => Promise.resolve()) {
  return {
    look: (looking: Looking) => lockLeaseOf(looking, SESSION),
    decide: async (tx: Tx, found: Lease | null) => {
      tries.push(tx.locks);
      if (!tx.locks) await meanwhile();
      const lease = await updateLease(tx, { ...found!, owner: `${found!.owner}, then D2` });
      schedule(tx, timer(lease.leaseId));
      return lease.version;
    },
  };
}

test('changes that prove what they go by are made without locks, all of them', async () => {
  const scope = freshScope();
  const leaseId = await leased(scope);
  const tries: boolean[] = [];
  expect(await place.database.transactGuarded(scope, handOver(tries))).toBe(2);
  expect(tries).toEqual([false]);
  expect([await ownerOf(scope, leaseId), await isTimed(scope, leaseId)]).toEqual(['D1, then D2', true]);
});

test('what was changed after it was read is decided anew, under locks', async () => {
  const scope = freshScope();
  const leaseId = await leased(scope);
  const tries: boolean[] = [];
  const other = await place.open();
  const meanwhile = () =>
    other.transact(scope, async (tx) => updateLease(tx, { ...(await lockLeaseOf(tx, SESSION))!, owner: 'D9' }));
  expect(await place.database.transactGuarded(scope, handOver(tries, meanwhile))).toBe(3);
  expect(tries).toEqual([false, true]);
  expect(await ownerOf(scope, leaseId)).toBe('D9, then D2');
});

test('whoever loses against work that takes the same rows in another order is decided anew, under locks', async () => {
  const scope = freshScope();
  const [first, second] = [{ ...leaseOf(randomUUID()), sessionId: 'table-5' }, leaseOf(randomUUID())];
  await place.database.transact(scope, async (tx) => {
    for (const lease of [first, second]) await insertLease(tx, lease);
  });
  const other = await place.open();
  const tries: boolean[] = [];
  let theirs: Promise<unknown> = Promise.resolve();
  const meanwhile = () =>
    new Promise<void>((resolve) => {
      theirs = other.transact(scope, async (tx) => {
        await lockLease(tx, second.leaseId);
        resolve();
        // By then the first is locked by the statement that waits for the second, and that one has waited longer.
        while ((await tx.query(WAITING, [])).length === 0) await pause(20);
        await pause(300);
        await lockLease(tx, first.leaseId);
      });
    });
  const work = place.database.transactGuarded(scope, {
    look: async (looking) => Promise.all([first, second].map(({ leaseId }) => findLease(looking, leaseId))),
    decide: async (tx, found) => {
      tries.push(tx.locks);
      if (!tx.locks) await meanwhile();
      for (const lease of found) await updateLease(tx, { ...lease!, owner: 'D2' });
    },
  });
  await Promise.all([work, theirs]);
  expect(tries).toEqual([false, true]);
  expect([await ownerOf(scope, first.leaseId), await ownerOf(scope, second.leaseId)]).toEqual(['D2', 'D2']);
});

test.each<[string, (tx: Tx) => unknown]>([
  ['the account’s time', (tx) => tx.now],
  ['whether the account’s clock stands', (tx) => tx.isClockStanding],
  ['TypeORM', (tx) => tx.manager],
  ['an answer of the database', (tx) => tx.query(ONE, [])],
  ['to know at once whether it was stored', (tx) => tx.settle()],
  ['a change behind all others', (tx) => tx.last(ONE, [])],
  ['a change that is no plain one', (tx) => tx.later(ONE, [])],
])('work that needs %s is done under locks, and what it wrote before is written once', async (_, need) => {
  const scope = freshScope();
  const leaseId = randomUUID();
  const tries: boolean[] = [];
  await place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: async (tx) => {
      tries.push(tx.locks);
      await insertLease(tx, leaseOf(leaseId));
      await need(tx);
    },
  });
  expect(tries).toEqual([false, true]);
  expect(await ownerOf(scope, leaseId)).toBe('D1');
});

test('of two who lease a session at once one is told that he was second, and nothing of his is stored', async () => {
  const scope = freshScope();
  await leased(scope);
  const second = randomUUID();
  const take = place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: async (tx) => {
      schedule(tx, timer(second));
      await insertLease(tx, leaseOf(second));
    },
  });
  await expect(take).rejects.toMatchObject({ code: '23505' });
  expect(await isTimed(scope, second)).toBe(false);
});

test('whatever the work throws undoes all of it and reaches the caller as it is', async () => {
  const scope = freshScope();
  const leaseId = randomUUID();
  const trouble = new Error('the card machine is on fire');
  const work = place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: async (tx) => {
      await insertLease(tx, leaseOf(leaseId));
      throw trouble;
    },
  });
  await expect(work).rejects.toBe(trouble);
  expect(await ownerOf(scope, leaseId)).toBeNull();
});

test('what was seen before is not looked for again, unless it has changed', async () => {
  const scope = freshScope();
  await leased(scope);
  const seen = await place.database.read(scope, (reader) => lockLeaseOf(reader, SESSION));
  const looks: boolean[] = [];
  const work = (tries: boolean[]) => ({
    ...handOver(tries),
    look: (looking: Looking) => {
      looks.push(looking.locks);
      return lockLeaseOf(looking, SESSION);
    },
    seen,
  });
  expect(await place.database.transactGuarded(scope, work([]))).toBe(2);
  expect(looks).toEqual([]);
  expect(await place.database.transactGuarded(scope, work([]))).toBe(3);
  expect(looks).toEqual([true]);
});

test.each<[string, (tx: Tx, subject: string) => unknown]>([
  [
    'set and taken away',
    (tx, subject) => {
      schedule(tx, timer(subject));
      cancelTimer(tx, timer(subject));
    },
  ],
  [
    'taken away and set and taken in hand',
    (tx, subject) => {
      cancelTimer(tx, timer(subject));
      scheduleClaimed(tx, timer(subject), 60_000);
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
  const scope = freshScope();
  const [subject, leaseId] = [randomUUID(), randomUUID()];
  const work = place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: async (tx) => {
      await insertLease(tx, leaseOf(leaseId));
      change(tx, subject);
    },
  });
  await expect(work).rejects.toMatchObject({ name: 'Defect' });
  expect([await ownerOf(scope, leaseId), await isTimed(scope, subject)]).toEqual([null, false]);
});

test('timers of one kind or of one subject are changed together', async () => {
  const scope = freshScope();
  const [first, second] = [randomUUID(), randomUUID()];
  await place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: (tx) => {
      schedule(tx, timer(first));
      schedule(tx, timer(second));
      cancelTimer(tx, { kind: 'order-lock', subject: first });
    },
  });
  expect([await isTimed(scope, first), await isTimed(scope, second)]).toEqual([true, true]);
});

test('rows of one change among several are heard by who made it', async () => {
  const scope = freshScope();
  const [first, second] = [randomUUID(), randomUUID()];
  const claims = await place.database.transactGuarded(scope, {
    look: () => Promise.resolve(),
    decide: (tx) => {
      cancelTimer(tx, { kind: 'session-lease', subject: second });
      return [first, second].map((subject) => scheduleClaimed(tx, { kind: 'order-lock', subject }, 60_000));
    },
  });
  expect(claims.map((claimed) => claimed())).toMatchObject([
    { subject: first, revision: 0, attempts: 1 },
    { subject: second, revision: 0, attempts: 1 },
  ]);
});

test('the time of a change without locks is the database’s, and not ahead of it', async () => {
  const scope = freshScope();
  const timeOf = (database: Database) =>
    database.transactGuarded(scope, { look: () => Promise.resolve(), decide: (tx) => tx.databaseNow });
  const before = await place.database.now();
  const times = [await timeOf(place.database), await timeOf(place.database), await timeOf(place.database)];
  const after = await place.database.now();
  for (const time of times) {
    expect(time.getTime()).toBeGreaterThanOrEqual(before.getTime() - 60_000);
    expect(time.getTime()).toBeLessThanOrEqual(after.getTime());
  }
});

test('a look that takes longer than what was heard of the time keeps ends well', async () => {
  const scope = freshScope();
  const timeAfter = (waitMs: number) =>
    place.database.transactGuarded(scope, { look: () => pause(waitMs), decide: (tx) => tx.databaseNow.getTime() });
  const first = await timeAfter(0);
  expect(await timeAfter(1_100)).toBeGreaterThanOrEqual(first);
});

test('an account id that could be SQL is a defect before anything is sent', async () => {
  const scope = { accountId: `acc_x'; drop table accounts; --` as const, environment: 'sandbox' as const };
  const work = place.database.transactGuarded(scope, { look: () => Promise.resolve(), decide: () => null });
  await expect(work).rejects.toMatchObject({ name: 'Defect' });
});
