import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { payByCard } from '../card-vault/client-payments.js';
import { NewPaymentIntent } from '../payment-intents/payment-intents.js';
import { readBody, readQuery } from './reading.js';
import { createSetupIntent } from '../setup-intents/setup-intent-operations.js';
import { simulateDevice } from '../sandbox/simulator.js';
import { createTerminalSession } from '../terminal-sessions/terminal-sessions.js';
import { listTerminals } from '../accounts/terminals.js';

// Names that every JavaScript object inherits. JSON text makes them ordinary members.

const LEAST = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' };
const REFUSED = ['Must not be named __proto__.'];
const parsed = (metadata: string): unknown => ({ ...LEAST, metadata: JSON.parse(metadata) as unknown });

function getErrors(schema: z.ZodType, sent: unknown): unknown {
  const reading = readBody(schema, sent);
  return reading.ok ? {} : reading.errors;
}

// oxfmt-ignore
test.each<[string, z.ZodType, unknown, Record<string, readonly string[]>]>([
  ['metadata', NewPaymentIntent, parsed('{"__proto__":{"a":1}}'), { 'metadata.__proto__': REFUSED }],
  ['nested metadata', NewPaymentIntent, parsed('{"a":{"__proto__":1}}'), { 'metadata.a.__proto__': REFUSED }],
  ['a list in metadata', NewPaymentIntent, parsed('{"a":[0,{"b":{"__proto__":null}}]}'), { 'metadata.a[1].b.__proto__': REFUSED }],
  ['metadata in two places', NewPaymentIntent, parsed('{"__proto__":1,"b":{"__proto__":1}}'), { 'metadata.__proto__': REFUSED, 'metadata.b.__proto__': REFUSED }],
  ['metadata of a setup intent', createSetupIntent.body, { ...parsed('{"__proto__":1}') as object, terms: 'x', merchantInitiatedTransactionType: 'NoShow' }, { 'metadata.__proto__': REFUSED }],
  ['parameters of the simulator', simulateDevice.body, JSON.parse('{"__proto__":{"a":1},"sessionId":"x"}'), { ['__proto__']: REFUSED }],
])('a member named __proto__ is refused by its name: %s', (_, schema, sent, errors) => {
  expect(JSON.stringify(getErrors(schema, sent))).toBe(JSON.stringify(errors));
});

test('a member named __proto__ of a payer is refused by its name', () => {
  const sent: unknown = JSON.parse('{"metaData":{"__proto__":"x"}}');
  expect(getErrors(payByCard.body, sent)).toMatchObject({ 'metaData.__proto__': REFUSED });
});

test('other names that objects inherit are stored', () => {
  const metadata = { constructor: 'a', prototype: { constructor: 1 }, toString: 'b', hasOwnProperty: [{ valueOf: 2 }] };
  const reading = readBody(NewPaymentIntent, { ...LEAST, metadata });
  expect(reading.ok && reading.value.metadata).toEqual(metadata);
});

test('an unknown member is named, also when objects inherit a property of that name', () => {
  const sent: unknown = JSON.parse(`{"__proto__":1,"constructor":2,${JSON.stringify(LEAST).slice(1)}`);
  expect(readBody(NewPaymentIntent, sent)).toMatchObject({ ok: true, unknown: ['__proto__', 'constructor'] });
  const query = new URLSearchParams('__proto__=1&constructor=2');
  expect(readQuery(listTerminals.query, query)).toMatchObject({ ok: true, unknown: ['__proto__', 'constructor'] });
});

test.each(['constructor', '__proto__'])('a session type is not looked up among what objects inherit: %s', (type) => {
  const sent = { terminalId: 'tm', sessionType: type, paymentIntentId: 'pi', amount: LEAST.amount };
  expect(getErrors(createTerminalSession.body, sent)).toEqual({
    sessionType: ['Must be one of Sale, MatchedRefund, UnlinkedRefund.'],
  });
});
