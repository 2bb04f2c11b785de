import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeTestSettings } from '@pos/payments/testing';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';
import { OPEN_CONFIG } from '../testing/payer-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
/** A payer has no key. */
const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  testEnvironment.sendRequest(method, path, { key: '', ...(body !== undefined && { body }) });
const readLink = async (id: string) => parseJson(await call('GET', `/payment-links/${id}`));

describe('a payer', () => {
  test('chooses a tip, which is added to the total, and the old client secret is void', async () => {
    const { id, clientSessionSecret } = await testEnvironment.createIntent(OPEN_CONFIG);
    const answer = parseJson(await call('POST', `/payment-intents/public/${id}/tips-amount`, { tipsAmount: gbp(250) }));
    expect(answer).toMatchObject({ amount: gbp(2000), tipsAmount: gbp(250), totalAmount: gbp(2250) });
    expect(answer['clientSessionSecret']).not.toBe(clientSessionSecret);
  });

  test('chooses the amount, and the integrator still sees the first one', async () => {
    const { id } = await testEnvironment.createIntent(OPEN_CONFIG);
    const answer = parseJson(await call('POST', `/payment-intents/public/${id}/amount`, { amount: gbp(500) }));
    expect(answer).toMatchObject({ amount: gbp(500), totalAmount: gbp(500), requestedAmount: gbp(2000) });
  });

  test('gets three receipts of a payment within a day, and no more', async () => {
    const id = await testEnvironment.createIntentIn('Captured');
    const statuses: number[] = [];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'])
      statuses.push((await call('POST', `/payment-intents/public/${id}/receipt`, { email })).status);
    expect(statuses).toEqual([204, 204, 204, 429]);
    const age = `update mails set created_at = created_at - interval '1 day' where intent_id = $1 returning id`;
    expect(await testEnvironment.queryRows(age, [id])).toHaveLength(3);
    expect((await call('POST', `/payment-intents/public/${id}/receipt`, { email: 'd@example.com' })).status).toBe(204);
  });
});

test('a payer sees the colour and the font that the merchant has chosen', async () => {
  const { scope, key } = await testEnvironment.createAccount();
  const chosen = { 'branding.accentColor': '#7a1f3d', 'branding.font': 'serif' };
  await changeTestSettings(testEnvironment.testDatabase.database, scope, chosen);
  const branding = { accentColor: '#7a1f3d', font: 'serif' };
  const { id } = await testEnvironment.createIntent({}, key);
  expect(await readLink(id)).toMatchObject({ branding });
  expect(parseJson(await call('GET', `/payment-intents/public/${id}`))['config']).toMatchObject({ branding });
});

describe('a link that has ended names the merchant and the reason', () => {
  test('Canceled, when the integrator cancelled it', async () => {
    const id = await testEnvironment.createIntentIn('Canceled');
    expect(await readLink(id)).toMatchObject({ id, state: 'Canceled', tradingName: 'The Corner Table' });
  });

  test('Expired, when its time was over', async () => {
    const { id } = await testEnvironment.createIntent();
    await testEnvironment.queryRows(
      `update payment_intents set status = 'Canceled', updated_at = expire_at where id = $1 returning id`,
      [id],
    );
    expect(await readLink(id)).toMatchObject({ state: 'Expired' });
  });

  test.each(['Created', 'Captured', 'Refunded'] as const)('Active, while a %s payment can be read', async (status) => {
    const link = await readLink(await testEnvironment.createIntentIn(status));
    expect(link).toEqual({
      id: expect.any(String) as unknown,
      state: 'Active',
      tradingName: 'The Corner Table',
      branding: { logoUrl: 'https://corner.example/logo.svg' },
    });
  });
});
