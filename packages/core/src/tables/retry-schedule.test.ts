import { expect, test } from '@jest/globals';
import { zeroMoney } from '../money/money.js';
import { stepTablePayment } from './table-payment-transitions.js';
import { type NewTablePayment, createRelayedPayment, type TablePayment } from './table-payment.js';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const DAY_S = 24 * 60 * 60;
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

const part: NewTablePayment = {
  ...{ id: 'payment-1', origin: 'device', journeyId: null, leaseId: null, sessionId: 'session-1', orderId: null },
  ...{
    intentId: 'pi_one',
    base: zeroMoney('GBP'),
    gratuity: zeroMoney('GBP'),
    cashback: zeroMoney('GBP'),
    paidBefore: null,
  },
};
const giving: TablePayment = {
  ...createRelayedPayment(part, new Uint8Array(1), NOON).payment,
  ...{ state: 'GivingBack', nextStep: 'giveBack', giveBackSince: NOON },
};

test.each([
  ['giveBackUnanswered', 0, 0, 10],
  ['giveBackUnanswered', 1, 0, 20],
  ['giveBackUnanswered', 6, 0, 600],
  ['giveBackUnanswered', 40, DAY_S, 600],
  ['giveBackRefused', 0, 0, 10],
  ['giveBackRefused', 1, 0, 20],
  ['giveBackRefused', 6, 0, 640],
  ['giveBackRefused', 9, 0, 3_600],
  ['giveBackRefused', 0, DAY_S, 3_600],
] as const)('after %s and %i tries giving back waits, %i s after it began, for %i s', (kind, tries, begun, waits) => {
  const { payment } = stepTablePayment({ ...giving, tries }, { kind }, at(begun));
  expect(payment).toMatchObject({ nextStep: 'giveBack', dueAt: at(begun + waits) });
  expect(payment.state).toBe(begun === DAY_S ? 'NeedsOperator' : 'GivingBack');
});
