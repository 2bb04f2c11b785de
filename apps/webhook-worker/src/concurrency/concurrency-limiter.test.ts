import { expect, test } from '@jest/globals';
import { createTestScope } from '@pos/store/testing/test-database';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

function createPendingWork(): { work: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work, end };
}

test('what is in hand is counted as a whole and per account, and freed when it ends', async () => {
  const hands = new ConcurrencyLimiter({ max: 3, perAccountMax: 2 });
  const [one, other] = [createTestScope(), createTestScope()];
  const pieces = [createPendingWork(), createPendingWork(), createPendingWork()] as const;
  let ended = 0;
  hands.run(one, pieces[0].work, () => (ended += 1));
  hands.run(one, pieces[1].work, () => (ended += 1));
  expect([hands.freeSlots, hands.freeSlotsFor(one), hands.freeSlotsFor(other)]).toEqual([1, 0, 1]);
  expect(hands.listFullAccounts()).toEqual([one]);
  hands.run(other, pieces[2].work, () => (ended += 1));
  expect([hands.freeSlots, hands.freeSlotsFor(other)]).toEqual([0, 0]);
  for (const { end } of pieces) end();
  await hands.drain();
  expect([ended, hands.freeSlots, hands.freeSlotsFor(one), hands.listFullAccounts()]).toEqual([3, 3, 2, []]);
});

test('the same account in the other environment is another account', () => {
  const hands = new ConcurrencyLimiter({ max: 9, perAccountMax: 1 });
  const sandbox = createTestScope();
  hands.run(sandbox, createPendingWork().work, () => undefined);
  expect(hands.freeSlotsFor(sandbox)).toBe(0);
  expect(hands.freeSlotsFor({ ...sandbox, environment: 'production' })).toBe(1);
});
