import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { VALID_HEADERS, startOrderServer, VALID_BODY } from '../testing/order-server.js';

let orderServer: Awaited<ReturnType<typeof startOrderServer>>;
beforeAll(async () => {
  orderServer = await startOrderServer();
});
beforeEach(() => {
  orderServer.checked.length = 0;
});
afterAll(() => orderServer.close());

const TWICE_MESSAGE = 'Is sent twice with different values.';
const XTS_AMOUNT = { value: 1, currencyCode: 'XTS' };

// oxfmt-ignore
test.each<[string, unknown, Record<string, string>, Record<string, string[]>, unknown]>([
  ['another member', { reference: '', amount: XTS_AMOUNT }, {}, { reference: ['Must not be empty.'], 'amount.currencyCode': ['Is not enabled.'] }, { amount: XTS_AMOUNT, kind: 'Table' }],
  ['a neighbour', { reference: 'r', amount: { ...XTS_AMOUNT, value: 'x' } }, {}, { 'amount.value': ['Must be a number.'], 'amount.currencyCode': ['Is not enabled.'] }, { reference: 'r', amount: { currencyCode: 'XTS' }, kind: 'Table' }],
  ['the member itself', { reference: 'r', amount: { ...XTS_AMOUNT, CurrencyCode: 'GBP' } }, {}, { 'amount.currencyCode': [TWICE_MESSAGE, 'Is not enabled.'] }, { reference: 'r', amount: XTS_AMOUNT, kind: 'Table' }],
  ['a header', { reference: 'r', amount: XTS_AMOUNT }, { idempotencyKey: ' ' }, { idempotencyKey: ['Must be 1 to 100 visible ASCII characters.'], 'amount.currencyCode': ['Is not enabled.'] }, { reference: 'r', amount: XTS_AMOUNT, kind: 'Table' }],
  ['all of the body', [], {}, { body: ['Must be an object.'] }, {}],
])('a request that is refused for %s has its readable members checked', async (_, body, headers, errors, read) => {
  const answer = await orderServer.create(body, headers);
  expect([answer.status, answer.body['errors']]).toEqual([400, errors]);
  expect(orderServer.checked).toEqual([read]);
});

test.each<[string, unknown, Record<string, string>, number]>([
  ['is accepted', VALID_BODY, {}, 200],
  ['has no permission', { amount: XTS_AMOUNT }, { authorization: 'Basic reader' }, 403],
  ['has no key', { amount: XTS_AMOUNT }, { authorization: 'Basic nobody' }, 401],
  ['repeats a key', { ...VALID_BODY, reference: 'mine' }, { idempotencyKey: 'used' }, 200],
  ['has another media type', { amount: XTS_AMOUNT }, { 'content-type': 'text/plain' }, 415],
])('a request that %s has no member checked beyond its form', async (_, body, headers, status) => {
  expect((await orderServer.create(body, { ...VALID_HEADERS, ...headers })).status).toBe(status);
  expect(orderServer.checked).toEqual([]);
});
