import { expect, test } from '@jest/globals';
import { areLimitsWeaker, canBeOnePerson, hashOperation } from './operator-approval.js';

test.each([
  ['two logins', [1_000, [1_000]], [1_001, [1_001]], false],
  ['two logins that use one service user by sudo', [1_000, [990, 1_000]], [1_001, [990, 1_001]], false],
  ['one login, as itself and as root by sudo', [1_000, [1_000]], [1_000, [0, 1_000]], true],
  ['one login as two users', [1_000, [1_000]], [1_000, [1_001, 1_000]], true],
  ['two users without a login', [null, [1_000]], [null, [1_001]], false],
  ['one user without a login', [null, [1_000]], [null, [1_000]], true],
  ['a user, and root by sudo of the user', [null, [1_000]], [null, [0, 1_000]], true],
  ['a user who names another one by SUDO_UID', [null, [1_000]], [null, [1_000, 1_001]], true],
  ['a login, and its user in a container', [1_000, [1_000]], [null, [1_000]], true],
  ['root twice', [null, [0]], [null, [0]], true],
  ['no numbers at all', [null, []], [null, []], true],
] as const)('%s: whether it can be one person', (_, [login, numbers], [otherLogin, otherNumbers], isOne) => {
  const [one, other] = [
    { login, numbers },
    { login: otherLogin, numbers: otherNumbers },
  ];
  expect([canBeOnePerson(one, other), canBeOnePerson(other, one)]).toEqual([isOne, isOne]);
});

test.each([
  [{}, {}, false],
  [{}, { GBP: '100' }, false],
  [{ GBP: '100' }, {}, true],
  [{ GBP: '100' }, { GBP: '101' }, true],
  [{ GBP: '100' }, { GBP: '99' }, false],
  [{ GBP: '100' }, { GBP: '100', EUR: '1' }, true],
  [{ GBP: '100' }, { GBP: '100', EUR: '0' }, false],
  [{ GBP: '100', EUR: '5' }, { GBP: '100' }, false],
  [{ GBP: '0' }, { GBP: '1' }, true],
])('limits of %j are weaker as %j: %p', (before, after, isWeaker) => {
  expect(areLimitsWeaker(before, after)).toBe(isWeaker);
});

test('the hash is of the operation and all its values, in any order of the members', () => {
  const hash = (operation: 'CreateOperator' | 'EnableOperator', target: object) =>
    hashOperation({ operation, target: { ...target } }).toString('hex');
  const first = hash('CreateOperator', { name: 'Ann', list: ['a', 'b'], more: { x: 1, y: 2 } });
  expect(hash('CreateOperator', { more: { y: 2, x: 1 }, list: ['a', 'b'], name: 'Ann' })).toBe(first);
  const others = [
    hash('EnableOperator', { name: 'Ann', list: ['a', 'b'], more: { x: 1, y: 2 } }),
    hash('CreateOperator', { name: 'Ann', list: ['b', 'a'], more: { x: 1, y: 2 } }),
    hash('CreateOperator', { name: 'Ann', list: ['a', 'b'], more: { x: 1, y: 3 } }),
    hash('CreateOperator', { name: 'Ann', list: ['a', 'b'] }),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});
