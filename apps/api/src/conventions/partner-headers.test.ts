import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { createAcceptedRequests } from '../testing/accepted-requests.js';
import { ApiTestEnvironment, parseJson } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
let requests: ReturnType<typeof createAcceptedRequests>;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  const idle = await testEnvironment.createAccount();
  requests = createAcceptedRequests(
    () => testEnvironment,
    () => Promise.resolve(idle),
  );
});
afterAll(() => testEnvironment.close());

const PARTNER_HEADERS = { 'software-house-id': 'House of Tills', 'reseller-id': 'Reseller 9' };
const NO_PARTNER_HEADERS = { 'software-house-id': null, 'reseller-id': null };
const STORED_PARTNERS = ['House of Tills', 'Reseller 9'];
const SETUP = { reference: 'r', merchantInitiatedTransactionType: 'NoShow', terms: 'I agree.' };
const AMOUNT = { value: 2000, currencyCode: 'GBP' };

type Headers = Record<string, string | null>;

/** The partners that a row of a relation stores. */
async function findStoredPartners(relation: string, column: string, value: string): Promise<(string | null)[][]> {
  const rows = await testEnvironment.queryRows<{ software_house_id: string | null; reseller_id: string | null }>(
    `select software_house_id, reseller_id from ${relation} where ${column} = $1 order by created_at`,
    [value],
  );
  return rows.map(({ software_house_id: house, reseller_id: reseller }) => [house, reseller]);
}

async function postJson(
  path: string,
  body: unknown,
  headers: Headers = PARTNER_HEADERS,
): Promise<Record<string, unknown>> {
  const answer = await testEnvironment.sendRequest('POST', path, { body, headers });
  expect([path, answer.status]).toEqual([path, 200]);
  return parseJson(answer);
}

/** The same request with an idempotency key. */
const withIdempotencyKey = (headers: Headers, idempotencyKey: string): Headers => ({ ...headers, idempotencyKey });

async function createAndGetId(path: string, body: unknown, headers?: Headers): Promise<string> {
  return String((await postJson(path, body, headers))['id']);
}

test.each<[string, string, object]>([
  ['payment_intents', '/payment-intents', { amount: AMOUNT, reference: 'r' }],
  ['setup_intents', '/setup-intents', SETUP],
  ['customers', '/customers', { name: 'Ada' }],
  ['webhook_subscriptions', '/webhooks', { events: ['payment_intent.created'], url: 'https://shop.example/hooks' }],
])('%s: the partners of the request that created a row are stored in it', async (relation, path, body) => {
  const id = await createAndGetId(path, body);
  expect(await findStoredPartners(relation, 'id', id)).toEqual([STORED_PARTNERS]);
  if (relation === 'webhook_subscriptions') return;
  const withoutPartners = await createAndGetId(path, body, NO_PARTNER_HEADERS);
  expect(await findStoredPartners(relation, 'id', withoutPartners)).toEqual([[null, null]]);
});

test('a terminal session and its call to the acquirer have the partners of the request', async () => {
  const { id: paymentIntentId } = await testEnvironment.createIntent();
  const details = { sessionType: 'Sale', sale: { paymentIntentId } };
  const id = await createAndGetId('/terminal-sessions', {
    terminalId: await testEnvironment.createTerminal(),
    details,
  });
  expect(await findStoredPartners('terminal_sessions', 'id', id)).toEqual([STORED_PARTNERS]);
  expect(await findStoredPartners('acquirer_calls', 'terminal_session_id', id)).toEqual([STORED_PARTNERS]);
  // The machine's later reports are no requests of a partner: they leave the partners unchanged.
  await testEnvironment.approveSession(id);
  expect(await findStoredPartners('terminal_sessions', 'id', id)).toEqual([STORED_PARTNERS]);
  expect(await findStoredPartners('acquirer_calls', 'terminal_session_id', id)).toEqual([STORED_PARTNERS]);
});

test('captures, refunds and reversals store the partners of their own request, not those of the payment', async () => {
  const held = await testEnvironment.createIntentIn('Authorized');
  const { captureId } = await postJson(`/payment-intents/${held}/captures`, { amount: 2000 });
  const { refundId } = await postJson(
    `/payment-intents/${held}/refunds`,
    { amount: 600 },
    withIdempotencyKey(PARTNER_HEADERS, 'partner-refund'),
  );
  await postJson(
    `/payment-intents/${held}/refunds`,
    { amount: 100 },
    withIdempotencyKey(NO_PARTNER_HEADERS, 'refund-without-partners'),
  );
  for (const reference of [captureId, refundId]) {
    expect(await findStoredPartners('acquirer_calls', 'reference', String(reference))).toEqual([STORED_PARTNERS]);
  }
  expect(await findStoredPartners('refunds', 'intent_id', held)).toEqual([STORED_PARTNERS, [null, null]]);
  expect(await findStoredPartners('payment_intents', 'id', held)).toEqual([[null, null]]);
  const paid = await testEnvironment.createIntentIn('Captured');
  const { reversalId } = await postJson(`/payment-intents/${paid}/reversal`, undefined);
  expect(await findStoredPartners('acquirer_calls', 'reference', String(reversalId))).toEqual([STORED_PARTNERS]);
});

test('a repeat with the same key does not change the partners of the request', async () => {
  const body = { amount: AMOUNT, reference: 'once' };
  const { id } = await postJson('/payment-intents', body, withIdempotencyKey(PARTNER_HEADERS, 'partners-once'));
  const other = { 'software-house-id': 'another', 'reseller-id': 'another' };
  expect((await postJson('/payment-intents', body, withIdempotencyKey(other, 'partners-once')))['id']).toBe(id);
  expect(await findStoredPartners('payment_intents', 'id', String(id))).toEqual([STORED_PARTNERS]);
});

test.each<[string, Headers, (string | null)[]]>([
  ['one of the two', { ...NO_PARTNER_HEADERS, 'reseller-id': 'only' }, [null, 'only']],
  ['one of 100 characters', { ...NO_PARTNER_HEADERS, 'reseller-id': 'r'.repeat(100) }, [null, 'r'.repeat(100)]],
  [
    'one of 101 characters, which is tolerated',
    { ...NO_PARTNER_HEADERS, 'reseller-id': 'r'.repeat(101) },
    [null, null],
  ],
  ['blanks', { 'software-house-id': ' ', 'reseller-id': '\t' }, [null, null]],
  [
    'a card number in one piece',
    { ...NO_PARTNER_HEADERS, 'software-house-id': '4456530000091014' },
    ['[hidden]', null],
  ],
  ['a card number in groups', { ...NO_PARTNER_HEADERS, 'reseller-id': 'x 4456 5300 0009 1014' }, [null, '[hidden]']],
])('of a request with %s, what can be stored is stored', async (_, headers, stored) => {
  const id = await createAndGetId('/payment-intents', { amount: AMOUNT, reference: 'r' }, headers);
  expect(await findStoredPartners('payment_intents', 'id', id)).toEqual([stored]);
});

/** Bookings are rows of the EPOS: the service stores their ids only. */
const MUTATING_OPERATIONS = API_OPERATIONS.filter(
  ({ method, permission }) => method !== 'GET' && permission !== 'bookings.write',
);
const RELATIONS = [
  ...['acquirer_calls', 'captures', 'customers', 'order_placements', 'payment_intents', 'refunds', 'setup_intents'],
  ...['terminal_sessions', 'webhook_subscriptions'],
];

/** The relations in which a request of an operation creates rows. Every other operation changes rows or only reads. */
const CREATED: Readonly<Record<string, readonly string[]>> = {
  createPaymentIntent: ['payment_intents'],
  createSetupIntent: ['setup_intents'],
  createCustomer: ['customers'],
  createSubscription: ['webhook_subscriptions'],
  createTerminalSession: ['acquirer_calls', 'terminal_sessions'],
  capturePaymentIntent: ['acquirer_calls', 'captures'],
  refundPaymentIntent: ['acquirer_calls', 'refunds'],
  reversePaymentIntent: ['acquirer_calls'],
  chargePaymentIntent: ['acquirer_calls'],
  submitOrder: ['order_placements'],
};

test('the table names operations that exist', () => {
  const ids = MUTATING_OPERATIONS.map(({ id }) => id);
  expect(Object.keys(CREATED).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(MUTATING_OPERATIONS)('the partners of $id are stored with its request', async (operation) => {
  const { path, body, key } = await requests[operation.id]!();
  const partners = { 'software-house-id': `house of ${operation.id}`, 'reseller-id': `reseller of ${operation.id}` };
  const headers = { ...partners, ...(operation.idempotency === 'required' && { idempotencyKey: 'partners' }) };
  const answer = await testEnvironment.sendRequest(operation.method, path, {
    body,
    headers,
    ...(key !== undefined && { key }),
  });
  // No card vault listens here: a charge that begins stays unanswered, and is stored.
  if (operation.id === 'chargePaymentIntent') expect(answer.status).toBe(504);
  else expect(answer.status).toBeLessThan(300);
  const created: string[] = [];
  for (const relation of RELATIONS) {
    const rows = await testEnvironment.queryRows<{ count: number }>(
      `select count(*)::int as count from ${relation} where software_house_id = $1 and reseller_id = $2`,
      Object.values(partners),
    );
    if (rows[0]!.count > 0) created.push(relation);
  }
  expect(created).toEqual(CREATED[operation.id] ?? []);
  // The log line has them too, also where no row is created; a payer without a key has none.
  await testEnvironment.findRefusal(answer);
  const traceId = String(answer.headers['trace-id']).split('-')[1] ?? '';
  const line =
    testEnvironment.logLines.find((each) => each.includes(traceId) && each.includes('"http.answered"')) ?? '{}';
  const published = { software_house_id: partners['software-house-id'], reseller_id: partners['reseller-id'] };
  if (operation.permission !== null) expect(JSON.parse(line)).toMatchObject(published);
});

test('a request that is refused stores nothing', async () => {
  const headers = { 'software-house-id': 'refused', 'reseller-id': 'refused' };
  const body = { amount: AMOUNT, reference: '' };
  expect((await testEnvironment.sendRequest('POST', '/payment-intents', { body, headers })).status).toBe(400);
  const rows = await testEnvironment.queryRows('select id from payment_intents where software_house_id = $1', [
    'refused',
  ]);
  expect(rows).toEqual([]);
});
