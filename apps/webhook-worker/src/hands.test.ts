import { expect, test } from '@jest/globals';
import { createTestScope } from '@pos/store/testing';
import { Hands } from './hands.js';

function held(): { work: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work, end };
}

test('what is in hand is counted as a whole and per account, and freed when it ends', async () => {
  const hands = new Hands({ max: 3, perAccountMax: 2 });
  const [one, other] = [createTestScope(), createTestScope()];
  const pieces = [held(), held(), held()] as const;
  let ended = 0;
  hands.hold(one, pieces[0].work, () => (ended += 1));
  hands.hold(one, pieces[1].work, () => (ended += 1));
  expect([hands.free, hands.freeFor(one), hands.freeFor(other)]).toEqual([1, 0, 1]);
  expect(hands.fullAccounts()).toEqual([one]);
  hands.hold(other, pieces[2].work, () => (ended += 1));
  expect([hands.free, hands.freeFor(other)]).toEqual([0, 0]);
  for (const { end } of pieces) end();
  await hands.empty();
  expect([ended, hands.free, hands.freeFor(one), hands.fullAccounts()]).toEqual([3, 3, 2, []]);
});

test('the same account in the other environment is another account', () => {
  const hands = new Hands({ max: 9, perAccountMax: 1 });
  const sandbox = createTestScope();
  hands.hold(sandbox, held().work, () => undefined);
  expect(hands.freeFor(sandbox)).toBe(0);
  expect(hands.freeFor({ ...sandbox, environment: 'production' })).toBe(1);
});
