import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { Database } from '@pos/store/database';
import { DatabaseCostMeter, StatementRecorder, WriteAheadLog } from '@pos/store/testing';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';

const GOLDEN = new URL('../../src/conventions/database-costs.golden.json', import.meta.url);
/** Sent by the clock and the caches, and not by the call. */
const OTHER_STATEMENTS =
  /^(find_account_|select_accounts|select accounts|find_api_key|record_api_key|read_for_decision|take_tokens)/;

let testEnvironment: ApiTestEnvironment;
let recorder: StatementRecorder;
let log: WriteAheadLog;
beforeAll(async () => {
  // The activity log writes by itself.
  testEnvironment = await ApiTestEnvironment.open({ ACTIVITY_RETENTION_DAYS: '0' });
  recorder = new StatementRecorder(testEnvironment.api.app.get(Database, { strict: false }));
  log = await WriteAheadLog.open(testEnvironment.testDatabase);
});
afterAll(async () => {
  recorder.stop();
  await log.close();
  await testEnvironment.close();
});

test('create, fetch and search of a payment intent cost the database what the golden file says; UPDATE_GOLDEN=1 rewrites it', async () => {
  const { id } = await testEnvironment.createIntent();
  const meter = new DatabaseCostMeter({ recorder, log, backgroundNames: OTHER_STATEMENTS });
  const costs = await meter.measureSteps({
    create: () => testEnvironment.createIntent(),
    fetch: () => testEnvironment.sendRequest('GET', `/payment-intents/${id}`),
    search: () => testEnvironment.sendRequest('POST', '/payment-intents/search', { body: { statuses: ['Created'] } }),
  });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${JSON.stringify(costs, null, 2)}\n`);
  expect(costs).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
});
