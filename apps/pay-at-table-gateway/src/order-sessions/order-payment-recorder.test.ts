import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/tables';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { EposFault, EposSimulator } from '@pos/sandbox/epos-simulator';
import { findIntent } from '@pos/store/payments';
import { TablePayments } from '@pos/payments/tables';
import { listTerminals } from '@pos/payments/terminals';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { TestDevice, describeOutcome, callUnary } from '../testing/payment-device.js';
import {
  buildMachineRequestor,
  buildCardDetails,
  buildDevicePayment,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
const REQUESTOR = {
  requestorType: 'REQUESTOR_TYPE_CARD_MACHINE',
  cardMachineRequestorInfo: { terminalId: MACHINE, waiterId: 0 },
};

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let withLocks: GatewayAccount;
let withoutLocks: GatewayAccount;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '1500' });
  const capabilitiesWithoutLocks = EPOS_CAPABILITIES.filter((each: EposCapability) => !each.endsWith('OrderLock'));
  withLocks = await environment.createAccount({ epos: 'rest', hasMachines: true });
  withoutLocks = await environment.createAccount({
    epos: 'rest',
    hasMachines: true,
    capabilities: capabilitiesWithoutLocks,
  });
  for (const account of [withLocks, withoutLocks]) await waitForMachine(account);
});
afterAll(() => environment.close());
beforeEach(() => {
  for (const account of [withLocks, withoutLocks]) getEposSimulator(account).faults.replaceFaults([]);
});

function getEposSimulator(account: GatewayAccount): EposSimulator {
  return requireValue(account.sandbox.epos, 'the EPOS');
}

async function waitForMachine({ scope }: GatewayAccount): Promise<void> {
  await waitUntil(async () => {
    const availableTerminals = await environment.testDatabase.database.read(scope, (reader) =>
      listTerminals(reader, ['Available']),
    );
    return availableTerminals.some(({ terminal }) => terminal.tid === MACHINE);
  });
}

/** A session that nobody has paid anything of or locked, and owes at least ten pounds. */
function findSession(account: GatewayAccount): string {
  const { epos } = getEposSimulator(account);
  const availableTerminals = epos.restaurant.sessions().find(({ id, bill, finishedAt }) => {
    const owesEnough = bill !== null && finishedAt === null && bill.paid.value === 0 && bill.total.value > 2_000;
    return owesEnough && epos.locks.findLock(id) === null;
  });
  return requireValue(availableTerminals, 'a party that owes').id;
}

/** Money that a card machine has taken by the service, for nobody's journey. */
async function createTakenPayment(account: GatewayAccount, minorUnits: number): Promise<PaymentIntent> {
  await waitForMachine(account);
  const { intentId } = await environment.startSale(account, MACHINE, minorUnits);
  let intent: PaymentIntent | null = null;
  await waitUntil(async () => {
    intent = await environment.testDatabase.database.read(account.scope, (reader) =>
      findIntent(reader, intentId as never),
    );
    return intent?.status === 'Captured';
  });
  await waitForMachine(account);
  return requireValue(intent as PaymentIntent | null, 'the intent');
}

async function simulate(account: GatewayAccount, method: string, params: object) {
  const answer = await fetch(`${gateway.urls.health}/simulator/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${account.apiKey}` },
    body: JSON.stringify({ requestorInfo: REQUESTOR, ...params }),
  });
  const body = (await answer.json()) as { errorCode?: string };
  return `${answer.status} ${body.errorCode ?? 'OK'}`;
}

interface RecordOverrides {
  readonly baseAmount?: number;
  readonly gratuityAmount?: number;
  readonly currency?: string;
  readonly sessionId?: string;
  readonly paymentSuccessful?: boolean;
  readonly transactionId?: string;
}

function buildRecord(sessionId: string, intent: PaymentIntent, { transactionId, ...overrides }: RecordOverrides = {}) {
  const acquirerTransactionId = transactionId ?? intent.paymentDetails?.transactionId;
  return {
    payment: {
      // A transaction belongs to one payment, so a repeat has the id of the first call.
      ...{ id: derivePaymentId(intent.id), sessionId, currency: 'GBP', cashbackAmount: 0, paymentSuccessful: true },
      ...{ baseAmount: intent.amount.value - 100, gratuityAmount: 100, attemptedAt: intent.createdAt.toISOString() },
      methodDetails: {
        method: 'PAYMENT_METHOD_CARD_PRESENT',
        cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL',
        cardPresentPaymentInfo: { ...(acquirerTransactionId !== '' && { acquirerTransactionId }) },
      },
      ...overrides,
    },
  };
}

const paymentIds = new Map<string, string>();

function derivePaymentId(intentId: string): string {
  const id = paymentIds.get(intentId) ?? randomUUID();
  paymentIds.set(intentId, id);
  return id;
}

function listPaymentsOn(account: GatewayAccount, orderId: string) {
  return getEposSimulator(account).data.orders.getOrder(orderId).payments ?? [];
}

test('a payment that a device reports is booked on the order as the payment that took the money, once', async () => {
  const sessionId = findSession(withLocks);
  const intent = await createTakenPayment(withLocks, 600);
  const params = buildRecord(sessionId, intent);
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 SESSION_NOT_LOCKED');
  expect(await simulate(withLocks, 'LockSession', { sessionId })).toBe('200 OK');
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('200 OK');
  expect(listPaymentsOn(withLocks, sessionId)).toMatchObject([
    { paymentIntentId: intent.id, paidAmount: { value: 500, currencyCode: 'GBP' }, tipsAmount: { value: 100 } },
  ]);
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 PAYMENT_ALREADY_RECORDED');
  const moreTip = buildRecord(sessionId, intent, { gratuityAmount: 101 });
  expect(await simulate(withLocks, 'RecordPayment', moreTip)).toBe('422 PAYMENT_NOT_RECORDED');
  expect(await simulate(withLocks, 'UnlockSession', { sessionId })).toBe('200 OK');
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 SESSION_NOT_LOCKED');
  expect(listPaymentsOn(withLocks, sessionId)).toHaveLength(1);
});

test('an EPOS without locks books it without one', async () => {
  const sessionId = findSession(withoutLocks);
  const intent = await createTakenPayment(withoutLocks, 700);
  expect(await simulate(withoutLocks, 'RecordPayment', buildRecord(sessionId, intent))).toBe('200 OK');
  expect(listPaymentsOn(withoutLocks, sessionId)).toMatchObject([{ paymentIntentId: intent.id }]);
});

describe('what is no such payment is refused, and the order is left as it was', () => {
  let sessionId: string;
  let intent: PaymentIntent;
  beforeAll(async () => {
    sessionId = findSession(withLocks);
    intent = await createTakenPayment(withLocks, 800);
    expect(await simulate(withLocks, 'LockSession', { sessionId })).toBe('200 OK');
  });
  afterAll(() => simulate(withLocks, 'UnlockSession', { sessionId }));

  test.each<[string, RecordOverrides, string]>([
    ['money that the service has not taken', { transactionId: randomUUID() }, '422 PAYMENT_NOT_RECORDED'],
    ['money that nobody names', { transactionId: '' }, '422 PAYMENT_NOT_RECORDED'],
    ['more than was taken', { baseAmount: 701 }, '422 PAYMENT_NOT_RECORDED'],
    ['less than was taken', { baseAmount: 699 }, '422 PAYMENT_NOT_RECORDED'],
    ['another currency', { currency: 'EUR' }, '422 PAYMENT_NOT_RECORDED'],
    ['no currency', { currency: 'gbp' }, '400 ERROR_PARSE_ERROR'],
    ['less than nothing', { baseAmount: -1 }, '400 ERROR_PARSE_ERROR'],
    ['a session that there is not', { sessionId: randomUUID() }, '404 SESSION_NO_SUCH_SESSION'],
    ['a session that nobody can name', { sessionId: 'table 7' }, '404 SESSION_NO_SUCH_SESSION'],
    ['an attempt that took no money, which is no refusal', { paymentSuccessful: false }, '200 OK'],
  ])('%s', async (_, overrides, said) => {
    expect(await simulate(withLocks, 'RecordPayment', buildRecord(sessionId, intent, overrides))).toBe(said);
    expect(listPaymentsOn(withLocks, sessionId)).toEqual([]);
  });

  const RECORD = { method: 'RecordOrderPaymentById', times: 1 } as const;
  test.each<[EposFault, string]>([
    [{ ...RECORD, effect: 'refuse', code: 'Conflict' }, '422 PAYMENT_NOT_RECORDED'],
    [{ ...RECORD, effect: 'refuse', code: 'InvalidRequest' }, '400 ERROR_PARSE_ERROR'],
    [{ ...RECORD, effect: 'internal-error' }, '502 ERROR_INTERNAL_POS_ERROR'],
    [{ ...RECORD, effect: 'answer-lost', afterDoing: true }, '504 ERROR_INTERNAL_POS_ERROR'],
  ])('an EPOS with %j', async (fault, said) => {
    getEposSimulator(withLocks).faults.replaceFaults([fault]);
    expect(await simulate(withLocks, 'RecordPayment', buildRecord(sessionId, intent))).toBe(said);
  });

  test('a record whose answer was lost is recognised when it is repeated', async () => {
    expect(listPaymentsOn(withLocks, sessionId)).toHaveLength(1);
    expect(await simulate(withLocks, 'RecordPayment', buildRecord(sessionId, intent))).toBe(
      '409 PAYMENT_ALREADY_RECORDED',
    );
  });
});

test('a conflict that is the echo of a booking is a success', async () => {
  const sessionId = findSession(withLocks);
  const intent = await createTakenPayment(withLocks, 900);
  await simulate(withLocks, 'LockSession', { sessionId });
  const fault = { method: 'RecordOrderPaymentById', times: 1, effect: 'refuse', code: 'Conflict' } as const;
  getEposSimulator(withLocks).faults.replaceFaults([{ ...fault, afterDoing: true }]);
  const said = await simulate(withLocks, 'RecordPayment', buildRecord(sessionId, intent));
  expect([said, listPaymentsOn(withLocks, sessionId).length]).toEqual(['409 PAYMENT_ALREADY_RECORDED', 1]);
  await simulate(withLocks, 'UnlockSession', { sessionId });
});

test('a card machine of a partner that pays by itself is recorded on the order', async () => {
  const device = new TestDevice(gateway, withLocks.apiKey);
  try {
    const sessionId = findSession(withLocks);
    const intent = await createTakenPayment(withLocks, 1_000);
    const pendingRecord = { sessionId, requestorInfo: buildMachineRequestor(MACHINE) };
    await callUnary((done) => device.tablesClient.lockSession(pendingRecord, device.metadata, done));
    const acquirerTransactionId = intent.paymentDetails?.transactionId;
    let payment = buildDevicePayment(sessionId, { baseAmount: 1_000n });
    const pays = (transactionId: string | undefined) => {
      payment = { ...payment, id: randomUUID() };
      const { methodDetails } = buildCardDetails(transactionId ?? '', MACHINE);
      return describeOutcome(
        callUnary((done) =>
          device.tablesClient.recordPayment(
            { payment: { ...payment, methodDetails }, requestorInfo: buildMachineRequestor(MACHINE) },
            device.metadata,
            done,
          ),
        ),
      );
    };
    expect(await pays(randomUUID())).toBe('FAILED_PRECONDITION PAYMENT_NOT_RECORDED');
    await environment.testDatabase.database.transact(withLocks.scope, (tx) =>
      gateway.app.get(TablePayments).resolvePayment(tx, payment.id, 'markNotHeld'),
    );
    expect(await pays(acquirerTransactionId)).toBe('OK');
    expect(listPaymentsOn(withLocks, sessionId)).toMatchObject([{ paymentIntentId: intent.id }]);
    await callUnary((done) => device.tablesClient.unlockSession(pendingRecord, device.metadata, done));
  } finally {
    device.close();
  }
});
