import { status } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { isTablePaymentFinal } from '@pos/core/tables';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { Seed } from '@pos/sandbox/clock';
import { type HistoryEvent, findHistoryViolations } from '@pos/sandbox/testing';
import { GrpcFailure } from '@pos/service-kit/grpc';
import { setTimeout as pause } from 'node:timers/promises';
import { isLongRun } from '@pos/testing';
import { getRefusalCode, TableTestEnvironment } from './table-world.js';
import { buildCardDetails, buildMachineRequestor, buildDevicePayment } from './gateway-world.js';
import { createDeviceCall, type RecordFaultCounts, InstrumentedGateway } from './recorded-history.js';
import { waitUntil } from './polling.js';

jest.setTimeout(60_000);

const GATEWAYS = ['g1', 'g2', 'g3'] as const;
const DEVICES = ['90000001', '90000002', '90000003'] as const;
const ROUNDS = isLongRun ? 2 : 1;
const AMOUNT_MINOR_UNITS = 100n;
const RETRIES_MAX = 1_000;
const RETRY_DELAY_MS = 25;

let environment: TableTestEnvironment;
const openGateways: InstrumentedGateway[] = [];
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
});
afterAll(() => environment.close());
// A gateway knows the payments of its own scenario only, and would take those of the next one too.
afterEach(async () => {
  await Promise.all(openGateways.splice(0).map(({ tables }) => tables.stop()));
});

/** Three gateways to which these things happen, and what was seen of them. */
async function createInstrumentedGateways(plannedFaults: RecordFaultCounts) {
  const remainingFaults = { ...plannedFaults };
  const events: HistoryEvent[] = [];
  const payments = new Map<string, { readonly device: string; readonly session: string }>();
  const randomDraws = new Seed('histories').createRandom(JSON.stringify(plannedFaults));
  const gateways = GATEWAYS.map(
    (name) =>
      new InstrumentedGateway({
        ...{ name, environment, events, remainingFaults },
        drawChance: () => randomDraws.nextFraction(),
        findPaymentDevice: (payment) => requireValue(payments.get(payment), 'the device of a payment'),
      }),
  );
  openGateways.push(...gateways);
  for (const { tables } of gateways) await tables.start();
  return { events, payments, gateways };
}

type InstrumentedGateways = Awaited<ReturnType<typeof createInstrumentedGateways>>;

/** A waiter's round at a table: locks, repeats the lock, records a card payment, unlocks. */
async function runDeviceRound(
  at: InstrumentedGateways,
  device: string,
  roundInput: { readonly party: DiningSession; readonly number: number },
): Promise<void> {
  const session = roundInput.party.id;
  const { events, payments, gateways } = at;
  const { tables } = requireValue(gateways[roundInput.number % gateways.length], 'a gateway');
  const requestor = { type: 'cardMachine', terminalId: device, waiterId: 0 } as const;
  const lock = async (): Promise<string> => {
    const requestedAt = performance.now();
    const call = await createDeviceCall(environment.scope);
    const answer = await describeAnswer(tables.deviceLocks.lockSession({ requestor, call, sessionId: session }));
    if (answer === 'done')
      events.push({ is: 'locked', device, session, askedAt: requestedAt, answeredAt: performance.now() });
    return answer;
  };
  await retryUntil(lock, (answer) => answer === 'done');
  await lock();
  const transactionId = await environment.takeOwnCard(device, Number(AMOUNT_MINOR_UNITS));
  const payment = buildDevicePayment(session, {
    ...buildCardDetails(transactionId, device),
    baseAmount: AMOUNT_MINOR_UNITS,
  });
  payments.set(payment.id, { device, session });
  const request = { payment, requestorInfo: buildMachineRequestor(device) };
  await retryUntil(
    async () =>
      describeAnswer(
        tables.deviceRecords.recordPayment(request, { requestor, call: await createDeviceCall(environment.scope) }),
      ),
    (answer) => answer === 'done' || answer === 'PAYMENT_ALREADY_RECORDED',
  );
  const requestedAt = performance.now();
  const answer = await retryUntil(
    async () =>
      describeAnswer(
        tables.deviceLocks.unlockSession({
          requestor,
          call: await createDeviceCall(environment.scope),
          sessionId: session,
        }),
      ),
    // An unlock whose answer was lost has ended the lease all the same.
    (recordAnswer) => recordAnswer === 'done' || recordAnswer === 'lease_over' || recordAnswer === 'SESSION_NOT_LOCKED',
  );
  events.push({
    is: 'letGo',
    device,
    session,
    askedAt: requestedAt,
    answeredAt: answer === 'done' ? performance.now() : null,
  });
}

const RETRYABLE_STATUSES: ReadonlySet<status> = new Set([status.DEADLINE_EXCEEDED, status.UNAVAILABLE]);

/** What the device receives; a gateway that has no answer in time is asked again. */
async function describeAnswer(action: Promise<unknown>): Promise<string> {
  return getRefusalCode(action).catch((error: unknown) => {
    if (error instanceof GrpcFailure && RETRYABLE_STATUSES.has(error.status)) return 'ask again';
    throw error;
  });
}

/** Repeats the call until it receives the answer; how often that takes is not promised. */
async function retryUntil(sendCall: () => Promise<string>, isAccepted: (answer: string) => boolean): Promise<string> {
  let answer = '';
  for (let attempt = 0; attempt < RETRIES_MAX; attempt += 1) {
    answer = await sendCall();
    if (isAccepted(answer)) return answer;
    await pause(RETRY_DELAY_MS);
  }
  throw new Error(`no such answer, at last ${answer}`);
}

test.each<[string, RecordFaultCounts]>([
  ['nothing happens', {}],
  [
    'gateways fall asleep past their leases',
    { asleepBeforeFenceCheck: 1, asleepBeforeSending: 2, asleepBeforeAnswer: 1 },
  ],
  ['runners are killed and answers are lost', { killed: 2, answerLost: 2 }],
])('while %s, no session has two holders and every record call has a lease found live', async (_, remainingFaults) => {
  const at = await createInstrumentedGateways(remainingFaults);
  const parties = [environment.findUnpaidSession(), environment.findUnpaidSession()];
  await Promise.all(
    DEVICES.map(async (device, number) => {
      for (let turn = 0; turn < ROUNDS; turn += 1) {
        const party = requireValue(parties[(number + turn) % parties.length], 'a table');
        await runDeviceRound(at, device, { party, number: number + turn });
      }
    }),
  );
  expect(findHistoryViolations(at.events)).toEqual([]);
  const records = at.events.filter(({ is }) => is === 'recordBegun');
  expect(records.length).toBeGreaterThanOrEqual(DEVICES.length * ROUNDS);
  // Each payment was booked once under all faults.
  expect([...at.payments.keys()].map((id) => environment.listRecordedAmounts(id))).toEqual(
    [...at.payments].map(() => [Number(AMOUNT_MINOR_UNITS)]),
  );
  await waitUntil(async () =>
    (await Promise.all([...at.payments.keys()].map((id) => environment.getPayment(id)))).every(isTablePaymentFinal),
  );
});
