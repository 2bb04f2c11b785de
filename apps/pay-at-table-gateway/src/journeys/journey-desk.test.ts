import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { money } from '@pos/core/money';
import type { JourneyView } from '@pos/payments/journeys';
import { Leases } from '@pos/payments/leases';
import type { FaultPointName } from '@pos/payments/settings';
import { findLease } from '@pos/store/leases';
import { findIntent } from '@pos/store/payment-intents';
import { listTablePaymentsOfJourney } from '@pos/store/table-payments';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { refusalOf, TableStage, TIDS, until } from './testing.js';

jest.setTimeout(30_000);

let stage: TableStage;
let gateway: Tables;
beforeAll(async () => {
  stage = await TableStage.open();
  gateway = await stage.gateway();
});
afterAll(() => stage.close());
beforeEach(() => stage.door.faults.replace([]));

const fails = (name: FaultPointName) => (passed: string) => {
  if (passed === name) throw new Error(`killed ${name}`);
};

/** A device that comes second. */
const OTHER = TIDS[0] ?? '';

function custom(value: number) {
  return { mode: 'CUSTOM', amount: money(value, 'GBP') } as const;
}

/** A part that is paid for and on the bill. */
async function pay(at: Tables, begun: JourneyView, part: Parameters<TableStage['take']>[2]): Promise<string> {
  const paymentId = randomUUID();
  await stage.take(at, begun, { ...part, paymentId });
  await stage.approve(await stage.paymentOf(paymentId));
  await stage.arrives(paymentId, 'Recorded');
  return paymentId;
}

function callsOn(sessionId: string): string[] {
  return stage.door
    .calls()
    .filter((call) => call.sessionId === sessionId)
    .map(({ method }) => method);
}

test('a bill is paid in two equal parts with a tip: lock, pay, record, unlock for each, and the sum is exact', async () => {
  const party = stage.party();
  const total = required(party.bill, 'the bill').total.value;
  const begun = await stage.begin(gateway, party);
  expect(begun.journey).toMatchObject({ state: 'OPEN', sessionName: party.name, owner: begun.lease?.owner });

  const first = await pay(gateway, begun, { mode: 'EQUAL', people: 2, gratuity: 150 });
  await until(() => !stage.isLocked(party));
  const between = await gateway.desk.get(stage.scope, begun.journey.id);
  expect(between.journey).toMatchObject({ state: 'OPEN', plan: { partsPaid: 1, inHand: null } });
  expect(between.journey.bill.paid.value).toBe(Math.ceil(total / 2));
  await pay(gateway, begun, { mode: 'EQUAL', people: 2 });
  const done = await gateway.desk.finish(stage.scope, begun.journey.id);

  expect(stage.paid(party)).toBe(total);
  expect(done.journey.state).toBe('FINISHED');
  expect(done.version).toBeGreaterThan(between.version);
  expect(stage.isLocked(party)).toBe(false);
  expect(callsOn(party.id)).toEqual([
    ...['LockSession', 'GetBillItems', 'RecordPayment', 'GetBillItems', 'UnlockSession'],
    ...['LockSession', 'RecordPayment', 'GetBillItems', 'UnlockSession'],
  ]);
  const { intentId } = await stage.paymentOf(first);
  const intent = await stage.database.read(stage.scope, (reader) => findIntent(reader, intentId ?? ''));
  expect(intent).toMatchObject({
    captureMode: 'Auto',
    paymentSource: 'pay-at-table',
    reference: `${party.name} 1`,
    tipsAmount: { value: 150 },
    details: { orderDetails: { externalId: party.id } },
  });
  const [booked] = stage.door.epos.payments().filter(({ id }) => id === first);
  expect(booked).toMatchObject({ base: { value: Math.ceil(total / 2) }, gratuity: { value: 150 } });
});

test('the same payment id again changes nothing; with other values it is refused', async () => {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { ...custom(300), paymentId });
  await stage.take(gateway, begun, { ...custom(300), paymentId });
  expect(await refusalOf(stage.take(gateway, begun, { ...custom(301), paymentId }))).toBe('idempotency_key_reused');
  expect(await refusalOf(stage.take(gateway, begun, custom(200)))).toBe('journey_busy');
  const payments = await stage.database.read(stage.scope, (reader) =>
    listTablePaymentsOfJourney(reader, begun.journey.id),
  );
  expect(payments.map(({ id, base }) => [id, base.value])).toEqual([[paymentId, 300]]);
});

test('the same payment asked for many times at once is one payment, and none of its callers is sent away', async () => {
  for (let round = 0; round < 5; round += 1) {
    const begun = await stage.begin(gateway, stage.party());
    const wanted = { ...custom(300), paymentId: randomUUID() };
    const takes = Array.from({ length: 12 }, () => refusalOf(stage.take(gateway, begun, wanted)));
    expect(new Set(await Promise.all(takes))).toEqual(new Set(['done']));
    const payments = await stage.database.read(stage.scope, (reader) =>
      listTablePaymentsOfJourney(reader, begun.journey.id),
    );
    expect(payments.map(({ id }) => id)).toEqual([wanted.paymentId]);
  }
});

test('a declined card leaves the journey open, and another part is paid', async () => {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { ...custom(300), paymentId });
  const payment = await stage.paymentOf(paymentId);
  await stage.decline(payment);
  await stage.arrives(paymentId, 'Ended');
  const intent = await stage.database.read(stage.scope, (reader) => findIntent(reader, payment.intentId ?? ''));
  expect(intent?.status).toBe('Canceled');
  await pay(gateway, begun, custom(300));
  expect((await gateway.desk.get(stage.scope, begun.journey.id)).journey.state).toBe('OPEN');
});

test('a payment is called off before a card was presented, and cannot be once it has ended', async () => {
  const begun = await stage.begin(gateway, stage.party());
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { ...custom(300), paymentId });
  const asked = await gateway.desk.cancelPayment(stage.scope, paymentId);
  expect(asked.payments[0]?.session?.status).toBe('CancelRequested');
  await stage.approve(await stage.paymentOf(paymentId));
  await stage.arrives(paymentId, 'Recorded');
  expect(await refusalOf(gateway.desk.cancelPayment(stage.scope, paymentId))).toBe('terminal_session_not_cancelable');
});

test('more than is outstanding is never asked of a card', async () => {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const { restaurant } = stage.door.epos;
  const total = required(party.bill, 'the bill').total.value;
  restaurant.pay(required(restaurant.find(party.id), 'the session'), money(total - 100, 'GBP'));
  expect(await refusalOf(stage.take(gateway, begun, custom(101)))).toBe('part_exceeds_outstanding');
  await pay(gateway, begun, custom(100));
  expect(await refusalOf(stage.take(gateway, begun, { mode: 'FULL' }))).toBe('bill_paid');
});

test.each([
  // what the EPOS does to the lock                                     what the device hears      locked after
  [{ effect: 'refuse', code: 'SESSION_ALREADY_LOCKED' } as const, 'SESSION_ALREADY_LOCKED', false],
  [{ effect: 'refuse', code: 'SESSION_NO_SUCH_SESSION' } as const, 'SESSION_NO_SUCH_SESSION', false],
  [{ effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' } as const, 'WAITER_INCORRECT_WAITER_ID', false],
  [{ effect: 'wrong-totals' } as const, 'bill_unusable', false],
  [{ effect: 'wrong-currency' } as const, 'bill_unusable', false],
  [{ effect: 'answer-lost', times: 1 } as const, 'done', true],
  [{ effect: 'no-answer', times: 1 } as const, 'done', true],
])('a lock call met by %j ends as %s', async (fault, heard, isLocked) => {
  const party = stage.party();
  stage.door.faults.replace([{ method: 'LockSession', ...fault }]);
  expect(await refusalOf(stage.begin(gateway, party))).toBe(heard);
  expect(stage.isLocked(party)).toBe(isLocked);
  stage.door.faults.replace([]);
  // Whatever happened, our own lease is not in the way of another device unless the first one holds it.
  expect(await refusalOf(stage.begin(gateway, party, OTHER))).toBe(isLocked ? 'SESSION_ALREADY_LOCKED' : 'done');
});

test('a lease that is taken away by force ends its journey, unlocks the session, and the old owner is told', async () => {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const leases = new Leases();
  await stage.database.transact(stage.scope, (tx) => leases.forceRelease(tx, begun.journey.leaseId, false));
  expect(await refusalOf(stage.take(gateway, begun, custom(100)))).toBe('journey_over');
  await until(() => !stage.isLocked(party));
  expect(await refusalOf(stage.begin(gateway, party, OTHER))).toBe('done');
});

test('open money keeps a lease from being forced or expired until somebody says so twice', async () => {
  const begun = await stage.begin(gateway, stage.party());
  const { leaseId } = begun.journey;
  await stage.take(gateway, begun, custom(100));
  const { database, scope } = stage;
  const leases = new Leases();
  expect(await refusalOf(database.transact(scope, (tx) => leases.forceRelease(tx, leaseId, false)))).toBe(
    'lease_money_open',
  );
  await stage.expireLease(leaseId);
  const looked = await database.transact(scope, (tx) => leases.checkExpiry(tx, leaseId));
  expect(looked).toEqual({ lookAgainAt: null });
  await database.transact(scope, (tx) => leases.forceRelease(tx, leaseId, true));
  expect((await database.read(scope, (reader) => findLease(reader, leaseId)))?.state).toBe('Forced');
});

test('a device that stays away loses its lease, and the EPOS is told', async () => {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  await stage.expireLease(begun.journey.leaseId);
  await until(() => !stage.isLocked(party));
  expect((await gateway.desk.get(stage.scope, begun.journey.id)).journey.state).toBe('ABANDONED');
});

test('a gateway that is killed between lock and journey leaves nothing: the same device begins again', async () => {
  const party = stage.party();
  const killed = await stage.gateway(fails('after-lock'));
  const tid = stage.freshTid();
  await expect(stage.begin(killed, party, tid)).rejects.toThrow('killed');
  expect(stage.isLocked(party)).toBe(true);
  expect(await refusalOf(stage.begin(gateway, party, OTHER))).toBe('SESSION_ALREADY_LOCKED');
  expect((await stage.begin(gateway, party, tid)).journey.state).toBe('OPEN');
});

test.each<[FaultPointName, number]>([
  ['after-commit-before-record', 1],
  ['after-record-before-stored', 2],
  ['before-unlock', 1],
])('a runner that is killed %s is followed by another one, and the payment is booked once', async (name, calls) => {
  const other = await TableStage.open();
  try {
    const killed = await other.gateway(fails(name));
    const party = other.party();
    const begun = await other.begin(killed, party);
    const paymentId = randomUUID();
    await other.take(killed, begun, { ...custom(500), paymentId });
    await other.approve(await other.paymentOf(paymentId));
    await until(() => other.door.calls().some(({ method }) => method === 'RecordPayment') || name.endsWith('record'));
    await until(async () => (await other.paymentOf(paymentId)).state !== 'Started');
    await killed.stop();
    const successor = await other.gateway();
    await other.arrives(paymentId, 'Recorded');
    expect(other.recorded(paymentId)).toEqual([500]);
    expect(other.door.calls().filter(({ method }) => method === 'RecordPayment')).toHaveLength(calls);
    await successor.desk.finish(other.scope, begun.journey.id);
    expect(other.isLocked(party)).toBe(false);
  } finally {
    await other.close();
  }
});

const ROUNDS = 80;
const [FIRST = '', SECOND = ''] = TIDS.slice(-2);

test(`two devices on one bill, ${ROUNDS} rounds: each round one of them has the session, and the sums are exact`, async () => {
  const party = stage.party(ROUNDS);
  const second = await stage.gateway();
  let paid = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = await Promise.allSettled([stage.begin(gateway, party, FIRST), stage.begin(second, party, SECOND)]);
    const won = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(won).toHaveLength(1);
    const [winner] = won;
    const at = winner?.journey.owner === FIRST ? gateway : second;
    // A card in every tenth round: the lock is what all of them are about.
    if (winner !== undefined && round % 10 === 0) {
      await pay(at, winner, custom(7));
      paid += 7;
    }
    if (winner !== undefined) await at.desk.finish(stage.scope, winner.journey.id);
  }
  expect(stage.paid(party)).toBe(paid);
  expect(stage.isLocked(party)).toBe(false);
}, 120_000);
