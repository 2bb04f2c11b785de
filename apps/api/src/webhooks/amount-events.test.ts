import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { approvalOf } from '@pos/core/testing';
import { findTerminalSession } from '@pos/store/terminal-sessions';
import { ApiWorld, jsonOf, problemOf } from '../testing.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const OPT_IN = ['payment_intent.amount_captured', 'payment_intent.amount_refunded'];
const gbp = (value: number) => ({ value, currencyCode: 'GBP' });

async function move(id: string, what: 'captures' | 'refunds' | 'reversal', amount?: number): Promise<string> {
  const body = amount === undefined ? undefined : { amount };
  const headers = { idempotencyKey: `${id}-${what}-${amount ?? 0}` };
  const answer = await world.send('POST', `/payment-intents/${id}/${what}`, { body, headers });
  expect(answer.status).toBe(200);
  const { captureId, refundId } = jsonOf(answer);
  return String(captureId ?? refundId);
}

interface PaymentEvent {
  readonly eventType: string;
  readonly amount?: { readonly value: number };
}

async function historyOf(id: string, version?: string): Promise<string[]> {
  const headers = version === undefined ? {} : { version };
  const { paymentEvents } = jsonOf(await world.send('GET', `/payment-intents/${id}?returnCanceled=true`, { headers }));
  return (paymentEvents as PaymentEvent[]).map(({ eventType, amount }) => `${eventType} ${amount?.value}`);
}

/** What was published about the payment intent to each subscription, in order. */
async function deliveredTo(subscriptionId: string, intentId: string) {
  const rows = await world.look<{ body: Buffer }>(
    `select e.body from deliveries d join events e on e.account_id = d.account_id and e.environment = d.environment
       and e.id = d.event_id
     where d.subscription_id = $1 and d.lane_key = $2 order by d.number`,
    [subscriptionId, intentId],
  );
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as { event: string; data: Record<string, unknown> });
}

async function subscribe(events: readonly string[]): Promise<string> {
  const answer = await world.send('POST', '/webhooks', { body: { events, url: 'https://shop.example/hooks' } });
  expect([answer.status, jsonOf(answer)['events']]).toEqual([200, events.map((kind) => kind.toLowerCase())]);
  return String(jsonOf(answer)['id']);
}

describe('the history of a payment intent', () => {
  test('states the amount of each capture and refund', async () => {
    const id = await world.intentIn('Authorized');
    await move(id, 'captures', 1_500);
    await move(id, 'captures', 500);
    await move(id, 'refunds', 600);
    await world.approve((await world.refundSession(id, 400)).id);
    const history = ['Authorized 2000', 'Captured 1500', 'Captured 500', 'Refunded 600', 'Refunded 400'];
    expect(await historyOf(id)).toEqual(history);
    expect(await historyOf(id, '2022-04-07')).toEqual(history);
  });

  test.each([
    ['Captured', ['Captured 2000', 'Reversed 2000']],
    ['Authorized', ['Authorized 2000', 'Reversed 2000']],
  ] as const)('states what a reversal of a payment intent that is %s gave back', async (status, history) => {
    const id = await world.intentIn(status);
    await move(id, 'reversal');
    expect(await historyOf(id)).toEqual(history);
  });

  test('lists a declined attempt with the amount it asked for, the card it used, and no authorisation code', async () => {
    const { id } = await world.intent({ tipsAmount: gbp(300) });
    const session = await world.sale(id);
    const stored = await world.place.database.read(world.sandbox, (reader) => findTerminalSession(reader, session.id));
    const result = { ...approvalOf(stored!.total), authCode: '', message: 'Declined' };
    await world.report(session.id, { kind: 'confirmed', number: 1 });
    await world.report(session.id, { kind: 'declined', result, number: 2 });
    const { status, paymentEvents } = jsonOf(await world.send('GET', `/payment-intents/${id}`));
    expect([status, paymentEvents]).toMatchObject([
      'Created',
      [{ eventType: 'Declined', amount: gbp(2_300), authCode: '', cardType: 'VISA' }],
    ]);
  });

  test('shows a payer no amounts', async () => {
    const id = await world.intentIn('Captured');
    const { paymentEvents } = jsonOf(await world.send('GET', `/payment-intents/public/${id}`, { key: null }));
    expect((paymentEvents as object[]).map((event) => Object.keys(event).sort())).toEqual([
      ['eventType', 'transactionDateTime', 'transactionId'],
    ]);
  });
});

describe('webhooks with amounts', () => {
  let closed: string;
  let optedIn: string;
  beforeAll(async () => {
    const kinds = jsonOf(await world.send('GET', '/webhooks/events')) as unknown as { events: string[] }[];
    closed = await subscribe(kinds.flatMap(({ events }) => events));
    optedIn = await subscribe(OPT_IN.map((kind) => kind.toUpperCase()));
  });

  test('reach the subscription that names their kinds, partial captures and refunds included, and no other', async () => {
    const id = await world.intentIn('Authorized');
    const captures = [await move(id, 'captures', 1_500), await move(id, 'captures', 500)];
    const refundId = await move(id, 'refunds', 600);
    await world.approve((await world.refundSession(id)).id);
    const about = { paymentIntentId: id, captureMode: 'Manual' };
    const steps = [
      { status: 'Authorized', amount: 1_500, captured: 1_500, refunded: 0, made: { captureId: captures[0] } },
      { status: 'Captured', amount: 500, captured: 2_000, refunded: 0, made: { captureId: captures[1] } },
      { status: 'Captured', amount: 600, captured: 2_000, refunded: 600, made: { refundId } },
      { status: 'Refunded', amount: 1_400, captured: 2_000, refunded: 2_000, made: {} },
    ];
    const published = await deliveredTo(optedIn, id);
    expect(published.map(({ data }) => data)).toEqual(
      steps.map(({ status, amount, captured, refunded, made }) => ({
        ...{ ...about, paymentStatus: status, amount: gbp(amount) },
        ...{ capturedAmount: gbp(captured), refundedAmount: gbp(refunded), ...made },
      })),
    );
    expect(published.map(({ event }) => event)).toEqual([OPT_IN[0], OPT_IN[0], OPT_IN[1], OPT_IN[1]]);
    const others = (await deliveredTo(closed, id)).map(
      ({ event, data }) => `${event} ${String(data['paymentStatus'])}`,
    );
    expect(others).toEqual([
      'payment_intent.created Created',
      ...['Authorized', 'Captured', 'Refunded'].map((status) => `payment_intent.status_updated ${status}`),
    ]);
  });

  test('state what an approval captured at once, and say nothing of a reversal', async () => {
    const id = await world.intentIn('Captured');
    await move(id, 'reversal');
    expect((await deliveredTo(optedIn, id)).map(({ event, data }) => [event, data['amount']])).toEqual([
      [OPT_IN[0], gbp(2_000)],
    ]);
  });

  test('are kept for a later subscription like every other event', async () => {
    expect((await world.send('DELETE', `/webhooks/${optedIn}`)).status).toBe(204);
    const since = new Date().toISOString();
    const id = await world.intentIn('Captured');
    await move(id, 'refunds', 600);
    optedIn = await subscribe(OPT_IN);
    const body = { from: since, states: ['NotSubscribed'] };
    const replayed = await world.send('POST', `/webhooks/${optedIn}/replay`, { body });
    expect([replayed.status, jsonOf(replayed)]).toEqual([200, { queued: 2 }]);
  });

  test.each([
    ['', [3, 4]],
    ['?optIn=false', [3, 4]],
    ['?optIn=true', [5, 4]],
    ['?OPTIN=TRUE', [5, 4]],
  ])('are listed by GET /webhooks/events%s only on request', async (query, counts) => {
    const models = jsonOf(await world.send('GET', `/webhooks/events${query}`)) as unknown as { events: string[] }[];
    expect(models.map(({ events }) => events.length)).toEqual(counts);
  });

  test.each([['payment_intent.amount'], ['payment_intent.amount_captured '], ['payment_intent.amount_*']])(
    'are subscribed to by their exact kind: %s is refused',
    async (kind) => {
      const body = { events: [kind], url: 'https://shop.example/hooks' };
      const answer = await world.send('POST', '/webhooks', { key: (await world.newcomer()).key, body });
      expect([answer.status, Object.keys(problemOf(answer).errors)]).toEqual([400, ['events']]);
    },
  );

  test('a kind with amounts belongs to one subscription, like every other kind', async () => {
    const body = { events: [OPT_IN[1]], url: 'https://other.example/hooks' };
    const answer = await world.send('POST', '/webhooks', { body });
    expect([answer.status, Object.keys(problemOf(answer).errors)]).toEqual([409, ['events']]);
  });
});
