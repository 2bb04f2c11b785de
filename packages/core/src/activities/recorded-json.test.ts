import { expect, test } from '@jest/globals';
import { LeakScan } from '../leaks/leak-scan.js';
import { createCv2MessageShapes, createNumberShapes, createSecretShapes } from '../leaks/leak-shapes.js';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '../cards/test-card-numbers.js';
import { CLIENT_SECRET, CUSTOMER_SECRET, KEY, KNOWN } from '../testing/leak-rows.js';
import { isRecordableText, NOT_RECORDED, recordJson, RECORDED_MEMBERS, recordPath } from './recorded-json.js';

const scan = new LeakScan([
  ...createNumberShapes([...TEST_NUMBERS, ...EXAMPLE_NUMBERS]),
  ...createCv2MessageShapes(),
  ...createSecretShapes(),
]);
const WEBHOOK_SECRET = 'aB3_aB3_aB3_aB3_aB3_aB3_aB3_aB3_aB3_aB3_aB3';

test('of a request and its answer only listed members have their values', () => {
  const sent = {
    amount: { value: 1250, currencyCode: 'GBP' },
    reference: 'table 4',
    description: 'for Kim',
    customer: { emailAddress: 'kim@example.com' },
    captureMode: 'Auto',
    paymentMethods: ['Card', 'Wallet'],
    metaData: { amount: 5, id: 'loyalty-7' },
  };
  expect(recordJson(sent)).toEqual({
    amount: { value: 1250, currencyCode: 'GBP' },
    reference: 'table 4',
    description: NOT_RECORDED,
    customer: NOT_RECORDED,
    captureMode: 'Auto',
    paymentMethods: ['Card', 'Wallet'],
    metaData: NOT_RECORDED,
  });
});

test('the violations of a request are recorded by the names of its members', () => {
  const problem = { status: 400, errors: { 'amount.value': ['Must be at least 1.'], cardNumber: ['Is required.'] } };
  expect(recordJson(problem)).toEqual(problem);
});

// oxfmt-ignore
test.each([
  ['an API key in a listed member',          { reference: KEY }],
  ['the beginning of an API key',            { reference: KEY.slice(0, 20) }],
  ['a key within a text',                    { detail: `the key ${KEY} is wrong` }],
  ['a client secret',                        { id: CLIENT_SECRET }],
  ['a client secret in its own member',      { clientSessionSecret: CLIENT_SECRET }],
  ['a secret of a customer',                 { reason: CUSTOMER_SECRET }],
  ['a secret of a webhook as a value',       { value: WEBHOOK_SECRET }],
  ['a header of a key',                      { reason: 'Basic c2s=' }],
  ['a card number in a listed member',       { reference: KNOWN }],
  ['a card number in groups',                { detail: '4456 5300 0009 1014' }],
  ['a card number as a number',              { amount: { value: Number(KNOWN) } }],
  ['a card number as an id',                 { paymentIntentId: KNOWN }],
  ['a card number as the name of a member',  { errors: { [KNOWN]: ['x'] } }],
  ['a key as the name of a member',          { errors: { [KEY]: ['x'] } }],
  ['a card with its code',                   { cardNumber: KNOWN, cV2: '020' }],
  ['a code in a text',                       { reason: 'cvv: 020' }],
  ['a wallet token',                         { token: '{"version":"EC_v1","data":"x"}', wallet: 'APPLE_PAY' }],
])('%s is not recorded', (_, body) => {
  const text = JSON.stringify(recordJson(body));
  expect(scan.findInText(text)).toEqual([]);
  for (const secret of [KEY.slice(0, 20), CLIENT_SECRET, CUSTOMER_SECRET, WEBHOOK_SECRET, KNOWN, '020', 'EC_v1', 'c2s='])
    expect(text).not.toContain(secret);
});

test('no listed member is a secret, a number of a card or personal data', () => {
  const forbidden =
    /secret|token$|password|pan\b|cardnumber|cv2|cvv|email|phone|address|holdername|^name$|url|html|^key$/i;
  expect([...RECORDED_MEMBERS].filter((name) => forbidden.test(name) && name !== 'generateRemoteToken')).toEqual([]);
});

test('ids, enumerations and references are recordable, in every environment', () => {
  for (const text of [
    'pi_sandbox_AaH8KwlxavakGwZZljrhYw',
    'ts_prod_01a1fc2b097163620cb44287',
    '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20',
    'payment_intent.status_updated',
    'https://datatracker.ietf.org/doc/html/rfc7231#section-6.5.1',
  ])
    expect(isRecordableText(text)).toBe(true);
});

test('a large body is recorded in part, and a deep one to a depth', () => {
  const many = recordJson({ data: Array.from({ length: 5_000 }, (_, id) => ({ id })) });
  expect(JSON.stringify(many).length).toBeLessThan(4_000);
  let deep: unknown = 1;
  for (let level = 0; level < 40; level += 1) deep = { data: deep };
  expect(JSON.stringify(recordJson(deep))).toContain(NOT_RECORDED);
  expect(recordJson({ reason: 'x'.repeat(201) })).toEqual({ reason: NOT_RECORDED });
});

test.each([
  ['/payment-intents/pi_sandbox_AaH8KwlxavakGwZZljrhYw', '/payment-intents/pi_sandbox_AaH8KwlxavakGwZZljrhYw'],
  [`/payment-intents/${KEY}/captures`, `/payment-intents/${NOT_RECORDED}/captures`],
  [`/payment-intents/${KNOWN}`, `/payment-intents/${NOT_RECORDED}`],
  ['/payment-intents/4456%205300%200009%201014', `/payment-intents/${NOT_RECORDED}`],
])('the path %s is recorded as %s', (path, recorded) => {
  expect(recordPath(path)).toBe(recorded);
});
