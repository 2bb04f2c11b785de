import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LATEST_RELEASE, type Release } from '@pos/rest-contracts/versions';
import { isLongRun } from '@pos/testing';
import { ApiTestEnvironment, GBP_20, parseJson, parseProblem } from '../testing/api-test-environment.js';

// An integrator's calls from the first intent to the last refund, in the shape of each release. The app itself compares
// every answer and every accepted body with the document of that release; these tests check the business outcome.

let testEnvironment: ApiTestEnvironment;

beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

/** The members of answers that the tests check one by one. */
interface ResponseBody {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly refundId: string;
  readonly itemLines: unknown;
  readonly paymentMethods: unknown;
  readonly transactionSource?: string;
  readonly data: readonly ResponseBody[];
  readonly notificationEvents: readonly { readonly notificationType: string }[];
  readonly paymentDetails: { readonly card: { readonly cardNumber: string; readonly cardType: string } };
  readonly terminalSessionHistory: readonly { readonly terminalSession: ResponseBody }[];
}

const ALL_RELEASES = ['2022-04-07', '2024-02-05', '2025-09-10', '2026-02-27'] as const satisfies readonly Release[];
/** The oldest release undoes all changes; the long run has each. The newest one is that of the other tests. */
const RELEASES: readonly Release[] = isLongRun ? ALL_RELEASES : [ALL_RELEASES[0]];

describe.each(RELEASES)('under %s', (release) => {
  const isBefore = (other: Release): boolean => release < other;
  /** `what` is method and path: `POST /payment-intents`. */
  const send = (what: string, body?: unknown, headers = {}) =>
    testEnvironment.sendRequest(...(what.split(' ') as [string, string]), {
      ...(body !== undefined && { body }),
      headers: { version: release, ...headers },
    });

  async function done(what: string, body?: unknown, headers = {}): Promise<ResponseBody> {
    const answer = await send(what, body, headers);
    expect([answer.status, answer.headers['version'], answer.text]).toEqual([200, release, expect.any(String)]);
    return parseJson(answer) as unknown as ResponseBody;
  }

  const LINE = { caption: 'Soup', quantity: 2, amountTotal: { value: 1300, currencyCode: 'GBP' } };
  const bill = (more = {}) => ({ amount: GBP_20, reference: 'table 4', itemLines: [LINE], ...more });

  /** Pays an intent on a machine that asks for a card twice and for a signature. */
  async function signed(more = {}): Promise<{ intent: string; session: string }> {
    const { id: intent } = await done('POST /payment-intents', bill(more));
    const { id: session } = await testEnvironment.startSale(intent);
    await testEnvironment.applyReport(session, { number: 1, kind: 'confirmed' });
    await testEnvironment.applyReport(session, { number: 2, kind: 'notification', notificationType: 'CardError' });
    await testEnvironment.applyReport(session, { number: 3, kind: 'notification', notificationType: 'ReEnterCard' });
    await testEnvironment.approveSession(session, { isSignatureRequired: true, from: 4 });
    const answer = await done(`PUT /terminal-sessions/${session}/signature`, { accepted: true });
    expect(answer.status).toBe('Captured');
    return { intent, session };
  }

  test('an intent is created, shown to its payer, found and cancelled', async () => {
    const created = await done(
      'POST /payment-intents',
      bill({ cardHolderNotPresent: true, paymentMethods: ['Card', 'SavedCard'] }),
    );
    const line = { ...LINE, modifiers: [], ...(!isBefore('2024-02-05') && { name: 'Soup' }) };
    expect(created.itemLines).toEqual([line]);
    expect(created.paymentMethods).toEqual(isBefore('2024-02-05') ? ['Card'] : ['Card', 'SavedCard']);
    expect(created.transactionSource).toBe(isBefore('2024-02-05') ? 'MOTO' : undefined);
    const visible = await done(`GET /payment-intents/public/${created.id}`);
    expect([visible.itemLines, visible.paymentMethods]).toEqual([[line], created.paymentMethods]);
    const found = await done('POST /payment-intents/search', { cursor: { limit: 1 } });
    expect(found.data[0]).toEqual(created);
    expect((await done(`DELETE /payment-intents/${created.id}`)).status).toBe('Canceled');
    expect((await send(`GET /payment-intents/${created.id}`)).status).toBe(404);
  });

  test('a line without an amount costs zero where the release allows it, and is refused otherwise', async () => {
    const answer = await send('POST /payment-intents', bill({ itemLines: [{ caption: 'Soup' }] }));
    expect(answer.status).toBe(isBefore('2024-02-05') ? 200 : 400);
    if (answer.status === 400) expect(Object.keys(parseProblem(answer).errors)).toEqual(['itemLines[0].amountTotal']);
    else
      expect(parseJson(answer)).toMatchObject({
        subtotalLineItems: { value: 0 },
        itemLines: [{ amountTotal: { value: 0 } }],
      });
  });

  test('an intent is paid at a machine with a signature and refunded in two parts', async () => {
    const { intent, session } = await signed();
    const { notificationEvents } = await done(`GET /terminal-sessions/${session}`);
    const names = isBefore('2025-09-10') ? ['CardUnsupported', 'InsertCard'] : ['CardError', 'ReEnterCard'];
    expect(notificationEvents.slice(0, 2).map(({ notificationType }) => notificationType)).toEqual(names);

    const { paymentDetails, terminalSessionHistory } = await done(`GET /payment-intents/${intent}`);
    const { cardNumber, cardType } = paymentDetails.card;
    expect(paymentDetails).toMatchObject(isBefore('2024-02-05') ? { cardNumber, cardType } : {});
    expect('cardNumber' in paymentDetails).toBe(isBefore('2024-02-05'));
    expect(terminalSessionHistory[0]?.terminalSession.notificationEvents[0]?.notificationType).toBe(names[0]);

    for (const amount of [500, 1500]) {
      const refund = await done(
        `POST /payment-intents/${intent}/refunds`,
        { amount },
        { idempotencyKey: randomUUID() },
      );
      expect((await done(`GET /payment-intents/refunds/${refund.refundId}`)).message).toBe('REFUNDED');
    }
    expect(await done(`GET /payment-intents/${intent}`)).toMatchObject({ status: 'Refunded', refundedAmount: 2000 });
    const more = await send(`POST /payment-intents/${intent}/refunds`, { amount: 1 }, { idempotencyKey: 'once-more' });
    expect([more.status, Object.keys(parseProblem(more).errors)]).toEqual([400, ['amount']]);
  });

  test('a hold is captured in parts, with a tip, and cannot be reversed after that', async () => {
    const intent = await testEnvironment.createIntentIn('Authorized');
    expect(await done(`POST /payment-intents/${intent}/captures`, { amount: 1500, tipsAmount: 100 })).toMatchObject({
      message: 'DEPOSITED',
    });
    expect((await send(`POST /payment-intents/${intent}/reversal`)).status).toBe(409);
    await done(`POST /payment-intents/${intent}/captures`, { amount: 400 });
    expect(await done(`GET /payment-intents/${intent}`)).toMatchObject({
      status: 'Captured',
      tipsAmount: { value: 100 },
    });
  });

  test('a setup intent is created and cancelled without a card', async () => {
    const request = {
      reference: 'table 4',
      merchantInitiatedTransactionType: 'NoShow',
      terms: 'We charge who does not come.',
    };
    const { id } = await done('POST /setup-intents', { ...request, paymentMethods: ['Card', 'SavedCard'] });
    const read = await done(`GET /setup-intents/${id}`);
    expect(read.paymentMethods).toEqual(isBefore('2024-02-05') ? ['Card'] : ['Card', 'SavedCard']);
    const later = await send('POST /setup-intents', { ...request, merchantInitiatedTransactionType: 'Unscheduled' });
    expect(later.status).toBe(isBefore('2024-02-05') ? 400 : 200);
    await done(`POST /setup-intents/public/${id}/refresh-client-session-secret`);
    expect((await done(`DELETE /setup-intents/${id}`)).status).toBe('Canceled');
  });

  test('a customer is created, found, changed and deleted', async () => {
    const { id } = await done('POST /customers', { name: 'A Guest', emailAddress: 'guest@corner.example' });
    expect(await done(`PATCH /customers/${id}`, { name: null })).toMatchObject({ documentVersion: 1 });
    expect(await done(`GET /customers/${id},cust_sandbox_x`)).toMatchObject([{ id }]);
    await done(`POST /customers/${id}/create-secret`);
    expect((await send(`DELETE /customers/${id}`)).status).toBe(204);
    expect(await done(`GET /customers/${id}`)).toEqual([]);
  });

  test('a webhook subscription is created, paused, given another secret and deleted', async () => {
    const { key } = await testEnvironment.createAccount();
    const as = (method: string, path: string, body?: unknown) =>
      testEnvironment.sendRequest(method, path, {
        key,
        headers: { version: release },
        ...(body !== undefined && { body }),
      });
    const created = parseJson(
      await as('POST', '/webhooks', { events: ['payment_intent.created'], url: 'https://shop.example/hooks' }),
    );
    const path = `/webhooks/${String(created['id'])}`;
    expect((await as('PATCH', path, { paused: true })).status).toBe(200);
    expect(parseJson(await as('POST', `${path}/secrets`))).toMatchObject({
      secrets: [{ isActive: true }, { isActive: false }],
    });
    expect(parseJson(await as('GET', `${path}/deliveries`))).toEqual({ data: [], before: null, after: null });
    expect((await as('DELETE', path)).status).toBe(204);
  });

  test('a repeat of an idempotency key under another release is answered in the shape of that release', async () => {
    const headers = { idempotencyKey: randomUUID() };
    const first = await done('POST /payment-intents', bill(), headers);
    const newest = await testEnvironment.sendRequest('POST', '/payment-intents', {
      body: bill(),
      headers: { ...headers, version: LATEST_RELEASE },
    });
    expect(newest.headers['idempotent-replayed']).toBe('true');
    expect(parseJson(newest)).toMatchObject({ id: first.id, itemLines: [{ name: 'Soup' }] });
    expect(await done('POST /payment-intents', bill(), headers)).toEqual(first);
  });
});
