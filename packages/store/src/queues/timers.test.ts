import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { setTimeout as pause } from 'node:timers/promises';
import { createSandboxClock } from '../clock/sandbox-clock.js';
import { timers } from '../relations/queue-relations.js';
import { findRow } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { assertFence, cancelTimer, LeaseLost, type NewTimer, schedule, type TimerKind, TimerQueue } from './timers.js';

let testDatabase: TestDatabase;
let queue: TimerQueue;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: 12 });
  queue = new TimerQueue(testDatabase.database);
});
afterAll(async () => {
  await testDatabase.close();
});

const KINDS: readonly TimerKind[] = ['session-window', 'acquirer-call'];
const LIMITS = { limit: 10, leaseMs: 60_000 };
const NAME = { kind: 'session-window', subject: 'ts_1' } as const;

test('a deadline is worked once it is due, by one worker', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const claims = await Promise.all([1, 2, 3, 4].map(() => queue.claim(scope, KINDS, LIMITS)));
  const [claimed, ...others] = claims.flat();
  expect(others).toEqual([]);
  expect(claimed).toMatchObject({ ...NAME, attempts: 1 });
  await testDatabase.database.transact(scope, (tx) => queue.complete(tx, claimed!, null));
  expect(await row(scope)).toBeNull();
});

test.each<[string, NewTimer]>([
  ['not yet due', { ...NAME, dueInMs: 60_000 }],
  ['of another kind', { kind: 'intent-expiry', subject: 'pi_1', dueInMs: 0 }],
])('a deadline that is %s is left alone', async (_, timer) => {
  const scope = await withTimer(timer);
  expect(await queue.claim(scope, KINDS, LIMITS)).toEqual([]);
});

test('another account’s deadlines are not touched', async () => {
  await withTimer({ ...NAME, dueInMs: 0 });
  expect(await queue.claim(createTestScope(), KINDS, LIMITS)).toEqual([]);
});

test('the accounts with due deadlines are found by kind, except those that have enough running', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  expect(await queue.listReadyAccounts(KINDS, { limit: 100 })).toContainEqual(scope);
  expect(await queue.listReadyAccounts(['intent-expiry'], { limit: 100 })).not.toContainEqual(scope);
  expect(await queue.listReadyAccounts(KINDS, { limit: 100, excluded: [scope] })).not.toContainEqual(scope);
});

test('the effect of a late worker is undone with its completion', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [late] = await queue.claim(scope, KINDS, { limit: 1, leaseMs: 20 });
  await pause(40);
  const [next] = await queue.claim(scope, KINDS, LIMITS);
  expect(next!.fence).toBeGreaterThan(late!.fence);
  expect(next!.attempts).toBe(2);
  const effect = testDatabase.database.transact(scope, async (tx) => {
    schedule(tx, { kind: 'intent-expiry', subject: 'pi_late', dueInMs: 0 });
    await queue.complete(tx, late!, null);
  });
  await expect(effect).rejects.toBeInstanceOf(LeaseLost);
  expect(
    await testDatabase.database.read(scope, (reader) => findRow(reader, timers, { where: { subject: 'pi_late' } })),
  ).toBeNull();
  await expect(testDatabase.database.read(scope, (reader) => assertFence(reader, late!))).rejects.toBeInstanceOf(
    LeaseLost,
  );
  await testDatabase.database.read(scope, (reader) => assertFence(reader, next!));
});

test('a fence never repeats, not even after its row was deleted and created again', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [late] = await queue.claim(scope, KINDS, LIMITS);
  await testDatabase.database.transact(scope, (tx) => cancelTimer(tx, NAME));
  await testDatabase.database.transact(scope, (tx) => schedule(tx, { ...NAME, dueInMs: 0 }));
  const [next] = await queue.claim(scope, KINDS, LIMITS);
  expect(next!.fence).toBeGreaterThan(late!.fence);
  await expect(testDatabase.database.transact(scope, (tx) => queue.complete(tx, late!, null))).rejects.toBeInstanceOf(
    LeaseLost,
  );
});

test('a deadline that is moved while it is worked on keeps its new time and the worker’s lease', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [claimed] = await queue.claim(scope, KINDS, LIMITS);
  await testDatabase.database.transact(scope, (tx) => schedule(tx, { ...NAME, dueInMs: 0 }));
  expect(await queue.claim(scope, KINDS, LIMITS)).toEqual([]);
  await testDatabase.database.read(scope, (reader) => assertFence(reader, claimed!));
  await testDatabase.database.transact(scope, (tx) => queue.complete(tx, claimed!, null));
  expect(await queue.claim(scope, KINDS, LIMITS)).toMatchObject([{ ...NAME, attempts: 1 }]);
});

test('a deadline that is cancelled while it is worked on stays deleted, and the worker is notified', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [claimed] = await queue.claim(scope, KINDS, LIMITS);
  await testDatabase.database.transact(scope, (tx) => cancelTimer(tx, NAME));
  await expect(
    testDatabase.database.transact(scope, (tx) => queue.complete(tx, claimed!, { inMs: 5 })),
  ).rejects.toBeInstanceOf(LeaseLost);
  expect(await row(scope)).toBeNull();
});

test.each([
  ['not before its interval is over', 60_000, []],
  ['after its interval', 20, [{ ...NAME, attempts: 2 }]],
])('a repeat is due again, %s', async (_, inMs, due) => {
  const scope = await withTimer({ ...NAME, dueInMs: 0, isRepeat: true });
  const [claimed] = await queue.claim(scope, KINDS, LIMITS);
  await testDatabase.database.transact(scope, (tx) => queue.complete(tx, claimed!, { inMs }));
  await pause(40);
  expect(await queue.claim(scope, KINDS, LIMITS)).toMatchObject(due);
});

test('a lease is renewed by its holder only, and not after it has ended', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [claimed] = await queue.claim(scope, KINDS, { limit: 1, leaseMs: 60_000 });
  const check = () => testDatabase.database.read(scope, (reader) => assertFence(reader, claimed!, 120_000));
  await expect(check()).rejects.toBeInstanceOf(LeaseLost);
  await queue.renew(claimed!, 600_000);
  await check();
  await queue.renew(claimed!, 10);
  await pause(20);
  await expect(queue.renew(claimed!, 60_000)).rejects.toBeInstanceOf(LeaseLost);
});

test('a worker that needs the lease longer than it lasts has lost it already', async () => {
  const scope = await withTimer({ ...NAME, dueInMs: 0 });
  const [claimed] = await queue.claim(scope, KINDS, { limit: 1, leaseMs: 30_000 });
  const check = (marginMs: number) =>
    testDatabase.database.read(scope, (reader) => assertFence(reader, claimed!, marginMs));
  await check(20_000);
  await expect(check(40_000)).rejects.toBeInstanceOf(LeaseLost);
});

test('a moment of the account’s time is as far away in database time', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, new Date('2026-03-02T12:00:00.000Z')));
  await testDatabase.database.transact(scope, async (tx) => {
    schedule(tx, { ...NAME, dueAt: new Date('2026-03-02T12:01:30.000Z') });
    const stored = await findRow(tx, timers, { where: NAME });
    expect(stored!.due_at.getTime() - tx.databaseNow.getTime()).toBe(90_000);
  });
});

test('a frozen clock is advanced to the deadline that real time has reached, one deadline after another', async () => {
  const scope = createTestScope();
  const start = new Date('2026-03-02T12:00:00.000Z');
  const later = (ms: number): Date => new Date(start.getTime() + ms);
  await testDatabase.database.transact(scope, (tx) => createSandboxClock(tx, start));
  await testDatabase.database.transact(scope, async (tx) => {
    schedule(tx, { ...NAME, subject: 'second', dueAt: later(20) });
    schedule(tx, { ...NAME, subject: 'first', dueAt: later(10) });
    schedule(tx, { ...NAME, subject: 'far', dueAt: later(3_600_000) });
  });
  await pause(40);
  for (const [subject, ms] of [
    ['first', 10],
    ['second', 20],
  ] as const) {
    const claimed = await queue.claim(scope, KINDS, LIMITS);
    expect(claimed).toMatchObject([{ subject }]);
    await testDatabase.database.transact(scope, async (tx) => {
      expect(tx.now).toEqual(later(ms));
      await queue.complete(tx, claimed[0]!, null);
    });
  }
  expect(await queue.claim(scope, KINDS, LIMITS)).toEqual([]);
});

test('four concurrent workers work every deadline once', async () => {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, async (tx) => {
    for (let number = 0; number < 120; number += 1) schedule(tx, { ...NAME, subject: `ts_${number}`, dueInMs: 0 });
  });
  const worked: string[] = [];
  await Promise.all(
    [1, 2, 3, 4].map(async () => {
      for (;;) {
        const claimed = await queue.claim(scope, KINDS, { limit: 7, leaseMs: 60_000 });
        if (claimed.length === 0) return;
        for (const each of claimed) {
          await testDatabase.database.transact(scope, (tx) => queue.complete(tx, each, null));
          worked.push(each.subject);
        }
      }
    }),
  );
  expect(worked).toHaveLength(120);
  expect(new Set(worked).size).toBe(120);
});

async function withTimer(timer: NewTimer): Promise<Scope> {
  const scope = createTestScope();
  await testDatabase.database.transact(scope, (tx) => schedule(tx, timer));
  return scope;
}

function row(scope: Scope): Promise<unknown> {
  return testDatabase.database.read(scope, (reader) => findRow(reader, timers, { where: NAME }));
}
