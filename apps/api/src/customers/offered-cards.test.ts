import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CustomerId, parseKnownId } from '@pos/core/identity';
import { deleteCustomer } from '@pos/rest-contracts/accounts';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';
import { createCustomer, createSecret } from '../testing/customer-requests.js';
import { parseJson } from '../testing/api-test-environment.js';
import { createStoredCard } from '../testing/saved-card-requests.js';

let testEnvironment: ChargeTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open();
}, 120_000);
afterAll(() => testEnvironment.close());

const PAID_WITH = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };

interface CardHolder {
  readonly customerId: CustomerId;
  readonly secret: string;
}

async function createCardHolder(): Promise<CardHolder> {
  const customerId = parseKnownId('customer', await createCustomer(testEnvironment.api));
  return { customerId, secret: await createSecret(testEnvironment.api, customerId) };
}

/** A payment that was created with the secret of its customer. */
function createPayment({ customerId: id, secret }: CardHolder, savedCardId?: string) {
  const customer = { id, secret, ...(savedCardId !== undefined && { savedCardId }) };
  return testEnvironment.api.createIntent({ paymentMethods: ['Card', 'SavedCard'], customer });
}

async function listOffered(intentId: string): Promise<string[]> {
  const answer = await testEnvironment.api.sendRequest('GET', `/payment-intents/public/${intentId}/payment-methods`);
  expect(answer.status).toBe(200);
  return (parseJson(answer)['savedPaymentMethods'] as { id: string }[]).map(({ id }) => id);
}

/** A card that the vault stores. */
async function createSavedCard({ customerId, secret }: CardHolder): Promise<string> {
  const { clientSessionSecret = '' } = await testEnvironment.api.createIntent({ customer: { id: customerId } });
  const body = { ...PAID_WITH, savePaymentMethod: true };
  await testEnvironment.payer('/client/payments', body, { 'client-session-secret': clientSessionSecret });
  const listed = await testEnvironment.api.sendRequest('GET', `/customers/public/${customerId}/payment-methods`, {
    key: secret,
  });
  return (parseJson(listed)['savedPaymentMethods'] as { id: string }[])[0]?.id ?? '';
}

const endSecrets = ({ customerId }: CardHolder) =>
  testEnvironment.api.queryRows(
    `update customer_secrets set expire_at = now() - interval '1 second' where customer_id = $1 returning id`,
    [customerId],
  );

describe('a payer is offered', () => {
  test('the card that the merchant named, then the others, newest first, and no expired one', async () => {
    const own = await createCardHolder();
    const [oldest, , newest] = [
      await createStoredCard(testEnvironment.api, own),
      await createStoredCard(testEnvironment.api, own, 2020),
      await createStoredCard(testEnvironment.api, own),
    ];
    expect(await listOffered((await createPayment(own)).id)).toEqual([newest, oldest]);
    expect(await listOffered((await createPayment(own, oldest)).id)).toEqual([oldest, newest]);
  });

  // oxfmt-ignore
  test.each<[string, (own: CardHolder) => Promise<string>]>([
    ['where the merchant sent no secret', async (own) => (await testEnvironment.api.createIntent({ paymentMethods: ['Card', 'SavedCard'], customer: { id: own.customerId } })).id],
    ['where no customer is named', async () => (await testEnvironment.api.createIntent({ paymentMethods: ['Card', 'SavedCard'] })).id],
    ['once the secret is expired', async (own) => { const { id } = await createPayment(own); await endSecrets(own); return id; }],
    ['once the customer is deleted', async (own) => { const { id } = await createPayment(own); await testEnvironment.api.createClient()(deleteCustomer, { params: { customerId: own.customerId } }); return id; }],
    ['for a payment that is paid', async (own) => { const paid = await createPayment(own); await testEnvironment.payer('/client/payments', PAID_WITH, { 'client-session-secret': paid.clientSessionSecret ?? '' }); return paid.id; }],
    ['of another customer’s cards', async () => (await createPayment(await createCardHolder())).id],
  ])('nothing %s', async (_, make) => {
    const own = await createCardHolder();
    await createStoredCard(testEnvironment.api, own);
    expect(await listOffered(await make(own))).toEqual([]);
  });
});

describe('a saved card pays without the customer’s secret', () => {
  const pay = (secret: string | undefined, paymentMethodId: string) =>
    testEnvironment.payer(
      '/client/payments/saved-card',
      { paymentMethodId, cV2: '020' },
      { 'client-session-secret': secret ?? '' },
    );

  test('where the payment was created with it', async () => {
    const own = await createCardHolder();
    const cardId = await createSavedCard(own);
    const { id, clientSessionSecret } = await createPayment(own);
    expect(await pay(clientSessionSecret, cardId)).toMatchObject({ statusCode: 0 });
    expect(await testEnvironment.readJson(`/payment-intents/${id}`)).toMatchObject({
      paymentDetails: { paymentMethodId: cardId },
    });
  });

  // oxfmt-ignore
  test.each<[string, number, (own: CardHolder) => Promise<string | undefined>]>([
    ['that was created without it', 404, async ({ customerId }) => (await testEnvironment.api.createIntent({ paymentMethods: ['SavedCard'], customer: { id: customerId } })).clientSessionSecret],
    ['without a customer', 404, async () => (await testEnvironment.api.createIntent({ paymentMethods: ['SavedCard'] })).clientSessionSecret],
    ['whose secret is expired', 401, async (own) => { const { clientSessionSecret } = await createPayment(own); await endSecrets(own); return clientSessionSecret; }],
    ['of another customer', 400, async () => (await createPayment(await createCardHolder())).clientSessionSecret],
    ['with an unknown secret', 401, () => Promise.resolve('x')],
  ])('but not a payment %s: %d, and nothing is tried', async (_, statusCode, make) => {
    const own = await createCardHolder();
    const cardId = await createSavedCard(own);
    const started = () => testEnvironment.api.queryRows('select reference from online_attempts');
    const secret = await make(own);
    const before = (await started()).length;
    expect((await pay(secret, cardId))['statusCode']).toBe(statusCode);
    expect((await started()).length).toBe(before);
  });
});
