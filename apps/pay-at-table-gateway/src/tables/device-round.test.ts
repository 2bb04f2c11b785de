import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { Database } from '@pos/store/database/database';
import { countRoundTrips, type RecordedStatement, StatementRecorder } from '@pos/store/testing/statement-recorder';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  buildDevicePayment,
  type TestAccount,
  TestEnvironment,
} from '../testing/gateway-world.js';

/** What a device's lock, record and unlock ask of the database, each of it waited for alone; it is the most of what they cost. */
const STATEMENTS = {
  lock: ['together'],
  record: ['together', 'timer_check', 'together'],
  unlock: ['together', 'together'],
};
/** Asked by the clock and not by the call: due work, the time once a second, and what a gateway remembers for a moment. */
const BACKGROUND_STATEMENTS =
  /^(timers_ready_accounts|guarded_time|connection_live|select_epos_integrations|account_|select_accounts|key_|api_key)/;

let environment: TestEnvironment;
let gateway: RunningGateway;
let account: TestAccount;
let device: TablesServiceClient;
let metadata: Metadata;
beforeAll(async () => {
  environment = await TestEnvironment.create();
  gateway = await environment.startGateway();
  account = await environment.createAccount({ epos: 'dialled', hasMachines: false });
  device = environment.createDeviceClient(gateway);
  metadata = buildCallMetadata(account.apiKey);
});
afterAll(() => environment.close());

function callUnary<A>(call: (done: (error: ServiceError | null, answer: A) => void) => unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

/** One round of a device; each step with what it has asked of the database. */
async function runDeviceRound(
  recorder: StatementRecorder,
): Promise<Record<'lock' | 'record' | 'unlock', RecordedStatement[]>> {
  const { restaurant } = account.sandbox.epos!.epos;
  const sessionId = restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
  const requestorInfo = buildMachineRequestor('90000001');
  const freeTable = (): RecordedStatement[] => recorder.take().filter(({ name }) => !BACKGROUND_STATEMENTS.test(name));
  freeTable();
  await callUnary((done) => device.lockSession({ sessionId, requestorInfo }, metadata, done));
  const lock = freeTable();
  await callUnary((done) =>
    device.recordPayment({ payment: buildDevicePayment(sessionId), requestorInfo }, metadata, done),
  );
  const record = freeTable();
  await callUnary((done) => device.unlockSession({ sessionId, requestorInfo }, metadata, done));
  return { lock, record, unlock: freeTable() };
}

test("a device's lock, record and unlock ask six statements of the database and no more", async () => {
  const recorder = new StatementRecorder(gateway.app.get(Database));
  await runDeviceRound(recorder);
  const { lock, record, unlock } = await runDeviceRound(recorder);
  if (process.env['PRINT_STATEMENTS'] === 'true') {
    process.stderr.write(`${JSON.stringify({ lock, record, unlock }, null, 1)}\n`);
  }
  // The log of activities is written in the background, for many requests at once.
  const inRequests = (taken: typeof lock) =>
    taken.filter(({ name }) => !/^(activity_clocks|insert_activities)$/.test(name));
  const freeTable = { lock: inRequests(lock), record: inRequests(record), unlock: inRequests(unlock) };
  for (const step of ['lock', 'record', 'unlock'] as const) {
    expect({ step, asked: freeTable[step].map(({ name }) => name) }).toEqual({ step, asked: STATEMENTS[step] });
    const trips = countRoundTrips(freeTable[step]);
    expect({ step, trips }).toEqual({ step, trips: STATEMENTS[step].length });
  }
});
