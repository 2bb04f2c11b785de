import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { ROLES } from '@pos/core/identity';
import { JourneyState, JourneyPaymentState, type Journey } from '@pos/grpc-contracts/gateway';
import { CardPresentPaymentStatus, PaymentMethod, RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { listTerminals } from '@pos/payments/terminals';
import { deleteApiKey, insertApiKey } from '@pos/store/repositories';
import { findIntent } from '@pos/store/payments';
import { findTablePayment } from '@pos/store/tables';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { TestDevice, describeOutcome, callUnary } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
const OTHER = '90000002';

let environment: GatewayEnvironment;
let first: RunningGateway;
let second: RunningGateway;
let account: GatewayAccount;
let firstDevice: TestDevice;
let secondDevice: TestDevice;
beforeAll(async () => {
  environment = await GatewayEnvironment.create({ hasAcquirer: true });
  first = await environment.startGateway();
  second = await environment.startGateway();
  // The device speaks to one gateway, machines and EPOS hang on the other.
  account = await environment.createAccount({ gateways: [second], epos: 'stream', hasMachines: true });
  firstDevice = new TestDevice(first, account.apiKey);
  secondDevice = new TestDevice(second, account.apiKey);
  await waitUntil(async () => (await describeOutcome(firstDevice.listSessions())) === 'OK');
  await waitUntil(async () => (await isAvailable(MACHINE)) && isAvailable(OTHER));
});
afterAll(async () => {
  firstDevice.close();
  secondDevice.close();
  await environment.close();
});

async function isAvailable(tid: string): Promise<boolean> {
  const terminals = await environment.testDatabase.database.read(account.scope, (reader) =>
    listTerminals(reader, ['Available']),
  );
  return terminals.some(({ terminal }) => terminal.tid === tid);
}

async function findPayableSession(): Promise<string> {
  const lockedIds = new Set(
    requireValue(account.sandbox.epos, 'the EPOS')
      .epos.listLocks()
      .map(({ sessionId }) => sessionId),
  );
  const { sessions } = await firstDevice.listSessions();
  return requireValue(
    sessions.find(({ id }) => !lockedIds.has(id)),
    'a payable session',
  ).id;
}

function listBooked(id: string) {
  return requireValue(account.sandbox.epos, 'the EPOS')
    .epos.listPayments()
    .filter((payment) => payment.id === id);
}

test('a deleted key opens nothing a second later at any gateway, and what it watches ends', async () => {
  const text = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
  const key = await environment.testDatabase.database.transact(account.scope, async (tx) =>
    insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'lost', permissions: ROLES.gateway }),
  );
  const devices = [new TestDevice(first, text), new TestDevice(second, text)];
  const { journey } = await firstDevice.startJourney(await findPayableSession());
  const { journeyId } = requireValue(journey, 'the journey');
  const ends = devices.map(({ journeyClient, metadata }) => {
    const watch = journeyClient.watchJourney({ journeyId }, metadata);
    watch.on('data', () => undefined).on('error', () => undefined);
    return new Promise((resolve) => {
      watch.on('status', ({ code }: { code: status }) => {
        resolve(code);
      });
    });
  });
  for (const device of devices) expect(await describeOutcome(device.listSessions())).toBe('OK');
  await environment.testDatabase.database.transact(account.scope, (tx) => deleteApiKey(tx, key.id));
  expect(await Promise.all(ends)).toEqual([status.UNAUTHENTICATED, status.UNAUTHENTICATED]);
  await pause(1_000);
  for (const device of devices) expect(await describeOutcome(device.listSessions())).toBe('UNAUTHENTICATED');
  for (const device of devices) device.close();
  await firstDevice.finishJourney(journeyId);
});

test('a part is paid on a real machine, recorded over the other gateway, and watched all the way', async () => {
  const sessionId = await findPayableSession();
  const { journey } = await firstDevice.startJourney(sessionId);
  const { journeyId, state } = requireValue(journey, 'the journey');
  expect(state).toBe(JourneyState.JOURNEY_STATE_OPEN);
  expect(await describeOutcome(secondDevice.startJourney(sessionId, OTHER))).toBe('ABORTED SESSION_ALREADY_LOCKED');

  const seen: Journey[] = [];
  const watch = secondDevice.journeyClient.watchJourney({ journeyId }, secondDevice.metadata);
  watch.on('data', ({ journey: each }: { journey: Journey }) => seen.push(each));
  const ended = new Promise((resolve) => {
    watch.on('status', ({ code }: { code: status }) => {
      resolve(code);
    });
  });
  const paymentId = randomUUID();
  await firstDevice.takeCustomPart(journeyId, 500n, paymentId);
  await waitUntil(async () => {
    const { journey: now } = await firstDevice.getJourney(journeyId);
    return now?.payments[0]?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
  });
  expect(listBooked(paymentId)).toMatchObject([
    { base: { value: 500 }, gratuity: { value: 50 }, method: 'cardPresent' },
  ]);
  const full = await callUnary<{ fullBill: unknown }>((done) =>
    firstDevice.journeyClient.printBill({ journeyId }, firstDevice.metadata, done),
  );
  expect(full.fullBill).toBeDefined();
  const { journey: finished } = await secondDevice.finishJourney(journeyId);
  expect(finished?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);

  expect(await ended).toBe(status.OK);
  const versions = seen.map(({ version }) => version);
  expect(versions).toEqual([...versions].sort((left, right) => Number(left - right)));
  expect(seen.at(-1)?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);
  expect(await describeOutcome(firstDevice.takeCustomPart(journeyId, 1n))).toBe('FAILED_PRECONDITION');
  expect(
    requireValue(account.sandbox.epos, 'the EPOS')
      .epos.listLocks()
      .map((lock) => lock.sessionId),
  ).not.toContain(sessionId);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['an unknown journey', () => firstDevice.getJourney(randomUUID()), 'NOT_FOUND'],
  ['an unknown session', () => firstDevice.startJourney(randomUUID()), 'NOT_FOUND SESSION_NO_SUCH_SESSION'],
  ['no terminal id', () => firstDevice.startJourney(randomUUID(), ''), 'INVALID_ARGUMENT ERROR_PARSE_ERROR'],
  [
    'a payment id that is none',
    () => firstDevice.takeCustomPart(randomUUID(), 1n, 'seven'),
    'INVALID_ARGUMENT ERROR_PARSE_ERROR',
  ],
  ['a payment on no journey', () => firstDevice.takeCustomPart(randomUUID(), 1n), 'NOT_FOUND'],
])('a device that requests %s is refused', async (_what, ask, then) => {
  expect(await describeOutcome(ask())).toBe(then);
});

/** The transaction of a card payment that the machine of the device takes. */
async function takeCard(sessionId: string, baseAmount: bigint): Promise<string> {
  const { methodDetails } = await environment.takeCardPayment(account, sessionId, { tid: MACHINE, baseAmount });
  return methodDetails!.cardPresentPaymentInfo!.acquirerTransactionId;
}

/** A payment as a device that has taken it by itself sends it. */
function buildOwnPayment(sessionId: string, transactionId: string, baseAmount: bigint): RecordPaymentRequest {
  return RecordPaymentRequest.fromPartial({
    payment: {
      id: randomUUID(),
      sessionId,
      currency: 'GBP',
      baseAmount,
      gratuityAmount: 0n,
      cashbackAmount: 0n,
      paymentSuccessful: true,
      attemptedAt: new Date(),
      methodDetails: {
        method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
        cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
        cardPresentPaymentInfo: { acquirerTransactionId: transactionId, terminalId: MACHINE },
      },
    },
    requestorInfo: buildMachineRequestor(MACHINE),
  });
}

test("a device's own payment needs a lease, is recorded once, and a repeat is answered as recorded", async () => {
  const sessionId = await findPayableSession();
  const request = buildOwnPayment(sessionId, await takeCard(sessionId, 100n), 100n);
  const record = (retryRequest: RecordPaymentRequest) =>
    describeOutcome(
      callUnary((done) => firstDevice.tablesClient.recordPayment(retryRequest, firstDevice.metadata, done)),
    );
  expect(await record(request)).toBe('FAILED_PRECONDITION SESSION_NOT_LOCKED');
  const at = { sessionId, requestorInfo: buildMachineRequestor(MACHINE) };
  expect(
    await describeOutcome(callUnary((done) => firstDevice.tablesClient.lockSession(at, firstDevice.metadata, done))),
  ).toBe('OK');
  expect(await record(request)).toBe('OK');
  expect(await record(request)).toBe('ALREADY_EXISTS PAYMENT_ALREADY_RECORDED');
  const payment = requireValue(request.payment, 'the payment');
  expect(await record({ ...request, payment: { ...payment, baseAmount: 101n } })).toBe(
    'FAILED_PRECONDITION PAYMENT_NOT_RECORDED',
  );
  // More than is owed: the EPOS refuses, and the money is given back.
  const tooMuch = buildOwnPayment(sessionId, await takeCard(sessionId, 99_999_900n), 99_999_900n);
  expect(await record(tooMuch)).toBe('FAILED_PRECONDITION PAYMENT_NOT_RECORDED');
  await waitUntil(async () => {
    const view = await environment.testDatabase.database.read(account.scope, (reader) =>
      findTablePayment(reader, tooMuch.payment!.id),
    );
    return view?.state === 'GivenBack';
  });
  expect(
    await describeOutcome(
      callUnary((done) => secondDevice.tablesClient.unlockSession(at, secondDevice.metadata, done)),
    ),
  ).toBe('OK');
  expect(
    await describeOutcome(
      callUnary((done) => secondDevice.tablesClient.unlockSession(at, secondDevice.metadata, done)),
    ),
  ).toBe('FAILED_PRECONDITION SESSION_NOT_LOCKED');
  expect(listBooked(payment.id)).toHaveLength(1);
});

test('money of a device that the EPOS refuses is given back through the intent that its transaction names', async () => {
  const sessionId = await findPayableSession();
  const { intentId } = await environment.startSale(account, MACHINE, 1_000);
  const findPayment = () =>
    environment.testDatabase.database.read(account.scope, (reader) => findIntent(reader, intentId));
  await waitUntil(async () => (await findPayment())?.status === 'Captured');
  const transactionId = (await findPayment())?.paymentDetails?.transactionId ?? '';
  const at = { sessionId, requestorInfo: buildMachineRequestor(MACHINE) };
  await callUnary((done) => firstDevice.tablesClient.lockSession(at, firstDevice.metadata, done));
  requireValue(account.sandbox.epos, 'the EPOS').faults.replaceFaults([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', times: 1 },
  ]);
  const request = buildOwnPayment(sessionId, transactionId, 1_000n);
  const outcome = await describeOutcome(
    callUnary((done) => firstDevice.tablesClient.recordPayment(request, firstDevice.metadata, done)),
  );
  expect(outcome).toBe('FAILED_PRECONDITION PAYMENT_NOT_RECORDED');
  const id = requireValue(request.payment, 'the payment').id;
  await waitUntil(async () => {
    const view = await environment.testDatabase.database.read(account.scope, (reader) => findTablePayment(reader, id));
    return view?.state === 'GivingBack' || view?.state === 'GivenBack';
  });
});
