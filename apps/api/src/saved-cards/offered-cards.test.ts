import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CustomerId, knownId } from '@pos/core/identity';
import { deleteCustomer } from '@pos/rest-contracts/customers';
import { ChargeWorld } from '../charges/testing.js';
import { createCustomer, secretOf } from '../customers/testing.js';
import { jsonOf } from '../testing.js';
import { keptCard } from './testing.js';

let world: ChargeWorld;
beforeAll(async () => {
  world = await ChargeWorld.open();
});
afterAll(() => world.close());

const PAID_WITH = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };

interface Holder {
  readonly customerId: CustomerId;
  readonly secret: string;
}

async function holder(): Promise<Holder> {
  const customerId = knownId('customer', await createCustomer(world.api));
  return { customerId, secret: await secretOf(world.api, customerId) };
}

/** A payment that was given the secret of its customer. */
function payment({ customerId: id, secret }: Holder, savedCardId?: string) {
  const customer = { id, secret, ...(savedCardId !== undefined && { savedCardId }) };
  return world.api.intent({ paymentMethods: ['Card', 'SavedCard'], customer });
}

async function offered(intentId: string): Promise<string[]> {
  const answer = await world.api.send('GET', `/payment-intents/public/${intentId}/payment-methods`);
  expect(answer.status).toBe(200);
  return (jsonOf(answer)['savedPaymentMethods'] as { id: string }[]).map(({ id }) => id);
}

/** A card that the vault really holds. */
async function savedCard({ customerId, secret }: Holder): Promise<string> {
  const { clientSessionSecret = '' } = await world.api.intent({ customer: { id: customerId } });
  const body = { ...PAID_WITH, savePaymentMethod: true };
  await world.payer('/client/payments', body, { 'client-session-secret': clientSessionSecret });
  const listed = await world.api.send('GET', `/customers/public/${customerId}/payment-methods`, { key: secret });
  return (jsonOf(listed)['savedPaymentMethods'] as { id: string }[])[0]?.id ?? '';
}

const endSecrets = ({ customerId }: Holder) =>
  world.api.look(
    `update customer_secrets set expire_at = now() - interval '1 second' where customer_id = $1 returning id`,
    [customerId],
  );

describe('a payer is offered', () => {
  test('the card that the shop named, then the others, newest first, and none that has expired', async () => {
    const own = await holder();
    const [oldest, , newest] = [
      await keptCard(world.api, own),
      await keptCard(world.api, own, 2020),
      await keptCard(world.api, own),
    ];
    expect(await offered((await payment(own)).id)).toEqual([newest, oldest]);
    expect(await offered((await payment(own, oldest)).id)).toEqual([oldest, newest]);
  });

  // prettier-ignore
  test.each<[string, (own: Holder) => Promise<string>]>([
    ['where the shop gave no secret', async (own) => (await world.api.intent({ paymentMethods: ['Card', 'SavedCard'], customer: { id: own.customerId } })).id],
    ['where nobody is named', async () => (await world.api.intent({ paymentMethods: ['Card', 'SavedCard'] })).id],
    ['once the secret is over', async (own) => { const { id } = await payment(own); await endSecrets(own); return id; }],
    ['once the customer is deleted', async (own) => { const { id } = await payment(own); await world.api.client()(deleteCustomer, { params: { customerId: own.customerId } }); return id; }],
    ['for a payment that is paid', async (own) => { const paid = await payment(own); await world.payer('/client/payments', PAID_WITH, { 'client-session-secret': paid.clientSessionSecret ?? '' }); return paid.id; }],
    ['of the cards of somebody else', async () => (await payment(await holder())).id],
  ])('nothing %s', async (_, make) => {
    const own = await holder();
    await keptCard(world.api, own);
    expect(await offered(await make(own))).toEqual([]);
  });
});

describe('a saved card pays without the customer’s secret', () => {
  const pay = (secret: string | undefined, paymentMethodId: string) =>
    world.payer(
      '/client/payments/saved-card',
      { paymentMethodId, cV2: '020' },
      { 'client-session-secret': secret ?? '' },
    );

  test('where the payment was given it', async () => {
    const own = await holder();
    const cardId = await savedCard(own);
    const { id, clientSessionSecret } = await payment(own);
    expect(await pay(clientSessionSecret, cardId)).toMatchObject({ statusCode: 0 });
    expect(await world.read(`/payment-intents/${id}`)).toMatchObject({ paymentDetails: { paymentMethodId: cardId } });
  });

  // prettier-ignore
  test.each<[string, number, (own: Holder) => Promise<string | undefined>]>([
    ['that was not given it', 404, async ({ customerId }) => (await world.api.intent({ paymentMethods: ['SavedCard'], customer: { id: customerId } })).clientSessionSecret],
    ['of nobody', 404, async () => (await world.api.intent({ paymentMethods: ['SavedCard'] })).clientSessionSecret],
    ['whose secret is over', 401, async (own) => { const { clientSessionSecret } = await payment(own); await endSecrets(own); return clientSessionSecret; }],
    ['that was given another customer’s', 400, async () => (await payment(await holder())).clientSessionSecret],
    ['that is nobody’s secret', 401, () => Promise.resolve('x')],
  ])('but not a payment %s: %d, and nothing is tried', async (_, statusCode, make) => {
    const own = await holder();
    const cardId = await savedCard(own);
    const begun = () => world.api.look('select reference from online_attempts');
    const secret = await make(own);
    const before = (await begun()).length;
    expect((await pay(secret, cardId))['statusCode']).toBe(statusCode);
    expect((await begun()).length).toBe(before);
  });
});
