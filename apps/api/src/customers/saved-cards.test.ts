import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCustomer, createSecret } from '../testing/customer-requests.js';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';
import { parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ChargeTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const CARD = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };
const BOTH_METHODS = ['Card', 'SavedCard'] as const;

interface Payable {
  readonly id: string;
  readonly secret: string;
  /** By default the right one. */
  readonly cV2?: string;
}

async function createPayment(
  customerId: string | null,
  paymentMethods: readonly ('Card' | 'SavedCard')[] = BOTH_METHODS,
): Promise<Payable> {
  const customer = customerId === null ? {} : { customer: { id: customerId } };
  const { id, clientSessionSecret = '' } = await testEnvironment.api.createIntent({
    ...customer,
    paymentMethods: [...paymentMethods],
  });
  return { id, secret: clientSessionSecret };
}

/** A customer who has paid once and saved the card. */
async function createCustomerWithCard(card: Partial<typeof CARD> = {}) {
  const customerId = await createCustomer(testEnvironment.api);
  const { secret } = await createPayment(customerId);
  const body = { ...CARD, ...card, savePaymentMethod: true };
  const output = await testEnvironment.payer('/client/payments', body, { 'client-session-secret': secret });
  const customerSecret = await createSecret(testEnvironment.api, customerId);
  const [saved] = (await readMethods(customerId, customerSecret))['savedPaymentMethods'] as { id: string }[];
  return { customerId, customerSecret, output, cardId: saved?.id ?? '' };
}

async function readMethods(customerId: string, key: string): Promise<Record<string, unknown>> {
  return parseJson(
    await testEnvironment.api.sendRequest('GET', `/customers/public/${customerId}/payment-methods`, { key }),
  );
}

function payWithSavedCard({ secret, cV2 = '020' }: Payable, paymentMethodId: string, customerSecret: string) {
  const headers = { 'client-session-secret': secret, 'customer-secret': customerSecret };
  return testEnvironment.payer('/client/payments/saved-card', { paymentMethodId, cV2 }, headers);
}

const listErasureTimers = (): Promise<{ id: string }[]> =>
  testEnvironment.api.queryRows(`select subject as id from timers where kind = 'card-erasure'`);
const findCardState = async (id: string): Promise<string | undefined> =>
  (await testEnvironment.api.queryRows<{ state: string }>('select state from saved_cards where id = $1', [id]))[0]
    ?.state;

test('a customer reads the cards that were saved with consent, newest first and without numbers', async () => {
  const { customerId, customerSecret, cardId } = await createCustomerWithCard();
  expect(await readMethods(customerId, customerSecret)).toEqual({
    customerId,
    merchantId: '9000012345',
    savedPaymentMethods: [
      { id: cardId, cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' } },
    ],
    supportedPaymentMethods: { cardSchemes: expect.any(Array) as unknown, wallets: expect.any(Array) as unknown },
  });
  const { secret } = await createPayment(customerId);
  const body = { ...CARD, cardNumber: '5200000000001005', savePaymentMethod: true };
  await testEnvironment.payer('/client/payments', body, { 'client-session-secret': secret });
  const listed = (await readMethods(customerId, customerSecret))['savedPaymentMethods'] as { id: string }[];
  expect([listed.length, listed[1]?.id]).toEqual([2, cardId]);
});

test('neither a declined card nor the card of a setup intent is listed', async () => {
  const { customerId, customerSecret, output } = await createCustomerWithCard({ cV2: '999' });
  await testEnvironment.createSetup({ customer: { id: customerId } });
  expect([output['statusCode'], (await readMethods(customerId, customerSecret))['savedPaymentMethods']]).toEqual([
    5,
    [],
  ]);
});

describe('a payment with a saved card', () => {
  test('is approved repeatedly, and names its card', async () => {
    const { customerId, customerSecret, cardId } = await createCustomerWithCard();
    for (let time = 0; time < 2; time += 1) {
      const payable = await createPayment(customerId);
      expect(await payWithSavedCard(payable, cardId, customerSecret)).toMatchObject({
        statusCode: 0,
        message: 'DEPOSITED',
      });
      const visible = await testEnvironment.readJson(`/payment-intents/${payable.id}`);
      expect(visible).toMatchObject({ status: 'Captured', paymentDetails: { paymentMethodId: cardId } });
    }
    expect(await findCardState(cardId)).toBe('Stored');
  });

  test('sends the payer’s billing address to the issuer', async () => {
    const { customerId, customerSecret, cardId } = await createCustomerWithCard();
    const { id, secret } = await createPayment(customerId);
    const billingAddress = { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' };
    const headers = { 'client-session-secret': secret, 'customer-secret': customerSecret };
    const body = { paymentMethodId: cardId, cV2: '020', billingAddress };
    expect(await testEnvironment.payer('/client/payments/saved-card', body, headers)).toMatchObject({ statusCode: 0 });
    expect(await testEnvironment.readJson(`/payment-intents/${id}`)).toMatchObject({
      billingAddress,
      paymentDetails: { avsResult: 'ADDRESS_MATCH_POSTCODE_MATCH' },
    });
  });

  test('is declined with a wrong CV2, and the card stays saved', async () => {
    const { customerId, customerSecret, cardId } = await createCustomerWithCard();
    const payable = await createPayment(customerId);
    expect(await payWithSavedCard({ ...payable, cV2: '999' }, cardId, customerSecret)).toMatchObject({ statusCode: 5 });
    expect([
      await findCardState(cardId),
      (await testEnvironment.readJson(`/payment-intents/${payable.id}`))['status'],
    ]).toEqual(['Stored', 'Created']);
  });

  test.each<
    [string, number, (own: Awaited<ReturnType<typeof createCustomerWithCard>>) => Promise<Record<string, unknown>>]
  >([
    [
      'whose card is unknown',
      400,
      async (own) => payWithSavedCard(await createPayment(own.customerId), `pm_${'A'.repeat(22)}`, own.customerSecret),
    ],
    [
      'whose card is no id',
      400,
      async (own) => payWithSavedCard(await createPayment(own.customerId), 'card', own.customerSecret),
    ],
    [
      'whose card is another customer’s',
      400,
      async (own) =>
        payWithSavedCard(
          await createPayment(own.customerId),
          (await createCustomerWithCard()).cardId,
          own.customerSecret,
        ),
    ],
    [
      'that accepts no saved cards',
      400,
      async (own) => payWithSavedCard(await createPayment(own.customerId, ['Card']), own.cardId, own.customerSecret),
    ],
    [
      'with a CV2 of two digits',
      400,
      async (own) =>
        payWithSavedCard({ ...(await createPayment(own.customerId)), cV2: '12' }, own.cardId, own.customerSecret),
    ],
    [
      'without a customer',
      401,
      async (own) => payWithSavedCard(await createPayment(null), own.cardId, own.customerSecret),
    ],
    [
      'with another customer’s secret',
      401,
      async (own) =>
        payWithSavedCard(
          await createPayment(own.customerId),
          own.cardId,
          (await createCustomerWithCard()).customerSecret,
        ),
    ],
    [
      'with no such secret',
      401,
      async (own) => payWithSavedCard(await createPayment(own.customerId), own.cardId, 'cs'),
    ],
    [
      'without a secret of the payment',
      401,
      async (own) => payWithSavedCard({ id: '', secret: 'x' }, own.cardId, own.customerSecret),
    ],
  ])('%s is refused with %d', async (_, statusCode, make) => {
    const own = await createCustomerWithCard();
    expect((await make(own))['statusCode']).toBe(statusCode);
    const payable = await createPayment(own.customerId);
    expect((await payWithSavedCard(payable, own.cardId, own.customerSecret))['statusCode']).toBe(0);
  });

  test('without any secret of the customer is not found, like one without the payment’s secret', async () => {
    const { customerId, cardId } = await createCustomerWithCard();
    const { secret } = await createPayment(customerId);
    const body = { paymentMethodId: cardId, cV2: '020' };
    const answer = await testEnvironment.payer('/client/payments/saved-card', body, {
      'client-session-secret': secret,
    });
    expect(answer['statusCode']).toBe(404);
  });
});

describe('a saved card is erased', () => {
  test('when its customer deletes it, and then it is unknown', async () => {
    const { customerId, customerSecret, cardId } = await createCustomerWithCard();
    const payable = await createPayment(customerId);
    const remove = () =>
      testEnvironment.api.sendRequest('DELETE', `/customers/public/${customerId}/payment-methods/${cardId}`, {
        key: customerSecret,
      });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect([
      await findCardState(cardId),
      (await readMethods(customerId, customerSecret))['savedPaymentMethods'],
    ]).toEqual(['Erased', []]);
    expect(await payWithSavedCard(payable, cardId, customerSecret)).toMatchObject({ statusCode: 400 });
  });

  test('with its customer', async () => {
    const { customerId, cardId } = await createCustomerWithCard();
    expect((await testEnvironment.api.sendRequest('DELETE', `/customers/${customerId}`)).status).toBe(204);
    expect(await findCardState(cardId)).toBe('Erased');
  });

  test('and a card from a concurrent payment is not saved for a deleted customer', async () => {
    const { customerId } = await createCustomerWithCard();
    const { id, secret } = await createPayment(customerId);
    await testEnvironment.api.sendRequest('DELETE', `/customers/${customerId}`);
    const body = { ...CARD, savePaymentMethod: true };
    expect(
      (await testEnvironment.payer('/client/payments', body, { 'client-session-secret': secret }))['statusCode'],
    ).toBe(0);
    const cards = await testEnvironment.api.queryRows<{ state: string }>(
      'select s.state from saved_cards s join online_attempts a on a.card_id = s.id where a.intent_id = $1',
      [id],
    );
    expect(cards.map(({ state }) => state)).toEqual(['Erased']);
  });

  test('and the vault erases its number soon after', async () => {
    for (let look = 0; look < 200 && (await listErasureTimers()).length > 0; look += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await listErasureTimers()).toEqual([]);
  });
});

test('the card that a payment offers first must belong to its customer', async () => {
  const { customerId, customerSecret: secret, cardId: savedCardId } = await createCustomerWithCard();
  const body = (customer: object) => ({
    amount: { value: 1, currencyCode: 'GBP' },
    reference: 'r',
    paymentMethods: BOTH_METHODS,
    customer,
  });
  const good = await testEnvironment.api.sendRequest('POST', '/payment-intents', {
    body: body({ id: customerId, secret, savedCardId }),
  });
  expect([good.status, good.text.includes(savedCardId)]).toEqual([200, false]);
  const other = (await createCustomerWithCard()).cardId;
  for (const invalid of [other, `pm_${'A'.repeat(22)}`]) {
    const refused = await testEnvironment.api.sendRequest('POST', '/payment-intents', {
      body: body({ id: customerId, secret, savedCardId: invalid }),
    });
    expect([refused.status, Object.keys(parseProblem(refused).errors)]).toEqual([400, ['customer.savedCardId']]);
  }
});

test('a page of any origin may show both secrets', async () => {
  const path = '/customers/public/x/payment-methods';
  const answer = await testEnvironment.api.sendRequest('OPTIONS', path, {
    headers: { origin: 'https://shop.example' },
  });
  expect(String(answer.headers['access-control-allow-headers'])).toMatch(/authorization.*customer-secret/);
});
