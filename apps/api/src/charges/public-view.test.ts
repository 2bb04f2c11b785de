import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSetup } from '../testing/setup-requests.js';
import { parseJson } from '../testing/api-test-environment.js';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';

let testEnvironment: ChargeTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const CARD = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };
const ADDRESS = { address1: '1 High Street', countryCode: 'GB' };
const ENTERED = {
  ...{ emailAddress: 'guest@example.com', phoneNumber: '+44 20 1234', billingAddress: ADDRESS },
  shippingDetails: { name: 'A Friend', address: ADDRESS },
};
/** What the payer has entered, in any answer. */
const PERSONAL = /guest@example|High Street|A Friend|1234/;

async function call(method: string, path: string, { proof = '', body }: { proof?: string; body?: unknown } = {}) {
  const headers = proof === '' ? {} : { 'client-session-secret': proof };
  const answer = await testEnvironment.api.sendRequest(method, path, { key: null, headers, body });
  return { status: answer.status, text: answer.text };
}

/** A secret as a page gets it. */
async function openPage(path: string): Promise<string> {
  const { text } = await call('POST', `${path}/refresh-client-session-secret`);
  return (JSON.parse(text) as { clientSessionSecret: string }).clientSessionSecret;
}

const pay = (secret: string, members: object = {}) =>
  testEnvironment.payer('/client/payments', { ...CARD, ...ENTERED, ...members }, { 'client-session-secret': secret });

test('what a payer has entered, and their transaction, are shown to the page that has paid alone', async () => {
  const { id, clientSessionSecret: own = '' } = await testEnvironment.api.createIntent();
  const path = `/payment-intents/public/${id}`;
  const [payer, guest, declined] = [await openPage(path), await openPage(path), await openPage(path)];
  const refused = await pay(declined, { cV2: '999' });
  expect(refused['statusCode']).toBe(5);
  const { transactionId } = await pay(payer);
  expect(transactionId).toMatch(/^[0-9a-f-]{36}$/);

  const shown = await call('GET', path, { proof: payer });
  expect(JSON.parse(shown.text)).toMatchObject({
    ...{ status: 'Captured', billingAddress: ADDRESS, shippingDetails: ENTERED.shippingDetails },
    customer: { emailAddress: ENTERED.emailAddress },
    paymentEvents: [{ eventType: 'Declined' }, { eventType: 'Captured', transactionId }],
  });
  expect(shown.text).not.toContain(String(refused['transactionId']));

  // The secret of the intent itself was readable by everybody; that of a declined attempt has not paid.
  for (const proof of ['', 'nonsense', guest, own, declined]) {
    const { status, text } = await call('GET', path, { proof });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { status: 'Captured', paymentEvents: [{ eventType: 'Declined' }, { eventType: 'Captured' }] },
    ]);
    expect(text).not.toMatch(PERSONAL);
    expect(text).not.toContain(String(transactionId));
    expect(JSON.parse(text)).not.toHaveProperty('customer');
  }
  const own404 = await call('GET', path, { proof: declined });
  expect(own404.text).toContain(String(refused['transactionId']));
  // The integrator reads all of it.
  const read = parseJson(await testEnvironment.api.sendRequest('GET', `/payment-intents/${id}`));
  expect(read).toMatchObject({ billingAddress: ADDRESS, paymentDetails: { transactionId } });
});

test('the proof of one payment shows nothing of another', async () => {
  const paths = await Promise.all(
    ['first', 'second'].map(async () => `/payment-intents/public/${(await testEnvironment.api.createIntent()).id}`),
  );
  const secrets = await Promise.all(paths.map(openPage));
  for (const secret of secrets) expect((await pay(secret))['statusCode']).toBe(0);
  const { text } = await call('GET', paths[0] ?? '', { proof: secrets[1] ?? '' });
  expect(text).not.toMatch(PERSONAL);
});

test('before the payment the page reads what the integrator knows of the payer', async () => {
  const { id } = await testEnvironment.api.createIntent({ customer: { emailAddress: 'guest@example.com' } });
  const { text } = await call('GET', `/payment-intents/public/${id}`);
  expect(JSON.parse(text)).toMatchObject({ customer: { emailAddress: 'guest@example.com' } });
});

test('a receipt that somebody else with the link requests has nothing of the card', async () => {
  const { id } = await testEnvironment.api.createIntent();
  const path = `/payment-intents/public/${id}`;
  const payer = await openPage(path);
  const { authCode } = await pay(payer);
  const body = { email: 'reader@example.com' };
  expect((await call('POST', `${path}/receipt`, { body })).status).toBe(204);
  expect((await call('POST', `${path}/receipt`, { body, proof: payer })).status).toBe(204);
  const mailbox = parseJson(await testEnvironment.api.sendRequest('GET', '/sandbox/mailbox'));
  const [ofPayer, ofOther] = (mailbox['data'] as { paymentIntentId: string; text: string; html: string }[]).filter(
    ({ paymentIntentId }) => paymentIntentId === id,
  );
  expect(ofPayer?.text).toMatch(/1014[^]*SALE[^]*Auth code/);
  for (const text of [ofOther?.text, ofOther?.html]) {
    expect(text).toMatch(/SALE[^]*20\.00/);
    expect(text).not.toMatch(/1014|VISA|Auth code/);
    expect(text).not.toContain(String(authCode));
  }
});

test('the outcome of a setup, and its payer, are shown to the page that has authorised the card alone', async () => {
  const { id } = await createSetup(testEnvironment.api);
  const path = `/setup-intents/public/${id}`;
  const [payer, guest] = [await openPage(path), await openPage(path)];
  expect((await pay(payer, { mitConsentGiven: true }))['statusCode']).toBe(0);
  const shown = await call('GET', path, { proof: payer });
  expect(JSON.parse(shown.text)).toMatchObject({ billingAddress: ADDRESS, paymentDetails: { message: 'AUTHORIZED' } });
  const { paymentDetails } = JSON.parse(shown.text) as { paymentDetails: object };
  expect(Object.keys(paymentDetails).sort()).toEqual(['message', 'transactionDateTime', 'transactionId']);
  for (const proof of ['', guest]) {
    const { text } = await call('GET', path, { proof });
    expect(text).not.toMatch(PERSONAL);
    expect(JSON.parse(text)).not.toHaveProperty('paymentDetails');
  }
});
