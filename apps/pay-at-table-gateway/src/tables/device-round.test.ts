import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { computeOutstanding } from '@pos/core/tables';
import type { Payment, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { Database } from '@pos/store/database';
import { DatabaseCostMeter, StatementRecorder, WriteAheadLog } from '@pos/store/testing';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';

const GOLDEN = new URL('../../src/tables/device-round.golden.json', import.meta.url);
/** Of these, four prove the payment by its card transaction, under the row lock of its intent. */
const ROUND_TRIPS_MAX = 10;
const COMMITS_MAX = 5;
/** As many as the meter runs. */
const ROUNDS = 12;
/** Asked by the clock and not by the call: due work, the time once a second, and what a gateway remembers for a moment. */
const BACKGROUND_STATEMENTS =
  /^(list_ready_accounts|read_for_decision|list_live_connections|select_epos_integrations|find_account_|select_accounts|find_api_key|record_api_key)/;

let environment: GatewayEnvironment;
let recorder: StatementRecorder;
let log: WriteAheadLog;
let gateway: RunningGateway;
let account: GatewayAccount;
let device: TablesServiceClient;
let metadata: Metadata;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ ACTIVITY_RETENTION_DAYS: '0' });
  recorder = new StatementRecorder(gateway.app.get(Database));
  log = await WriteAheadLog.open(environment.testDatabase);
  account = await environment.createAccount({ epos: 'dialled', hasMachines: true });
  device = environment.createDeviceClient(gateway);
  metadata = buildCallMetadata(account.apiKey);
});
afterAll(async () => {
  recorder.stop();
  await log.close();
  await environment.close();
});

function callUnary<A>(call: (done: (error: ServiceError | null, answer: A) => void) => unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

/** The steps of a round on the first session that owes a payment. The payments are taken before the steps are measured. */
function buildRound(payments: Payment[]) {
  const { restaurant } = account.sandbox.epos!.epos;
  // The parties of a restaurant follow from its account, and a small bill is paid before the last round.
  const findSessionId = () =>
    restaurant.sessions().find(({ bill, finishedAt }) => {
      const owed = bill === null || finishedAt !== null ? 0 : computeOutstanding(bill).value;
      return owed >= payments[0]!.baseAmount;
    })!.id;
  const requestorInfo = buildMachineRequestor('90000001');
  let sessionId = '';
  return {
    lock: () => {
      sessionId = findSessionId();
      return callUnary((done) => device.lockSession({ sessionId, requestorInfo }, metadata, done));
    },
    record: () =>
      callUnary((done) =>
        device.recordPayment({ payment: { ...payments.pop()!, sessionId }, requestorInfo }, metadata, done),
      ),
    unlock: () => callUnary((done) => device.unlockSession({ sessionId, requestorInfo }, metadata, done)),
  };
}

test("a device's lock, record and unlock cost the database what the golden file says; UPDATE_GOLDEN=1 rewrites it", async () => {
  const meter = new DatabaseCostMeter({ recorder, log, backgroundNames: BACKGROUND_STATEMENTS });
  const payments: Payment[] = [];
  while (payments.length < ROUNDS) payments.push(await environment.takeCardPayment(account, ''));
  const costs = await meter.measureSteps(buildRound(payments));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, `${JSON.stringify(costs, null, 2)}\n`);
  expect(costs).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
  const steps = Object.values(costs);
  expect(steps.reduce((sum, { roundTrips }) => sum + roundTrips, 0)).toBeLessThanOrEqual(ROUND_TRIPS_MAX);
  expect(steps.reduce((sum, { commits }) => sum + commits, 0)).toBeLessThanOrEqual(COMMITS_MAX);
});
