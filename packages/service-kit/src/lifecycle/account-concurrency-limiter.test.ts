import { expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { randomBytes } from 'node:crypto';
import { AccountConcurrencyLimiter } from './account-concurrency-limiter.js';

const LIMITS = { total: 5, perAccount: 3 };

function createTestScope(): Scope {
  return { accountId: createId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' };
}

function acquireSlots(limiter: AccountConcurrencyLimiter, scope: Scope, requestedSlots: number): number {
  return Array.from({ length: requestedSlots }, () => limiter.tryAcquire(scope)).filter(
    (releaseSlot) => releaseSlot !== null,
  ).length;
}

test('one account gets its share and no more, others get the rest', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const [busyAccount, other] = [createTestScope(), createTestScope()];
  expect(acquireSlots(limiter, busyAccount, 10)).toBe(3);
  expect(limiter.listFullAccounts()).toEqual([busyAccount]);
  expect(limiter.getFreeSlotsFor(other)).toBe(2);
  expect(acquireSlots(limiter, other, 10)).toBe(2);
});

test('the sandbox of an account does not use the slots of its production', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const sandbox = createTestScope();
  acquireSlots(limiter, sandbox, 3);
  expect(limiter.getFreeSlotsFor({ ...sandbox, environment: 'production' })).toBe(2);
});

test('a released slot is free again, once', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const scope = createTestScope();
  const releaseSlot = limiter.tryAcquire(scope);
  acquireSlots(limiter, scope, 2);
  releaseSlot?.();
  releaseSlot?.();
  expect(limiter.getFreeSlotsFor(scope)).toBe(1);
  expect(limiter.listFullAccounts()).toEqual([]);
});

test('an account without a free slot gets none, and gets one after it releases one', () => {
  const limiter = new AccountConcurrencyLimiter({ total: 5, perAccount: 1 });
  const scope = createTestScope();
  const releaseSlot = limiter.tryAcquire(scope);
  expect(limiter.tryAcquire(scope)).toBeNull();
  releaseSlot?.();
  expect(limiter.getFreeSlotsFor(scope)).toBe(1);
});

function createPendingWork(): { work: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work, end };
}

test('running work counts in total and per account, and its slots are free when it ends', async () => {
  const limiter = new AccountConcurrencyLimiter({ total: 3, perAccount: 2 });
  const [one, other] = [createTestScope(), createTestScope()];
  const pieces = [createPendingWork(), createPendingWork(), createPendingWork()] as const;
  let ended = 0;
  limiter.run(one, pieces[0].work, () => (ended += 1));
  limiter.run(one, pieces[1].work, () => (ended += 1));
  expect([limiter.freeSlots, limiter.getFreeSlotsFor(one), limiter.getFreeSlotsFor(other)]).toEqual([1, 0, 1]);
  expect(limiter.listFullAccounts()).toEqual([one]);
  limiter.run(other, pieces[2].work, () => (ended += 1));
  expect([limiter.freeSlots, limiter.getFreeSlotsFor(other)]).toEqual([0, 0]);
  for (const { end } of pieces) end();
  await limiter.drain();
  expect([ended, limiter.freeSlots, limiter.getFreeSlotsFor(one), limiter.listFullAccounts()]).toEqual([3, 3, 2, []]);
});

test('running work of the sandbox leaves the slots of production free', () => {
  const limiter = new AccountConcurrencyLimiter({ total: 9, perAccount: 1 });
  const sandbox = createTestScope();
  limiter.run(sandbox, createPendingWork().work, () => undefined);
  expect(limiter.getFreeSlotsFor(sandbox)).toBe(0);
  expect(limiter.getFreeSlotsFor({ ...sandbox, environment: 'production' })).toBe(1);
});
