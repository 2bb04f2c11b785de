import { expect, test } from '@jest/globals';
import type { Operation } from '@pos/rest-contracts/operation';
import { Moment, text } from '@pos/rest-contracts/testing';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import { z } from 'zod';
import { ContractChecker } from './contract-checker.js';

const OrderLine = z.object({ name: z.string(), note: z.string().optional() }).meta({ id: 'OrderLine' });

const createOrder = {
  id: 'createOrder',
  method: 'POST',
  path: '/orders/{orderId}',
  tag: 'Orders',
  summary: 'Create an order',
  permission: null,
  version: 'none',
  idempotency: 'none',
  params: z.object({ orderId: z.string() }),
  body: z.object({ reference: text({ min: 1, max: 10 }), kind: z.enum(['Table', 'Delivery']).optional() }),
  returns: z.object({
    id: z.string(),
    lines: z.array(OrderLine),
    paidAt: Moment.optional(),
    notes: z.record(z.string(), z.unknown()),
  }),
  refusals: ['payment_intent_busy'],
} as const satisfies Operation;

const deleteOrder = { ...createOrder, id: 'deleteOrder', method: 'DELETE', body: undefined, returns: null } as const;

const contractChecker = new ContractChecker([createOrder, deleteOrder as unknown as Operation], {
  title: 'Orders',
  description: 'A test.',
});
const operationRelease = { operation: createOrder, release: LATEST_RELEASE } as const;

const ORDER = { id: 'o', lines: [{ name: 'Soup' }], notes: { any: [1, { thing: null }] } };
const PROBLEM = {
  type: 'https://tools.ietf.org/html/rfc7231#section-6.5.8',
  title: 'Conflict',
  status: 409,
  detail: 'busy',
  traceId: '00-1-2-01',
  errors: {},
  reason: 'payment_intent_busy',
  documentation: '/errors#payment_intent_busy',
};

test.each<[string, number, unknown]>([
  ['the members of its document', 200, ORDER],
  ['a member that may be there', 200, { ...ORDER, paidAt: '2026-03-01T12:00:00.000Z' }],
  ['a refusal that is listed', 409, PROBLEM],
  ['a number that its reader wrote as a note', 200, { ...ORDER, notes: { note: '4456530000091014' } }],
  ['a masked number', 200, { ...ORDER, notes: { cardNumber: '44565300****1014' } }],
  ['a problem about a CV2', 409, { ...PROBLEM, errors: { cV2: ['must be 3 or 4 digits'] } }],
  ['a secret that is returned once', 200, { ...ORDER, id: `sk_sandbox_${'a'.repeat(43)}` }],
  ['a failure of ours', 500, { ...PROBLEM, status: 500, reason: 'internal_error' }],
])('an answer with %s is accepted', (_title, status, body) => {
  expect(() => {
    contractChecker.checkResponse(operationRelease, { status, text: JSON.stringify(body) });
  }).not.toThrow();
});

test.each<[string, number, unknown, RegExp]>([
  ['a status that is not listed', 201, ORDER, /answers 201 .* does not list/],
  ['a refusal that is not listed', 422, { ...PROBLEM, status: 422 }, /answers 422 .* does not list/],
  ['a member that is not listed', 200, { ...ORDER, secret: 's' }, /additional properties .*secret/],
  ['one deeper inside', 200, { ...ORDER, lines: [{ name: 'Soup', price: 1 }] }, /\/lines\/0 .*price/],
  ['a missing member', 200, { id: 'o', notes: {} }, /required .*lines/],
  ['null for a member that is absent otherwise', 200, { ...ORDER, paidAt: null }, /\/paidAt/],
  ['an invalid time', 200, { ...ORDER, paidAt: 'today' }, /\/paidAt/],
  ['a number for a text', 200, { ...ORDER, id: 7 }, /\/id must be string/],
  ['a problem that lacks a member', 409, { title: 'Conflict', status: 409 }, /required .*traceId/],
  ['a problem with an undocumented member', 409, { ...PROBLEM, stack: 'at pay()' }, /stack/],
  ['a card number', 409, { ...PROBLEM, detail: 'not 4456530000091014' }, /card number: .*44565300\*{4}1014/],
  ['a card number in groups in a sentence', 409, { ...PROBLEM, detail: 'not 4456 5300 0009 1014' }, /card number/],
  ['a card number as a number', 409, { ...PROBLEM, errors: { a: [4456530000091014] } }, /card number/],
  ['a CV2 in a problem that repeats its request', 409, { ...PROBLEM, detail: '{"cvv":"020"' }, /a CV2/],
])('an answer with %s is not accepted', (_title, status, body, problem) => {
  expect(() => {
    contractChecker.checkResponse(operationRelease, { status, text: JSON.stringify(body) });
  }).toThrow(problem);
});

test.each<[string, unknown]>([
  ['a card number', { note: '4456530000091014' }],
  ['a card number as a number', { a: 4456530000091014 }],
  ['a CV2', { cV2: '020' }],
])('a payer is never answered with %s', (_title, notes) => {
  const byPayer = { operation: { ...createOrder, clientSecret: true }, release: LATEST_RELEASE } as const;
  contractChecker.checkResponse(byPayer, { status: 200, text: JSON.stringify(ORDER) });
  expect(() =>
    contractChecker.checkResponse(byPayer, { status: 200, text: JSON.stringify({ ...ORDER, notes }) }),
  ).toThrow(/answers 200 in .* with a (card number|CV2)/);
});

test('an answer outside every document repeats no card number either', () => {
  contractChecker.checkForLeaks('the app answers 404', JSON.stringify(PROBLEM));
  contractChecker.checkForLeaks('the app answers 404', null);
  expect(() => contractChecker.checkForLeaks('the app answers 404', '"/cards/4456530000091014"')).toThrow(
    /^the app answers 404 with a card number/,
  );
});

test('an undescribed body and a missing described body are errors', () => {
  const removed = { operation: deleteOrder as unknown as Operation, release: LATEST_RELEASE };
  contractChecker.checkResponse(removed, { status: 204, text: null });
  expect(() => {
    contractChecker.checkResponse(removed, { status: 204, text: '{}' });
  }).toThrow('with a body that is not described');
  expect(() => {
    contractChecker.checkResponse(operationRelease, { status: 200, text: null });
  }).toThrow('without the body that is described');
});

test.each<[string, unknown]>([
  ['as documented', { reference: 'a', kind: 'Table' }],
  ['in another spelling', { Reference: 'a', KIND: 'table' }],
  ['with members that are not read', { reference: 'a', colour: 'red' }],
])('a request body %s is accepted', (_title, sent) => {
  expect(() => {
    contractChecker.checkRequestBody(operationRelease, sent);
  }).not.toThrow();
});

test.each<[string, unknown, RegExp]>([
  ['without a member that must be there', {}, /required .*reference/],
  ['with a value that is not listed', { reference: 'a', kind: 'Window' }, /\/kind/],
  ['with a text too long', { reference: 'eleven char' }, /\/reference/],
])('a request body %s is not accepted: the document and the service differ', (_title, sent, problem) => {
  expect(() => {
    contractChecker.checkRequestBody(operationRelease, sent);
  }).toThrow(problem);
});
