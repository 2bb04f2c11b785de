import { expect, test } from '@jest/globals';
import { createAcquirerCall } from '../acquirer-calls/acquirer-call.js';
import type { CardPresentApproval } from '../cards/card.js';
import { checkMachineApproval, confirmApproval, isApprovalMissing } from './machine-approval.js';
import type { AcquirerAnswer } from '../acquirer/ports.js';
import { createApproval, buildSession, gbp, NOON } from '../testing/builders.js';

const approval: CardPresentApproval = createApproval(gbp(2_000));
const { transactionId, transactionDateTime, reference } = approval;
const call = createAcquirerCall({
  ...{
    reference,
    kind: 'Authorise',
    acquirer: 'default',
    merchantId: 'M-1',
    originalReference: null,
    paymentIntentId: null,
  },
  ...{ terminalSessionId: buildSession().id, amount: gbp(2_000), deadlineAt: NOON },
});

const yes = (change: Partial<CardPresentApproval> = {}): AcquirerAnswer => ({
  outcome: 'approved',
  approval: { ...approval, ...change },
});
const done = (change: object = {}): AcquirerAnswer => ({
  ...{ outcome: 'done', transactionId, transactionDateTime, amount: gbp(2_000) },
  ...change,
});
const declined: AcquirerAnswer = {
  outcome: 'declined',
  decline: { reference, transactionId, transactionDateTime, message: 'DECLINED', card: null },
};

test.each<[string, AcquirerAnswer, string]>([
  ['the same', yes(), 'same'],
  ['the same refund', done(), 'same'],
  ['a refund without its amount', done({ amount: null }), 'same'],
  ['the same card, unread', yes({ card: { ...approval.card, last4PAN: '' } }), 'same'],
  ['another authorisation code', yes({ authCode: '000000' }), 'same'],
  ['in progress', { outcome: 'inProgress' }, 'askAgain'],
  ['nothing', { outcome: 'unknown', reason: 'time-out' }, 'askAgain'],
  ['not found, yet', { outcome: 'notFound' }, 'askAgain'],
  ['another amount', yes({ amount: gbp(1_999) }), 'amount'],
  ['another currency', yes({ amount: { value: 2_000, currencyCode: 'EUR' } }), 'amount'],
  ['another amount of a refund', done({ amount: gbp(1) }), 'amount'],
  ['another reference', yes({ reference: 'auth-2' }), 'reference'],
  ['another transaction', yes({ transactionId: '00000000-0000-4000-8000-00000000ffff' }), 'transaction'],
  ['another card', yes({ card: { ...approval.card, last4PAN: '0001' } }), 'last four digits'],
  ['a no', declined, 'has declined it'],
  ['reversed', { outcome: 'reversed' }, 'has reversed it'],
])('the acquirer answers %j', (_title, answer, expected) => {
  const check = checkMachineApproval({ call, approval }, answer, 1);
  expect(check.outcome === 'differs' ? check.message : check.outcome).toContain(expected);
});

test('a call that is unknown to the acquirer is a difference; a call that we have reversed is none', () => {
  expect(checkMachineApproval({ call, approval }, { outcome: 'notFound' }, 3).outcome).toBe('askAgain');
  expect(checkMachineApproval({ call, approval }, { outcome: 'notFound' }, 4)).toMatchObject({
    outcome: 'differs',
    details: { reference, amount: 2_000, last4: '1096' },
  });
  const reversed = { ...call, reverseReference: 'reverse-1' };
  expect(checkMachineApproval({ call: reversed, approval }, { outcome: 'reversed' }, 1).outcome).toBe('same');
  const undone = { ...call, outcome: 'Reversed' } as const;
  expect(checkMachineApproval({ call: undone, approval }, { outcome: 'reversed' }, 1).outcome).toBe('same');
});

test.each<[string, AcquirerAnswer, string]>([
  ['the same', yes(), 'confirmed'],
  ['the same, by a text instead of a UUID', yes({ acquirerTransactionId: 'T-1' }), 'confirmed, with an alarm'],
  ['another card', yes({ card: { ...approval.card, last4PAN: '0001' } }), 'confirmed, with an alarm'],
  ['another amount', yes({ amount: gbp(2_001) }), 'denied, with an alarm'],
  ['a refund over another amount', done({ amount: gbp(1) }), 'denied, with an alarm'],
  ['a refund without an amount', done({ amount: null }), 'confirmed'],
  ['a decline', declined, 'denied, with an alarm'],
  ['a reversal that nobody ordered', { outcome: 'reversed' }, 'denied, with an alarm'],
  ['nothing yet', { outcome: 'notFound' }, 'askAgain'],
  ['a call in progress', { outcome: 'inProgress' }, 'askAgain'],
  ['no answer', { outcome: 'unknown', reason: 'down' }, 'unknown'],
  ['no inquiries', { outcome: 'refused', status: 'UNIMPLEMENTED' }, 'unknown'],
])('before an approval is booked the acquirer has %s: %j is %s', (_, answer, expected) => {
  const confirmation = confirmApproval({ call, approval }, answer);
  const text =
    typeof confirmation === 'string'
      ? confirmation
      : `${confirmation.outcome}${confirmation.difference === null ? '' : ', with an alarm'}`;
  expect(text).toBe(expected);
});

test.each<[string, AcquirerAnswer, boolean]>([
  ['does not know it', { outcome: 'notFound' }, true],
  ['has declined it', declined, true],
  ['has reversed it', { outcome: 'reversed' }, true],
  ['has another transaction', yes({ transactionId: '00000000-0000-4000-8000-00000000ffff' }), false],
  ['has it under another reference', yes({ reference: 'auth-2' }), false],
  ['has a refund of another amount', done({ amount: gbp(1) }), false],
  ['has a refund of another transaction', done({ transactionId: 'another', amount: null }), false],
])('the details of a difference say whether the approval is missing: the acquirer %s', (_title, answer, isMissing) => {
  const check = checkMachineApproval({ call, approval }, answer, 4);
  expect(check.outcome === 'differs' && isApprovalMissing(check.details)).toBe(isMissing);
  expect(check.outcome).toBe('differs');
});
