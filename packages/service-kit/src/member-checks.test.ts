import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { GOOD, openOrderDesk, VALID } from './order-desk.js';

let desk: Awaited<ReturnType<typeof openOrderDesk>>;
beforeAll(async () => {
  desk = await openOrderDesk();
});
beforeEach(() => {
  desk.checked.length = 0;
});
afterAll(() => desk.close());

const TWICE = 'Is sent twice with different values.';
const XTS = { value: 1, currencyCode: 'XTS' };

// prettier-ignore
test.each<[string, unknown, Record<string, string>, Record<string, string[]>, unknown]>([
  ['another member', { reference: '', amount: XTS }, {}, { reference: ['Must not be empty.'], 'amount.currencyCode': ['Is not enabled.'] }, { amount: XTS, kind: 'Table' }],
  ['a neighbour', { reference: 'r', amount: { ...XTS, value: 'x' } }, {}, { 'amount.value': ['Must be a number.'], 'amount.currencyCode': ['Is not enabled.'] }, { reference: 'r', amount: { currencyCode: 'XTS' }, kind: 'Table' }],
  ['the member itself', { reference: 'r', amount: { ...XTS, CurrencyCode: 'GBP' } }, {}, { 'amount.currencyCode': [TWICE, 'Is not enabled.'] }, { reference: 'r', amount: XTS, kind: 'Table' }],
  ['a header', { reference: 'r', amount: XTS }, { idempotencyKey: ' ' }, { idempotencyKey: ['Must be 1 to 100 visible ASCII characters.'], 'amount.currencyCode': ['Is not enabled.'] }, { reference: 'r', amount: XTS, kind: 'Table' }],
  ['all of the body', [], {}, { body: ['Must be an object.'] }, {}],
])('a request that is refused for %s has its readable members checked', async (_, body, headers, errors, read) => {
  const answer = await desk.create(body, headers);
  expect([answer.status, answer.body['errors']]).toEqual([400, errors]);
  expect(desk.checked).toEqual([read]);
});

test.each<[string, unknown, Record<string, string>, number]>([
  ['is accepted', VALID, {}, 200],
  ['has no permission', { amount: XTS }, { authorization: 'Basic reader' }, 403],
  ['has no key', { amount: XTS }, { authorization: 'Basic nobody' }, 401],
  ['repeats a key', { ...VALID, reference: 'mine' }, { idempotencyKey: 'used' }, 200],
  ['has another media type', { amount: XTS }, { 'content-type': 'text/plain' }, 415],
])('a request that %s has no member checked beyond its form', async (_, body, headers, status) => {
  expect((await desk.create(body, { ...GOOD, ...headers })).status).toBe(status);
  expect(desk.checked).toEqual([]);
});
