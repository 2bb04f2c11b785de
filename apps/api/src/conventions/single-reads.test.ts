import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '@pos/store/database';
import { StatementRecorder } from '@pos/store/testing';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  // The activity log writes by itself.
  testEnvironment = await ApiTestEnvironment.open({ ACTIVITY_RETENTION_DAYS: '0' });
  // The first use of a key updates its row, which is no part of an answer.
  await testEnvironment.sendRequest('GET', '/api-keys');
});
afterAll(() => testEnvironment.close());

/** The last statement that the api sent to its database. */
async function findLastQuery(): Promise<string> {
  const [last] = await testEnvironment.queryRows<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and application_name = 'api'
     and query <> '' order by state_change desc limit 1`,
  );
  return last?.query ?? '';
}

test.each([
  '/epos/integrations',
  '/epos/integrations/rest',
  '/epos/integrations/ws',
  '/epos/integrations/service',
  '/epos/integrations/grpc',
  '/api-keys',
  '/webhooks',
  '/reconciliation',
  '/sandbox/epos',
])('GET %s, which one statement answers, ends with it', async (path) => {
  const answer = await testEnvironment.sendRequest('GET', path);
  expect(answer.status).toBe(200);
  expect(await findLastQuery()).toMatch(/^select /i);
});

/** The names of the statements that the api sends while the call runs; the account and the key are cached before. */
async function recordStatements(call: () => Promise<unknown>): Promise<string[]> {
  const recorder = new StatementRecorder(testEnvironment.api.app.get(Database, { strict: false }));
  try {
    await call();
    return recorder.take().map(({ name }) => name);
  } finally {
    recorder.stop();
  }
}

const SEARCH_STATEMENTS = [
  'begin isolation level repeatable read read only',
  ...['search_intents_older', 'get_account_clock', 'list_intent_histories', 'list_session_histories'],
  'commit',
];

/** Sent by the clock and not by the call, or by the caches of keys and accounts. */
const OTHER_STATEMENTS =
  /^(find_account(_|$)|select_accounts|select accounts|find_api_key|record_api_key|read_for_decision|take_tokens)/;

test('a payment intent is one statement, and a page of them is four in one snapshot, however many there are', async () => {
  const { id } = await testEnvironment.createIntent();
  for (let count = 0; count < 3; count += 1) await testEnvironment.createIntentIn('Captured');
  const read = () => testEnvironment.sendRequest('GET', `/payment-intents/${id}`);
  const search = () =>
    testEnvironment.sendRequest('POST', '/payment-intents/search', { body: { statuses: ['Created', 'Captured'] } });
  await Promise.all([read(), search()]);
  const sent = async (call: () => Promise<unknown>) =>
    (await recordStatements(call)).filter((name) => !OTHER_STATEMENTS.test(name));
  expect(await sent(read)).toEqual(['find_intent_with_history']);
  expect(await sent(search)).toEqual(SEARCH_STATEMENTS);
});

test('an answer of several statements is one snapshot, which ends with COMMIT', async () => {
  expect((await testEnvironment.sendRequest('GET', '/terminals')).status).toBe(200);
  expect(await findLastQuery()).toBe('commit');
});
