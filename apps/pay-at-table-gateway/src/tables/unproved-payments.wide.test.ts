import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ROLES } from '@pos/core/identity';
import { requireValue } from '@pos/core/refusals';
import { type Payment, PaymentMethod } from '@pos/grpc-contracts/tables';
import { listPendingPayments, TablePayments } from '@pos/payments/tables';
import { insertApiKey } from '@pos/store/repositories';
import { findTablePayment } from '@pos/store/tables';
import { randomBytes, randomUUID } from 'node:crypto';
import { defineInLongRun, isLongRun } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import {
  buildCardDetails,
  buildDevicePayment,
  buildMachineRequestor,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { callUnary, describeOutcome, TestDevice } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

const MACHINE = '90000001';
const OTHER = '90000002';
const NOT_RECORDED = 'FAILED_PRECONDITION PAYMENT_NOT_RECORDED';
const DAY_MS = 24 * 60 * 60 * 1000;
const requestorInfo = buildMachineRequestor(MACHINE);

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let account: GatewayAccount;
let foreign: GatewayAccount;
/** With the permission to refund, and with `tables.use` only. */
let device: TestDevice;
let plainDevice: TestDevice;
let sessionId: string;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  gateway = await environment.startGateway({ INQUIRY_INTERVAL_MS: '200' });
  account = await environment.createAccount({ epos: 'dialled', hasMachines: true });
  foreign = await environment.createAccount({ epos: 'dialled', hasMachines: true });
  device = new TestDevice(gateway, account.apiKey);
  plainDevice = new TestDevice(gateway, await createKey(['tables.use']));
});
afterAll(async () => {
  device.close();
  plainDevice.close();
  await environment.close();
});
beforeEach(() => {
  const { epos } = account.sandbox;
  epos!.reset();
  sessionId = epos!.epos.restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
});

async function createKey(permissions: (typeof ROLES.full)[number][]): Promise<string> {
  const text = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
  await environment.testDatabase.database.transact(account.scope, async (tx) =>
    insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'device', permissions }),
  );
  return text;
}

const lock = ({ tablesClient, metadata }: TestDevice) =>
  callUnary((done) => tablesClient.lockSession({ sessionId, requestorInfo }, metadata, done));
const record = (payment: Payment, { tablesClient, metadata } = device, requestor = requestorInfo) =>
  describeOutcome(
    callUnary((done) => tablesClient.recordPayment({ payment, requestorInfo: requestor }, metadata, done)),
  );
const unlock = ({ tablesClient, metadata }: TestDevice) =>
  describeOutcome(callUnary((done) => tablesClient.unlockSession({ sessionId, requestorInfo }, metadata, done)));

const query = <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  environment.testDatabase.database.dataSource.query(sql, values);
const getPaid = () => account.sandbox.epos!.epos.restaurant.findSession(sessionId)!.bill!.paid.value;
const listRecordCalls = () => account.sandbox.epos!.listCalls().filter(({ method }) => method === 'RecordPayment');
const findStored = ({ id }: Payment) =>
  environment.testDatabase.database.read(account.scope, (reader) => findTablePayment(reader, id));
const resolvePayment = ({ id }: Payment, action: 'markRecorded' | 'giveBack' | 'retryNow' | 'markNotHeld') =>
  environment.testDatabase.database.transact(account.scope, (tx) =>
    gateway.app.get(TablePayments).resolvePayment(tx, id, action),
  );
const getTransactionId = ({ methodDetails }: Payment) =>
  requireValue(methodDetails?.cardPresentPaymentInfo, 'the card').acquirerTransactionId;

async function listIntentStates(payment: Payment): Promise<string[]> {
  const rows = await query<{ status: string }>(
    `select status from payment_intents where payment_details ->> 'transactionId' = $1`,
    [getTransactionId(payment)],
  );
  return rows.map(({ status }) => status);
}

const listDifferences = ({ id }: Payment) =>
  query<{ state: string }>(
    `select state from reconciliation_differences where account_id = $1 and kind = 'UnprovedRecord' and reference = $2`,
    [account.scope.accountId, id],
  );
const listAlarms = ({ id }: Payment) =>
  query(`select answered_by from alarms where account_id = $1 and kind = 'RecordNotProved' and subject = $2`, [
    account.scope.accountId,
    id,
  ]);

async function findPending({ id }: Payment) {
  const { database } = environment.testDatabase;
  const now = await database.now();
  const pending = await database.read(account.scope, (reader) => listPendingPayments(reader, now));
  return pending.find(({ payment }) => payment.id === id) ?? null;
}

const withNewId = (payment: Payment): Payment => ({ ...payment, id: randomUUID() });
const takeCard = (overrides: Parameters<GatewayEnvironment['takeCardPayment']>[2] = {}) =>
  environment.takeCardPayment(account, sessionId, overrides);
const forCall = (payment: Payment, column: 'terminal_session_id') =>
  query(
    `update acquirer_calls set ${column} = null where reference =
     (select payment_details ->> 'reference' from payment_intents where payment_details ->> 'transactionId' = $1)`,
    [getTransactionId(payment)],
  );
const changeIntent = (payment: Payment, change: string) =>
  query(`update payment_intents set ${change} where payment_details ->> 'transactionId' = $1`, [
    getTransactionId(payment),
  ]);

/** Each row builds a payment that nothing proves. */
const UNPROVED: Readonly<Record<string, () => Promise<Payment>>> = {
  'without card details': async () => buildDevicePayment(sessionId),
  'with an empty transaction id': async () => buildDevicePayment(sessionId, buildCardDetails('', MACHINE)),
  'with a made-up UUID': async () => buildDevicePayment(sessionId, buildCardDetails(randomUUID(), MACHINE)),
  'with a made-up text': async () => buildDevicePayment(sessionId, buildCardDetails('TX-1', MACHINE)),
  "with another account's transaction": async () => environment.takeCardPayment(foreign, sessionId),
  'with the transaction of a payment page': async () => {
    const payment = await takeCard();
    await forCall(payment, 'terminal_session_id');
    return payment;
  },
  "on the payer's own device": async () => {
    const { methodDetails, ...payment } = await takeCard();
    const remote = { ...methodDetails!, method: PaymentMethod.PAYMENT_METHOD_REMOTE };
    return { ...payment, methodDetails: remote };
  },
  'of another machine': async () => takeCard({ tid: OTHER }),
  'of another machine under the name of this one': async () => {
    const payment = await takeCard({ tid: OTHER });
    return { ...payment, ...buildCardDetails(getTransactionId(payment), MACHINE) };
  },
  'over a penny more than was taken': async () => ({ ...(await takeCard()), baseAmount: 101n }),
  'over a penny less than was taken': async () => ({ ...(await takeCard()), baseAmount: 99n }),
  'with a tip that was not taken': async () => ({ ...(await takeCard()), gratuityAmount: 10n }),
  'that was attempted two days ago': async () => ({
    ...(await takeCard()),
    attemptedAt: new Date(Date.now() - 2 * DAY_MS),
  }),
  'that was reversed': async () => {
    const payment = await takeCard();
    await changeIntent(payment, `status = 'Reversed'`);
    return payment;
  },
  'that was refunded in part': async () => {
    const payment = await takeCard();
    await changeIntent(payment, 'refunded = 1');
    return payment;
  },
  'with the transaction of a recorded payment': async () => {
    const payment = await takeCard();
    expect(await record(payment)).toBe('OK');
    return withNewId(payment);
  },
};

/** Of each part of a proof one in `npm test`: the transaction, its account, its amount, and that it is used once. */
const SAMPLE = [
  'with a made-up UUID',
  "with another account's transaction",
  'over a penny more than was taken',
  'with the transaction of a recorded payment',
];

describe('a payment without proof is not recorded and is on the pending list', () => {
  test.each(Object.keys(UNPROVED).filter((name) => isLongRun || SAMPLE.includes(name)))('%s', async (name) => {
    await lock(device);
    const payment = await UNPROVED[name]!();
    const [paid, calls] = [getPaid(), listRecordCalls().length];
    const transaction = payment.methodDetails?.cardPresentPaymentInfo?.acquirerTransactionId ?? '';
    const before = transaction === '' ? [] : await listIntentStates(payment);
    for (const each of [device, plainDevice]) {
      expect(await record(payment, each)).toBe(NOT_RECORDED);
      expect([getPaid(), listRecordCalls().length]).toEqual([paid, calls]);
    }
    expect(await findPending(payment)).toMatchObject({
      isAlarming: true,
      payment: { state: 'Unproved', intentId: null, message: expect.any(Uint8Array) },
    });
    expect([await listDifferences(payment), await listAlarms(payment)]).toMatchObject([[{ state: 'Open' }], [{}]]);
    // The money that the device names is somebody else's: it never moves.
    await expect(resolvePayment(payment, 'giveBack')).rejects.toMatchObject({ code: 'pending_payment_not_decidable' });
    if (before.length > 0) expect(await listIntentStates(payment)).toEqual(before);
    expect(await unlock(device)).not.toBe('OK');
    await resolvePayment(payment, 'markNotHeld');
    expect(await findPending(payment)).toBeNull();
    expect([await findStored(payment), await listDifferences(payment)]).toMatchObject([
      { state: 'Ended' },
      [{ state: 'Closed' }],
    ]);
    expect(await listAlarms(payment)).toEqual([{ answered_by: 'service' }]);
    expect(await record(payment)).toBe(NOT_RECORDED);
    expect(await unlock(device)).toBe('OK');
  });
});

test('a card payment of the machine is recorded once', async () => {
  await lock(plainDevice);
  const paid = getPaid();
  const payment = await takeCard({ gratuityAmount: 20n });
  expect(await record(payment, plainDevice)).toBe('OK');
  expect(await record(payment, plainDevice)).toBe('ALREADY_EXISTS PAYMENT_ALREADY_RECORDED');
  expect(getPaid()).toBe(paid + 100);
  expect(await findStored(payment)).toMatchObject({ state: 'Recorded', intentId: expect.stringMatching(/^pi_/) });
  expect(await unlock(plainDevice)).toBe('OK');
});

test('the same transaction is recorded once by two devices that record it at the same time', async () => {
  await lock(device);
  const paid = getPaid();
  const payment = await takeCard();
  const ends = await Promise.all([record(payment), record(withNewId(payment), plainDevice)].map((each) => each));
  expect(ends.toSorted()).toEqual([NOT_RECORDED, 'OK'].toSorted());
  expect(getPaid()).toBe(paid + 100);
});

test('a proved payment that the EPOS refuses is given back automatically if the key of the device may refund', async () => {
  await lock(device);
  const payment = await takeCard();
  account.sandbox.epos!.faults.replaceFaults([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
  ]);
  expect(await record(payment)).toBe(NOT_RECORDED);
  await waitUntil(async () => (await findStored(payment))?.state === 'GivenBack');
  expect(await listIntentStates(payment)).toEqual(['Reversed']);
});

testLong('with a key that may not refund it stays on the pending list until an operator gives it back', async () => {
  await lock(plainDevice);
  const payment = await takeCard();
  account.sandbox.epos!.faults.replaceFaults([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
  ]);
  expect(await record(payment, plainDevice)).toBe(NOT_RECORDED);
  expect(await findPending(payment)).toMatchObject({ isAlarming: true, payment: { state: 'NeedsOperator' } });
  expect(await listIntentStates(payment)).toEqual(['Captured']);
  await expect(resolvePayment(payment, 'markNotHeld')).rejects.toMatchObject({ code: 'pending_payment_not_decidable' });
  await resolvePayment(payment, 'giveBack');
  await waitUntil(async () => (await findStored(payment))?.state === 'GivenBack');
  expect(await listIntentStates(payment)).toEqual(['Reversed']);
});

/** The service does not know the transaction any more: the acquirer does. */
async function forgetTransaction(payment: Payment): Promise<void> {
  const transactionId = getTransactionId(payment);
  await query(
    `update acquirer_calls set reference = 'gone-' || reference where reference =
     (select payment_details ->> 'reference' from payment_intents where payment_details ->> 'transactionId' = $1)`,
    [transactionId],
  );
  await changeIntent(payment, `payment_details = jsonb_set(payment_details, '{transactionId}', '"gone"')`);
}

test('a transaction that only the acquirer knows is recorded once, and its refusal is left to an operator', async () => {
  await lock(device);
  const paid = getPaid();
  const payment = await takeCard();
  await forgetTransaction(payment);
  expect(await record(payment)).toBe('OK');
  expect(getPaid()).toBe(paid + 100);
  expect(await findStored(payment)).toMatchObject({ state: 'Recorded', intentId: null });
  expect(await record(withNewId(payment))).toBe(NOT_RECORDED);
  const refused = await takeCard();
  await forgetTransaction(refused);
  account.sandbox.epos!.faults.replaceFaults([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
  ]);
  expect(await record(refused)).toBe(NOT_RECORDED);
  expect(await findPending(refused)).toMatchObject({ payment: { state: 'NeedsOperator', intentId: null } });
});

test.each<[string, (payment: Payment) => Payment]>([
  ['of another amount', (payment) => ({ ...payment, baseAmount: 99n })],
  ['of another machine', (payment) => ({ ...payment, ...buildCardDetails(getTransactionId(payment), OTHER) })],
])('a transaction %s that only the acquirer knows proves nothing', async (_, change) => {
  sessionId = account.sandbox
    .epos!.epos.restaurant.sessions()
    .findLast(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
  const payment = change(await takeCard());
  await forgetTransaction(payment);
  const tid = requireValue(payment.methodDetails?.cardPresentPaymentInfo, 'the card').terminalId;
  const requestor = buildMachineRequestor(tid);
  // The payments of the other tests are open on the first session.
  await callUnary((done) =>
    device.tablesClient.lockSession({ sessionId, requestorInfo: requestor }, device.metadata, done),
  );
  expect(await record(payment, device, requestor)).toBe(NOT_RECORDED);
  expect(await findPending(payment)).toMatchObject({ payment: { state: 'Unproved' } });
  await resolvePayment(payment, 'markNotHeld');
  const unlocking = { sessionId, requestorInfo: requestor };
  await callUnary((done) => device.tablesClient.unlockSession(unlocking, device.metadata, done));
});

test('an approval that arrives while the device waits proves its payment', async () => {
  await lock(device);
  const payment = await takeCard();
  const transactionId = getTransactionId(payment);
  await changeIntent(payment, `payment_details = jsonb_set(payment_details, '{transactionId}', '"late"')`);
  const recorded = record(payment);
  await waitUntil(async () => (await findStored(payment))?.state === 'Unproved');
  await query(
    `update payment_intents set payment_details = jsonb_set(payment_details, '{transactionId}', to_jsonb($1::text))
     where payment_details ->> 'transactionId' = 'late'`,
    [transactionId],
  );
  expect(await recorded).toBe('OK');
  expect(await listAlarms(payment)).toEqual([]);
});

testLong(
  'an approval that arrives later is used when the device repeats its call, and when an operator retries',
  async () => {
    for (const retry of [
      (payment: Payment) => record(payment),
      async (payment: Payment) => void (await resolvePayment(payment, 'retryNow')),
    ]) {
      await lock(device);
      const payment = await takeCard();
      await changeIntent(payment, `status = 'Created'`);
      expect(await record(payment)).toBe(NOT_RECORDED);
      await changeIntent(payment, `status = 'Captured'`);
      await retry(payment);
      await waitUntil(async () => (await findStored(payment))?.state === 'Recorded');
      expect(await listDifferences(payment)).toMatchObject([{ state: 'Closed' }]);
      expect(await listAlarms(payment)).toEqual([{ answered_by: 'service' }]);
    }
  },
);

test('a repeat that names another transaction is another payment', async () => {
  await lock(device);
  const payment = await takeCard();
  expect(await record(payment)).toBe('OK');
  const other = { ...payment, ...buildCardDetails(randomUUID(), MACHINE) };
  expect(await record(other)).toBe(NOT_RECORDED);
});
