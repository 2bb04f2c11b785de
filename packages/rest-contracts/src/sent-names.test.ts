import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { OrderSearch } from './epos-data/epos-data-orders.js';
import { reportEposEvent } from './accounts/epos-registration.js';
import { NewPaymentIntent } from './payment-intents/payment-intents.js';
import { readBody } from './parsing/reading.js';
import { createTerminalSession } from './terminal-sessions/terminal-sessions.js';

const GBP = { value: 1250, currencyCode: 'GBP' };
const LEAST = { amount: GBP, reference: 'table 4' };
const REQUIRED = ['Is required.'];
const SESSION_TYPE = ['Must be one of Sale, MatchedRefund, UnlinkedRefund.'];
const LONG = 'x'.repeat(101);
const TOO_LONG = ['Must be at most 100 characters.'];
const session = createTerminalSession.body;
const flat = (members: object) => ({ terminalId: 'tm', ...members });
const nested = (details: unknown) => ({ terminalId: 'tm', details });

// oxfmt-ignore
test.each<[string, z.ZodType, unknown, Record<string, readonly string[]>]>([
  ['a flat sale without its intent', session, flat({ sessionType: 'Sale' }), { paymentIntentId: REQUIRED }],
  ['a flat sale in another case', session, flat({ SESSIONTYPE: 'sale' }), { paymentIntentId: REQUIRED }],
  ['a flat sale with too long an intent', session, flat({ sessionType: 'Sale', paymentIntentId: LONG }), { paymentIntentId: TOO_LONG }],
  ['a flat sale without a terminal', session, { sessionType: 'Sale' }, { terminalId: REQUIRED, paymentIntentId: REQUIRED }],
  ['a flat refund without its intent', session, flat({ sessionType: 'MatchedRefund' }), { paymentIntentId: REQUIRED }],
  ['a flat refund with two violations', session, flat({ sessionType: 'MatchedRefund', paymentIntentId: LONG, amount: { value: 0, currencyCode: 'GBP' } }), { paymentIntentId: TOO_LONG, 'amount.value': ['Must be at least 1.'] }],
  ['a flat unlinked refund without an amount', session, flat({ sessionType: 'UnlinkedRefund' }), { amount: REQUIRED }],
  ['a flat unlinked refund with half an amount', session, flat({ sessionType: 'UnlinkedRefund', amount: { value: 1 } }), { 'amount.currencyCode': REQUIRED }],
  ['a flat unlinked refund with an amount that is text', session, flat({ sessionType: 'UnlinkedRefund', amount: 'x' }), { amount: ['Must be an object.'] }],
  ['a flat session without a type', session, flat({ paymentIntentId: 'pi' }), { sessionType: REQUIRED }],
  ['a flat session of an unknown type', session, flat({ sessionType: 'Gift', paymentIntentId: 'pi' }), { sessionType: SESSION_TYPE }],
  ['a flat session of a type that is a number', session, flat({ sessionType: 5 }), { sessionType: SESSION_TYPE }],
  ['a session with nothing', session, flat({}), { details: REQUIRED }],
  ['a nested session of an unknown type', session, nested({ sessionType: 'Gift' }), { 'details.sessionType': SESSION_TYPE }],
  ['a nested session without a type', session, nested({}), { 'details.sessionType': REQUIRED }],
  ['a nested session without its theme', session, nested({ sessionType: 'Sale' }), { 'details.sale': REQUIRED }],
  ['a nested intent under a flat type', session, { ...nested({ sale: { paymentIntentId: LONG } }), sessionType: 'Sale' }, { 'details.sale.paymentIntentId': TOO_LONG }],
  ['a flat intent under a nested type', session, { ...nested({ sessionType: 'Sale' }), paymentIntentId: LONG }, { paymentIntentId: TOO_LONG }],
  ['the other name of a line', NewPaymentIntent, { ...LEAST, itemLines: [{ name: 5, amountTotal: GBP }] }, { 'itemLines[0].name': ['Must be text.'] }],
  ['the documented name of a line', NewPaymentIntent, { ...LEAST, itemLines: [{ caption: 5, amountTotal: GBP }] }, { 'itemLines[0].caption': ['Must be text.'] }],
  ['the other name of a customer', NewPaymentIntent, { ...LEAST, customer: { CustomerID: 5 } }, { 'customer.customerId': ['Must be text.'] }],
  ['a table beside its details', OrderSearch, { dineIn: { tableId: 5 } }, { 'dineIn.tableId': ['Must be text.'] }],
  ['an unknown event', reportEposEvent.body, { eventType: 'Gift', event: {} }, { eventType: ['Must be one of OrderUpdated, PartyUpdated, ReservationUpdated.'] }],
])('a violation is named in the sender’s spelling: %s', (_, schema, sent, errors) => {
  const reading = readBody(schema, sent);
  expect(reading.ok ? {} : reading.errors).toEqual(errors);
});
