import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { ROLES } from '@pos/core/permissions';
import { JourneyState, JourneyPaymentState, type Journey } from '@pos/grpc-contracts/gateway';
import { CardPresentPaymentStatus, PaymentMethod, RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { listTerminals } from '@pos/payments/terminals';
import { deleteApiKey, insertApiKey } from '@pos/store/api-keys';
import { findIntent } from '@pos/store/payment-intents';
import { findTablePayment } from '@pos/store/table-payments';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningGateway } from '../boot.js';
import { machine, type TestAccount, TestPlace, until } from '../testing.js';
import { Device, outcome, told } from './testing-device.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
const OTHER = '90000002';

let place: TestPlace;
let first: RunningGateway;
let second: RunningGateway;
let account: TestAccount;
let journeys: Device;
let elsewhere: Device;
beforeAll(async () => {
  place = await TestPlace.open();
  first = await place.gateway();
  second = await place.gateway();
  // The device speaks to one gateway, machines and EPOS hang on the other.
  account = await place.account({ gateways: [second], epos: 'stream', hasMachines: true });
  journeys = new Device(first, account.apiKey);
  elsewhere = new Device(second, account.apiKey);
  await until(async () => (await outcome(journeys.listSessions())) === 'OK');
  await until(async () => (await isAvailable(MACHINE)) && isAvailable(OTHER));
});
afterAll(async () => {
  journeys.close();
  elsewhere.close();
  await place.close();
});

async function isAvailable(tid: string): Promise<boolean> {
  const terminals = await place.test.database.read(account.scope, (reader) => listTerminals(reader, ['Available']));
  return terminals.some(({ terminal }) => terminal.tid === tid);
}

async function payableSession(): Promise<string> {
  const taken = new Set(
    required(account.place.epos, 'the EPOS')
      .epos.locks()
      .map(({ sessionId }) => sessionId),
  );
  const { sessions } = await journeys.listSessions();
  return required(
    sessions.find(({ id }) => !taken.has(id)),
    'a payable session',
  ).id;
}

function booked(id: string) {
  return required(account.place.epos, 'the EPOS')
    .epos.payments()
    .filter((payment) => payment.id === id);
}

test('a deleted key opens nothing a second later at any gateway, and what it watches ends', async () => {
  const text = `sk_sandbox_${randomBytes(32).toString('base64url')}`;
  const key = await place.test.database.transact(account.scope, async (tx) =>
    insertApiKey(tx, { id: await tx.newId('apiKey'), text, label: 'lost', permissions: ROLES.gateway }),
  );
  const devices = [new Device(first, text), new Device(second, text)];
  const { journey } = await journeys.start(await payableSession());
  const { journeyId } = required(journey, 'the journey');
  const ends = devices.map(({ service, metadata }) => {
    const watch = service.watchJourney({ journeyId }, metadata);
    watch.on('data', () => undefined).on('error', () => undefined);
    return new Promise((resolve) => {
      watch.on('status', ({ code }: { code: status }) => {
        resolve(code);
      });
    });
  });
  for (const device of devices) expect(await outcome(device.listSessions())).toBe('OK');
  await place.test.database.transact(account.scope, (tx) => deleteApiKey(tx, key.id));
  expect(await Promise.all(ends)).toEqual([status.UNAUTHENTICATED, status.UNAUTHENTICATED]);
  await pause(1_000);
  for (const device of devices) expect(await outcome(device.listSessions())).toBe('UNAUTHENTICATED');
  for (const device of devices) device.close();
  await journeys.finish(journeyId);
});

test('a part is paid on a real machine, recorded over the other gateway, and watched all the way', async () => {
  const sessionId = await payableSession();
  const { journey } = await journeys.start(sessionId);
  const { journeyId, state } = required(journey, 'the journey');
  expect(state).toBe(JourneyState.JOURNEY_STATE_OPEN);
  expect(await outcome(elsewhere.start(sessionId, OTHER))).toBe('ABORTED SESSION_ALREADY_LOCKED');

  const seen: Journey[] = [];
  const watch = elsewhere.service.watchJourney({ journeyId }, elsewhere.metadata);
  watch.on('data', ({ journey: each }: { journey: Journey }) => seen.push(each));
  const ended = new Promise((resolve) => {
    watch.on('status', ({ code }: { code: status }) => {
      resolve(code);
    });
  });
  const paymentId = randomUUID();
  await journeys.take(journeyId, 500n, paymentId);
  await until(async () => {
    const { journey: now } = await journeys.get(journeyId);
    return now?.payments[0]?.state === JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED;
  });
  expect(booked(paymentId)).toMatchObject([{ base: { value: 500 }, gratuity: { value: 50 }, method: 'cardPresent' }]);
  const full = await told<{ fullBill: unknown }>((done) =>
    journeys.service.printBill({ journeyId }, journeys.metadata, done),
  );
  expect(full.fullBill).toBeDefined();
  const { journey: finished } = await elsewhere.finish(journeyId);
  expect(finished?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);

  expect(await ended).toBe(status.OK);
  const versions = seen.map(({ version }) => version);
  expect(versions).toEqual([...versions].sort((left, right) => Number(left - right)));
  expect(seen.at(-1)?.state).toBe(JourneyState.JOURNEY_STATE_FINISHED);
  expect(await outcome(journeys.take(journeyId, 1n))).toBe('FAILED_PRECONDITION');
  expect(
    required(account.place.epos, 'the EPOS')
      .epos.locks()
      .map((lock) => lock.sessionId),
  ).not.toContain(sessionId);
});

test.each<[string, () => Promise<unknown>, string]>([
  ['an unknown journey', () => journeys.get(randomUUID()), 'NOT_FOUND'],
  ['an unknown session', () => journeys.start(randomUUID()), 'NOT_FOUND SESSION_NO_SUCH_SESSION'],
  ['no terminal id', () => journeys.start(randomUUID(), ''), 'INVALID_ARGUMENT ERROR_PARSE_ERROR'],
  ['a payment id that is none', () => journeys.take(randomUUID(), 1n, 'seven'), 'INVALID_ARGUMENT ERROR_PARSE_ERROR'],
  ['a payment on no journey', () => journeys.take(randomUUID(), 1n), 'NOT_FOUND'],
])('a device that asks for %s is told so', async (_what, ask, then) => {
  expect(await outcome(ask())).toBe(then);
});

/** A payment as a device that has taken it by itself sends it. */
function ownPayment(sessionId: string, transactionId: string, baseAmount: bigint): RecordPaymentRequest {
  return RecordPaymentRequest.fromPartial({
    payment: {
      id: randomUUID(),
      sessionId,
      currency: 'GBP',
      baseAmount,
      gratuityAmount: 0n,
      cashbackAmount: 0n,
      paymentSuccessful: true,
      attemptedAt: new Date('2026-03-01T12:00:00Z'),
      methodDetails: {
        method: PaymentMethod.PAYMENT_METHOD_CARD_PRESENT,
        cardPresentPaymentStatus: CardPresentPaymentStatus.CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL,
        cardPresentPaymentInfo: { acquirerTransactionId: transactionId, terminalId: MACHINE },
      },
    },
    requestorInfo: machine(MACHINE),
  });
}

test("a device's own payment wants a lease, is recorded once, and a repeat hears that it is", async () => {
  const sessionId = await payableSession();
  const request = ownPayment(sessionId, randomUUID(), 100n);
  const record = (asked: RecordPaymentRequest) =>
    outcome(told((done) => journeys.tables.recordPayment(asked, journeys.metadata, done)));
  expect(await record(request)).toBe('FAILED_PRECONDITION SESSION_NOT_LOCKED');
  const at = { sessionId, requestorInfo: machine(MACHINE) };
  expect(await outcome(told((done) => journeys.tables.lockSession(at, journeys.metadata, done)))).toBe('OK');
  expect(await record(request)).toBe('OK');
  expect(await record(request)).toBe('ALREADY_EXISTS PAYMENT_ALREADY_RECORDED');
  const payment = required(request.payment, 'the payment');
  expect(await record({ ...request, payment: { ...payment, baseAmount: 101n } })).toBe(
    'FAILED_PRECONDITION PAYMENT_NOT_RECORDED',
  );
  // More than is owed: the EPOS refuses; money that went past us is reported, not given back.
  expect(await record(ownPayment(sessionId, randomUUID(), 99_999_999n))).toBe(
    'FAILED_PRECONDITION PAYMENT_NOT_RECORDED',
  );
  expect(await outcome(told((done) => elsewhere.tables.unlockSession(at, elsewhere.metadata, done)))).toBe('OK');
  expect(await outcome(told((done) => elsewhere.tables.unlockSession(at, elsewhere.metadata, done)))).toBe(
    'FAILED_PRECONDITION SESSION_NOT_LOCKED',
  );
  expect(booked(payment.id)).toHaveLength(1);
});

test('money of a device that the EPOS refuses is given back through the intent that its transaction names', async () => {
  const sessionId = await payableSession();
  const { intentId } = await place.sale(account, OTHER, 1_000);
  const find = () => place.test.database.read(account.scope, (reader) => findIntent(reader, intentId));
  await until(async () => (await find())?.status === 'Captured');
  const transactionId = (await find())?.paymentDetails?.transactionId ?? '';
  const at = { sessionId, requestorInfo: machine(MACHINE) };
  await told((done) => journeys.tables.lockSession(at, journeys.metadata, done));
  required(account.place.epos, 'the EPOS').faults.replace([
    { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', times: 1 },
  ]);
  const request = ownPayment(sessionId, transactionId, 1_000n);
  const heard = await outcome(told((done) => journeys.tables.recordPayment(request, journeys.metadata, done)));
  expect(heard).toBe('FAILED_PRECONDITION PAYMENT_NOT_RECORDED');
  const id = required(request.payment, 'the payment').id;
  await until(async () => {
    const view = await place.test.database.read(account.scope, (reader) => findTablePayment(reader, id));
    return view?.state === 'GivingBack' || view?.state === 'GivenBack';
  });
});
