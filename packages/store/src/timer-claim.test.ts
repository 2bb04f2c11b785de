import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { setTimeout as pause } from 'node:timers/promises';
import { timers } from './queue-rows.js';
import { findRow } from './table.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';
import { claimNow, endClaim, scheduleClaimed } from './timer-claim.js';
import { assertFence, cancelTimer, type ClaimedTimer, LeaseLost, schedule, TimerQueue } from './timers.js';

let place: TestDatabase;
let queue: TimerQueue;
beforeAll(async () => {
  place = await freshDatabase();
  queue = new TimerQueue(place.database);
});
afterAll(() => place.close());

const NAME = { kind: 'table-payment', subject: 'payment' } as const;
const LIMITS = { limit: 10, leaseMs: 60_000 };

const taken = async (scope: Scope, leaseMs = 60_000): Promise<ClaimedTimer | null> =>
  place.database.transact(scope, (tx) => scheduleClaimed(tx, NAME, leaseMs)).then((claimed) => claimed());
const ended = (scope: Scope, claimed: ClaimedTimer): Promise<boolean> =>
  place.database.transact(scope, (tx) => endClaim(tx, claimed));
const row = (scope: Scope) => place.database.read(scope, (reader) => findRow(reader, timers, { where: NAME }));
const isHeld = (scope: Scope, claimed: ClaimedTimer): Promise<boolean> =>
  place.database
    .read(scope, (reader) => assertFence(reader, claimed))
    .then(
      () => true,
      () => false,
    );

test.each<[string, (scope: Scope) => Promise<unknown>]>([
  ['that was not there', () => Promise.resolve()],
  ['that waits', (scope) => place.database.transact(scope, (tx) => schedule(tx, { ...NAME, dueInMs: 60_000 }))],
  ['whose worker is lost', (scope) => taken(scope, 1).then(() => pause(20))],
])('a timer %s is set and taken at once, and nobody else gets it', async (_, before) => {
  const scope = freshScope();
  await before(scope);
  const claimed = await taken(scope);
  expect(claimed).toMatchObject({ ...NAME, attempts: 1 });
  expect(await isHeld(scope, claimed!)).toBe(true);
  expect(await place.database.transact(scope, (tx) => claimNow(tx, NAME, 60_000))).toBeNull();
  expect(await queue.claim(scope, [NAME.kind], LIMITS)).toEqual([]);
});

test('a timer that is taken from a lost worker cannot be ended by that one', async () => {
  const scope = freshScope();
  const lost = await taken(scope, 1);
  await pause(20);
  const next = await taken(scope);
  expect(next!.fence).toBeGreaterThan(lost!.fence);
  expect(await ended(scope, lost!)).toBe(false);
  await expect(place.database.transact(scope, (tx) => queue.finish(tx, lost!, null))).rejects.toBeInstanceOf(LeaseLost);
  expect(await isHeld(scope, next!)).toBe(true);
});

test('the fence of a timer that was made anew is not the old one', async () => {
  const scope = freshScope();
  const first = await taken(scope);
  await place.database.transact(scope, (tx) => cancelTimer(tx, NAME));
  const second = await taken(scope);
  expect(second!.fence).toBeGreaterThan(first!.fence);
});

test('a worker keeps what he has; what was wanted meanwhile is due when he is done', async () => {
  const scope = freshScope();
  const first = await taken(scope);
  expect(await taken(scope)).toBeNull();
  expect(await isHeld(scope, first!)).toBe(true);
  await place.database.transact(scope, (tx) => queue.finish(tx, first!, null));
  expect(await queue.claim(scope, [NAME.kind], LIMITS)).toMatchObject([NAME]);
});

test.each<[string, number, (scope: Scope) => Promise<unknown>, boolean]>([
  ['whose lease runs', 60_000, () => Promise.resolve(), true],
  ['whose lease is over, though nobody has taken it', 1, () => pause(20), false],
  ['for which another time was set', 60_000, (scope) => taken(scope), false],
])('a claim %s: it is ended by one statement (%#)', async (_, leaseMs, meanwhile, isEnded) => {
  const scope = freshScope();
  const claimed = await taken(scope, leaseMs);
  await meanwhile(scope);
  expect(await ended(scope, claimed!)).toBe(isEnded);
  expect((await row(scope)) === null).toBe(isEnded);
});

test('a claim is ended with its transaction or not at all', async () => {
  const scope = freshScope();
  const claimed = await taken(scope);
  const undone = place.database.transact(scope, async (tx) => {
    await endClaim(tx, claimed!);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await isHeld(scope, claimed!)).toBe(true);
});
