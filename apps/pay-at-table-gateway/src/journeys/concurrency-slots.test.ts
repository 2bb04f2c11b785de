import { expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity/identity';
import { createTestScope } from '@pos/store/testing/test-database';
import { AccountConcurrencyLimiter } from './concurrency-slots.js';

const LIMITS = { total: 5, perAccount: 3 };

function acquireSlots(limiter: AccountConcurrencyLimiter, scope: Scope, requestedSlots: number): number {
  return Array.from({ length: requestedSlots }, () => limiter.tryAcquire(scope)).filter(
    (releaseSlot) => releaseSlot !== null,
  ).length;
}

test('one account gets its share and no more, the others what is left', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const [busyAccount, other] = [createTestScope(), createTestScope()];
  expect(acquireSlots(limiter, busyAccount, 10)).toBe(3);
  expect(limiter.listFullAccounts()).toEqual([busyAccount]);
  expect(limiter.getFreeSlotsFor(other)).toBe(2);
  expect(acquireSlots(limiter, other, 10)).toBe(2);
});

test('the sandbox of an account does not fill the places of its production', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const sandbox = createTestScope();
  acquireSlots(limiter, sandbox, 3);
  expect(limiter.getFreeSlotsFor({ ...sandbox, environment: 'production' })).toBe(2);
});

test('a place that is left is free again, once', () => {
  const limiter = new AccountConcurrencyLimiter(LIMITS);
  const scope = createTestScope();
  const releaseSlot = limiter.acquire(scope);
  acquireSlots(limiter, scope, 2);
  releaseSlot();
  releaseSlot();
  expect(limiter.getFreeSlotsFor(scope)).toBe(1);
  expect(limiter.listFullAccounts()).toEqual([]);
});

test('who finds no place is told to come again, and takes none', () => {
  const limiter = new AccountConcurrencyLimiter({ total: 5, perAccount: 1 });
  const scope = createTestScope();
  const releaseSlot = limiter.acquire(scope);
  expect(() => limiter.acquire(scope)).toThrow('8: too many payments');
  releaseSlot();
  expect(limiter.getFreeSlotsFor(scope)).toBe(1);
});
