import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { money } from '@pos/core/money';
import type { RecordAnswer } from '@pos/core/tables';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { Leases, TablePayments } from '@pos/payments/tables';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { findLease } from '@pos/store/tables';
import { lockLeaseOfSession } from '@pos/store/testing';
import { assertFence, type ClaimedTimer, claimTimer, LeaseLost, TimerQueue } from '@pos/store/queues';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { buildCardDetails, buildDevicePayment, buildMachineRequestor } from '../testing/gateway-world.js';
import { TableTestEnvironment } from '../testing/table-world.js';

let environment: TableTestEnvironment;
let tablePayments: TablePayments;
const leases = new Leases();
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  const accounts = new AccountCache();
  const queue = new TimerQueue(environment.database);
  const intents = new PaymentIntents(accounts, DEFAULT_PAYMENT_SETTINGS);
  tablePayments = new TablePayments({ accounts, intents, sessions: environment.sessions, leases, queue });
});
afterAll(() => environment.close());

const OWNER = '90000001';

/** A device's payment whose first runner has it for so long, and has just made the record call. */
async function createRelayedPayment(claimMs: number) {
  const { database, scope } = environment;
  const sessionId = randomUUID();
  const requestor = { type: 'cardMachine', terminalId: OWNER, waiterId: 0 } as const;
  const transactionId = await environment.takeOwnCard(OWNER, 500);
  const payment = buildDevicePayment(sessionId, { baseAmount: 500n, ...buildCardDetails(transactionId, OWNER) });
  const message = RecordPaymentRequest.encode({ payment, requestorInfo: buildMachineRequestor(OWNER) }).finish();
  await database.transact(scope, (tx) => leases.acquire(tx, { sessionId, owner: OWNER, requestor }));
  return database.transact(scope, async (tx) =>
    tablePayments.relayPayment(tx, {
      lease: await leases.openPayment(tx, leases.extendLease(tx, await lockLeaseOfSession(tx, sessionId), OWNER)),
      orderId: null,
      paymentId: payment.id,
      message,
      base: money(500, 'GBP'),
      gratuity: money(0, 'GBP'),
      cashback: money(0, 'GBP'),
      paidBefore: money(0, 'GBP'),
      mayGiveBack: true,
      claimMs,
    }),
  );
}

type RelayedTestPayment = Awaited<ReturnType<typeof createRelayedPayment>>;

const applyAnswer = ({ step }: RelayedTestPayment, answer: RecordAnswer, claimed: ClaimedTimer | null) =>
  environment.database.transact(environment.scope, (tx) =>
    tablePayments.applyCallResult(tx, step.payment, { input: { kind: 'recordAnswered', answer }, claimed }),
  );

const takeOverTimer = async ({ claimed: { kind, subject } }: RelayedTestPayment): Promise<ClaimedTimer> => {
  const timer = { kind, subject };
  const next = await environment.database.transact(environment.scope, (tx) => claimTimer(tx, timer, 60_000));
  return requireValue(next, 'the claim of a successor');
};

const isFenceValid = (claimed: ClaimedTimer): Promise<boolean> =>
  environment.database
    .read(environment.scope, (reader) => assertFence(reader, claimed))
    .then(
      () => true,
      () => false,
    );

const countOpenPayments = async ({ step }: RelayedTestPayment): Promise<number | undefined> =>
  (await environment.database.read(environment.scope, (reader) => findLease(reader, step.payment.leaseId ?? '')))
    ?.openPayments;

test('a relayed payment is stored as Recording, with the claim of its runner and an open lease', async () => {
  const run = await createRelayedPayment(60_000);
  expect(await environment.getPayment(run.step.payment.id)).toEqual(run.step.payment);
  expect(run.step).toMatchObject({ isHeld: true, payment: { state: 'Recording', recordCalls: 1, version: 1 } });
  expect(run.step.outputs).toContainEqual({ do: 'record' });
  expect(await isFenceValid(run.claimed)).toBe(true);
  expect(await countOpenPayments(run)).toBe(1);
});

test.each<[RecordAnswer, string, number, boolean]>([
  // answer             then             open  the runner keeps it
  ['Success', 'Recorded', 0, false],
  ['NoAnswer', 'RecordUnknown', 1, false],
  ['SESSION_NOT_LOCKED', 'Recording', 1, true],
])('a runner in time receives %s: %s', async (answer, then, open, isKept) => {
  const run = await createRelayedPayment(60_000);
  await applyAnswer(run, answer, run.claimed);
  expect((await environment.getPayment(run.step.payment.id)).state).toBe(then);
  expect(await countOpenPayments(run)).toBe(open);
  expect(await isFenceValid(run.claimed)).toBe(isKept);
});

test.each<RecordAnswer>([
  'Success',
  'PAYMENT_ALREADY_RECORDED',
  'NoAnswer',
  'SESSION_NOT_LOCKED',
  'PAYMENT_NOT_RECORDED',
])('a runner whose lease is over stores nothing of %s, whether or not a successor has the payment', async (answer) => {
  for (const isTakenOver of [false, true]) {
    const run = await createRelayedPayment(1);
    await pause(20);
    const successor = isTakenOver ? await takeOverTimer(run) : null;
    await expect(applyAnswer(run, answer, run.claimed)).rejects.toBeInstanceOf(LeaseLost);
    expect(await environment.getPayment(run.step.payment.id)).toEqual(run.step.payment);
    expect(await countOpenPayments(run)).toBe(1);
    if (successor !== null) expect(await isFenceValid(successor)).toBe(true);
  }
});

test.each<[RecordAnswer, string, number]>([
  ['Success', 'Recorded', 0],
  ['PAYMENT_ALREADY_RECORDED', 'Recorded', 0],
  ['NoAnswer', 'Recording', 1],
  ['SESSION_NOT_LOCKED', 'Recording', 1],
  ['PAYMENT_NOT_RECORDED', 'Recording', 1],
])(
  'the answer %s to a replaced runner leaves the payment %s and its successor unchanged',
  async (answer, then, open) => {
    const run = await createRelayedPayment(1);
    await pause(20);
    const successor = await takeOverTimer(run);
    expect((await applyAnswer(run, answer, null)).isHeld).toBe(false);
    expect((await environment.getPayment(run.step.payment.id)).state).toBe(then);
    expect(await countOpenPayments(run)).toBe(open);
    expect(await isFenceValid(successor)).toBe(true);
  },
);
