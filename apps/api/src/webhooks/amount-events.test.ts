import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApproval } from '@pos/core/testing';
import { findTerminalSession } from '@pos/store/terminals';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const OPT_IN = ['payment_intent.amount_captured', 'payment_intent.amount_refunded', 'payment_intent.charge_failed'];
const createGbp = (value: number) => ({ value, currencyCode: 'GBP' });

async function moveMoney(id: string, what: 'captures' | 'refunds' | 'reversal', amount?: number): Promise<string> {
  const body = amount === undefined ? undefined : { amount };
  const headers = { idempotencyKey: `${id}-${what}-${amount ?? 0}` };
  const answer = await testEnvironment.sendRequest('POST', `/payment-intents/${id}/${what}`, { body, headers });
  expect(answer.status).toBe(200);
  const { captureId, refundId } = parseJson(answer);
  return String(captureId ?? refundId);
}

interface PaymentEvent {
  readonly eventType: string;
  readonly amount?: { readonly value: number };
}

async function readHistory(id: string, version?: string): Promise<string[]> {
  const headers = version === undefined ? {} : { version };
  const { paymentEvents } = parseJson(
    await testEnvironment.sendRequest('GET', `/payment-intents/${id}?returnCanceled=true`, { headers }),
  );
  return (paymentEvents as PaymentEvent[]).map(({ eventType, amount }) => `${eventType} ${amount?.value}`);
}

/** The events about the payment intent that each subscription received, in order. */
async function listDelivered(subscriptionId: string, intentId: string) {
  const rows = await testEnvironment.queryRows<{ body: Buffer }>(
    `select e.body from deliveries d join events e on e.account_id = d.account_id and e.environment = d.environment
       and e.id = d.event_id
     where d.subscription_id = $1 and d.lane_key = $2 order by d.number`,
    [subscriptionId, intentId],
  );
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as { event: string; data: Record<string, unknown> });
}

async function subscribe(events: readonly string[]): Promise<string> {
  const answer = await testEnvironment.sendRequest('POST', '/webhooks', {
    body: { events, url: 'https://shop.example/hooks' },
  });
  expect([answer.status, parseJson(answer)['events']]).toEqual([200, events.map((kind) => kind.toLowerCase())]);
  return String(parseJson(answer)['id']);
}

describe('the history of a payment intent', () => {
  test('states the amount of each capture and refund', async () => {
    const id = await testEnvironment.createIntentIn('Authorized');
    await moveMoney(id, 'captures', 1_500);
    await moveMoney(id, 'captures', 500);
    await moveMoney(id, 'refunds', 600);
    await testEnvironment.approveSession((await testEnvironment.startRefundSession(id, 400)).id);
    const history = ['Authorized 2000', 'Captured 1500', 'Captured 500', 'Refunded 600', 'Refunded 400'];
    expect(await readHistory(id)).toEqual(history);
    expect(await readHistory(id, '2022-04-07')).toEqual(history);
  });

  test.each([
    ['Captured', ['Captured 2000', 'Reversed 2000']],
    ['Authorized', ['Authorized 2000', 'Reversed 2000']],
  ] as const)('states what a reversal of a payment intent that is %s gave back', async (status, history) => {
    const id = await testEnvironment.createIntentIn(status);
    await moveMoney(id, 'reversal');
    expect(await readHistory(id)).toEqual(history);
  });

  test('lists a declined attempt with its amount and card and without an authorisation code', async () => {
    const { id } = await testEnvironment.createIntent({ tipsAmount: createGbp(300) });
    const session = await testEnvironment.startSale(id);
    const stored = await testEnvironment.testDatabase.database.read(testEnvironment.sandbox, (reader) =>
      findTerminalSession(reader, session.id),
    );
    const result = { ...createApproval(stored!.total), authCode: '', message: 'Declined' };
    await testEnvironment.applyReport(session.id, { kind: 'confirmed', number: 1 });
    await testEnvironment.applyReport(session.id, { kind: 'declined', result, number: 2 });
    const { status, paymentEvents } = parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`));
    expect([status, paymentEvents]).toMatchObject([
      'Created',
      [{ eventType: 'Declined', amount: createGbp(2_300), authCode: '', cardType: 'VISA' }],
    ]);
  });

  test('contains no amounts for a payer', async () => {
    const id = await testEnvironment.createIntentIn('Captured');
    const { paymentEvents } = parseJson(
      await testEnvironment.sendRequest('GET', `/payment-intents/public/${id}`, { key: null }),
    );
    expect((paymentEvents as object[]).map((event) => Object.keys(event).sort())).toEqual([
      ['eventType', 'transactionDateTime'],
    ]);
  });
});

describe('webhooks with amounts', () => {
  let closed: string;
  let optedIn: string;
  beforeAll(async () => {
    const kinds = parseJson(await testEnvironment.sendRequest('GET', '/webhooks/events')) as unknown as {
      events: string[];
    }[];
    closed = await subscribe(kinds.flatMap(({ events }) => events));
    optedIn = await subscribe(OPT_IN.map((kind) => kind.toUpperCase()));
  });

  test('reach the subscription that names their kinds, partial captures and refunds included, and no other', async () => {
    const id = await testEnvironment.createIntentIn('Authorized');
    const captures = [await moveMoney(id, 'captures', 1_500), await moveMoney(id, 'captures', 500)];
    const refundId = await moveMoney(id, 'refunds', 600);
    await testEnvironment.approveSession((await testEnvironment.startRefundSession(id)).id);
    const about = { paymentIntentId: id, captureMode: 'Manual' };
    const steps = [
      { status: 'Authorized', amount: 1_500, captured: 1_500, refunded: 0, created: { captureId: captures[0] } },
      { status: 'Captured', amount: 500, captured: 2_000, refunded: 0, created: { captureId: captures[1] } },
      { status: 'Captured', amount: 600, captured: 2_000, refunded: 600, created: { refundId } },
      { status: 'Refunded', amount: 1_400, captured: 2_000, refunded: 2_000, created: {} },
    ];
    const published = await listDelivered(optedIn, id);
    expect(published.map(({ data }) => data)).toEqual(
      steps.map(({ status, amount, captured, refunded, created }) => ({
        ...{ ...about, paymentStatus: status, amount: createGbp(amount) },
        ...{ capturedAmount: createGbp(captured), refundedAmount: createGbp(refunded), ...created },
      })),
    );
    expect(published.map(({ event }) => event)).toEqual([OPT_IN[0], OPT_IN[0], OPT_IN[1], OPT_IN[1]]);
    const others = (await listDelivered(closed, id)).map(
      ({ event, data }) => `${event} ${String(data['paymentStatus'])}`,
    );
    expect(others).toEqual([
      'payment_intent.created Created',
      ...['Authorized', 'Captured', 'Refunded'].map((status) => `payment_intent.status_updated ${status}`),
    ]);
  });

  test('state the amount that an approval captured at once, and no reversal', async () => {
    const id = await testEnvironment.createIntentIn('Captured');
    await moveMoney(id, 'reversal');
    expect((await listDelivered(optedIn, id)).map(({ event, data }) => [event, data['amount']])).toEqual([
      [OPT_IN[0], createGbp(2_000)],
    ]);
  });

  test('are kept for a later subscription like every other event', async () => {
    expect((await testEnvironment.sendRequest('DELETE', `/webhooks/${optedIn}`)).status).toBe(204);
    const since = new Date().toISOString();
    const id = await testEnvironment.createIntentIn('Captured');
    await moveMoney(id, 'refunds', 600);
    optedIn = await subscribe(OPT_IN);
    const body = { from: since, states: ['NotSubscribed'] };
    const replayed = await testEnvironment.sendRequest('POST', `/webhooks/${optedIn}/replay`, { body });
    expect([replayed.status, parseJson(replayed)]).toEqual([200, { queued: 2 }]);
  });

  test.each([
    ['', [3, 4]],
    ['?optIn=false', [3, 4]],
    ['?optIn=true', [6, 4, 2]],
    ['?OPTIN=TRUE', [6, 4, 2]],
  ])('are listed by GET /webhooks/events%s only on request', async (query, counts) => {
    const models = parseJson(await testEnvironment.sendRequest('GET', `/webhooks/events${query}`)) as unknown as {
      events: string[];
    }[];
    expect(models.map(({ events }) => events.length)).toEqual(counts);
  });

  test.each([['payment_intent.amount'], ['payment_intent.amount_captured '], ['payment_intent.amount_*']])(
    'are subscribed to by their exact kind: %s is refused',
    async (kind) => {
      const body = { events: [kind], url: 'https://shop.example/hooks' };
      const answer = await testEnvironment.sendRequest('POST', '/webhooks', {
        key: (await testEnvironment.createAccount()).key,
        body,
      });
      expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, ['events']]);
    },
  );

  test('a kind with amounts belongs to one subscription, like every other kind', async () => {
    const body = { events: [OPT_IN[1]], url: 'https://other.example/hooks' };
    const answer = await testEnvironment.sendRequest('POST', '/webhooks', { body });
    expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([409, ['events']]);
  });
});
