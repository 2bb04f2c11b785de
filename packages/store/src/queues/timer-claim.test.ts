import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { setTimeout as pause } from 'node:timers/promises';
import { timers } from '../relations/queue-relations.js';
import { findRow } from '../relations/relation.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import { claimTimer, completeClaim, scheduleAndClaim } from './timer-claim.js';
import { assertFence, cancelTimer, type ClaimedTimer, LeaseLost, schedule, TimerQueue } from './timers.js';

let testDatabase: TestDatabase;
let queue: TimerQueue;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  queue = new TimerQueue(testDatabase.database);
});
afterAll(() => testDatabase.close());

const NAME = { kind: 'table-payment', subject: 'payment' } as const;
const LIMITS = { limit: 10, leaseMs: 60_000 };

const taken = async (scope: Scope, leaseMs = 60_000): Promise<ClaimedTimer | null> =>
  testDatabase.database.transact(scope, (tx) => scheduleAndClaim(tx, NAME, leaseMs)).then((claimed) => claimed());
const ended = (scope: Scope, claimed: ClaimedTimer): Promise<boolean> =>
  testDatabase.database.transact(scope, (tx) => completeClaim(tx, claimed));
const row = (scope: Scope) => testDatabase.database.read(scope, (reader) => findRow(reader, timers, { where: NAME }));
const isHeld = (scope: Scope, claimed: ClaimedTimer): Promise<boolean> =>
  testDatabase.database
    .read(scope, (reader) => assertFence(reader, claimed))
    .then(
      () => true,
      () => false,
    );

test.each<[string, (scope: Scope) => Promise<unknown>]>([
  ['that did not exist', () => Promise.resolve()],
  ['that waits', (scope) => testDatabase.database.transact(scope, (tx) => schedule(tx, { ...NAME, dueInMs: 60_000 }))],
  ['whose worker is lost', (scope) => taken(scope, 1).then(() => pause(20))],
])('a timer %s is set and claimed at once, and no other worker gets it', async (_, before) => {
  const scope = createTestScope();
  await before(scope);
  const claimed = await taken(scope);
  expect(claimed).toMatchObject({ ...NAME, attempts: 1 });
  expect(await isHeld(scope, claimed!)).toBe(true);
  expect(await testDatabase.database.transact(scope, (tx) => claimTimer(tx, NAME, 60_000))).toBeNull();
  expect(await queue.claim(scope, [NAME.kind], LIMITS)).toEqual([]);
});

test('a lost worker cannot complete a timer that another one has claimed', async () => {
  const scope = createTestScope();
  const lost = await taken(scope, 1);
  await pause(20);
  const next = await taken(scope);
  expect(next!.fence).toBeGreaterThan(lost!.fence);
  expect(await ended(scope, lost!)).toBe(false);
  await expect(testDatabase.database.transact(scope, (tx) => queue.complete(tx, lost!, null))).rejects.toBeInstanceOf(
    LeaseLost,
  );
  expect(await isHeld(scope, next!)).toBe(true);
});

test('the fence of a timer that was created again is not the old one', async () => {
  const scope = createTestScope();
  const first = await taken(scope);
  await testDatabase.database.transact(scope, (tx) => cancelTimer(tx, NAME));
  const second = await taken(scope);
  expect(second!.fence).toBeGreaterThan(first!.fence);
});

test('a worker keeps its claim; a request meanwhile makes the timer due when the worker is done', async () => {
  const scope = createTestScope();
  const first = await taken(scope);
  expect(await taken(scope)).toBeNull();
  expect(await isHeld(scope, first!)).toBe(true);
  await testDatabase.database.transact(scope, (tx) => queue.complete(tx, first!, null));
  expect(await queue.claim(scope, [NAME.kind], LIMITS)).toMatchObject([NAME]);
});

test.each<[string, number, (scope: Scope) => Promise<unknown>, boolean]>([
  ['whose lease runs', 60_000, () => Promise.resolve(), true],
  ['whose lease is over, though no worker has claimed it', 1, () => pause(20), false],
  ['for which another time was set', 60_000, (scope) => taken(scope), false],
])('a claim %s: it is ended by one statement (%#)', async (_, leaseMs, meanwhile, isEnded) => {
  const scope = createTestScope();
  const claimed = await taken(scope, leaseMs);
  await meanwhile(scope);
  expect(await ended(scope, claimed!)).toBe(isEnded);
  expect((await row(scope)) === null).toBe(isEnded);
});

test('a claim is completed with its transaction or not at all', async () => {
  const scope = createTestScope();
  const claimed = await taken(scope);
  const undone = testDatabase.database.transact(scope, async (tx) => {
    await completeClaim(tx, claimed!);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await isHeld(scope, claimed!)).toBe(true);
});
