import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeTestSettings } from '@pos/payments/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const PAYMENT = { amount: { value: 1250, currencyCode: 'GBP' } };
const SETUP = { terms: 't', merchantInitiatedTransactionType: 'NoShow' };
const REFUSED =
  'must not hold a card number; an account whose own numbers look like one has the setting allowsBareCardNumbers';

async function create(path: string, more: object, key?: string): Promise<[number, unknown]> {
  const body = { reference: 'r', ...(path === '/payment-intents' ? PAYMENT : SETUP), ...more };
  const answer = await testEnvironment.sendRequest('POST', path, { body, ...(key !== undefined && { key }) });
  // The digits of a trace are random.
  const said = answer.text.replace(/"traceId":"[^"]*"/, '');
  expect(said).not.toMatch(answer.status === 400 ? /\d{12}/ : /^$/);
  return [answer.status, answer.status === 200 ? parseJson(answer)['reference'] : parseJson(answer)['errors']];
}

describe.each(['/payment-intents', '/setup-intents'])('POST %s', (path) => {
  test.each([
    ['Visa', '4456530000091014'],
    ['Mastercard', '5200000000001005'],
    ['Amex', '374000000009108'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6200000000000005'],
    ['full-width digits', '４４５６５３０００００９１０１４'],
    ['words around it', 'order of 4456530000091014'],
  ])('refuses the bare number of a card in its reference: %s', async (_, reference) => {
    expect(await create(path, { reference })).toEqual([400, { reference: [REFUSED] }]);
  });

  test.each([
    ['as text', { paidWith: '4456530000091014' }],
    ['as a number', { order: { id: 4456530000091014 } }],
    ['as a name', { '4456530000091014': 1 }],
  ])('refuses it in metadata, %s', async (_, metadata) => {
    expect(await create(path, { metadata })).toEqual([400, { metadata: [REFUSED] }]);
  });

  test.each(['id', 'externalId'])('refuses it in orderDetails.%s', async (member) => {
    const orderDetails = { [member]: '4456530000091014' };
    expect(await create(path, { orderDetails })).toEqual([400, { [`orderDetails.${member}`]: [REFUSED] }]);
    expect(await create(path, { orderDetails: { [member]: '4456 5300 0009 1014' } })).toEqual([
      400,
      { [`orderDetails.${member}`]: ['Must not hold a card number.'] },
    ]);
    expect((await create(path, { orderDetails: { [member]: '1764250000000000' } }))[0]).toBe(200);
  });

  test('names it beside other violations', async () => {
    expect(await create(path, { reference: '4456530000091014', terms: 1, captureMode: 'Later' })).toEqual([
      400,
      expect.objectContaining({ reference: [REFUSED], captureMode: expect.anything() as unknown }),
    ]);
  });

  test.each(['20261127000001', '1764250000000000', '4456530000091015', '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f'])(
    'accepts a number that is none of a card: %s',
    async (reference) => {
      expect(await create(path, { reference })).toEqual([200, reference]);
    },
  );

  test('accepts it for an account whose own numbers look like one, but not in the groups of a card', async () => {
    const { scope, key } = await testEnvironment.createAccount();
    await changeTestSettings(testEnvironment.testDatabase.database, scope, { allowsBareCardNumbers: true });
    const reference = '4456530000091014';
    // Another violation keeps the number out of the database, which is searched for numbers.
    const ids = { metadata: { orderId: reference }, orderDetails: { id: reference, externalId: reference } };
    const more = { reference, ...ids, expireAt: '2020-01-01T00:00:00Z' };
    expect(await create(path, more, key)).toEqual([400, { expireAt: ['must be in the future'] }]);
    expect(await create(path, { reference: '4456 5300 0009 1014' }, key)).toEqual([
      400,
      { reference: ['Must not hold a card number.'] },
    ]);
  });
});
