import { expect, test } from '@jest/globals';
import { exploreMoves, MOVE_RULES, type MoveRules } from './card-move-explorer.js';
import { takePart, startJourney, moveJourney, type Journey } from '@pos/core/journeys';
import {
  acquireLease,
  moveLease,
  movePayment,
  requestElsewhere,
  type Requestor,
  startTablePayment,
} from '@pos/core/tables';
import { zeroMoney } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';

const NOON = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-01T12:01:00Z');
const none = zeroMoney('GBP');
const requestor = { type: 'cardMachine', terminalId: '1', waiterId: 7 } as const satisfies Requestor;
const part = {
  id: 'payment-1',
  origin: 'journey',
  ...{ journeyId: 'journey-1', leaseId: 'lease-1', sessionId: 'session-1', orderId: null },
  intentId: 'pi_one',
  ...{ base: none, gratuity: none, cashback: none, paidBefore: none },
} as const;
const { payment } = startTablePayment(part, NOON);
const place = { sessionId: 'session-1', leaseId: 'lease-1', owner: '1' };
const bill = { sessionId: 'session-1', total: none, paid: none, tax: none, serviceCharge: null, items: [], note: null };
const journey = startJourney(
  { ...place, id: 'journey-1', sessionName: 'Table 4', tableName: null, bill, paidShares: [], requestor },
  NOON,
);

test('for any moves, cancellations and new requests, at most one machine can hold the money of a table', () => {
  const { states, violations } = exploreMoves(MOVE_RULES);
  process.stdout.write(`explored ${states} states of moves, ${violations.length} bad end states\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(2_000);
});

test.each<[string, Partial<MoveRules>, string]>([
  [
    'the next machine requests the card once the reversal is ordered',
    {
      isMoneyCertain: (state, { movingTo }) => state === 'settled' || (movingTo !== null && state !== 'open'),
    },
    'two machines may hold the money',
  ],
  [
    'a cancelled payment ends once its reversal is ordered, and the next one begins',
    {
      isMoneyCertain: (state, { movingTo }) => state === 'settled' || (movingTo === null && state !== 'open'),
    },
    'two machines may hold the money',
  ],
  [
    'a payment ends while its machine may still call the acquirer',
    { isMoneyCertain: () => true },
    'ended, and the acquirer may hold money',
  ],
  [
    'a part is taken while another one is undecided',
    { takePart: (from, part, now) => takePart({ ...from, state: 'OPEN' }, part, now) },
    'two machines may hold the money',
  ],
])('the explorer finds a planted bug: %s', (_, planted, problem) => {
  const { violations } = exploreMoves({ ...MOVE_RULES, ...planted });
  expect(violations).toContain(problem);
});

test.each([
  ['cancelled', 'tm_two', 'tm_two'],
  ['expired', 'tm_two', 'tm_two'],
  ['declined', 'tm_two', null],
  ['cancelled', null, null],
] as const)('a started payment that %s while it moves to %s continues at %s', (reason, movingTo, to) => {
  expect(movePayment({ state: 'Started', movingTo }, { kind: 'ended', reason })).toBe(to);
  expect(movePayment({ state: 'Recording', movingTo }, { kind: 'ended', reason })).toBeNull();
});

test('the next machine requests the card for the same intent, and the note of the move is deleted', () => {
  const asked = requestElsewhere({ ...payment, movingTo: 'tm_two' }, 'ts_two', LATER);
  expect(asked).toEqual({
    ...payment,
    ...{ terminalSessionId: 'ts_two', updatedAt: LATER, dueAt: new Date(LATER.getTime() + 5_000) },
  });
});

test.each<[string, Partial<Journey>, string]>([
  ['money is being recorded', { state: 'RECORDING' }, 'journey_busy'],
  ['money is in doubt', { state: 'BLOCKED' }, 'journey_busy'],
  ['it is finished', { state: 'FINISHED' }, 'journey_over'],
  ['it is abandoned', { state: 'ABANDONED' }, 'journey_over'],
  ["it is on a payer's own device", { requestor: { type: 'consumerDevice' } }, 'journey_not_movable'],
])('a journey does not move while %s', (_, change, code) => {
  expect(refusedBy(() => moveJourney({ ...journey, ...change }, '2', LATER))).toBe(code);
});

test.each(['OPEN', 'PAYING'] as const)(
  'an %s journey moves with its waiter, and not at all to its own machine',
  (state) => {
    const there = moveJourney({ ...journey, state }, '2', LATER);
    const owned = { owner: '2', requestor: { ...requestor, terminalId: '2' }, updatedAt: LATER };
    expect(there).toEqual({ ...journey, state, ...owned });
    expect(moveJourney(there, '2', NOON)).toBe(there);
  },
);

test('a lease that moves keeps the name under which the EPOS stores its lock, until that lock is released', () => {
  const answer = acquireLease(null, { ...place, requestor, lengthMs: 60_000 }, NOON);
  if (answer.outcome === 'refused') throw new Error(answer.reason);
  const to = { owner: '2', requestor: { ...requestor, terminalId: '2' } };
  expect(moveLease({ ...answer.lease, eposLocked: true }, to)).toMatchObject({ owner: '2', requestor });
  expect(moveLease({ ...answer.lease, eposLocked: false }, to)).toMatchObject(to);
  for (const state of ['Released', 'Forced'] as const) {
    expect(refusedBy(() => moveLease({ ...answer.lease, state }, to))).toBe('lease_over');
  }
});

function refusedBy(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (refused) {
    if (refused instanceof Refusal) return refused.code;
    throw refused;
  }
}
