import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CardVaultServer } from '../vault-server.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';

let testEnvironment: VaultTestEnvironment;
let shortDeadlineVault: CardVaultServer;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startWithShortDeadline();
});
afterAll(() => testEnvironment.close());
beforeEach(() => testEnvironment.setRules());

const CONSENT_BODY = { mitConsentGiven: true } as const;
const DAY_MS = 86_400_000;

describe('a payer sets up a card', () => {
  test.each([
    ['4456530000091014', '020', 0, 'AUTHORIZED', 'Authorized Authorized', ['Stored number']],
    ['4456530000091071', '020', 0, 'AUTHORIZED', 'Authorized Authorized', ['Stored number']],
    ['4456530000001096', '020', 3, 'CHALLENGED', 'Created AuthChallenged', ['Pending number']],
    ['4456530000091022', '020', 4, 'Refer to card issuer', 'Created Declined', ['Erased']],
    ['4456530000091014', '999', 5, 'CV2 mismatch', 'Created Declined', ['Erased']],
    ['4242424242424242', '020', 5, 'Not a test card', 'Created Declined', ['Erased']],
    ['4456530000091030', '020', 30, 'Processing error', 'Created Error', ['Erased']],
  ])('%s with %s answers %d %s', async (cardNumber, cV2, statusCode, message, currentState, stored) => {
    const setup = await testEnvironment.createSetup();
    const { status, body } = await testEnvironment.payByCard(setup, { cardNumber, cV2, ...CONSENT_BODY });
    expect([status, body['statusCode'], body['message']]).toEqual([200, statusCode, message]);
    expect(await testEnvironment.readSetupState(setup.id)).toBe(currentState);
    const cards = await testEnvironment.listStoredOfSetup(setup.id);
    expect(cards.map((card) => (card.startsWith('Erased') ? 'Erased' : card))).toEqual(stored);
  });

  test('that is verified with an amount of zero, not with the later charge', async () => {
    const setup = await testEnvironment.createSetup();
    await testEnvironment.payByCard(setup, CONSENT_BODY);
    const [call] = await testEnvironment.queryRows<{ reference: string }>(
      'select reference from acquirer_calls where setup_intent_id = $1',
      [setup.id],
    );
    const booked = testEnvironment.outside.acquirer.books.findCall(call?.reference ?? '');
    expect([booked?.amount, booked?.isPurchase]).toEqual([{ value: 0, currencyCode: 'GBP' }, false]);
  });

  test.each([
    ['Y', 0, 'Authorized AuthChallenged Authorized', 'Stored'],
    ['N', 5, 'Created AuthChallenged Declined', 'Erased'],
  ])('and answers the issuer’s challenge with %s', async (paRes, statusCode, currentState, state) => {
    const setup = await testEnvironment.createSetup();
    const { body } = await testEnvironment.payByCard(setup, { cardNumber: '4456530000001096', ...CONSENT_BODY });
    const answer = await testEnvironment.completeChallenge(setup, body['transactionId'], { paRes });
    expect(answer.body['statusCode']).toBe(statusCode);
    expect(await testEnvironment.readSetupState(setup.id)).toBe(currentState);
    expect((await testEnvironment.listStoredOfSetup(setup.id))[0]).toMatch(new RegExp(`^${state}`));
  });

  test('and tries again with a new secret after a refusal', async () => {
    const setup = await testEnvironment.createSetup();
    await testEnvironment.payByCard(setup, { cV2: '999', ...CONSENT_BODY });
    const secret = await testEnvironment.refreshSetup(setup);
    expect((await testEnvironment.payByCard({ secret }, CONSENT_BODY)).body['statusCode']).toBe(0);
    expect(await testEnvironment.readSetupState(setup.id)).toBe('Authorized Declined Authorized');
    expect((await testEnvironment.listStoredOfSetup(setup.id)).map((card) => card.split(' ')[0])).toEqual([
      'Erased',
      'Stored',
    ]);
  });

  test('and the save box does not make it a saved card of the customer', async () => {
    const setup = await testEnvironment.createSetup();
    await testEnvironment.payByCard(setup, { ...CONSENT_BODY, savePaymentMethod: true });
    expect(
      await testEnvironment.queryRows('select customer_id from saved_cards where setup_intent_id = $1', [setup.id]),
    ).toEqual([{ customer_id: null }]);
  });
});

describe('an attempt on a setup is refused', () => {
  test.each([
    ['without consent', {}, ['mitConsentGiven']],
    ['with the consent withheld', { mitConsentGiven: false }, ['mitConsentGiven']],
    ['without its CV2', { ...CONSENT_BODY, cV2: null }, ['cV2']],
    ['with a card that has expired', { ...CONSENT_BODY, expiryDate: '12/25' }, ['expiryDate']],
    ['with all of it wrong', { expiryDate: '12/25', cV2: null }, ['cV2', 'expiryDate', 'mitConsentGiven']],
  ])('%s, and the secret stays valid', async (_, more, members) => {
    const setup = await testEnvironment.createSetup();
    const { status, body } = await testEnvironment.payByCard(setup, more);
    expect([status, Object.keys(body['errors'] as object).sort()]).toEqual([400, members]);
    expect([await testEnvironment.readSetupState(setup.id), await testEnvironment.listStoredOfSetup(setup.id)]).toEqual(
      ['Created', []],
    );
    expect((await testEnvironment.payByCard(setup, CONSENT_BODY)).body['statusCode']).toBe(0);
  });

  test('with a wallet, because its token is for one payment', async () => {
    const setup = await testEnvironment.createSetup({ paymentMethods: ['Card', 'Wallet'] });
    const token = Buffer.from(JSON.stringify({ cardNumber: '4456530000091014', expiryDate: '12/32', cV2: '020' }));
    const body = { wallet: 'APPLE_PAY', token: token.toString('base64url') };
    const answer = await testEnvironment.postJson('/client/payments/wallet', body, setup);
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([400, ['wallet']]);
  });

  test('with a saved card', async () => {
    const setup = await testEnvironment.createSetup({ paymentMethods: ['Card', 'SavedCard'] });
    const body = { paymentMethodId: 'pm_AAAAAAAAAAAAAAAAAAAAAA', cV2: '020' };
    const answer = await testEnvironment.postJson('/client/payments/saved-card', body, {
      ...setup,
      headers: { 'customer-secret': 'x' },
    });
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([400, ['paymentMethodId']]);
  });

  test('once it is authorised: 20, and with a replaced secret: 401', async () => {
    const setup = await testEnvironment.createSetup();
    await testEnvironment.replaceSetupSecret(setup);
    const secret = await testEnvironment.refreshSetup(setup);
    expect((await testEnvironment.payByCard(setup, CONSENT_BODY)).status).toBe(401);
    await testEnvironment.payByCard({ secret }, CONSENT_BODY);
    for (const text of [secret, setup.secret]) {
      expect((await testEnvironment.payByCard({ secret: text }, CONSENT_BODY)).body['statusCode']).toBe(20);
    }
    expect(await testEnvironment.listStoredOfSetup(setup.id)).toEqual(['Stored number']);
  });

  test('after ten attempts in half an hour', async () => {
    const setup = await testEnvironment.createSetup();
    let { secret } = setup;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await testEnvironment.payByCard({ secret }, { cV2: '999', ...CONSENT_BODY });
      secret = await testEnvironment.refreshSetup(setup);
    }
    expect((await testEnvironment.payByCard({ secret }, CONSENT_BODY)).body['statusCode']).toBe(400);
  });
});

describe('an outcome whose answer was lost', () => {
  test('is found by the worker', async () => {
    const setup = await testEnvironment.createSetup();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 });
    expect((await testEnvironment.payByCard(setup, CONSENT_BODY, { at: shortDeadlineVault })).body['statusCode']).toBe(
      500,
    );
    expect([await testEnvironment.readSetupState(setup.id), await testEnvironment.listStoredOfSetup(setup.id)]).toEqual(
      ['Created', ['Pending number']],
    );
    await testEnvironment.advanceTime(30_000);
    expect([await testEnvironment.readSetupState(setup.id), await testEnvironment.listStoredOfSetup(setup.id)]).toEqual(
      ['Authorized Authorized', ['Stored number']],
    );
  });

  test('is reversed in the end, the card is erased, and the payer may try again', async () => {
    const setup = await testEnvironment.createSetup();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'down', times: 1 });
    expect((await testEnvironment.payByCard(setup, CONSENT_BODY)).body['statusCode']).toBe(500);
    await testEnvironment.advanceTime(120_000);
    expect(await testEnvironment.readSetupState(setup.id)).toBe('Created Error');
    expect((await testEnvironment.listStoredOfSetup(setup.id))[0]).toMatch(/^Erased/);
    expect(
      (await testEnvironment.payByCard({ secret: await testEnvironment.refreshSetup(setup) }, CONSENT_BODY)).body[
        'statusCode'
      ],
    ).toBe(0);
  });
});

test('the card is erased with its setup: on cancellation, or after its last month', async () => {
  const given = await testEnvironment.createSetup();
  const outlived = await testEnvironment.createSetup();
  await testEnvironment.payByCard(given, CONSENT_BODY);
  const nextYear = new Date().getUTCFullYear() + 1;
  await testEnvironment.payByCard(outlived, { ...CONSENT_BODY, expiryDate: `12/${nextYear % 100}` });
  await testEnvironment.database.transact(given.scope, (tx) =>
    testEnvironment.setups.cancel(tx, given.id, { includeAuthorized: true }),
  );
  expect([
    await testEnvironment.readSetupState(given.id),
    (await testEnvironment.listStoredOfSetup(given.id))[0]?.split(' ')[0],
  ]).toEqual(['Closed Authorized Canceled', 'Erased']);
  await testEnvironment.advanceTime(DAY_MS * 366 * 2);
  expect([
    await testEnvironment.readSetupState(outlived.id),
    (await testEnvironment.listStoredOfSetup(outlived.id))[0]?.split(' ')[0],
  ]).toEqual(['CardExpired Authorized', 'Erased']);
});
