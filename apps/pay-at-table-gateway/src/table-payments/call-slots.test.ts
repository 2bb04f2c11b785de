import { expect, test } from '@jest/globals';
import { AccountConcurrencyLimiter } from '@pos/service-kit/lifecycle';
import { createTestScope } from '@pos/store/testing';
import { acquireCallSlot } from './call-slots.js';

test('a device that finds no slot of its account is asked to try again, and takes none', () => {
  const limiter = new AccountConcurrencyLimiter({ total: 5, perAccount: 1 });
  const scope = createTestScope();
  const releaseSlot = acquireCallSlot(limiter, scope);
  expect(() => acquireCallSlot(limiter, scope)).toThrow('8: too many payments');
  releaseSlot();
  expect(limiter.getFreeSlotsFor(scope)).toBe(1);
});
