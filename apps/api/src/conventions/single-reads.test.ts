import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('an answer of several statements is one snapshot, which ends with COMMIT', async () => {
  expect((await testEnvironment.sendRequest('GET', '/terminals')).status).toBe(200);
  expect(await findLastQuery()).toBe('commit');
});
