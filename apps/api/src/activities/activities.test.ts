import { createCv2MessageShapes } from '@pos/core/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ActivityRecorder } from '@pos/core/activities';
import { EXAMPLE_NUMBERS, TEST_NUMBERS } from '@pos/core/cards';
import { createApiKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/identity';
import { createNumberShapes, createSecretShapes, LeakScan } from '@pos/core/leaks';
import { ACTIVITIES } from '@pos/nest-modules';
import * as rest from '@pos/rest-contracts/activities';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  // Short, because one scenario below is about an acquirer that does not answer.
  testEnvironment = await ApiTestEnvironment.open({ ACQUIRER_DEADLINE_MS: '1500' });
});
afterAll(() => testEnvironment.close());

const CARD_NUMBER = '4456530000091014';

const flush = (): Promise<void> => testEnvironment.api.app.get<ActivityRecorder>(ACTIVITIES, { strict: false }).flush();

async function listRequests(query: Record<string, string | number>, key = testEnvironment.keys.full) {
  await flush();
  return testEnvironment.createClient(key)(rest.listRequests, { query });
}

/** The steps of a payment, oldest first. */
async function listSteps(paymentIntentId: string, limit = 100): Promise<rest.PaymentActivity[]> {
  await flush();
  const client = testEnvironment.createClient();
  const steps: rest.PaymentActivity[] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const query = { limit, ...(after !== undefined && { after }) };
    const page = await client(rest.listPaymentActivities, { params: { paymentIntentId }, query });
    steps.push(...(page.data as rest.PaymentActivity[]));
    after = page.after;
  }
  return steps.reverse();
}

const describeStep = ({ kind, name, outcome, status }: rest.PaymentActivity): string =>
  [kind, name, outcome, status].filter((part) => part !== undefined).join(' ');

test('the timeline of a card payment lists every step in its order, each with its trace', async () => {
  const { id } = await testEnvironment.createIntent();
  await testEnvironment.bringIntentTo(id, 'Captured');
  for (const amount of [500, 5_000_000]) {
    const headers = { 'idempotency-key': `refund-${amount}` };
    await testEnvironment.sendRequest('POST', `/payment-intents/${id}/refunds`, { body: { amount }, headers });
  }
  const steps = await listSteps(id);
  expect(steps.map(describeStep)).toEqual([
    'ApiRequest createPaymentIntent Succeeded 200',
    'ApiRequest createTerminalSession Succeeded 200',
    'AcquirerCall Authorise Succeeded',
    'StateChange InitiateRequested',
    'MachineReport Initiated',
    'MachineReport PresentCard',
    'MachineReport Captured',
    'StateChange Captured',
    'ApiRequest refundPaymentIntent Succeeded 200',
    'AcquirerCall Refund Succeeded',
    'StateChange Refunded',
    'ApiRequest refundPaymentIntent Refused 400',
  ]);
  const ours = steps.filter(({ kind, transport }) => kind !== 'MachineReport' && transport !== 'machine');
  expect(ours.filter(({ traceId }) => traceId === undefined).map(describeStep)).toEqual(['StateChange Captured']);
  const [refund, call, change] = steps.slice(8);
  expect(new Set([refund?.traceId, call?.traceId, change?.traceId]).size).toBe(1);
  expect(refund).toMatchObject({ method: 'POST', path: `/payment-intents/${id}/refunds`, request: { amount: 500 } });
  expect(call).toMatchObject({ request: { amount: { value: 500, currencyCode: 'GBP' } }, answer: { outcome: 'done' } });
});

test('pages of a timeline are in one order without gaps, in both directions', async () => {
  const { id } = await testEnvironment.createIntent();
  await testEnvironment.bringIntentTo(id, 'Captured');
  const steps = await listSteps(id);
  expect((await listSteps(id, 2)).map((step) => step.id)).toEqual(steps.map((step) => step.id));
  const client = testEnvironment.createClient();
  const params = { paymentIntentId: id };
  const first = await client(rest.listPaymentActivities, { params, query: { limit: 3 } });
  const second = await client(rest.listPaymentActivities, { params, query: { limit: 3, after: first.after! } });
  const back = await client(rest.listPaymentActivities, { params, query: { limit: 3, before: second.before! } });
  expect(back.data).toEqual(first.data);
});

test('a request is in the log with its operation, key and bodies, without unlisted members', async () => {
  const { id } = await testEnvironment.createIntent({ description: 'for Kim', reference: 'table 9' });
  const { data } = await listRequests({ operation: 'createPaymentIntent', limit: 1 });
  expect(data).toEqual([
    {
      ...{ id: expect.any(String), name: 'createPaymentIntent', at: expect.any(String), tookMs: expect.any(Number) },
      ...{ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), keyId: expect.stringMatching(/^key_/), subjectId: id },
      ...{ outcome: 'Succeeded', status: 200, method: 'POST', path: '/payment-intents' },
      hasIdempotencyKey: expect.any(Boolean),
      request: expect.objectContaining({ reference: 'table 9', description: '[not recorded]' }),
      answer: expect.objectContaining({ id, status: 'Created', clientSessionSecret: '[not recorded]' }),
    },
  ]);
});

test('refused and failed requests are in the log with their reason', async () => {
  const { key } = await testEnvironment.createAccount();
  const weak = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES['webhooks-only']);
  const requests: [string, string, object][] = [
    ['POST', '/payment-intents', { key, body: { amount: { value: 0, currencyCode: 'GBP' } } }],
    ['POST', '/payment-intents', { key, body: '{"amount":' }],
    ['GET', '/payment-intents/pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA', { key }],
    ['GET', '/terminals', { key: weak }],
    ['GET', '/terminals', { key, headers: { version: 'soon' } }],
  ];
  for (const [method, path, sent] of requests) await testEnvironment.sendRequest(method, path, sent);
  const { data } = await listRequests({}, key);
  expect(data.map(({ name, status, reason, outcome }) => [name, status, reason, outcome].join(' '))).toEqual([
    'listTerminals 400 version_invalid Refused',
    'readPaymentIntent 404 payment_intent_not_found Refused',
    'createPaymentIntent 400 body_malformed Refused',
    'createPaymentIntent 400 validation_failed Refused',
  ]);
  expect(data[3]?.answer).toMatchObject({ errors: { 'amount.value': expect.any(Array) } });
  const { data: ofWeak } = await listRequests({ limit: 1, status: 403 });
  expect(ofWeak).toMatchObject([{ status: 403, reason: 'permission_missing' }]);
});

test('a request that an acquirer leaves without an answer is in the log as failed, with the call', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  testEnvironment.acquirer.simulator.rules.replaceRules([
    { match: { kind: 'Refund' }, effect: 'drop-answer', times: 1 },
  ]);
  const headers = { 'idempotency-key': 'lost' };
  const answer = await testEnvironment.sendRequest('POST', `/payment-intents/${id}/refunds`, {
    body: { amount: 1 },
    headers,
  });
  expect(answer.status).toBe(504);
  const steps = await listSteps(id);
  expect(steps.slice(-2).map(describeStep)).toEqual([
    'ApiRequest refundPaymentIntent Failed 504',
    'AcquirerCall Refund Failed',
  ]);
  expect(steps.at(-2)).toMatchObject({ reason: 'acquirer_unanswered', hasIdempotencyKey: true });
});

test('requests without a valid key belong to no account, and reading the log leaves no entry', async () => {
  const { key } = await testEnvironment.createAccount();
  for (const sent of [null, 'sk_sandbox_x', createApiKeyText('sandbox', Buffer.alloc(32, 5))])
    await testEnvironment.sendRequest('GET', '/terminals', { key: sent });
  await testEnvironment.sendRequest('GET', '/no-such-path', { key });
  expect((await listRequests({}, key)).data).toEqual([]);
  expect((await listRequests({}, key)).data).toEqual([]);
});

test('requests are selected by operation, outcome, status, key, trace and time', async () => {
  const { key, scope } = await testEnvironment.createAccount();
  const other = await testEnvironment.addKey(scope);
  await testEnvironment.sendRequest('GET', '/terminals', { key });
  const traced = await testEnvironment.sendRequest('GET', '/terminals/x', { key: other });
  await testEnvironment.sendRequest('GET', '/alarms', { key });
  const traceId = String(traced.headers['trace-id']).split('-')[1]!;
  const { data: all } = await listRequests({}, key);
  expect(all.map(({ name }) => name)).toEqual(['listAlarms', 'readTerminal', 'listTerminals']);
  const select = async (query: Record<string, string | number>) =>
    (await listRequests(query, key)).data.map(({ name }) => name);
  expect(await select({ operation: 'readTerminal' })).toEqual(['readTerminal']);
  expect(await select({ outcome: 'Refused' })).toEqual(['readTerminal']);
  expect(await select({ outcome: 'Succeeded', limit: 1 })).toEqual(['listAlarms']);
  expect(await select({ status: 404 })).toEqual(['readTerminal']);
  expect(await select({ status: 200 })).toEqual(['listAlarms', 'listTerminals']);
  expect(await select({ keyId: all[1]!.keyId! })).toEqual(['readTerminal']);
  expect(await select({ traceId })).toEqual(['readTerminal']);
  expect(await select({ traceId, outcome: 'Succeeded' })).toEqual([]);
  expect(await select({ traceId: '0'.repeat(32) })).toEqual([]);
  expect(await select({ to: all[0]!.at })).not.toContain('listAlarms');
  expect(await select({ from: all[0]!.at })).toEqual(['listAlarms']);
});

test('another account and the other environment see none of it', async () => {
  const { id } = await testEnvironment.createIntent();
  await flush();
  for (const key of [testEnvironment.keys.foreign, testEnvironment.keys.production]) {
    const answer = await testEnvironment.sendRequest('GET', `/payment-intents/${id}/activities`, { key });
    expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([404, 'payment_intent_not_found']);
    const { data } = await listRequests({ limit: 100 }, key);
    expect(data.filter(({ subjectId, path }) => subjectId === id && path === '/payment-intents')).toEqual([]);
    const { data: groups } = await testEnvironment.createClient(key)(rest.groupErrors, { query: {} });
    expect(groups.map(({ name }) => name)).not.toContain('createPaymentIntent');
  }
});

// oxfmt-ignore
test.each([
  ['/activities/requests?after=x',                             'after'],
  ['/activities/requests?before=AAAAAAAA',                     'before'],
  ['/activities/requests?after=x&before=y',                    'before'],
  ['/activities/requests?limit=0',                             'limit'],
  ['/activities/requests?limit=101',                           'limit'],
  ['/activities/requests?outcome=Great',                       'outcome'],
  ['/activities/requests?status=99',                           'status'],
  ['/activities/requests?traceId=abc',                         'traceId'],
  ['/activities/requests?from=yesterday',                      'from'],
  ['/activities/requests?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
  ['/activities/errors?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',   'from'],
  ['/activities/errors?from=2026-03-01T00:00:00Z&to=2026-03-09T00:00:00Z',   'from'],
  ['/activities/errors?to=soon',                               'to'],
])('%s is refused and names %s', async (path, member) => {
  const answer = await testEnvironment.sendRequest('GET', path);
  expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, [member]]);
});

test('a cursor of another account or of a timeline is refused', async () => {
  const { key } = await testEnvironment.createAccount();
  for (let sent = 0; sent < 3; sent += 1) await testEnvironment.sendRequest('GET', '/terminals', { key });
  const { after } = await listRequests({ limit: 1 }, key);
  expect(after).not.toBeNull();
  expect((await testEnvironment.sendRequest('GET', `/activities/requests?after=${after!}`)).status).toBe(400);
  const { id } = await testEnvironment.createIntent({}, key);
  const path = `/payment-intents/${id}/activities?after=${after!}`;
  expect((await testEnvironment.sendRequest('GET', path, { key })).status).toBe(400);
});

test('the log needs its own permission', async () => {
  const { id } = await testEnvironment.createIntent();
  const paths = [`/payment-intents/${id}/activities`, '/activities/requests', '/activities/errors'];
  for (const role of ['terminal-only', 'webhooks-only', 'epos-only', 'gateway'] as const) {
    const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES[role]);
    for (const path of paths) expect((await testEnvironment.sendRequest('GET', path, { key })).status).toBe(403);
  }
  const readOnly = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES['read-only']);
  for (const path of paths)
    expect((await testEnvironment.sendRequest('GET', path, { key: readOnly })).status).toBe(200);
});

test('errors are grouped by operation, status and reason, the most frequent first', async () => {
  const { key } = await testEnvironment.createAccount();
  const missing = '/payment-intents/pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA';
  for (let sent = 0; sent < 3; sent += 1) await testEnvironment.sendRequest('GET', missing, { key });
  await testEnvironment.sendRequest('POST', '/payment-intents', { key, body: {} });
  await testEnvironment.sendRequest('GET', '/terminals', { key });
  await flush();
  const { data, isComplete } = await testEnvironment.createClient(key)(rest.groupErrors, { query: {} });
  expect([isComplete, data]).toMatchObject([
    true,
    [
      { name: 'readPaymentIntent', status: 404, reason: 'payment_intent_not_found', count: 3 },
      { name: 'createPaymentIntent', status: 400, reason: 'validation_failed', count: 1 },
    ],
  ]);
});

test('planted secrets are in no entry, wherever a caller puts them', async () => {
  const { key } = await testEnvironment.createAccount();
  const { clientSessionSecret } = await testEnvironment.createIntent({ generateRemoteToken: true }, key);
  const secret = clientSessionSecret!;
  const webhook = parseJson(
    await testEnvironment.sendRequest('POST', '/webhooks', {
      key,
      body: { url: 'https://shop.example/hooks', events: ['payment_intent.created'] },
    }),
  );
  const webhookSecret = (webhook['secrets'] as { value: string }[])[0]!.value;
  const planted = [key, secret, webhookSecret, CARD_NUMBER, '4456 5300 0009 1014'];
  for (const text of planted) {
    // Refused for its amount, so that no payment keeps the reference.
    const amount = { value: 0, currencyCode: 'GBP' };
    await testEnvironment.sendRequest('POST', '/payment-intents', { key, body: { amount, reference: text } });
    await testEnvironment.sendRequest('POST', '/payment-intents', { key, body: { amount: text, reference: [text] } });
    await testEnvironment.sendRequest('POST', '/payment-intents', {
      key,
      body: { [text]: text, id: text, data: [text] },
    });
    await testEnvironment.sendRequest('GET', `/payment-intents/${encodeURIComponent(text)}`, { key });
    await testEnvironment.sendRequest('GET', `/alarms?state=${encodeURIComponent(text)}`, { key });
    await testEnvironment.sendRequest('GET', `/alarms?${encodeURIComponent(text)}=1`, { key });
    await testEnvironment.sendRequest('GET', '/terminals', { key, headers: { 'idempotency-key': text } });
  }
  const body = { amount: { value: Number(CARD_NUMBER), currencyCode: 'GBP' }, cardNumber: CARD_NUMBER, cV2: '020' };
  await testEnvironment.sendRequest('POST', '/payment-intents', { key, body });
  await testEnvironment.sendRequest('POST', '/api-keys', { key, body: { label: 'x', role: 'full' } });
  await flush();
  const rows = await testEnvironment.queryRows<{ text: string }>(`select activities::text as text from activities`, []);
  expect(rows.length).toBeGreaterThan(planted.length * 7);
  const numbers = createNumberShapes([...TEST_NUMBERS, ...EXAMPLE_NUMBERS]);
  const scan = new LeakScan([...numbers, ...createCv2MessageShapes(), ...createSecretShapes()]);
  for (const { text } of rows) {
    expect(scan.findInText(text)).toEqual([]);
    for (const each of [...planted, '020']) expect(text).not.toContain(`"${each}"`);
    expect(text).not.toContain(webhookSecret);
  }
});
