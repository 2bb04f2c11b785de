import { expect, test } from '@jest/globals';
import { startJourney } from '@pos/core/journeys';
import { acquireLease } from '@pos/core/tables';
import { gbp } from '@pos/core/testing';
import { buildIntentRequest } from './payment-part.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const requestor = { type: 'cardMachine', terminalId: '90000001', waiterId: 42 } as const;
const held = acquireLease(
  null,
  { leaseId: 'lease-1', sessionId: 'session-1', owner: '90000001', requestor, lengthMs: 60_000 },
  NOON,
);
const bill = { total: gbp(2_000), paid: gbp(0), tax: gbp(0), serviceCharge: null, items: [], note: null };
const journey = startJourney(
  {
    ...{ id: 'journey-1', sessionId: 'session-1', sessionName: 'Table 4', leaseId: 'lease-1', owner: '90000001' },
    ...{ tableName: '4', requestor, paidShares: [], bill: { ...bill, sessionId: 'session-1' } },
  },
  NOON,
);

test.each([
  ['order-118', 'order-118'],
  [null, 'session-1'],
  ['', 'session-1'],
  ['x'.repeat(201), 'session-1'],
])('the intent of a part names the order %p in the EPOS by %p', (orderId, externalId) => {
  if (held.outcome !== 'held') throw new Error(held.reason);
  const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0) };
  const part = { paymentId: 'payment-1', journey, lease: held.lease, ...amounts, terminalId: 'tm_one' };
  const request = buildIntentRequest(part, { orderId, now: NOON });
  expect(request.details.orderDetails).toEqual({ externalId });
  expect(request).toMatchObject({ reference: 'Table 4 1', metadata: { waiterId: '42' }, captureMode: 'Auto' });
});

test.each([
  [null, undefined],
  ['4', '4'],
  // Cut between characters: half of one could not be stored.
  ['🍲'.repeat(61), '🍲'.repeat(60)],
])('the intent of a part keeps the name of its table: %p', (tableName, kept) => {
  if (held.outcome !== 'held') throw new Error(held.reason);
  const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0) };
  const at = { paymentId: 'payment-1', journey: { ...journey, tableName }, lease: held.lease, terminalId: 'tm_one' };
  expect(buildIntentRequest({ ...at, ...amounts }, { orderId: null, now: NOON }).details.tableName).toBe(kept);
});

test.each([
  ['Bar', 'Bar 1'],
  ['x'.repeat(300), `${'x'.repeat(58)} 1`],
  // Counted in characters, as the REST API counts them.
  ['🍲'.repeat(61), `${'🍲'.repeat(58)} 1`],
])('the reference of a part has at most 60 characters: %p', (sessionName, reference) => {
  if (held.outcome !== 'held') throw new Error(held.reason);
  const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0) };
  const at = { paymentId: 'payment-1', journey: { ...journey, sessionName }, lease: held.lease, terminalId: 'tm_one' };
  const request = buildIntentRequest({ ...at, ...amounts }, { orderId: null, now: NOON });
  expect(request.reference).toBe(reference);
  expect(Array.from(request.reference).length).toBeLessThanOrEqual(60);
});

test.each([
  ['a card machine', 'tm_one'],
  ['their own phone', null],
])('a guest who pays the bill at %s is present: no payment at a table is a telephone order', (_, terminalId) => {
  if (held.outcome !== 'held') throw new Error(held.reason);
  const amounts = { base: gbp(2_000), gratuity: gbp(0), cashback: gbp(0) };
  const part = { paymentId: 'payment-1', journey, lease: held.lease, ...amounts, terminalId };
  const { cardHolderNotPresent, expireAt } = buildIntentRequest(part, { orderId: null, now: NOON });
  expect([cardHolderNotPresent, expireAt === null]).toEqual([false, terminalId !== null]);
});
