import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { acceptedRequests } from './testing-accepted.js';
import { ApiWorld, jsonOf } from './testing.js';

let world: ApiWorld;
let requests: ReturnType<typeof acceptedRequests>;
beforeAll(async () => {
  world = await ApiWorld.open();
  const idle = await world.newcomer();
  requests = acceptedRequests(
    () => world,
    () => Promise.resolve(idle),
  );
});
afterAll(() => world.close());

const HOUSE = { 'software-house-id': 'House of Tills', 'reseller-id': 'Reseller 9' };
const NONE = { 'software-house-id': null, 'reseller-id': null };
const STORED = ['House of Tills', 'Reseller 9'];
const SETUP = { reference: 'r', merchantInitiatedTransactionType: 'NoShow', terms: 'I agree.' };
const AMOUNT = { value: 2000, currencyCode: 'GBP' };

type Headers = Record<string, string | null>;

/** What a relation holds of the partners of a row. */
async function storedOf(relation: string, column: string, value: string): Promise<(string | null)[][]> {
  const rows = await world.look<{ software_house_id: string | null; reseller_id: string | null }>(
    `select software_house_id, reseller_id from ${relation} where ${column} = $1 order by created_at`,
    [value],
  );
  return rows.map(({ software_house_id: house, reseller_id: reseller }) => [house, reseller]);
}

async function post(path: string, body: unknown, headers: Headers = HOUSE): Promise<Record<string, unknown>> {
  const answer = await world.send('POST', path, { body, headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return jsonOf(answer);
}

/** The same request under an idempotency key. */
const under = (headers: Headers, idempotencyKey: string): Headers => ({ ...headers, idempotencyKey });

async function idOf(path: string, body: unknown, headers?: Headers): Promise<string> {
  return String((await post(path, body, headers))['id']);
}

test.each<[string, string, object]>([
  ['payment_intents', '/payment-intents', { amount: AMOUNT, reference: 'r' }],
  ['setup_intents', '/setup-intents', SETUP],
  ['customers', '/customers', { name: 'Ada' }],
  ['webhook_subscriptions', '/webhooks', { events: ['payment_intent.created'], url: 'https://shop.example/hooks' }],
])('%s: the partners of the request that created a row are stored in it', async (relation, path, body) => {
  const id = await idOf(path, body);
  expect(await storedOf(relation, 'id', id)).toEqual([STORED]);
  if (relation === 'webhook_subscriptions') return;
  const nobody = await idOf(path, body, NONE);
  expect(await storedOf(relation, 'id', nobody)).toEqual([[null, null]]);
});

test('a terminal session and its call to the acquirer have the partners of the request', async () => {
  const { id: paymentIntentId } = await world.intent();
  const details = { sessionType: 'Sale', sale: { paymentIntentId } };
  const id = await idOf('/terminal-sessions', { terminalId: await world.terminal(), details });
  expect(await storedOf('terminal_sessions', 'id', id)).toEqual([STORED]);
  expect(await storedOf('acquirer_calls', 'terminal_session_id', id)).toEqual([STORED]);
  // What the machine reports later is no request of a partner, and leaves them as they are.
  await world.approve(id);
  expect(await storedOf('terminal_sessions', 'id', id)).toEqual([STORED]);
  expect(await storedOf('acquirer_calls', 'terminal_session_id', id)).toEqual([STORED]);
});

test('captures, refunds and reversals have the partners of their own request, not those of the payment', async () => {
  const held = await world.intentIn('Authorized');
  const { captureId } = await post(`/payment-intents/${held}/captures`, { amount: 2000 });
  const { refundId } = await post(`/payment-intents/${held}/refunds`, { amount: 600 }, under(HOUSE, 'partner-refund'));
  await post(`/payment-intents/${held}/refunds`, { amount: 100 }, under(NONE, 'nobody-refund'));
  for (const reference of [captureId, refundId]) {
    expect(await storedOf('acquirer_calls', 'reference', String(reference))).toEqual([STORED]);
  }
  expect(await storedOf('refunds', 'intent_id', held)).toEqual([STORED, [null, null]]);
  expect(await storedOf('payment_intents', 'id', held)).toEqual([[null, null]]);
  const paid = await world.intentIn('Captured');
  const { reversalId } = await post(`/payment-intents/${paid}/reversal`, undefined);
  expect(await storedOf('acquirer_calls', 'reference', String(reversalId))).toEqual([STORED]);
});

test('a repeat under the same key does not change whose request it was', async () => {
  const body = { amount: AMOUNT, reference: 'once' };
  const { id } = await post('/payment-intents', body, under(HOUSE, 'partners-once'));
  const other = { 'software-house-id': 'another', 'reseller-id': 'another' };
  expect((await post('/payment-intents', body, under(other, 'partners-once')))['id']).toBe(id);
  expect(await storedOf('payment_intents', 'id', String(id))).toEqual([STORED]);
});

test.each<[string, Headers, (string | null)[]]>([
  ['one of the two', { ...NONE, 'reseller-id': 'only' }, [null, 'only']],
  ['one of 100 characters', { ...NONE, 'reseller-id': 'r'.repeat(100) }, [null, 'r'.repeat(100)]],
  ['one of 101 characters, which is tolerated', { ...NONE, 'reseller-id': 'r'.repeat(101) }, [null, null]],
  ['blanks', { 'software-house-id': ' ', 'reseller-id': '\t' }, [null, null]],
  ['a card number in one piece', { ...NONE, 'software-house-id': '4456530000091014' }, ['[hidden]', null]],
  ['a card number in groups', { ...NONE, 'reseller-id': 'x 4456 5300 0009 1014' }, [null, '[hidden]']],
])('of a request with %s, what can be stored is stored', async (_, headers, stored) => {
  const id = await idOf('/payment-intents', { amount: AMOUNT, reference: 'r' }, headers);
  expect(await storedOf('payment_intents', 'id', id)).toEqual([stored]);
});

const MUTATING = API_OPERATIONS.filter(({ method }) => method !== 'GET');
const RELATIONS = [
  ...['acquirer_calls', 'customers', 'order_placements', 'payment_intents', 'refunds', 'setup_intents'],
  ...['terminal_sessions', 'webhook_subscriptions'],
];

/** The relations in which a request of an operation creates rows. Every other operation changes rows or only reads. */
const CREATED: Readonly<Record<string, readonly string[]>> = {
  createPaymentIntent: ['payment_intents'],
  createSetupIntent: ['setup_intents'],
  createCustomer: ['customers'],
  createSubscription: ['webhook_subscriptions'],
  createTerminalSession: ['acquirer_calls', 'terminal_sessions'],
  capturePaymentIntent: ['acquirer_calls'],
  refundPaymentIntent: ['acquirer_calls', 'refunds'],
  reversePaymentIntent: ['acquirer_calls'],
  chargePaymentIntent: ['acquirer_calls'],
  submitOrder: ['order_placements'],
};

test('the table names operations that exist', () => {
  const ids = MUTATING.map(({ id }) => id);
  expect(Object.keys(CREATED).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(MUTATING)('the partners of $id are stored with its request', async (operation) => {
  const { path, body, key } = await requests[operation.id]!();
  const partners = { 'software-house-id': `house of ${operation.id}`, 'reseller-id': `reseller of ${operation.id}` };
  const headers = { ...partners, ...(operation.idempotency === 'required' && { idempotencyKey: 'partners' }) };
  const answer = await world.send(operation.method, path, { body, headers, ...(key !== undefined && { key }) });
  expect(answer.status).toBeLessThan(300);
  const created: string[] = [];
  for (const relation of RELATIONS) {
    const rows = await world.look<{ count: number }>(
      `select count(*)::int as count from ${relation} where software_house_id = $1 and reseller_id = $2`,
      Object.values(partners),
    );
    if (rows[0]!.count > 0) created.push(relation);
  }
  expect(created).toEqual(CREATED[operation.id] ?? []);
  // The line of the log has them too, also where no row is created; a payer without a key has none.
  await world.refusalOf(answer);
  const traceId = String(answer.headers['trace-id']).split('-')[1] ?? '';
  const line = world.lines.find((each) => each.includes(traceId) && each.includes('"http.answered"')) ?? '{}';
  const told = { software_house_id: partners['software-house-id'], reseller_id: partners['reseller-id'] };
  if (operation.permission !== null) expect(JSON.parse(line)).toMatchObject(told);
});

test('a request that is refused stores nothing', async () => {
  const headers = { 'software-house-id': 'refused', 'reseller-id': 'refused' };
  const body = { amount: AMOUNT, reference: '' };
  expect((await world.send('POST', '/payment-intents', { body, headers })).status).toBe(400);
  const rows = await world.look('select id from payment_intents where software_house_id = $1', ['refused']);
  expect(rows).toEqual([]);
});
