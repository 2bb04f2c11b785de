import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiTestEnvironment, parseJson, parseProblem } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const PATH = '/transactions/search';
const UP_TO_NOW = { startDate: null, endDate: null };
const WEEK = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-08T00:00:00Z' };
const searchTransactions = (body: unknown, key = testEnvironment.keys.full) =>
  testEnvironment.sendRequest('POST', PATH, { body, key });

interface ListedTransaction {
  readonly id: string;
  readonly paymentIntentId?: string;
  readonly [member: string]: unknown;
}
const listTransactionsFor = async (body: unknown, key?: string) => {
  const { data, before, after } = parseJson(await searchTransactions(body, key));
  return { data: data as ListedTransaction[], before, after };
};

test('a hold, its capture and a refund are listed newest first, with every member', async () => {
  const id = await testEnvironment.createIntentIn('Authorized');
  await testEnvironment.sendRequest('POST', `/payment-intents/${id}/captures`, {
    body: { amount: 1900, tipsAmount: 100 },
  });
  const headers = { idempotencyKey: 'soup' };
  await testEnvironment.sendRequest('POST', `/payment-intents/${id}/refunds`, { body: { amount: 500 }, headers });
  const { data } = await listTransactionsFor(UP_TO_NOW);
  const money = (value: number) => ({ value, currencyCode: 'GBP' });
  const [row] = await testEnvironment.queryRows<{ terminal_id: string; merchant_id: string }>(
    `select terminal_id, merchant_id from terminal_sessions join accounts on accounts.account_id = terminal_sessions.account_id where intent_id = $1`,
    [id],
  );
  const shared = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    legacyId: expect.stringMatching(/^\d+$/),
    paymentIntentId: id,
    merchantId: row?.merchant_id,
    reference: 'table 4',
    dateTime: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    cashbackAmount: money(0),
    paymentDetails: {
      card: { number: '************1096', fundingType: 'Credit', type: 'Visa' },
      authCode: '204711',
      isRemote: false,
      paymentProduct: 'Terminal',
      terminalEntryModeType: 'ContactLess',
      terminalId: row?.terminal_id,
    },
  };
  expect(data).toEqual([
    { ...shared, type: 'Refund', status: 'Authorized', amount: money(500), tipsAmount: money(0) },
    { ...shared, type: 'Collection', status: 'Authorized', amount: money(1900), tipsAmount: money(100) },
    { ...shared, type: 'PreAuth', status: 'Authorized', amount: money(2000), tipsAmount: money(0) },
  ]);
  const intent = parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${id}`));
  expect(data[2]?.id).toBe((intent['paymentDetails'] as { transactionId: string }).transactionId);
  expect(new Set(data.map((line) => line.id)).size).toBe(3);
});

test('the day of settlement is listed once it is known', async () => {
  const id = await testEnvironment.createIntentIn('Captured');
  const find = async () => (await listTransactionsFor(UP_TO_NOW)).data.find((line) => line.paymentIntentId === id);
  expect(await find()).not.toHaveProperty('settledOn');
  await testEnvironment.queryRows(
    `update transactions set settled_on = '2026-03-02' where intent_id = $1 returning id`,
    [id],
  );
  expect(await find()).toHaveProperty('settledOn', '2026-03-02');
});

test('a transaction of another account or of production is not listed', async () => {
  await testEnvironment.createIntentIn('Captured');
  expect((await listTransactionsFor(UP_TO_NOW, testEnvironment.keys.foreign)).data).toEqual([]);
  expect((await listTransactionsFor(UP_TO_NOW, testEnvironment.keys.production)).data).toEqual([]);
});

test('pages lead forward and back', async () => {
  await testEnvironment.createIntentIn('Refunded');
  const whole = (await listTransactionsFor(UP_TO_NOW)).data.map(({ id }) => id);
  const first = await listTransactionsFor({ ...UP_TO_NOW, cursor: { limit: 1 } });
  const second = await listTransactionsFor({ ...UP_TO_NOW, cursor: { limit: 1, after: first.after } });
  const back = await listTransactionsFor({ ...UP_TO_NOW, cursor: { limit: 1, before: second.before } });
  expect([first, second, back].map(({ data }) => data[0]?.id)).toEqual([whole[0], whole[1], whole[0]]);
  expect(first.before).toBeNull();
});

// oxfmt-ignore
test.each<[unknown, string[]]>([
  [{}, ['startDate', 'endDate']],
  [{ startDate: null }, ['endDate']],
  [{ endDate: null }, ['startDate']],
  [{ ...WEEK, startDate: 'yesterday' }, ['startDate']],
  [{ ...WEEK, endDate: '2026-03-08' }, ['endDate']],
  [{ ...WEEK, endDate: '2026-03-08T00:00:00.001Z' }, ['startDate']],
  [{ ...WEEK, endDate: '2026-02-28T00:00:00Z' }, ['startDate']],
  [{ startDate: WEEK.startDate, endDate: null }, ['startDate']],
  [{ ...WEEK, statuses: ['Captured'] }, ['statuses[0]']],
  [{ ...WEEK, cursor: { limit: 0 } }, ['cursor.limit']],
  [{ ...WEEK, cursor: { limit: 101 } }, ['cursor.limit']],
  [{ ...WEEK, cursor: { before: 'x', after: 'x' } }, ['cursor.before']],
  [{ ...WEEK, cursor: { after: 'x' } }, ['cursor.after']],
])('%j: 400, and the invalid members are named', async (body, members) => {
  const answer = await searchTransactions(body);
  expect([answer.status, Object.keys(parseProblem(answer).errors)]).toEqual([400, members]);
});

test('statuses are case-insensitive', async () => {
  const id = await testEnvironment.createIntentIn('Reversed');
  const { data } = await listTransactionsFor({ ...UP_TO_NOW, statuses: ['reversed'] });
  expect(data.filter(({ paymentIntentId }) => paymentIntentId === id)).toMatchObject([
    { type: 'Sale', status: 'Reversed' },
  ]);
  expect(data.every(({ status }) => status === 'Reversed')).toBe(true);
});

test('a card of an unknown scheme is accepted, and listed without a scheme', async () => {
  const created = await testEnvironment.createIntent({});
  const { id: session } = await testEnvironment.startSale(created.id);
  await testEnvironment.approveSession(session, { card: { cardType: 'UNKNOWN' } });
  const { status, paymentDetails } = parseJson(
    await testEnvironment.sendRequest('GET', `/payment-intents/${created.id}`),
  );
  expect([status, paymentDetails]).toMatchObject(['Captured', { card: { cardType: 'UNKNOWN' } }]);
  const line = (await listTransactionsFor(UP_TO_NOW)).data.find(
    ({ paymentIntentId }) => paymentIntentId === created.id,
  );
  expect(line?.['paymentDetails']).toMatchObject({ card: { number: '************1096', fundingType: 'Credit' } });
  expect(JSON.stringify(line?.['paymentDetails'])).not.toContain('"type"');
});
