import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { Database } from '@pos/store/database/database';
import { countRoundTrips, type RecordedStatement, StatementRecorder } from '@pos/store/testing/statement-recorder';
import { WriteAheadLog } from '@pos/store/testing/write-ahead-log';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';

const GOLDEN = new URL('../../src/conventions/database-costs.golden.json', import.meta.url);
/** The cost of an operation is the least of so many rounds: others contain a split page, or work of the clock. */
const ROUNDS = 12;
/** Records differ by the position of a row in its page. */
const BYTES_STEP = 100;

/** Sent by the clock and the caches, and not by the call. */
const OTHER_STATEMENTS = /^(account_(?!now)|select_accounts|select accounts|key_|api_key|guarded_time|token_)/;

/** What an operation costs its database. */
interface DatabaseCost {
  readonly statements: readonly string[];
  readonly roundTrips: number;
  /** The statements COMMIT, also of a transaction that only reads. */
  readonly commits: number;
  /** Of the server's log, rounded to a hundred. */
  readonly walBytes: number;
}

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

async function measureCost(call: () => Promise<unknown>): Promise<DatabaseCost> {
  const costs: DatabaseCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    recorder.take();
    const bytes = await log.countBytes(call);
    const sent = recorder.take().filter(({ name }) => !OTHER_STATEMENTS.test(name));
    costs.push({
      statements: sent.map(({ name }) => name),
      roundTrips: countRoundTrips(sent),
      commits: countCommits(sent),
      walBytes: Math.round(bytes / BYTES_STEP) * BYTES_STEP,
    });
  }
  const [least] = costs.sort((one, other) => one.walBytes - other.walBytes || one.roundTrips - other.roundTrips);
  return least!;
}

function countCommits(sent: readonly RecordedStatement[]): number {
  return sent.filter(({ name }) => name === 'commit').length;
}

test('create, fetch and search of a payment intent cost the database what the golden file says; UPDATE_GOLDEN=1 rewrites it', async () => {
  const { id } = await testEnvironment.createIntent();
  const costs = {
    create: await measureCost(() => testEnvironment.createIntent()),
    fetch: await measureCost(() => testEnvironment.sendRequest('GET', `/payment-intents/${id}`)),
    search: await measureCost(() =>
      testEnvironment.sendRequest('POST', '/payment-intents/search', { body: { statuses: ['Created'] } }),
    ),
  };
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${JSON.stringify(costs, null, 2)}\n`);
  expect(costs).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
});
