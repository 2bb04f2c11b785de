import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Release } from '@pos/rest-contracts/versions';
import { ChargeTestEnvironment } from '../testing/charge-test-environment.js';
import { type TestResponse, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';
import { changeTestSettings } from '@pos/payments/testing';

// An integrator's calls for a payer's own card, at the api and the card vault, in the shape of each release. Both apps
// themselves compare every answer and every accepted body with the document of that release.

let testEnvironment: ChargeTestEnvironment;

beforeAll(async () => {
  testEnvironment = await ChargeTestEnvironment.open();
  const { testDatabase, sandbox } = testEnvironment.api;
  await changeTestSettings(testDatabase.database, sandbox, { cardAttestationUntil: new Date('2999-01-01') });
});
afterAll(() => testEnvironment.close());

interface ListedEvent {
  readonly eventType: string;
}

interface ShownCard {
  readonly cardNumber: string;
  readonly cardName: string;
  readonly expiryDate: string;
  readonly cardType: string;
}

/** The members of answers that the tests check one by one. */
interface ResponseBody {
  readonly id: string;
  readonly status: string;
  readonly secret: string;
  readonly clientSessionSecret?: string;
  readonly clientSessionSecretExpirationDate?: string;
  readonly message: string;
  readonly refundId: string;
  readonly refundedAmount: number;
  readonly paymentDetails: Readonly<Record<string, unknown>> & { readonly card: ShownCard };
  readonly paymentEvents: readonly ListedEvent[];
  readonly setupEvents: readonly ListedEvent[];
  readonly savedPaymentMethods: readonly { readonly id: string; readonly cardDetails: unknown }[];
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly paymentIntentId?: string })[];
}

const RELEASES = ['2022-04-07', '2024-02-05', '2025-09-10', '2026-02-27'] as const satisfies readonly Release[];
const CARD = { cardNumber: '4456530000091014', cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };
const SETUP = {
  reference: 'Saturday',
  merchantInitiatedTransactionType: 'NoShow',
  terms: 'A no-show pays.',
  intendedAmount: GBP_20,
};

const listEventNames = (events: readonly ListedEvent[]): string[] => events.map(({ eventType }) => eventType);

describe.each(RELEASES)('under %s', (release) => {
  const isNested = release >= '2024-02-05';
  /** `what` is method and path: `POST /payment-intents`. */
  const send = (what: string, body?: unknown, { key, ...headers }: Readonly<Record<string, string>> = {}) =>
    testEnvironment.api.sendRequest(...(what.split(' ') as [string, string]), {
      ...(body !== undefined && { body }),
      ...(key !== undefined && { key }),
      headers: { version: release, ...headers },
    });

  async function done(...sent: Parameters<typeof send>): Promise<ResponseBody> {
    const answer = await send(...sent);
    expect([answer.status, answer.headers['version'], answer.text]).toEqual([200, release, expect.any(String)]);
    return parseJson(answer) as unknown as ResponseBody;
  }

  const submit = (secret: string, card = {}, path = '/client/payments', headers = {}) =>
    testEnvironment.payer(
      path,
      { ...CARD, ...card },
      { version: release, 'client-session-secret': secret, ...headers },
    );

  /** Creates an intent and returns its secret for the payer. */
  async function bill(more = {}): Promise<{ readonly id: string; readonly secret: string }> {
    const { id, clientSessionSecret = '' } = await done('POST /payment-intents', {
      amount: GBP_20,
      reference: 'table 4',
      ...more,
    });
    return { id, secret: clientSessionSecret };
  }

  const read = (id: string) => done(`GET /${id.startsWith('si_') ? 'setup' : 'payment'}-intents/${id}`);

  /** Since 2024-02-05 the card is in `card` only; before, its members are also repeated beside it. */
  function expectCard({ paymentDetails }: ResponseBody, visible: Partial<ShownCard>): void {
    expect(paymentDetails.card).toMatchObject(visible);
    const { cardNumber, cardName, expiryDate, cardType } = paymentDetails.card;
    const beside = { cardNumber, cardName, expiryDate, cardType };
    if (isNested) for (const name of Object.keys(beside)) expect(paymentDetails).not.toHaveProperty(name);
    else expect(paymentDetails).toMatchObject(beside);
  }

  function expectRefused(answer: TestResponse, status: number, members: readonly string[] = []): void {
    expect([answer.status, answer.headers['version'], Object.keys(parseProblem(answer).errors)]).toEqual([
      status,
      release,
      members,
    ]);
  }

  test('a payer pays with a card: the money is captured, listed as a sale and refunded in parts', async () => {
    const { id, secret } = await bill();
    const output = await submit(secret);
    expect(output).toMatchObject({ statusCode: 0, message: 'DEPOSITED', authCode: expect.stringMatching(/^\d{6}$/) });
    const paid = await read(id);
    expect([paid.status, listEventNames(paid.paymentEvents), paid.clientSessionSecret]).toEqual([
      'Captured',
      ['Captured'],
      undefined,
    ]);
    expect(paid.clientSessionSecretExpirationDate).toBe('0001-01-01T00:00:00Z');
    expect(paid.paymentDetails).toMatchObject({ message: 'DEPOSITED', transactionId: output['transactionId'] });
    expectCard(paid, { cardNumber: '44565300****1014', cardType: 'VISA', expiryDate: '2032-12-31' });

    const refund = (amount: number) =>
      send(`POST /payment-intents/${id}/refunds`, { amount }, { idempotencyKey: randomUUID() });
    const { refundId } = parseJson(await refund(500));
    expect((await done(`GET /payment-intents/refunds/${String(refundId)}`)).message).toBe('REFUNDED');
    expectRefused(await refund(1501), 400, ['amount']);
    expect(await read(id)).toMatchObject({ status: 'Captured', refundedAmount: 500 });
    expect((await refund(1500)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'Refunded', refundedAmount: 2000 });

    const { data } = await done('POST /transactions/search', { startDate: null, endDate: null });
    const lines = data.filter(({ paymentIntentId }) => paymentIntentId === id);
    expect(lines.map(({ type, status, amount }) => [type, status, amount])).toEqual([
      ['Refund', 'Authorized', { value: 1500, currencyCode: 'GBP' }],
      ['Refund', 'Authorized', { value: 500, currencyCode: 'GBP' }],
      ['Sale', 'Authorized', GBP_20],
    ]);
    expect(lines[2]).toMatchObject({
      id: output['transactionId'],
      paymentDetails: {
        card: { number: '************1014', fundingType: 'Debit', type: 'Visa' },
        ...{ isRemote: true, paymentProduct: 'OnlineCheckout' },
      },
    });
  });

  test.each([
    ['4456530000001013', '341', 5, 'Declined'],
    ['4456530000091022', '020', 4, 'Declined'],
    ['4456530000091030', '020', 30, 'Error'],
    ['4456530000091014', '999', 5, 'Declined'],
  ])('a card %s with %s is refused with %d, and another one pays', async (cardNumber, cV2, statusCode, event) => {
    const { id, secret } = await bill();
    expect(await submit(secret, { cardNumber, cV2 })).toMatchObject({ statusCode, authCode: '' });
    expect(listEventNames((await read(id)).paymentEvents)).toEqual([event]);
    expect(await submit(secret)).toMatchObject({ statusCode: 401 });
    const { clientSessionSecret = '' } = await done(`POST /payment-intents/public/${id}/refresh-client-session-secret`);
    expect(await submit(clientSessionSecret)).toMatchObject({ statusCode: 0 });
    expect(listEventNames((await read(id)).paymentEvents)).toEqual([event, 'Captured']);
  });

  test.each([
    ['Y', 0, ['AuthChallenged', 'Captured']],
    ['N', 5, ['AuthChallenged', 'Declined']],
  ])('a payment with an issuer’s challenge: %s ends with %d', async (paRes, statusCode, events) => {
    const { id, secret } = await bill();
    const sentRequest = await submit(secret, { cardNumber: '4456530000001096' });
    expect(sentRequest).toMatchObject({ statusCode: 3, stepUpUrl: expect.any(String), paReq: expect.any(String) });
    const { transactionId } = sentRequest;
    expect(await submit(secret, { paRes, transactionId }, '/client/payments/challenge')).toMatchObject({ statusCode });
    expect(listEventNames((await read(id)).paymentEvents)).toEqual(events);
  });

  test('the merchant cancels a payment whose payer has left the challenge, and nothing completes it', async () => {
    const { id, secret } = await bill();
    const { transactionId } = await submit(secret, { cardNumber: '4456530000001096' });
    expect(await done(`DELETE /payment-intents/${id}`)).toMatchObject({ status: 'Canceled' });
    const late = await submit(secret, { paRes: 'Y', transactionId }, '/client/payments/challenge');
    expect(late).not.toMatchObject({ statusCode: 0 });
    expectRefused(await send(`GET /payment-intents/${id}`), 404);
  });

  test('a payment that is held is captured in two parts, and its receipt is sent', async () => {
    const { id, secret } = await bill({ captureMode: 'Manual' });
    expectRefused(await send(`POST /payment-intents/${id}/receipt`, { emails: ['guest@corner.example'] }), 409);
    expect(await submit(secret)).toMatchObject({ statusCode: 0, message: 'AUTHORIZED' });
    for (const amount of [1500, 500]) await done(`POST /payment-intents/${id}/captures`, { amount });
    expect(await read(id)).toMatchObject({ status: 'Captured', captures: [{ amount: 1500 }, { amount: 500 }] });
    expectRefused(await send(`POST /payment-intents/${id}/reversal`), 409);
    expect((await send(`POST /payment-intents/${id}/receipt`, { emails: ['guest@corner.example'] })).status).toBe(204);
    expectRefused(await send(`POST /payment-intents/${id}/receipt`, { emails: ['nobody'] }), 400, ['emails[0]']);
  });

  test('a customer saves a card, pays with it again and deletes it', async () => {
    const { id: customerId } = await done('POST /customers', { name: 'A Guest' });
    const request = { customer: { id: customerId }, paymentMethods: ['Card', 'SavedCard'] };
    const first = await bill(request);
    expect(await submit(first.secret, { savePaymentMethod: true })).toMatchObject({ statusCode: 0 });
    const { secret: key } = await done(`POST /customers/${customerId}/create-secret`);
    const path = `/customers/public/${customerId}/payment-methods`;
    const { savedPaymentMethods } = await done(`GET ${path}`, undefined, { key });
    expect(savedPaymentMethods.map(({ cardDetails }) => cardDetails)).toEqual([
      { pan: '44565300****1014', expiryDate: '2032-12-31', scheme: 'VISA' },
    ]);
    const paymentMethodId = savedPaymentMethods[0]?.id;
    const repeated = await bill(request);
    const headers = { 'customer-secret': key };
    const output = await submit(repeated.secret, { paymentMethodId }, '/client/payments/saved-card', headers);
    expect(output).toMatchObject({ statusCode: 0 });
    expect((await read(repeated.id)).paymentDetails).toMatchObject({ paymentMethodId });
    expect((await send(`DELETE ${path}/${paymentMethodId}`, undefined, { key })).status).toBe(204);
    expectRefused(await send(`DELETE ${path}/${paymentMethodId}`, undefined, { key }), 404);
    expect((await done(`GET ${path}`, undefined, { key })).savedPaymentMethods).toEqual([]);
  });

  /** The public document of the release lists every visible member. */
  async function expectListed(shape: string, visible: unknown): Promise<void> {
    const answer = await testEnvironment.api.sendRequest('GET', '/openapi.json', {
      key: null,
      headers: { version: release },
    });
    const { info, components } = parseJson(answer) as unknown as {
      readonly info: { readonly version: string };
      readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
    };
    expect(info.version).toBe(release);
    expect(Object.keys(components.schemas[shape]?.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(visible as object)),
    );
  }

  test('a card that a payer set up is charged once, which completes the setup', async () => {
    const setup = await done('POST /setup-intents', SETUP);
    const consented = { mitConsentGiven: true };
    expect(await submit(setup.clientSessionSecret ?? '')).toMatchObject({ statusCode: 400 });
    expect(await submit(setup.clientSessionSecret ?? '', consented)).toMatchObject({ statusCode: 0 });
    const ready = await read(setup.id);
    expect([ready.status, listEventNames(ready.setupEvents)]).toEqual(['Authorized', ['Authorized']]);
    expectCard(ready, { cardNumber: '44565300****1014', cardType: 'VISA' });
    await expectListed('SetupIntent', ready);
    await expectListed('SetupOutcome', ready.paymentDetails);
    const tooMuch = await bill({ setupIntentId: setup.id, tipsAmount: { value: 1, currencyCode: 'GBP' } });
    expectRefused(await send(`POST /payment-intents/${tooMuch.id}/charge`), 400, ['amount']);
    const { id } = await bill({ setupIntentId: setup.id });
    expect(await done(`POST /payment-intents/${id}/charge`)).toMatchObject({
      status: 'Successful',
      message: 'DEPOSITED',
    });
    expect([(await read(id)).status, (await read(setup.id)).status]).toEqual(['Captured', 'Completed']);
    expectRefused(await send(`POST /payment-intents/${tooMuch.id}/charge`), 409);
  });

  test('a merchant sets up a card with its number and cancels the setup', async () => {
    const key = { version: release, authorization: `Basic ${testEnvironment.api.keys.full}` };
    const { cV2: cv2, ...card } = CARD;
    const created = (await testEnvironment.payer(
      '/setup-intents',
      { ...SETUP, card: { ...card, cv2 } },
      key,
    )) as unknown as ResponseBody;
    expect([created.status, listEventNames(created.setupEvents)]).toEqual(['Authorized', ['Authorized']]);
    expectCard(created, { cardNumber: '44565300****1014', cardName: 'A GUEST' });
    const refused = { ...card, cv2, cardNumber: '4456530000001013' };
    expect(await testEnvironment.payer('/setup-intents', { ...SETUP, card: refused }, key)).toMatchObject({
      status: 'Created',
      paymentDetails: { message: 'DECLINED' },
    });
    expectRefused(await send('POST /setup-intents', { ...SETUP, card }), 400, ['card']);
    expectRefused(await send(`DELETE /setup-intents/${created.id}`), 409);
    const { status } = await done(`DELETE /setup-intents/${created.id}?includeAuthorized=true`);
    expect(status).toBe(isNested ? 'Closed' : 'Canceled');
  });

  test('a subscriber receives the same events of a payer’s actions under every release', async () => {
    const events = ['payment_intent.created', 'payment_intent.status_updated', 'payment_intent.send-receipt'];
    const subscription = await done('POST /webhooks', { events, url: 'https://shop.example/hooks' });
    const { id, secret } = await bill();
    await submit(secret);
    await send(`POST /payment-intents/${id}/receipt`, { emails: ['guest@corner.example'] });
    const { data } = await done(`GET /webhooks/${subscription.id}/deliveries`);
    expect(data.map(({ event }) => event)).toEqual([...events].reverse());
    const published = await testEnvironment.api.queryRows<{ body: Buffer }>(
      'select body from events where subject_id = $1 order by created_at, kind',
      [id],
    );
    const bodies = published.map(({ body }) => JSON.parse(body.toString()) as { event: string; data: unknown });
    expect(bodies.find(({ event }) => event === 'payment_intent.status_updated')?.data).toEqual({
      ...{ paymentIntentId: id, paymentStatus: 'Captured', captureMode: 'Auto' },
    });
    expect((await send(`DELETE /webhooks/${subscription.id}`)).status).toBe(204);
  });
});
