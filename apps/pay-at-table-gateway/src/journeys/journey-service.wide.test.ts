import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { money } from '@pos/core/money';
import { type JourneyView, Leases } from '@pos/payments/tables';
import type { FaultPointName } from '@pos/payments/accounts';
import { findLease, listTablePaymentsOfJourney } from '@pos/store/tables';
import { findIntent } from '@pos/store/payments';
import { randomUUID } from 'node:crypto';
import { isLongRun } from '@pos/testing';
import type { TableServices } from '../testing/table-services.js';
import { getRefusalCode, TableTestEnvironment, TIDS } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(30_000);

let environment: TableTestEnvironment;
let gateway: TableServices;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());
beforeEach(() => environment.eposSimulator.faults.replaceFaults([]));

const failAt = (name: FaultPointName) => (passed: string) => {
  if (passed === name) throw new Error(`killed ${name}`);
};

/** A device that comes second. */
const OTHER = TIDS[0] ?? '';

function buildCustomPart(value: number) {
  return { mode: 'CUSTOM', amount: money(value, 'GBP') } as const;
}

/** A part that is paid for and on the bill. */
async function payPart(
  services: TableServices,
  journeyView: JourneyView,
  part: Parameters<TableTestEnvironment['takePayment']>[2],
): Promise<string> {
  const paymentId = randomUUID();
  await environment.takePayment(services, journeyView, { ...part, paymentId });
  await environment.approvePayment(await environment.getPayment(paymentId));
  await environment.waitForState(paymentId, 'Recorded');
  return paymentId;
}

function listCallsOn(sessionId: string): string[] {
  return environment.eposSimulator
    .listCalls()
    .filter((call) => call.sessionId === sessionId)
    .map(({ method }) => method);
}

test('a bill is paid in two equal parts with a tip: lock, pay, record, unlock for each, and the sum is exact', async () => {
  const diningSession = environment.findUnpaidSession();
  const total = requireValue(diningSession.bill, 'the bill').total.value;
  const journeyView = await environment.startJourney(gateway, diningSession);
  expect(journeyView.journey).toMatchObject({
    state: 'OPEN',
    sessionName: diningSession.name,
    owner: journeyView.lease?.owner,
  });

  const first = await payPart(gateway, journeyView, { mode: 'EQUAL', people: 2, gratuity: 150 });
  await waitUntil(() => !environment.isLocked(diningSession));
  const between = await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id);
  expect(between.journey).toMatchObject({ state: 'OPEN', plan: { partsPaid: 1, inHand: null } });
  expect(between.journey.bill.paid.value).toBe(Math.ceil(total / 2));
  await payPart(gateway, journeyView, { mode: 'EQUAL', people: 2 });
  const done = await gateway.journeyService.finishJourney(environment.scope, journeyView.journey.id);

  expect(environment.getPaidAmount(diningSession)).toBe(total);
  expect(done.journey.state).toBe('FINISHED');
  expect(done.version).toBeGreaterThan(between.version);
  expect(environment.isLocked(diningSession)).toBe(false);
  expect(listCallsOn(diningSession.id)).toEqual([
    ...['LockSession', 'GetBillItems', 'RecordPayment', 'GetBillItems', 'UnlockSession'],
    ...['LockSession', 'RecordPayment', 'GetBillItems', 'UnlockSession'],
  ]);
  const { intentId } = await environment.getPayment(first);
  const intent = await environment.database.read(environment.scope, (reader) => findIntent(reader, intentId ?? ''));
  expect(intent).toMatchObject({
    captureMode: 'Auto',
    paymentSource: 'pay-at-table',
    reference: `${diningSession.name} 1`,
    tipsAmount: { value: 150 },
    details: { orderDetails: { externalId: diningSession.id } },
  });
  const [booked] = environment.eposSimulator.epos.listPayments().filter(({ id }) => id === first);
  expect(booked).toMatchObject({ base: { value: Math.ceil(total / 2) }, gratuity: { value: 150 } });
});

test('the same payment id again changes nothing; with other values it is refused', async () => {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { ...buildCustomPart(300), paymentId });
  await environment.takePayment(gateway, journeyView, { ...buildCustomPart(300), paymentId });
  expect(
    await getRefusalCode(environment.takePayment(gateway, journeyView, { ...buildCustomPart(301), paymentId })),
  ).toBe('idempotency_key_reused');
  expect(await getRefusalCode(environment.takePayment(gateway, journeyView, buildCustomPart(200)))).toBe(
    'journey_busy',
  );
  const payments = await environment.database.read(environment.scope, (reader) =>
    listTablePaymentsOfJourney(reader, journeyView.journey.id),
  );
  expect(payments.map(({ id, base }) => [id, base.value])).toEqual([[paymentId, 300]]);
});

test('concurrent requests for one payment are one payment, and every caller is answered', async () => {
  for (let round = 0; round < 5; round += 1) {
    const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
    const wanted = { ...buildCustomPart(300), paymentId: randomUUID() };
    const takes = Array.from({ length: 12 }, () =>
      getRefusalCode(environment.takePayment(gateway, journeyView, wanted)),
    );
    expect(new Set(await Promise.all(takes))).toEqual(new Set(['done']));
    const payments = await environment.database.read(environment.scope, (reader) =>
      listTablePaymentsOfJourney(reader, journeyView.journey.id),
    );
    expect(payments.map(({ id }) => id)).toEqual([wanted.paymentId]);
  }
});

test('a declined card leaves the journey open, and another part is paid', async () => {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { ...buildCustomPart(300), paymentId });
  const payment = await environment.getPayment(paymentId);
  await environment.declinePayment(payment);
  await environment.waitForState(paymentId, 'Ended');
  const intent = await environment.database.read(environment.scope, (reader) =>
    findIntent(reader, payment.intentId ?? ''),
  );
  expect(intent?.status).toBe('Canceled');
  await payPart(gateway, journeyView, buildCustomPart(300));
  expect((await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id)).journey.state).toBe(
    'OPEN',
  );
});

test('a payment is cancelled before a card was presented, and cannot be once it has ended', async () => {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { ...buildCustomPart(300), paymentId });
  const bothCalls = await gateway.journeyService.cancelPayment(environment.scope, paymentId);
  expect(bothCalls.payments[0]?.session?.status).toBe('CancelRequested');
  await environment.approvePayment(await environment.getPayment(paymentId));
  await environment.waitForState(paymentId, 'Recorded');
  expect(await getRefusalCode(gateway.journeyService.cancelPayment(environment.scope, paymentId))).toBe(
    'terminal_session_not_cancelable',
  );
});

test('a card is never charged more than the outstanding amount', async () => {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await environment.startJourney(gateway, diningSession);
  const { restaurant } = environment.eposSimulator.epos;
  const total = requireValue(diningSession.bill, 'the bill').total.value;
  restaurant.addPayment(
    requireValue(restaurant.findSession(diningSession.id), 'the session'),
    money(total - 100, 'GBP'),
  );
  expect(await getRefusalCode(environment.takePayment(gateway, journeyView, buildCustomPart(101)))).toBe(
    'part_exceeds_outstanding',
  );
  await payPart(gateway, journeyView, buildCustomPart(100));
  expect(await getRefusalCode(environment.takePayment(gateway, journeyView, { mode: 'FULL' }))).toBe('bill_paid');
});

test.each([
  // what the EPOS does to the lock                                     what the device receives    locked after
  [{ effect: 'refuse', code: 'SESSION_ALREADY_LOCKED' } as const, 'SESSION_ALREADY_LOCKED', false],
  [{ effect: 'refuse', code: 'SESSION_NO_SUCH_SESSION' } as const, 'SESSION_NO_SUCH_SESSION', false],
  [{ effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' } as const, 'WAITER_INCORRECT_WAITER_ID', false],
  [{ effect: 'wrong-totals' } as const, 'bill_paid', false],
  [{ effect: 'wrong-currency' } as const, 'bill_unusable', false],
  [{ effect: 'answer-lost', times: 1 } as const, 'done', true],
  [{ effect: 'no-answer', times: 1 } as const, 'done', true],
])('a lock call that is answered with %j ends as %s', async (fault, refusal, isLocked) => {
  const diningSession = environment.findUnpaidSession();
  environment.eposSimulator.faults.replaceFaults([{ method: 'LockSession', ...fault }]);
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession))).toBe(refusal);
  expect(environment.isLocked(diningSession)).toBe(isLocked);
  environment.eposSimulator.faults.replaceFaults([]);
  // In each case our lease blocks another device only while the first one holds it.
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession, OTHER))).toBe(
    isLocked ? 'SESSION_ALREADY_LOCKED' : 'done',
  );
});

test('a lease that is taken away by force ends its journey, unlocks the session, and notifies the old owner', async () => {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await environment.startJourney(gateway, diningSession);
  const leases = new Leases();
  await environment.database.transact(environment.scope, (tx) =>
    leases.forceRelease(tx, journeyView.journey.leaseId, false),
  );
  expect(await getRefusalCode(environment.takePayment(gateway, journeyView, buildCustomPart(100)))).toBe(
    'journey_over',
  );
  await waitUntil(() => !environment.isLocked(diningSession));
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession, OTHER))).toBe('done');
});

test('a lease with open money is neither forced nor expired without a second confirmation', async () => {
  const journeyView = await environment.startJourney(gateway, environment.findUnpaidSession());
  const { leaseId } = journeyView.journey;
  await environment.takePayment(gateway, journeyView, buildCustomPart(100));
  const { database, scope } = environment;
  const leases = new Leases();
  expect(await getRefusalCode(database.transact(scope, (tx) => leases.forceRelease(tx, leaseId, false)))).toBe(
    'lease_money_open',
  );
  await environment.expireLease(leaseId);
  const looked = await database.transact(scope, (tx) => leases.checkExpiry(tx, leaseId));
  expect(looked).toEqual({ lookAgainAt: expect.any(Date) });
  await database.transact(scope, (tx) => leases.forceRelease(tx, leaseId, true));
  expect((await database.read(scope, (reader) => findLease(reader, leaseId)))?.state).toBe('Forced');
});

test('a device that stays away loses its lease, and the session is unlocked at the EPOS', async () => {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await environment.startJourney(gateway, diningSession);
  await environment.expireLease(journeyView.journey.leaseId);
  await waitUntil(() => !environment.isLocked(diningSession));
  expect((await gateway.journeyService.getJourney(environment.scope, journeyView.journey.id)).journey.state).toBe(
    'ABANDONED',
  );
});

test('a gateway that is killed between lock and journey leaves nothing: the same device begins again', async () => {
  const diningSession = environment.findUnpaidSession();
  const killedRun = await environment.startGateway(failAt('after-lock'));
  const tid = environment.takeUnusedTid();
  await expect(environment.startJourney(killedRun, diningSession, tid)).rejects.toThrow('killed');
  expect(environment.isLocked(diningSession)).toBe(true);
  expect(await getRefusalCode(environment.startJourney(gateway, diningSession, OTHER))).toBe('SESSION_ALREADY_LOCKED');
  expect((await environment.startJourney(gateway, diningSession, tid)).journey.state).toBe('OPEN');
});

test.each<[FaultPointName, number]>([
  ['after-commit-before-record', 1],
  ['after-record-before-stored', 2],
  ['before-unlock', 1],
])('a runner that is killed %s is followed by another one, and the payment is booked once', async (name, calls) => {
  const other = await TableTestEnvironment.create();
  try {
    const killedRun = await other.startGateway(failAt(name));
    const diningSession = other.findUnpaidSession();
    const journeyView = await other.startJourney(killedRun, diningSession);
    const paymentId = randomUUID();
    await other.takePayment(killedRun, journeyView, { ...buildCustomPart(500), paymentId });
    await other.approvePayment(await other.getPayment(paymentId));
    await waitUntil(
      () => other.eposSimulator.listCalls().some(({ method }) => method === 'RecordPayment') || name.endsWith('record'),
    );
    await waitUntil(async () => (await other.getPayment(paymentId)).state !== 'Started');
    await killedRun.stop();
    const successor = await other.startGateway();
    await other.waitForState(paymentId, 'Recorded');
    expect(other.listRecordedAmounts(paymentId)).toEqual([500]);
    expect(other.eposSimulator.listCalls().filter(({ method }) => method === 'RecordPayment')).toHaveLength(calls);
    await successor.journeyService.finishJourney(other.scope, journeyView.journey.id);
    expect(other.isLocked(diningSession)).toBe(false);
  } finally {
    await other.close();
  }
});

const ROUNDS = isLongRun ? 80 : 10;
const [FIRST = '', SECOND = ''] = TIDS.slice(-2);

test(`two devices on one bill, ${ROUNDS} rounds: each round one of them has the session, and the sums are exact`, async () => {
  const diningSession = environment.findUnpaidSession(ROUNDS);
  const second = await environment.startGateway();
  let paid = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bothCalls = await Promise.allSettled([
      environment.startJourney(gateway, diningSession, FIRST),
      environment.startJourney(second, diningSession, SECOND),
    ]);
    const winners = bothCalls.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    const services = winner?.journey.owner === FIRST ? gateway : second;
    // A card in every tenth round: the lock is what all of them are about.
    if (winner !== undefined && round % 10 === 0) {
      await payPart(services, winner, buildCustomPart(7));
      paid += 7;
    }
    if (winner !== undefined) await services.journeyService.finishJourney(environment.scope, winner.journey.id);
  }
  expect(environment.getPaidAmount(diningSession)).toBe(paid);
  expect(environment.isLocked(diningSession)).toBe(false);
}, 120_000);
