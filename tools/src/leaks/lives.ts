import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { groupDigits } from '@pos/core/leaks';
import { EVENT_KINDS } from '@pos/core/events';
import type { CardTraffic, FreshCard, CardResponse } from './card-traffic.js';

const AMOUNT = { value: 1250, currencyCode: 'GBP' };
const SETUP = { reference: 'table 4', merchantInitiatedTransactionType: 'NoShow', terms: 'Agreed.' };
const CARD = { cardName: 'A GUEST', expiryDate: '12/32' };
const LOOKS_MAX = 600;
const LOOK_EVERY_MS = 100;

/** Payers with valid requests: approved, declined, challenged by their bank, by wallet, saved and charged later. */
export async function payWithApprovedCard(traffic: CardTraffic): Promise<void> {
  const approved = await pay(traffic, { card: traffic.card(), outcome: 0 });
  const refund = { amount: 250, reason: 'cold soup' };
  await traffic.api('POST', `/payment-intents/${approved}/refunds`, { body: refund });
  await pay(traffic, { card: traffic.card('4456530000001013'), outcome: 5 });
  await pay(traffic, { card: { ...traffic.card(), cV2: '999' }, outcome: 5 });
  const challenged = await intent(traffic);
  const asked = await submit(traffic, challenged, traffic.card('4456530000001096'));
  assert.equal(asked['statusCode'], 3, `the bank does not ask: ${JSON.stringify(asked)}`);
  const proof = { paRes: 'Y', transactionId: asked['transactionId'] };
  const done = await traffic.payer('/client/payments/challenge', proof, getSecret(challenged));
  assert.equal(done['statusCode'], 0, JSON.stringify(done));
  await payByWallet(traffic);
  await saveAndPayAgain(traffic);
  await setUpAndCharge(traffic);
}

/** A payment whose two requests have the same trace. Its events go to a subscription whose receiver does not answer. */
export async function payInOneTrace(traffic: CardTraffic, traceparent: string): Promise<void> {
  const made = await traffic.api('POST', '/payment-intents', {
    body: { amount: AMOUNT, reference: 'table 4' },
    headers: { traceparent },
  });
  const card = { ...CARD, ...traffic.card() };
  const answer = await traffic.payer('/client/payments', card, { ...getSecret(made), traceparent });
  assert.equal(answer['statusCode'], 0, JSON.stringify(answer));
}

/** A payer at the counter: the machine calls the acquirer itself. */
export async function payOnCardMachine(traffic: CardTraffic): Promise<void> {
  const { id } = await intent(traffic);
  const [machine] = Object.values(await traffic.api('GET', '/terminals?statuses=Available')) as CardResponse[];
  const request = { terminalId: machine?.['id'], sessionType: 'Sale', paymentIntentId: id };
  await traffic.api('POST', '/terminal-sessions', { body: request });
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    if ((await traffic.api('GET', `/payment-intents/${id}`))['status'] === 'Captured') return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('the card machine took nothing');
}

/** Sends malformed cards to the vault. It may have cards, so no other process may have seen them. */
export async function sendInvalidCards(traffic: CardTraffic): Promise<void> {
  const made = await intent(traffic);
  const { cardNumber, cV2 } = traffic.card();
  const secret = getSecret(made);
  await traffic.payer('/client/payments', { ...CARD, cardNumber: `${cardNumber.slice(0, -1)}x`, cV2 }, secret);
  await traffic.payer('/client/payments', `{"cardNumber": "${cardNumber}", "cV2": "${cV2}"`, secret);
  await traffic.payer(
    '/client/payments',
    { ...CARD, emailAddress: cardNumber, cardNumber: cV2, cV2: cardNumber },
    secret,
  );
  await traffic.payer(`/client/payments?cardNumber=${cardNumber}&cV2=${cV2}`, {}, secret);
  await traffic.payer('/client/payments', { ...CARD, cardNumber, cV2 }, { 'client-session-secret': cardNumber });
  await traffic.payer('/client/device-data', { cardNumber }, secret);
  await traffic.payer(`/client/${cardNumber}`, {}, { ...secret, 'x-card': cardNumber, 'user-agent': cardNumber });
  await traffic.payer(
    '/client/payments/wallet',
    { wallet: 'APPLE_PAY', token: `${walletToken(traffic.card())}!` },
    secret,
  );
  await traffic.merchant('/setup-intents', { ...SETUP, card: { ...CARD, cardNumber, cvv: cV2 } });
  await traffic.merchant('/setup-intents', { ...SETUP, reference: '', card: { ...CARD, cardNumber, cv2: cV2 } });
}

/**
 * Sends cards to every other process. A whole number in a reference or in metadata is left out: it may be an id of the
 * integrator, and is stored unchanged.
 */
export async function sendCardsToWrongPlaces(traffic: CardTraffic): Promise<void> {
  const { cardNumber, cV2 } = traffic.createStrayCard();
  const whole = { ...CARD, cardNumber, cV2 };
  await traffic.api('POST', '/client/payments', { body: whole });
  await traffic.api('POST', '/payment-intents', { body: { amount: AMOUNT, ...whole, card: whole } });
  await traffic.api('POST', '/payment-intents', { body: { amount: { value: cardNumber, currencyCode: cV2 } } });
  await traffic.api('POST', '/payment-intents', { body: `{"cardNumber":"${cardNumber}","cV2":"${cV2}"` });
  await traffic.api('POST', '/setup-intents', { body: { ...SETUP, card: whole } });
  const grouped = groupDigits(cardNumber, ' ');
  const refused = [
    ...[{ reference: grouped }, { metadata: { card: grouped } }, { description: cardNumber }],
    ...[{ metadata: { cV2 } }, { metadata: { deep: { securityCode: cV2 } } }, { description: `cvv ${cV2}` }],
    ...['\t', '  ', '_', '. '].map((between) => ({ description: groupDigits(cardNumber, between) })),
    { customer: { phoneNumber: grouped } },
  ];
  for (const request of refused) {
    const answer = await traffic.api('POST', '/payment-intents', {
      body: { amount: AMOUNT, reference: 'r', ...request },
    });
    assert.equal(answer['status'], 400, `${Object.keys(request).join()} takes a card`);
  }
  await traffic.api('GET', `/payment-intents/${cardNumber}?cV2=${cV2}`);
  await traffic.api('GET', `/payment-intents/public/x?cardNumber=${groupDigits(cardNumber, '%20')}`);
  const headers = { 'x-card-number': cardNumber, 'user-agent': `card ${cardNumber}`, traceparent: cardNumber };
  await traffic.api('GET', '/payment-intents/x', { headers });
  await traffic.api('GET', '/payment-intents/x', { headers: { authorization: `Basic ${cardNumber}` } });
  await traffic.api('GET', '/payment-intents/x', { headers: { version: cardNumber } });
  const { checkout, gatewayHttp, eposTester } = traffic.world.addresses;
  for (const address of [checkout, eposTester, gatewayHttp[0] ?? '']) {
    await traffic.sendTo(`${address}/client/payments?n=${cardNumber}`, whole);
  }
}

/** Keys and secrets are created, used, replaced and deleted. */
export async function rotateSecrets(traffic: CardTraffic): Promise<void> {
  for (const label of ['counter 3', 'counter 4']) {
    const made = await traffic.api('POST', '/api-keys', { body: { label, role: 'webhooks-only' } });
    const key = String(made['key']);
    assert.match(key, /^sk_sandbox_/, `no key: ${Object.keys(made).join()}`);
    traffic.secrets.push(key);
    await traffic.api('GET', '/webhooks', { headers: { authorization: `Basic ${key}` } });
    await traffic.api('GET', `/payment-intents/${key}`, { headers: { authorization: `Bearer ${key}x` } });
    await traffic.api('DELETE', `/api-keys/${String(made['id'])}`);
  }
  const url = `https://127.0.0.1:${traffic.world.receiverPorts[0] ?? 0}/hooks`;
  const events = [...EVENT_KINDS];
  const made = await traffic.api('POST', '/webhooks', { body: { events, url } });
  const path = `/webhooks/${String(made['id'])}/secrets`;
  const { secrets } = (await traffic.api('POST', path)) as { secrets?: CardResponse[] };
  assert.ok(secrets !== undefined && secrets.length === 2, `no second secret: ${JSON.stringify(Object.keys(made))}`);
  traffic.secrets.push(...secrets.map(({ value }) => String(value)));
  await traffic.api('PUT', `${path}/${String(secrets[1]?.['id'])}/activate`);
  await pay(traffic, { card: traffic.card(), outcome: 0 });
  await traffic.api('DELETE', `${path}/${String(secrets[0]?.['id'])}`);
}

async function payByWallet(traffic: CardTraffic): Promise<void> {
  const made = await intent(traffic, { paymentMethods: ['Wallet'] });
  const token = walletToken(traffic.card());
  const answer = await traffic.payer('/client/payments/wallet', { wallet: 'APPLE_PAY', token }, getSecret(made));
  assert.equal(answer['statusCode'], 0, JSON.stringify(answer));
}

async function saveAndPayAgain(traffic: CardTraffic): Promise<void> {
  const { id: customerId } = await traffic.api('POST', '/customers', { body: { name: 'A Guest' } });
  const request = { customer: { id: customerId }, paymentMethods: ['Card', 'SavedCard'] };
  const card = traffic.card();
  const first = await submit(traffic, await intent(traffic, request), card, { savePaymentMethod: true });
  assert.equal(first['statusCode'], 0, JSON.stringify(first));
  const issued = await traffic.api('POST', `/customers/${String(customerId)}/create-secret`);
  const customerSecret = String(issued['secret']);
  assert.match(customerSecret, /^cs_.{60}/);
  traffic.secrets.push(customerSecret);
  const headers = { authorization: `Basic ${customerSecret}` };
  const methods = await traffic.api('GET', `/customers/public/${String(customerId)}/payment-methods`, { headers });
  const [saved] = methods['savedPaymentMethods'] as CardResponse[];
  const again = { paymentMethodId: saved?.['id'], cV2: card.cV2 };
  const secrets = { ...getSecret(await intent(traffic, request)), 'customer-secret': customerSecret };
  const answer = await traffic.payer('/client/payments/saved-card', again, secrets);
  assert.equal(answer['statusCode'], 0, JSON.stringify(answer));
}

async function setUpAndCharge(traffic: CardTraffic): Promise<void> {
  const setup = await traffic.api('POST', '/setup-intents', { body: SETUP });
  const authorised = await submit(traffic, setup, traffic.card(), { mitConsentGiven: true });
  assert.equal(authorised['statusCode'], 0, JSON.stringify(authorised));
  const { cardNumber, cV2: cv2 } = traffic.card();
  const byMerchant = await traffic.merchant('/setup-intents', { ...SETUP, card: { ...CARD, cardNumber, cv2 } });
  assert.equal(byMerchant['status'], 'Authorized', JSON.stringify(byMerchant));
  for (const { id } of [setup, byMerchant]) {
    const { id: paymentId } = await intent(traffic, { setupIntentId: id });
    const charged = await traffic.api('POST', `/payment-intents/${paymentId}/charge`);
    assert.equal(charged['status'], 'Successful', JSON.stringify(charged));
  }
}

async function pay(
  traffic: CardTraffic,
  { card, outcome }: { readonly card: FreshCard; readonly outcome: number },
): Promise<string> {
  const made = await intent(traffic);
  const answer = await submit(traffic, made, card);
  assert.equal(answer['statusCode'], outcome, JSON.stringify(answer));
  return made.id;
}

async function intent(traffic: CardTraffic, more: CardResponse = {}): Promise<CardResponse & { readonly id: string }> {
  const made = await traffic.api('POST', '/payment-intents', {
    body: { amount: AMOUNT, reference: 'table 4', ...more },
  });
  const { id } = made;
  assert.ok(typeof id === 'string', `no intent: ${JSON.stringify(made)}`);
  const secret = made['clientSessionSecret'];
  if (typeof secret === 'string') traffic.secrets.push(secret);
  return { ...made, id };
}

async function submit(
  traffic: CardTraffic,
  made: CardResponse,
  ...[card, more = {}]: readonly [FreshCard, CardResponse?]
): Promise<CardResponse> {
  return traffic.payer('/client/payments', { ...CARD, ...card, ...more }, getSecret(made));
}

function getSecret({ clientSessionSecret }: CardResponse): Record<string, string> {
  return { 'client-session-secret': String(clientSessionSecret) };
}

function walletToken({ cardNumber, cV2 }: FreshCard): string {
  return Buffer.from(JSON.stringify({ cardNumber, expiryDate: '12/32', cV2 })).toString('base64url');
}
