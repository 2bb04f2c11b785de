import { expect, test } from '@jest/globals';
import {
  acknowledgeDifference,
  type Difference,
  type DifferenceState,
  type Finding,
  isSameFinding,
  reviewDifferences,
} from './reconciliation.js';
import { gbp, NOON } from '../testing/builders.js';

const LATER = new Date(NOON.getTime() + 60_000);

function finding(changes: Partial<Finding> = {}): Finding {
  return {
    ...{ kind: 'OtherAmount', reference: 'call 1', paymentIntentId: 'pi_1', amount: gbp(2_001) },
    ...{ ours: '2000 GBP', theirs: '2001 GBP', says: 'the amounts differ', happenedAt: NOON },
    ...changes,
  };
}

function createDifference(state: DifferenceState, changes: Partial<Finding> = {}): Difference {
  return { ...finding(changes), id: 'd 1', state, firstSeenAt: NOON, lastSeenAt: NOON };
}

function review(stored: readonly Difference[], found: readonly Finding[], isCovered = true) {
  const { inserted, reopened, seen, closed } = reviewDifferences(stored, found, {
    now: LATER,
    isCovered: () => isCovered,
  });
  return { inserted: inserted.length, reopened: reopened.length, seen: seen.length, closed: closed.length };
}

const NOTHING = { inserted: 0, reopened: 0, seen: 0, closed: 0 };

test.each([
  ['unknown and found', [], [finding()], { inserted: 1 }],
  ['open and found again', [createDifference('Open')], [finding()], { seen: 1 }],
  ['open and found with another amount', [createDifference('Open')], [finding({ theirs: '2002 GBP' })], { seen: 1 }],
  ['answered and found again', [createDifference('Answered')], [finding()], { seen: 1 }],
  [
    'answered and found with another amount',
    [createDifference('Answered')],
    [finding({ theirs: '3 GBP' })],
    { reopened: 1 },
  ],
  ['open and gone', [createDifference('Open')], [], { closed: 1 }],
  ['answered and gone', [createDifference('Answered')], [], { closed: 1 }],
  ['of another kind', [createDifference('Open')], [finding({ kind: 'NotBooked' })], { inserted: 1, closed: 1 }],
  ['of another call', [createDifference('Open')], [finding({ reference: 'call 2' })], { inserted: 1, closed: 1 }],
  ['found twice', [], [finding(), finding()], { inserted: 1 }],
  ['neither stored nor found', [], [], {}],
] as const)('%s', (_, stored, found, changes) => {
  expect(review(stored, found)).toEqual({ ...NOTHING, ...changes });
});

test('a difference that the check could not have found stays as it is', () => {
  expect(review([createDifference('Open')], [], false)).toEqual(NOTHING);
});

test('a difference that is found again keeps its first time and gets the new description', () => {
  const { seen } = reviewDifferences([createDifference('Open')], [finding({ theirs: '2002 GBP', happenedAt: LATER })], {
    now: LATER,
    isCovered: () => true,
  });
  expect(seen).toMatchObject([{ firstSeenAt: NOON, lastSeenAt: LATER, happenedAt: NOON, theirs: '2002 GBP' }]);
});

test.each([
  [{}, true],
  [{ says: 'in other words' }, true],
  [{ theirs: null }, false],
  [{ ours: '1 GBP' }, false],
  [{ kind: 'NotBooked' }, false],
  [{ reference: 'call 2' }, false],
] as const)('two findings that differ by %j are the same: %s', (changes, isSame) => {
  expect(isSameFinding(finding(), finding(changes))).toBe(isSame);
});

test('an open difference is answered once', () => {
  expect(acknowledgeDifference(createDifference('Open')).state).toBe('Answered');
  for (const state of ['Answered', 'Closed'] as const) {
    expect(() => acknowledgeDifference(createDifference(state))).toThrow('difference_not_answerable');
  }
});
