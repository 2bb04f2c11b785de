import { expect, test } from '@jest/globals';
import { buildSession } from '../testing/builders.js';
import type { TerminalSession } from './terminal-session.js';
import { bookUnmadeRefund, releaseUnmadeRefund, isCertainlyUnmade, NOT_FOUND_NEEDED } from './unmade-refund.js';

const UNKNOWN: TerminalSession = {
  ...buildSession('MatchedRefund'),
  status: 'Expired',
  isUnknownToMachine: true,
};

test('a refund that is unknown to the machine and to the acquirer was not made', () => {
  expect(isCertainlyUnmade(UNKNOWN, NOT_FOUND_NEEDED)).toBe(true);
  expect(isCertainlyUnmade({ ...UNKNOWN, lastReport: 1 }, NOT_FOUND_NEEDED)).toBe(true);
});

test.each([
  ['there were too few inquiries', {}, NOT_FOUND_NEEDED - 1],
  ['the machine has not reported', { isUnknownToMachine: false }, 1_000],
  ['a card was in the machine', { cardPresented: true }, 1_000],
  ['the session runs', { status: 'CancelRequested' }, 1_000],
  ['it is a sale, which is reversed instead', { sessionType: 'Sale' }, 1_000],
] as const)('it may have been made: %s', (_says, change, notFoundCount) => {
  expect(isCertainlyUnmade({ ...UNKNOWN, ...change }, notFoundCount)).toBe(false);
});

test.each([
  ['MatchedRefund', 'freeRefund', 'bookRefund', []],
  ['UnlinkedRefund', undefined, undefined, ['refund']],
] as const)('a %s is freed or booked as an operator decides', (sessionType, freed, booked, entries) => {
  const session = { ...UNKNOWN, sessionType };
  const free = releaseUnmadeRefund(session);
  expect([free.onIntent?.kind, free.entries, free.onAttempt?.kind]).toEqual([freed, [], 'canceled']);
  const book = bookUnmadeRefund(session);
  expect([book.onIntent?.kind, book.onAttempt?.kind]).toEqual([booked, 'booked']);
  expect(book.entries.map(({ kind }) => kind)).toEqual(entries);
  expect([free.session.status, book.session.status]).toEqual(['Expired', 'Expired']);
});
