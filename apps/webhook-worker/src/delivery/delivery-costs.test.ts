import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { EgressClient } from '@pos/service-kit/egress';
import { createLog } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import {
  createTestDatabase,
  createTestScope,
  DatabaseCostMeter,
  StatementRecorder,
  type TestDatabase,
  WriteAheadLog,
} from '@pos/store/testing';
import {
  createIntentId,
  NO_GATEWAY,
  publishIntentStates,
  subscribe,
  TEST_SETTINGS,
  TestReceiver,
  waitUntil,
} from '../testing/test-receiver.js';
import { startWebhookWorker } from '../worker.js';

const GOLDEN = new URL('../../src/delivery/delivery-costs.golden.json', import.meta.url);
/** Sent by the loops, whether there is work or not. */
const BACKGROUND_STATEMENTS =
  /^(find_accounts_with_ready_lanes|list_ready_accounts|read_for_decision|delete from token_buckets)/;

const scope = createTestScope();
let testDatabase: TestDatabase;
let workerDatabase: Database;
let receiver: TestReceiver;
let egress: EgressClient;
let recorder: StatementRecorder;
let log: WriteAheadLog;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  workerDatabase = await testDatabase.open();
  receiver = await TestReceiver.open();
  receiver.expectOnlyAccounts(scope);
  egress = new EgressClient({ allow: [receiver.host], certificateAuthority: receiver.authority });
  recorder = new StatementRecorder(workerDatabase);
  log = await WriteAheadLog.open(testDatabase);
  await subscribe(testDatabase.database, scope, receiver.buildUrl());
});
afterAll(async () => {
  recorder.stop();
  await log.close();
  receiver.close();
  await egress.close();
  await testDatabase.close();
});

/** Starts a worker, and stops it after it has stored the result of the delivery that is due. */
async function deliverOne(): Promise<void> {
  const received = receiver.receivedHooks.length;
  const worker = await startWebhookWorker({
    database: workerDatabase,
    egress,
    gatewayClient: NO_GATEWAY,
    effects: {},
    log: createLog({ app: 'worker', level: 'error', write: () => undefined }),
    fault: () => undefined,
    settings: TEST_SETTINGS,
  });
  await waitUntil(() => receiver.receivedHooks.length > received);
  // A worker that stops stores what it has delivered.
  await worker.stop();
}

test('a delivery costs the database what the golden file says; UPDATE_GOLDEN=1 rewrites it', async () => {
  const meter = new DatabaseCostMeter({ recorder, log, backgroundNames: BACKGROUND_STATEMENTS });
  const costs = await meter.measureSteps({
    publish: () => publishIntentStates(workerDatabase, scope, { id: createIntentId(), states: ['Created'] }),
    deliver: deliverOne,
  });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${JSON.stringify(costs, null, 2)}\n`);
  expect(costs).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
});
