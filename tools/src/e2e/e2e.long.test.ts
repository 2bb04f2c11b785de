import { credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RecordPaymentRequest, TablesServiceClient } from '@pos/grpc-contracts/tables';
import { AcquirerClient } from '@pos/payments/acquirer';
import { listAcquirerBookings } from '@pos/rest-contracts/sandbox';
import { findTablePayment } from '@pos/store/tables';
import { BOOKING_SCENARIOS } from '../faults/booking-scenarios.js';
import { runCrowd } from '../faults/crowd-scenarios.js';
import { EPOS_SCENARIOS } from '../faults/epos-scenarios.js';
import { FAULT_POINT_SCENARIOS, KILLED_GATEWAY_SCENARIOS } from '../faults/gateway-scenarios.js';
import { MACHINE_SCENARIOS } from '../faults/machine-scenarios.js';
import { ORDER_SCENARIOS } from '../faults/order-scenarios.js';
import { type FaultScenario, runScenario } from '../faults/scenario.js';
import { WORKER_SCENARIOS } from '../faults/worker-scenarios.js';
import { CardTraffic } from '../leaks/card-traffic.js';
import { findRecordMismatches, listRecordedAtEpos } from './books.js';
import { FULL_SCENARIO } from '../faults/evening.js';
import { findWebhookMismatches } from './hook-book.js';
import { type StageRestaurant, Stage } from './stage.js';
import { TestTable } from './table.js';
import { describeTimelines } from './timeline-scenarios.js';

const MINUTES = 60_000;
const ROUNDS = 12;

/** Run in parallel, each list at its own restaurant: at the first the EPOS dials in, at the second it is dialled. */
const SIDE_BY_SIDE: readonly [readonly FaultScenario[], readonly FaultScenario[]] = [
  [FULL_SCENARIO, ...MACHINE_SCENARIOS],
  [FULL_SCENARIO, ...EPOS_SCENARIOS, runCrowd(ROUNDS)],
];

/** These kill processes that all scenarios use, so they run one after the other. */
const ONE_BY_ONE: readonly FaultScenario[] = [
  ...FAULT_POINT_SCENARIOS,
  ...KILLED_GATEWAY_SCENARIOS,
  ...WORKER_SCENARIOS,
  ...ORDER_SCENARIOS,
  ...BOOKING_SCENARIOS,
];

let stage: Stage;
const results = new Map<string, Promise<unknown>>();

beforeAll(async () => {
  stage = await Stage.open();
  SIDE_BY_SIDE.forEach((scenarios, at) => {
    let before: Promise<unknown> = Promise.resolve();
    for (const scenario of scenarios) {
      // Stored as a value until its own test reads it: a scenario that fails must not count as an unhandled rejection.
      before = before
        .then(() => runScenario(scenario, stage, stage.houses[at === 0 ? 0 : 1]))
        .catch((error: unknown) => error);
      results.set(nameOf(scenario, at), before);
    }
  });
}, 2 * MINUTES);

afterAll(async () => {
  await Promise.all(results.values());
  await stage.close();
}, 2 * MINUTES);

test.each(SIDE_BY_SIDE.flatMap((scenarios, at) => scenarios.map((scenario) => nameOf(scenario, at))))(
  '%s',
  async (name) => {
    const failure = await results.get(name);
    if (failure !== undefined) throw failure as Error;
  },
  3 * MINUTES,
);

describe('activities', () => {
  const openStage = async (): Promise<Stage> => {
    // The scenarios use the same restaurants.
    await Promise.all(results.values());
    return stage;
  };
  describeTimelines(openStage, (world) => {
    const traffic = new CardTraffic(world);
    return { card: traffic.card(), send: async (...request) => traffic.payer(...request) };
  });
});

test.each(ONE_BY_ONE.map((scenario, index) => ({ says: scenario.says, scenario, index })))(
  '$says',
  async ({ scenario, index }) => {
    await runScenario(scenario, stage, stage.houses[index % 2 === 0 ? 0 : 1]);
  },
  3 * MINUTES,
);

test(
  'differences are detected: a reversal, a payment at the EPOS and a webhook that are unknown to us',
  async () => {
    const house = stage.houses[1];
    const table = await TestTable.begin(stage, house);
    const { paymentId } = await table.pay(1_000);
    expect(await findRecordMismatches(house.keepers)).toEqual([]);

    const [line] = await listRecordedAtEpos(house.keepers, paymentId);
    await reverseBehindOurBack(stage, line?.acquirerTransactionId ?? '');
    expect(await findRecordMismatches(house.keepers)).toEqual(
      expect.arrayContaining([`payment ${paymentId} is Recorded, and the acquirer holds 0 of its 1000`]),
    );

    const planted = randomUUID();
    await recordBehindOurBack(stage, house, { like: paymentId, paymentId: planted });
    expect(await findRecordMismatches(house.keepers)).toContain(`the EPOS lists ${planted}, which we never began`);

    const hooks = stage.receiver.hooks.filter(
      ({ accountId, subjectId }) => accountId === house.scope.accountId && subjectId.startsWith('ts_'),
    );
    const first = hooks[0]!;
    const second = hooks.find(({ subjectId, id }) => subjectId === first.subjectId && id !== first.id)!;
    stage.receiver.hooks.push({ ...first, id: 'evt_planted' });
    stage.receiver.hooks.unshift(second);
    const faults = await findWebhookMismatches(stage.database, house.scope, stage.receiver);
    expect(faults).toContainEqual(expect.stringContaining('evt_planted arrived with another body'));
    expect(faults).toContainEqual(expect.stringContaining(`the webhooks of ${second.subjectId} came as ${second.id}`));
  },
  3 * MINUTES,
);

/** The acquirer returns the money on behalf of another caller. */
async function reverseBehindOurBack({ sandbox, acquirerAddress }: Stage, transactionId: string): Promise<void> {
  const { bookings } = await sandbox(listAcquirerBookings, { query: {} });
  const booking = bookings.find((each) => each.transactionId === transactionId);
  if (booking === undefined) throw new Error(`no booking ${transactionId}`);
  const acquirer = new AcquirerClient(acquirerAddress);
  const { reference: originalReference, merchantId } = booking;
  await acquirer.reverse({
    reference: randomUUID(),
    originalReference,
    merchantId,
    isRestOnly: false,
    deadlineMs: 5_000,
  });
  acquirer.close();
}

/** Another device puts a penny on the bill, at the EPOS itself. */
async function recordBehindOurBack(
  { database, acquirerAddress }: Stage,
  { scope, account: { epos } }: StageRestaurant,
  known: { readonly like: string; readonly paymentId: string },
): Promise<void> {
  const metadata = new Metadata();
  metadata.set('authorization', `Basic ${Buffer.from(`${epos.username}:${epos.password}`).toString('base64')}`);
  const client = new TablesServiceClient(acquirerAddress, credentials.createInsecure());
  const sent = await database.read(scope, (reader) => findTablePayment(reader, known.like));
  const { payment, requestorInfo } = RecordPaymentRequest.decode(sent!.message!);
  const penny = { ...payment!, id: known.paymentId, baseAmount: 1n, gratuityAmount: 0n };
  await new Promise((resolve, reject) => {
    const request = { sessionId: penny.sessionId, requestorInfo };
    client.lockSession(request, metadata, answered(resolve, reject));
  });
  await new Promise((resolve, reject) => {
    client.recordPayment({ payment: penny, requestorInfo }, metadata, answered(resolve, reject));
  });
  client.close();
}

function answered<A>(resolve: (answer: A) => void, reject: (error: Error) => void) {
  return (error: Error | null, answer: A): void => {
    if (error === null) resolve(answer);
    else reject(error);
  };
}

function nameOf({ says }: FaultScenario, at: number): string {
  return `${says} (${at === 0 ? 'an EPOS that dials in' : 'an EPOS that is dialled'})`;
}
