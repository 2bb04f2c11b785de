import { describe, expect, test } from '@jest/globals';
import {
  ACQUIRER_CALL_KINDS,
  ACQUIRER_CALL_STATES,
  type AcquirerCall,
  CALL_MOVES,
  isOpen,
  isOpenTooLong,
  isReversalDue,
  applyCallMove,
  createAcquirerCall,
  computeInquiryDelay,
  isFirstAnswer,
  resendAuthorisation,
  reverseCall,
  concludeAcquirerCall,
} from './acquirer-call.js';
import { Defect } from '../refusals/assert.js';
import { gbp, NOON, createPastDate, formatMoves, testId } from '../testing/builders.js';

test('the whole state machine has these moves', () => {
  expect(formatMoves(CALL_MOVES)).toMatchInlineSnapshot(`
   "Prepared   send → Sent, approve → Approved, decline → Declined, lose → Unknown, settle → Settled
   Sent       send → Sent, challenge → Challenged, approve → Approved, decline → Declined, lose → Unknown, settle → Settled
   Challenged send → Sent, approve → Approved, decline → Declined, lose → Unknown, settle → Settled
   Unknown    send → Sent, challenge → Challenged, approve → Approved, decline → Declined, lose → Unknown, settle → Settled
   Approved   settle → Settled
   Declined   settle → Settled
   Settled    (final)"
  `);
});

test.each([
  // kind        state         ms after the deadline  reversed before  due
  ['Authorise', 'Sent', 59_999, false, false],
  ['Authorise', 'Sent', 60_000, false, true],
  ['Authorise', 'Prepared', 60_000, false, true],
  ['Authorise', 'Unknown', 60_000, false, true],
  ['Authorise', 'Challenged', 60_000, false, true],
  ['Authorise', 'Unknown', 60_000, true, false],
  ['Authorise', 'Approved', 600_000, false, false],
  ['Authorise', 'Declined', 600_000, false, false],
  ['Authorise', 'Settled', 600_000, false, false],
  ['Capture', 'Unknown', 600_000, false, false],
  ['Refund', 'Unknown', 600_000, false, false],
  ['Reverse', 'Unknown', 600_000, false, false],
] as const)('%s %s, %d ms after its deadline, reversal ordered before %s: due %s', (kind, state, ms, before, due) => {
  const call = { ...authorisation(), kind, state, reverseReference: before ? 'rvs-0' : null };
  expect(isReversalDue(call, createPastDate(ms))).toBe(due);
});

describe('an authorisation that is sent again', () => {
  const sent = applyCallMove(authorisation(), 'send');
  const deadlineAt = createPastDate(30_000);

  test('has lost its first answer, and has its time again', () => {
    const resent = resendAuthorisation(sent, { createdAt: NOON, deadlineAt, databaseNow: NOON });
    expect(resent).toMatchObject({ state: 'Unknown', deadlineAt });
    expect([isFirstAnswer(sent), resent !== null && isFirstAnswer(resent)]).toEqual([true, false]);
  });

  test('keeps a deadline that is later', () => {
    const earlier = { createdAt: NOON, deadlineAt: new Date(0), databaseNow: NOON };
    expect(resendAuthorisation(sent, earlier)).toMatchObject({ deadlineAt: sent.deadlineAt });
  });

  test.each([
    ['has ended', concludeAcquirerCall(sent, 'Declined'), 0],
    ['is approved', applyCallMove(sent, 'approve'), 0],
    ['was given up', { ...sent, reverseReference: 'rvs-0' }, 0],
    ['is due to be reversed', sent, 60_000],
  ])('is not sent if it %s', (_, call, ms) => {
    const databaseNow = createPastDate(ms);
    expect(resendAuthorisation(call, { createdAt: databaseNow, deadlineAt, databaseNow })).toBeNull();
  });

  test.each([
    [599_999, true],
    [600_000, false],
  ])(
    '%d ms after its creation it is sent: %s, so that repeats do not postpone its reversal without end',
    (ms, isSent) => {
      const times = { createdAt: new Date(NOON.getTime() - ms), deadlineAt, databaseNow: NOON };
      expect(resendAuthorisation(sent, times) !== null).toBe(isSent);
    },
  );
});

describe('an ordered reversal', () => {
  const { call, reversal } = reverseCall(applyCallMove(authorisation(), 'lose'), {
    reference: 'rvs-1',
    deadlineAt: createPastDate(1),
  });

  test('ends the attempt: an approval under the reference changes nothing from then on', () => {
    expect([isOpen(authorisation()), isOpen(call)]).toEqual([true, false]);
    expect(call.reverseReference).toBe('rvs-1');
  });

  test('is a separate call about the same money', () => {
    expect(reversal).toMatchObject({
      reference: 'rvs-1',
      kind: 'Reverse',
      originalReference: 'auth-1',
      state: 'Prepared',
      amount: gbp(2000),
      paymentIntentId: testId('paymentIntent'),
    });
  });

  test('is ordered once, and for an authorisation only', () => {
    const order = { reference: 'rvs-2', deadlineAt: NOON };
    expect(() => reverseCall(call, order)).toThrow(Defect);
    expect(() => reverseCall({ ...authorisation(), kind: 'Refund' }, order)).toThrow(Defect);
  });
});

test('a concluded call stays concluded, and an answered one is not sent again', () => {
  const done = concludeAcquirerCall(applyCallMove(authorisation(), 'approve'), 'Approved');
  expect([done.state, done.outcome, isOpen(done)]).toEqual(['Settled', 'Approved', false]);
  for (const move of ['send', 'approve', 'decline', 'lose', 'settle'] as const) {
    expect(() => applyCallMove(done, move)).toThrow(Defect);
  }
  expect(() => applyCallMove(applyCallMove(authorisation(), 'approve'), 'send')).toThrow(Defect);
  expect(() => applyCallMove(applyCallMove(authorisation(), 'decline'), 'approve')).toThrow(Defect);
});

test('the last answer to a call is kept through its later moves', () => {
  const result = { kind: 'refused', message: 'no' } as const;
  expect(applyCallMove(applyCallMove(authorisation(), 'decline', result), 'settle').result).toEqual(result);
});

test.each(['', 'x'.repeat(65)])('a reference of %j is no reference', (reference) => {
  expect(() => createAcquirerCall({ ...authorisation(), reference })).toThrow(Defect);
});

test.each([
  // kind, tries, ms after the deadline, then
  ['Capture', 0, 0, 5_000],
  ['Capture', 1, 0, 5_000],
  ['Capture', 2, 0, 10_000],
  ['Capture', 3, 0, 20_000],
  ['Capture', 6, 0, 160_000],
  // It is checked when it has been open too long, and from then on every 15 minutes at most.
  ['Capture', 7, 200_000, 100_000],
  ['Capture', 8, 300_000, 640_000],
  ['Capture', 9, 300_000, 900_000],
  ['Capture', 2_000, 300_000, 900_000],
  // An authorisation is checked when its reversal becomes due.
  ['Authorise', 5, 20_000, 40_000],
  ['Authorise', 5, 60_000, 80_000],
  ['Reverse', 5, 20_000, 80_000],
] as const)('%s after %d tries, %d ms after its deadline, is tried again in %d ms', (kind, tries, openMs, then) => {
  const call = { ...authorisation(), kind };
  const tried = { tries, baseMs: 5_000, pendingMs: 300_000, databaseNow: createPastDate(openMs) };
  expect(computeInquiryDelay(call, tried)).toBe(then);
});

test.each([
  ['Unknown', 299_999, false],
  ['Unknown', 300_000, true],
  ['Prepared', 300_000, true],
  ['Declined', 300_000, true],
  ['Settled', 300_000, false],
] as const)('a call that is %s %d ms after its deadline is open too long: %s', (state, openMs, then) => {
  const at = { pendingMs: 300_000, databaseNow: createPastDate(openMs) };
  expect(isOpenTooLong({ ...authorisation(), state }, at)).toBe(then);
});

test('every kind and state has its value', () => {
  expect([ACQUIRER_CALL_KINDS.length, ACQUIRER_CALL_STATES.length]).toEqual([6, 7]);
});

function authorisation(): AcquirerCall {
  return createAcquirerCall({
    reference: 'auth-1',
    kind: 'Authorise',
    acquirer: 'default',
    merchantId: 'M-1',
    originalReference: null,
    paymentIntentId: testId('paymentIntent'),
    terminalSessionId: null,
    amount: gbp(2000),
    deadlineAt: NOON,
  });
}
