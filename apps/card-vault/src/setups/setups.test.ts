import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunningVault } from '../boot.js';
import { VaultWorld } from '../testing.js';

let world: VaultWorld;
let hasty: RunningVault;

beforeAll(async () => {
  world = await VaultWorld.open();
  hasty = await world.hasty();
});
afterAll(() => world.close());
beforeEach(() => world.rule());

const AGREED = { mitConsentGiven: true } as const;
const DAY_MS = 86_400_000;

describe('a payer sets his card up', () => {
  test.each([
    ['4456530000091014', '020', 0, 'AUTHORIZED', 'Authorized Authorized', ['Stored number']],
    ['4456530000091071', '020', 0, 'AUTHORIZED', 'Authorized Authorized', ['Stored number']],
    ['4456530000001096', '020', 3, 'CHALLENGED', 'Created AuthChallenged', ['Pending number']],
    ['4456530000091022', '020', 4, 'Refer to card issuer', 'Created Declined', ['Erased']],
    ['4456530000091014', '999', 5, 'CV2 mismatch', 'Created Declined', ['Erased']],
    ['4242424242424242', '020', 5, 'Not a test card', 'Created Declined', ['Erased']],
    ['4456530000091030', '020', 30, 'Processing error', 'Created Error', ['Erased']],
  ])('%s with %s answers %d %s', async (cardNumber, cV2, statusCode, message, standing, kept) => {
    const setup = await world.setup();
    const { status, body } = await world.pay(setup, { cardNumber, cV2, ...AGREED });
    expect([status, body['statusCode'], body['message']]).toEqual([200, statusCode, message]);
    expect(await world.setupStanding(setup.id)).toBe(standing);
    const cards = await world.keptOfSetup(setup.id);
    expect(cards.map((card) => (card.startsWith('Erased') ? 'Erased' : card))).toEqual(kept);
  });

  test('which is verified over nothing, whatever may be charged later', async () => {
    const setup = await world.setup();
    await world.pay(setup, AGREED);
    const [call] = await world.look<{ reference: string }>(
      'select reference from acquirer_calls where setup_intent_id = $1',
      [setup.id],
    );
    const booked = world.outside.acquirer.books.find(call?.reference ?? '');
    expect([booked?.amount, booked?.isPurchase]).toEqual([{ value: 0, currencyCode: 'GBP' }, false]);
  });

  test.each([
    ['Y', 0, 'Authorized AuthChallenged Authorized', 'Stored'],
    ['N', 5, 'Created AuthChallenged Declined', 'Erased'],
  ])('and proves himself at the issuer: %s', async (paRes, statusCode, standing, state) => {
    const setup = await world.setup();
    const { body } = await world.pay(setup, { cardNumber: '4456530000001096', ...AGREED });
    const answer = await world.complete(setup, body['transactionId'], { paRes });
    expect(answer.body['statusCode']).toBe(statusCode);
    expect(await world.setupStanding(setup.id)).toBe(standing);
    expect((await world.keptOfSetup(setup.id))[0]).toMatch(new RegExp(`^${state}`));
  });

  test('and tries again with a new secret after a refusal', async () => {
    const setup = await world.setup();
    await world.pay(setup, { cV2: '999', ...AGREED });
    const secret = await world.refreshSetup(setup);
    expect((await world.pay({ secret }, AGREED)).body['statusCode']).toBe(0);
    expect(await world.setupStanding(setup.id)).toBe('Authorized Declined Authorized');
    expect((await world.keptOfSetup(setup.id)).map((card) => card.split(' ')[0])).toEqual(['Erased', 'Stored']);
  });

  test('and the save box makes it no card of the customer', async () => {
    const setup = await world.setup();
    await world.pay(setup, { ...AGREED, savePaymentMethod: true });
    expect(await world.look('select customer_id from saved_cards where setup_intent_id = $1', [setup.id])).toEqual([
      { customer_id: null },
    ]);
  });
});

describe('an attempt on a setup is refused', () => {
  test.each([
    ['without consent', {}, ['mitConsentGiven']],
    ['with the consent withheld', { mitConsentGiven: false }, ['mitConsentGiven']],
    ['without its CV2', { ...AGREED, cV2: null }, ['cV2']],
    ['with a card that has expired', { ...AGREED, expiryDate: '12/25' }, ['expiryDate']],
    ['with all of it wrong', { expiryDate: '12/25', cV2: null }, ['cV2', 'expiryDate', 'mitConsentGiven']],
  ])('%s, and the secret is still good', async (_, more, members) => {
    const setup = await world.setup();
    const { status, body } = await world.pay(setup, more);
    expect([status, Object.keys(body['errors'] as object).sort()]).toEqual([400, members]);
    expect([await world.setupStanding(setup.id), await world.keptOfSetup(setup.id)]).toEqual(['Created', []]);
    expect((await world.pay(setup, AGREED)).body['statusCode']).toBe(0);
  });

  test('with a wallet, whose token is for one payment', async () => {
    const setup = await world.setup({ paymentMethods: ['Card', 'Wallet'] });
    const token = Buffer.from(JSON.stringify({ cardNumber: '4456530000091014', expiryDate: '12/32', cV2: '020' }));
    const body = { wallet: 'APPLE_PAY', token: token.toString('base64url') };
    const answer = await world.post('/client/payments/wallet', body, setup);
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([400, ['wallet']]);
  });

  test('with a saved card', async () => {
    const setup = await world.setup({ paymentMethods: ['Card', 'SavedCard'] });
    const body = { paymentMethodId: 'pm_AAAAAAAAAAAAAAAAAAAAAA', cV2: '020' };
    const answer = await world.post('/client/payments/saved-card', body, {
      ...setup,
      headers: { 'customer-secret': 'x' },
    });
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([400, ['paymentMethodId']]);
  });

  test('once it is authorised: 20, and with a secret that was replaced: 401', async () => {
    const setup = await world.setup();
    const secret = await world.refreshSetup(setup);
    expect((await world.pay(setup, AGREED)).status).toBe(401);
    await world.pay({ secret }, AGREED);
    for (const text of [secret, setup.secret]) {
      expect((await world.pay({ secret: text }, AGREED)).body['statusCode']).toBe(20);
    }
    expect(await world.keptOfSetup(setup.id)).toEqual(['Stored number']);
  });

  test('when ten came in half an hour', async () => {
    const setup = await world.setup();
    let { secret } = setup;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await world.pay({ secret }, { cV2: '999', ...AGREED });
      secret = await world.refreshSetup(setup);
    }
    expect((await world.pay({ secret }, AGREED)).body['statusCode']).toBe(400);
  });
});

describe('an outcome that nobody heard', () => {
  test('is found by the worker', async () => {
    const setup = await world.setup();
    world.rule({ match: { kind: 'Authorise' }, effect: 'drop-answer', times: 1 });
    expect((await world.pay(setup, AGREED, { at: hasty })).body['statusCode']).toBe(500);
    expect([await world.setupStanding(setup.id), await world.keptOfSetup(setup.id)]).toEqual([
      'Created',
      ['Pending number'],
    ]);
    await world.elapse(30_000);
    expect([await world.setupStanding(setup.id), await world.keptOfSetup(setup.id)]).toEqual([
      'Authorized Authorized',
      ['Stored number'],
    ]);
  });

  test('is given up in the end, the card erased, and the payer may try again', async () => {
    const setup = await world.setup();
    world.rule({ match: { kind: 'Authorise' }, effect: 'down', times: 1 });
    expect((await world.pay(setup, AGREED)).body['statusCode']).toBe(500);
    await world.elapse(120_000);
    expect(await world.setupStanding(setup.id)).toBe('Created Error');
    expect((await world.keptOfSetup(setup.id))[0]).toMatch(/^Erased/);
    expect((await world.pay({ secret: await world.refreshSetup(setup) }, AGREED)).body['statusCode']).toBe(0);
  });
});

test('the card goes with the setup: given up, or its last month over', async () => {
  const given = await world.setup();
  const outlived = await world.setup();
  await world.pay(given, AGREED);
  const nextYear = new Date().getUTCFullYear() + 1;
  await world.pay(outlived, { ...AGREED, expiryDate: `12/${nextYear % 100}` });
  await world.database.transact(given.scope, (tx) => world.setups.cancel(tx, given.id, { includeAuthorized: true }));
  expect([await world.setupStanding(given.id), (await world.keptOfSetup(given.id))[0]?.split(' ')[0]]).toEqual([
    'Closed Authorized Canceled',
    'Erased',
  ]);
  await world.elapse(DAY_MS * 366 * 2);
  expect([await world.setupStanding(outlived.id), (await world.keptOfSetup(outlived.id))[0]?.split(' ')[0]]).toEqual([
    'CardExpired Authorized',
    'Erased',
  ]);
});
