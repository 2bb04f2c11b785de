import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PAYMENT_INTENT_STATUSES, type PaymentIntentStatus } from '@pos/core/payment-intents';
import { SETUP_INTENT_STATUSES, type SetupIntentStatus } from '@pos/core/setup-intents';
import { CARD_VAULT_OPERATIONS } from '@pos/rest-contracts/card-vault';
import { expectCovered, formatStateTable } from '@pos/testing';
import { createCustomer, createSecret } from '../testing/customer-requests.js';
import { bringSetupTo, createSetup } from '../testing/setup-requests.js';
import { parseJson, SHOP_ORIGIN } from '../testing/api-test-environment.js';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';

let testEnvironment: ChargeTestEnvironment;
/** A customer with a saved card that can be charged. */
let customer: { readonly id: string; readonly secret: string; readonly paymentMethodId: string };

beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open();
  const id = await createCustomer(testEnvironment.api);
  const { clientSessionSecret = '' } = await testEnvironment.api.createIntent({ customer: { id } });
  await callVault('/client/payments', { ...CARD, savePaymentMethod: true }, clientSessionSecret);
  const secret = await createSecret(testEnvironment.api, id);
  const path = `/customers/public/${id}/payment-methods`;
  const visible = parseJson(await testEnvironment.api.sendRequest('GET', path, { key: secret }));
  const [card] = visible['savedPaymentMethods'] as { id: string }[];
  customer = { id, secret, paymentMethodId: card?.id ?? '' };
});
afterAll(() => testEnvironment.close());

const CARD_NUMBER = '4456530000091014';
const CHALLENGED_NUMBER = '4456530000001096';
const CARD = { cardNumber: CARD_NUMBER, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020', mitConsentGiven: true };
const TOKEN = Buffer.from(JSON.stringify({ cardNumber: CARD_NUMBER, expiryDate: '12/32', cV2: '020' }));

async function callVault(path: string, body: object, by: string | Readonly<Record<string, string>>): Promise<number> {
  const headers = typeof by === 'string' ? { 'client-session-secret': by } : by;
  const answer = await testEnvironment.payer(path, body, headers);
  // Device data and addresses of fields are no result: they carry no code where they are given.
  return 'formAction' in answer || 'cardFields' in answer ? 200 : Number(answer['statusCode']);
}

const payByCard = (secret: string) => callVault('/client/payments', CARD, secret);
const payByWallet = (secret: string) =>
  callVault('/client/payments/wallet', { wallet: 'GOOGLE_PAY', token: TOKEN.toString('base64url') }, secret);
const payBySavedCard = (secret: string) =>
  callVault(
    '/client/payments/saved-card',
    { paymentMethodId: customer.paymentMethodId, cV2: '020' },
    { 'client-session-secret': secret, 'customer-secret': customer.secret },
  );
const openCardFields = (secret: string) =>
  callVault('/client/card-fields', {}, { 'client-session-secret': secret, origin: SHOP_ORIGIN });
const sendDeviceData = (secret: string) => callVault('/client/device-data', { cardNumber: CARD_NUMBER }, secret);
const completeWithoutChallenge = (secret: string) =>
  callVault('/client/payments/challenge', { paRes: 'Y', transactionId: 'of nobody' }, secret);

/** A payment that takes every way to pay and is then brought to the status, with the secret it was made with. */
async function createIntentSecret(status: PaymentIntentStatus): Promise<string> {
  const { id, clientSessionSecret = '' } = await testEnvironment.api.createIntent({
    captureMode: status === 'Authorized' ? 'Manual' : 'Auto',
    paymentMethods: ['Card', 'Wallet', 'SavedCard'],
    customer: { id: customer.id },
  });
  await testEnvironment.api.bringIntentTo(id, status);
  return clientSessionSecret;
}

/** A payment that was challenged, and came to its status by how that ended. */
async function endIntent(status: PaymentIntentStatus): Promise<number> {
  const captureMode = status === 'Authorized' ? 'Manual' : 'Auto';
  const { id, clientSessionSecret: secret = '' } = await testEnvironment.api.createIntent({ captureMode });
  const headers = { 'client-session-secret': secret };
  const started = await testEnvironment.payer('/client/payments', { ...CARD, cardNumber: CHALLENGED_NUMBER }, headers);
  const end = (paRes: string) =>
    callVault('/client/payments/challenge', { paRes, transactionId: started['transactionId'] }, secret);
  if (status === 'Created') return end('Y');
  const first = await end(status === 'Canceled' ? 'N' : 'Y');
  expect(first).toBe(status === 'Canceled' ? 5 : 0);
  const after = { Reversed: 'reversal', Refunded: 'refunds', Canceled: '' }[status as string];
  if (after !== undefined) {
    const path = `/payment-intents/${id}${after === '' ? '' : `/${after}`}`;
    const body = after === 'refunds' ? { amount: 2000 } : undefined;
    const idempotencyKey = after === 'refunds' ? 'all-of-it' : null;
    await testEnvironment.api.sendRequest(after === '' ? 'DELETE' : 'POST', path, {
      body,
      headers: { idempotencyKey },
    });
  }
  expect((await testEnvironment.readJson(`/payment-intents/${id}?returnCanceled=true`))['status']).toBe(status);
  return end('Y');
}

/** A setup intent in the status, with the secret it was made with. */
async function createSetupSecret(status: SetupIntentStatus): Promise<string> {
  const { id, clientSessionSecret = '' } = await createSetup(testEnvironment.api);
  await bringSetupTo(testEnvironment.api, id, status);
  return clientSessionSecret;
}

describe('the result by state', () => {
  const ofIntent = (pay: (secret: string) => Promise<number>) => async (status: PaymentIntentStatus) =>
    pay(await createIntentSecret(status));
  // A payment that was undone as a whole is over without money, and no more an approval: 30.
  // oxfmt-ignore
  const INTENTS: readonly [string, (status: PaymentIntentStatus) => Promise<number>, ...number[]][] = [
    //                                                          Created Authorized Captured Reversed Refunded Canceled
    ['`openCardFields`', ofIntent(openCardFields),                  200, 401, 401, 401, 401, 401],
    ['`prepareDeviceData`', ofIntent(sendDeviceData),                   200, 401, 401, 401, 401, 401],
    ['`payByCard`', ofIntent(payByCard),                            0, 20, 20, 401, 20, 401],
    ['`payByWallet`', ofIntent(payByWallet),                        0, 20, 20, 401, 20, 401],
    ['`payBySavedCard`', ofIntent(payBySavedCard),                  0, 20, 20, 401, 20, 401],
    ['`completeChallenge`, of the attempt that led there', endIntent, 0, 0, 0, 30, 0, 5],
    ['`completeChallenge`, where none was asked', ofIntent(completeWithoutChallenge), 401, 401, 401, 401, 401, 401],
  ];
  const ofSetup = (pay: (secret: string) => Promise<number>) => async (status: SetupIntentStatus) =>
    pay(await createSetupSecret(status));
  // oxfmt-ignore
  const SETUPS: readonly [string, (status: SetupIntentStatus) => Promise<number>, ...number[]][] = [
    //                                                Created Authorized Expired CardExpired Canceled Completed Closed
    ['`openCardFields`', ofSetup(openCardFields),             200, 401, 401, 401, 401, 401, 401],
    ['`prepareDeviceData`', ofSetup(sendDeviceData),          200, 401, 401, 401, 401, 401, 401],
    ['`payByCard`', ofSetup(payByCard),                   0, 20, 401, 401, 401, 20, 401],
    ['`payByWallet`', ofSetup(payByWallet),               400, 20, 401, 401, 401, 20, 401],
    ['`payBySavedCard`', ofSetup(payBySavedCard),         400, 20, 401, 401, 401, 20, 401],
    ['`completeChallenge`, where none was asked', ofSetup(completeWithoutChallenge), 401, 401, 401, 401, 401, 401, 401],
  ];

  test.each(INTENTS)('of a payment intent: %s', async (_, pay, ...expected) => {
    const results: number[] = [];
    for (const status of PAYMENT_INTENT_STATUSES) results.push(await pay(status));
    expect(results).toEqual(expected);
  });

  test.each(SETUPS)('of a setup intent: %s', async (_, pay, ...expected) => {
    const results: number[] = [];
    for (const status of SETUP_INTENT_STATUSES) results.push(await pay(status));
    expect(results).toEqual(expected);
  });

  test('is listed in docs/reference/response-coverage.md, and leaves out no call of a payer', () => {
    for (const [section, states, table] of [
      ['payers intents', PAYMENT_INTENT_STATUSES, INTENTS],
      ['payers setups', SETUP_INTENT_STATUSES, SETUPS],
    ] as const) {
      const rows = table.map(([says, , ...answers]) => ({ says, answers }));
      const calls = CARD_VAULT_OPERATIONS.filter(({ clientSecret }) => clientSecret === true).map(({ id }) => id);
      expect(calls.filter((id) => !rows.some(({ says }) => says.includes(`\`${id}\``)))).toEqual([]);
      expectCovered(section, formatStateTable(states, rows));
    }
  });
});
