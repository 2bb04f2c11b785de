import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { EPOS_CAPABILITIES, type EposCapability } from '@pos/core/epos-capability';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { EposFault } from '@pos/sandbox/epos-faults';
import type { EposDoor } from '@pos/sandbox/epos-door';
import { findIntent } from '@pos/store/payment-intents';
import { listTerminals } from '@pos/payments/terminals';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { Device, outcome, told } from '../journeys/testing-device.js';
import { machine, paidBy, type TestAccount, TestPlace, until } from '../testing.js';

jest.setTimeout(60_000);

const MACHINE = '90000001';
const REQUESTOR = {
  requestorType: 'REQUESTOR_TYPE_CARD_MACHINE',
  cardMachineRequestorInfo: { terminalId: MACHINE, waiterId: 0 },
};

let place: TestPlace;
let gateway: RunningGateway;
let withLocks: TestAccount;
let withoutLocks: TestAccount;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '1500' });
  const lockless = EPOS_CAPABILITIES.filter((each: EposCapability) => !each.endsWith('OrderLock'));
  withLocks = await place.account({ epos: 'rest', hasMachines: true });
  withoutLocks = await place.account({ epos: 'rest', hasMachines: true, capabilities: lockless });
  for (const account of [withLocks, withoutLocks]) await machineOf(account);
});
afterAll(() => place.close());
beforeEach(() => {
  for (const account of [withLocks, withoutLocks]) doorOf(account).faults.replace([]);
});

function doorOf(account: TestAccount): EposDoor {
  return required(account.place.epos, 'the EPOS');
}

async function machineOf({ scope }: TestAccount): Promise<void> {
  await until(async () => {
    const free = await place.test.database.read(scope, (reader) => listTerminals(reader, ['Available']));
    return free.some(({ terminal }) => terminal.tid === MACHINE);
  });
}

/** A session that nobody has paid anything of or locked, and owes at least ten pounds. */
function partyOf(account: TestAccount): string {
  const { epos } = doorOf(account);
  const free = epos.restaurant.sessions().find(({ id, bill, finishedAt }) => {
    const owes = bill !== null && finishedAt === null && bill.paid.value === 0 && bill.total.value > 2_000;
    return owes && epos.held.find(id) === null;
  });
  return required(free, 'a party that owes').id;
}

/** Money that a card machine has taken by the service, for nobody's journey. */
async function taken(account: TestAccount, minorUnits: number): Promise<PaymentIntent> {
  await machineOf(account);
  const { intentId } = await place.sale(account, MACHINE, minorUnits);
  let intent: PaymentIntent | null = null;
  await until(async () => {
    intent = await place.test.database.read(account.scope, (reader) => findIntent(reader, intentId as never));
    return intent?.status === 'Captured';
  });
  await machineOf(account);
  return required(intent as PaymentIntent | null, 'the intent');
}

async function simulate(account: TestAccount, method: string, params: object) {
  const answer = await fetch(`${gateway.urls.health}/simulator/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${account.apiKey}` },
    body: JSON.stringify({ requestorInfo: REQUESTOR, ...params }),
  });
  const body = (await answer.json()) as { errorCode?: string };
  return `${answer.status} ${body.errorCode ?? 'OK'}`;
}

interface Told {
  readonly baseAmount?: number;
  readonly gratuityAmount?: number;
  readonly currency?: string;
  readonly sessionId?: string;
  readonly paymentSuccessful?: boolean;
  readonly transactionId?: string;
}

function recordOf(sessionId: string, intent: PaymentIntent, { transactionId, ...more }: Told = {}) {
  const acquirerTransactionId = transactionId ?? intent.paymentDetails?.transactionId;
  return {
    payment: {
      ...{ id: randomUUID(), sessionId, currency: 'GBP', cashbackAmount: 0, paymentSuccessful: true },
      ...{ baseAmount: intent.amount.value - 100, gratuityAmount: 100, attemptedAt: '2026-03-01T12:00:00.000Z' },
      methodDetails: {
        method: 'PAYMENT_METHOD_CARD_PRESENT',
        cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL',
        cardPresentPaymentInfo: { ...(acquirerTransactionId !== '' && { acquirerTransactionId }) },
      },
      ...more,
    },
  };
}

function paymentsOn(account: TestAccount, orderId: string) {
  return doorOf(account).data.orders.get(orderId).payments ?? [];
}

test('what a device tells of is booked on the order as the payment that took the money, once', async () => {
  const sessionId = partyOf(withLocks);
  const intent = await taken(withLocks, 600);
  const params = recordOf(sessionId, intent);
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 SESSION_NOT_LOCKED');
  expect(await simulate(withLocks, 'LockSession', { sessionId })).toBe('200 OK');
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('200 OK');
  expect(paymentsOn(withLocks, sessionId)).toMatchObject([
    { paymentIntentId: intent.id, paidAmount: { value: 500, currencyCode: 'GBP' }, tipsAmount: { value: 100 } },
  ]);
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 PAYMENT_ALREADY_RECORDED');
  const moreTip = recordOf(sessionId, intent, { gratuityAmount: 101 });
  expect(await simulate(withLocks, 'RecordPayment', moreTip)).toBe('422 PAYMENT_NOT_RECORDED');
  expect(await simulate(withLocks, 'UnlockSession', { sessionId })).toBe('200 OK');
  expect(await simulate(withLocks, 'RecordPayment', params)).toBe('409 SESSION_NOT_LOCKED');
  expect(paymentsOn(withLocks, sessionId)).toHaveLength(1);
});

test('an EPOS without locks books it without one', async () => {
  const sessionId = partyOf(withoutLocks);
  const intent = await taken(withoutLocks, 700);
  expect(await simulate(withoutLocks, 'RecordPayment', recordOf(sessionId, intent))).toBe('200 OK');
  expect(paymentsOn(withoutLocks, sessionId)).toMatchObject([{ paymentIntentId: intent.id }]);
});

describe('what is no such payment is refused, and the order is left as it was', () => {
  let sessionId: string;
  let intent: PaymentIntent;
  beforeAll(async () => {
    sessionId = partyOf(withLocks);
    intent = await taken(withLocks, 800);
    expect(await simulate(withLocks, 'LockSession', { sessionId })).toBe('200 OK');
  });
  afterAll(() => simulate(withLocks, 'UnlockSession', { sessionId }));

  test.each<[string, Told, string]>([
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
  ])('%s', async (_, more, said) => {
    expect(await simulate(withLocks, 'RecordPayment', recordOf(sessionId, intent, more))).toBe(said);
    expect(paymentsOn(withLocks, sessionId)).toEqual([]);
  });

  const RECORD = { method: 'RecordOrderPaymentById', times: 1 } as const;
  test.each<[EposFault, string]>([
    [{ ...RECORD, effect: 'refuse', code: 'Conflict' }, '422 PAYMENT_NOT_RECORDED'],
    [{ ...RECORD, effect: 'refuse', code: 'InvalidRequest' }, '400 ERROR_PARSE_ERROR'],
    [{ ...RECORD, effect: 'internal-error' }, '504 ERROR_INTERNAL_POS_ERROR'],
    [{ ...RECORD, effect: 'answer-lost', afterDoing: true }, '504 ERROR_INTERNAL_POS_ERROR'],
  ])('an EPOS with %j', async (fault, said) => {
    doorOf(withLocks).faults.replace([fault]);
    expect(await simulate(withLocks, 'RecordPayment', recordOf(sessionId, intent))).toBe(said);
  });

  test('a record whose answer was lost is known when it is told again', async () => {
    expect(paymentsOn(withLocks, sessionId)).toHaveLength(1);
    expect(await simulate(withLocks, 'RecordPayment', recordOf(sessionId, intent))).toBe(
      '409 PAYMENT_ALREADY_RECORDED',
    );
  });
});

test('a conflict that is the echo of a booking is a success', async () => {
  const sessionId = partyOf(withLocks);
  const intent = await taken(withLocks, 900);
  await simulate(withLocks, 'LockSession', { sessionId });
  const fault = { method: 'RecordOrderPaymentById', times: 1, effect: 'refuse', code: 'Conflict' } as const;
  doorOf(withLocks).faults.replace([{ ...fault, afterDoing: true }]);
  const said = await simulate(withLocks, 'RecordPayment', recordOf(sessionId, intent));
  expect([said, paymentsOn(withLocks, sessionId).length]).toEqual(['409 PAYMENT_ALREADY_RECORDED', 1]);
  await simulate(withLocks, 'UnlockSession', { sessionId });
});

test('a card machine of a partner that pays by itself is recorded on the order', async () => {
  const device = new Device(gateway, withLocks.apiKey);
  try {
    const sessionId = partyOf(withLocks);
    const intent = await taken(withLocks, 1_000);
    const asked = { sessionId, requestorInfo: machine(MACHINE) };
    await told((done) => device.tables.lockSession(asked, device.metadata, done));
    const acquirerTransactionId = intent.paymentDetails?.transactionId;
    const pays = (transactionId: string | undefined) => {
      const payment = paidBy(sessionId, { baseAmount: 1_000n });
      const info = { ...payment.methodDetails?.cardPresentPaymentInfo, acquirerTransactionId: transactionId };
      const methodDetails = { ...payment.methodDetails!, cardPresentPaymentInfo: info as never };
      return outcome(
        told((done) =>
          device.tables.recordPayment(
            { payment: { ...payment, methodDetails }, requestorInfo: machine(MACHINE) },
            device.metadata,
            done,
          ),
        ),
      );
    };
    expect(await pays(randomUUID())).toBe('FAILED_PRECONDITION PAYMENT_NOT_RECORDED');
    expect(await pays(acquirerTransactionId)).toBe('OK');
    expect(paymentsOn(withLocks, sessionId)).toMatchObject([{ paymentIntentId: intent.id }]);
    await told((done) => device.tables.unlockSession(asked, device.metadata, done));
  } finally {
    device.close();
  }
});
