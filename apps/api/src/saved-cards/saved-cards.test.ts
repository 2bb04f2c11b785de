import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCustomer, secretOf } from '../customers/testing.js';
import { ChargeWorld } from '../charges/testing.js';
import { jsonOf, problemOf } from '../testing.js';

let world: ChargeWorld;
beforeAll(async () => {
  world = await ChargeWorld.open();
});
afterAll(() => world.close());

const CARD = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };
const BOTH = ['Card', 'SavedCard'] as const;

interface Payable {
  readonly id: string;
  readonly secret: string;
  /** The right one unless said otherwise. */
  readonly cV2?: string;
}

async function payment(
  customerId: string | null,
  paymentMethods: readonly ('Card' | 'SavedCard')[] = BOTH,
): Promise<Payable> {
  const customer = customerId === null ? {} : { customer: { id: customerId } };
  const { id, clientSessionSecret = '' } = await world.api.intent({ ...customer, paymentMethods: [...paymentMethods] });
  return { id, secret: clientSessionSecret };
}

/** A customer who has paid once and let his card be kept. */
async function customerWithCard(card: Partial<typeof CARD> = {}) {
  const customerId = await createCustomer(world.api);
  const { secret } = await payment(customerId);
  const body = { ...CARD, ...card, savePaymentMethod: true };
  const said = await world.payer('/client/payments', body, { 'client-session-secret': secret });
  const customerSecret = await secretOf(world.api, customerId);
  const [saved] = (await methods(customerId, customerSecret))['savedPaymentMethods'] as { id: string }[];
  return { customerId, customerSecret, said, cardId: saved?.id ?? '' };
}

async function methods(customerId: string, key: string): Promise<Record<string, unknown>> {
  return jsonOf(await world.api.send('GET', `/customers/public/${customerId}/payment-methods`, { key }));
}

function pay({ secret, cV2 = '020' }: Payable, paymentMethodId: string, customerSecret: string) {
  const headers = { 'client-session-secret': secret, 'customer-secret': customerSecret };
  return world.payer('/client/payments/saved-card', { paymentMethodId, cV2 }, headers);
}

const numbers = (): Promise<{ id: string }[]> =>
  world.api.look(`select subject as id from timers where kind = 'card-erasure'`);
const stateOf = async (id: string): Promise<string | undefined> =>
  (await world.api.look<{ state: string }>('select state from saved_cards where id = $1', [id]))[0]?.state;

test('a customer sees the cards that he let be kept, newest first, and no number', async () => {
  const { customerId, customerSecret, cardId } = await customerWithCard();
  expect(await methods(customerId, customerSecret)).toEqual({
    customerId,
    merchantId: '9000012345',
    savedPaymentMethods: [
      { id: cardId, cardDetails: { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' } },
    ],
    supportedPaymentMethods: { cardSchemes: expect.any(Array) as unknown, wallets: expect.any(Array) as unknown },
  });
  const { secret } = await payment(customerId);
  const body = { ...CARD, cardNumber: '5200000000001005', savePaymentMethod: true };
  await world.payer('/client/payments', body, { 'client-session-secret': secret });
  const listed = (await methods(customerId, customerSecret))['savedPaymentMethods'] as { id: string }[];
  expect([listed.length, listed[1]?.id]).toEqual([2, cardId]);
});

test('a card that was declined is not listed, nor one of a setup intent', async () => {
  const { customerId, customerSecret, said } = await customerWithCard({ cV2: '999' });
  await world.setup({ customer: { id: customerId } });
  expect([said['statusCode'], (await methods(customerId, customerSecret))['savedPaymentMethods']]).toEqual([5, []]);
});

describe('a payment with a saved card', () => {
  test('is approved, again and again, and shows which card it was', async () => {
    const { customerId, customerSecret, cardId } = await customerWithCard();
    for (let time = 0; time < 2; time += 1) {
      const payable = await payment(customerId);
      expect(await pay(payable, cardId, customerSecret)).toMatchObject({ statusCode: 0, message: 'DEPOSITED' });
      const shown = await world.read(`/payment-intents/${payable.id}`);
      expect(shown).toMatchObject({ status: 'Captured', paymentDetails: { paymentMethodId: cardId } });
    }
    expect(await stateOf(cardId)).toBe('Stored');
  });

  test('shows the issuer where its payer is billed', async () => {
    const { customerId, customerSecret, cardId } = await customerWithCard();
    const { id, secret } = await payment(customerId);
    const billingAddress = { address1: '1 High Street', postcode: 'BS1 1AA', countryCode: 'GB' };
    const headers = { 'client-session-secret': secret, 'customer-secret': customerSecret };
    const body = { paymentMethodId: cardId, cV2: '020', billingAddress };
    expect(await world.payer('/client/payments/saved-card', body, headers)).toMatchObject({ statusCode: 0 });
    expect(await world.read(`/payment-intents/${id}`)).toMatchObject({
      billingAddress,
      paymentDetails: { avsResult: 'ADDRESS_MATCH_POSTCODE_MATCH' },
    });
  });

  test('is declined with a wrong CV2, and the card stays', async () => {
    const { customerId, customerSecret, cardId } = await customerWithCard();
    const payable = await payment(customerId);
    expect(await pay({ ...payable, cV2: '999' }, cardId, customerSecret)).toMatchObject({ statusCode: 5 });
    expect([await stateOf(cardId), (await world.read(`/payment-intents/${payable.id}`))['status']]).toEqual([
      'Stored',
      'Created',
    ]);
  });

  test.each<[string, number, (own: Awaited<ReturnType<typeof customerWithCard>>) => Promise<Record<string, unknown>>]>([
    [
      'whose card is nobody’s',
      400,
      async (own) => pay(await payment(own.customerId), `pm_${'A'.repeat(22)}`, own.customerSecret),
    ],
    ['whose card is no id', 400, async (own) => pay(await payment(own.customerId), 'card', own.customerSecret)],
    [
      'whose card is another customer’s',
      400,
      async (own) => pay(await payment(own.customerId), (await customerWithCard()).cardId, own.customerSecret),
    ],
    [
      'that takes no saved cards',
      400,
      async (own) => pay(await payment(own.customerId, ['Card']), own.cardId, own.customerSecret),
    ],
    [
      'with a CV2 of two digits',
      400,
      async (own) => pay({ ...(await payment(own.customerId)), cV2: '12' }, own.cardId, own.customerSecret),
    ],
    ['that names nobody', 401, async (own) => pay(await payment(null), own.cardId, own.customerSecret)],
    [
      'with another customer’s secret',
      401,
      async (own) => pay(await payment(own.customerId), own.cardId, (await customerWithCard()).customerSecret),
    ],
    ['with no such secret', 401, async (own) => pay(await payment(own.customerId), own.cardId, 'cs')],
    [
      'without a secret of the payment',
      401,
      async (own) => pay({ id: '', secret: 'x' }, own.cardId, own.customerSecret),
    ],
  ])('%s is refused with %d', async (_, statusCode, make) => {
    const own = await customerWithCard();
    expect((await make(own))['statusCode']).toBe(statusCode);
    const payable = await payment(own.customerId);
    expect((await pay(payable, own.cardId, own.customerSecret))['statusCode']).toBe(0);
  });

  test('without the customer’s secret at all is not found, as without that of the payment', async () => {
    const { customerId, cardId } = await customerWithCard();
    const { secret } = await payment(customerId);
    const body = { paymentMethodId: cardId, cV2: '020' };
    const answer = await world.payer('/client/payments/saved-card', body, { 'client-session-secret': secret });
    expect(answer['statusCode']).toBe(404);
  });
});

describe('a saved card is erased', () => {
  test('when its customer deletes it, and then it is unknown', async () => {
    const { customerId, customerSecret, cardId } = await customerWithCard();
    const payable = await payment(customerId);
    const remove = () =>
      world.api.send('DELETE', `/customers/public/${customerId}/payment-methods/${cardId}`, { key: customerSecret });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    expect([await stateOf(cardId), (await methods(customerId, customerSecret))['savedPaymentMethods']]).toEqual([
      'Erased',
      [],
    ]);
    expect(await pay(payable, cardId, customerSecret)).toMatchObject({ statusCode: 400 });
  });

  test('with its customer', async () => {
    const { customerId, cardId } = await customerWithCard();
    expect((await world.api.send('DELETE', `/customers/${customerId}`)).status).toBe(204);
    expect(await stateOf(cardId)).toBe('Erased');
  });

  test('and one that is paid with meanwhile is not kept of a customer who is gone', async () => {
    const { customerId } = await customerWithCard();
    const { id, secret } = await payment(customerId);
    await world.api.send('DELETE', `/customers/${customerId}`);
    const body = { ...CARD, savePaymentMethod: true };
    expect((await world.payer('/client/payments', body, { 'client-session-secret': secret }))['statusCode']).toBe(0);
    const cards = await world.api.look<{ state: string }>(
      'select s.state from saved_cards s join online_attempts a on a.card_id = s.id where a.intent_id = $1',
      [id],
    );
    expect(cards.map(({ state }) => state)).toEqual(['Erased']);
  });

  test('and its number goes from the vault soon after', async () => {
    for (let look = 0; look < 200 && (await numbers()).length > 0; look += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await numbers()).toEqual([]);
  });
});

test('the card that a payment offers first has to be one of its customer’s', async () => {
  const { customerId, customerSecret: secret, cardId: savedCardId } = await customerWithCard();
  const body = (customer: object) => ({
    amount: { value: 1, currencyCode: 'GBP' },
    reference: 'r',
    paymentMethods: BOTH,
    customer,
  });
  const good = await world.api.send('POST', '/payment-intents', {
    body: body({ id: customerId, secret, savedCardId }),
  });
  expect([good.status, good.text.includes(savedCardId)]).toEqual([200, false]);
  const other = (await customerWithCard()).cardId;
  for (const wrong of [other, `pm_${'A'.repeat(22)}`]) {
    const refused = await world.api.send('POST', '/payment-intents', {
      body: body({ id: customerId, secret, savedCardId: wrong }),
    });
    expect([refused.status, Object.keys(problemOf(refused).errors)]).toEqual([400, ['customer.savedCardId']]);
  }
});

test('a page of any origin may show both secrets', async () => {
  const path = '/customers/public/x/payment-methods';
  const answer = await world.api.send('OPTIONS', path, { headers: { origin: 'https://shop.example' } });
  expect(String(answer.headers['access-control-allow-headers'])).toMatch(/authorization.*customer-secret/);
});
