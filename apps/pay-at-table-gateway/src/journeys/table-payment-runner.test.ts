import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { required } from '@pos/core/assert';
import { linePrice } from '@pos/core/bill';
import { isPositive } from '@pos/core/money';
import type { PartWish } from '@pos/core/split';
import type { OperatorAction, TablePayment, TablePaymentState } from '@pos/core/table-payment';
import { AccountCache } from '@pos/payments/accounts';
import { Leases } from '@pos/payments/leases';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { listPendingPayments } from '@pos/payments/open-table-payments';
import { TablePayments } from '@pos/payments/table-payments';
import { EposRefusal } from '@pos/sandbox/epos';
import type { EposFault } from '@pos/sandbox/epos-faults';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { findIntent } from '@pos/store/payment-intents';
import { verifyIntentChain } from '@pos/store/chain-verification';
import { TimerQueue } from '@pos/store/timers';
import { randomUUID } from 'node:crypto';
import type { Tables } from './journey-assembly.js';
import { refusalOf, TableStage, until } from './testing.js';

jest.setTimeout(30_000);

let stage: TableStage;
let gateway: Tables;
beforeAll(async () => {
  stage = await TableStage.open();
  gateway = await stage.gateway();
});
afterAll(() => stage.close());
beforeEach(() => {
  stage.door.faults.replace([]);
  stage.acquirer.rules.replace([]);
});

/** A part of a bill whose card was approved while the EPOS has these faults. */
async function paidWith(faults: readonly EposFault[]): Promise<{ party: DiningSession; payment: TablePayment }> {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const paymentId = randomUUID();
  await stage.take(gateway, begun, { mode: 'FULL', paymentId });
  const payment = await stage.paymentOf(paymentId);
  stage.door.faults.replace(faults);
  await stage.approve(payment);
  return { party, payment };
}

const record = { method: 'RecordPayment', times: 1 } as const;

async function statusOf({ intentId }: TablePayment): Promise<string> {
  const intent = await stage.database.read(stage.scope, (reader) => findIntent(reader, intentId ?? ''));
  return required(intent, 'the intent').status;
}

async function operator(id: string, action: OperatorAction): Promise<void> {
  const { database } = stage;
  const accounts = new AccountCache();
  const tablePayments = new TablePayments({
    ...{ accounts, intents: new PaymentIntents(accounts), sessions: stage.sessions },
    ...{ leases: new Leases(), queue: new TimerQueue(database) },
  });
  await database.transact(stage.scope, (tx) => tablePayments.resolvePayment(tx, id, action));
}

test.each<[string, EposFault[], TablePaymentState, number]>([
  // what the EPOS does to the first record call             then            booked
  ['books it', [], 'Recorded', 1],
  ['books it and loses the answer', [{ ...record, effect: 'answer-lost' }], 'Recorded', 1],
  ['hears nothing', [{ ...record, effect: 'no-answer' }], 'Recorded', 1],
  ['books it and breaks the line', [{ ...record, effect: 'drop-stream', afterDoing: true }], 'Recorded', 1],
  ['books it and stumbles', [{ ...record, effect: 'internal-error', afterDoing: true }], 'Recorded', 1],
  ['stumbles', [{ ...record, effect: 'internal-error' }], 'Recorded', 1],
  ['has forgotten the lock', [{ ...record, effect: 'forget-locks' }], 'Recorded', 1],
  ['has forgotten the lock twice', [{ ...record, times: 2, effect: 'forget-locks' }], 'Recorded', 1],
  ['refuses it', [{ ...record, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }], 'GivenBack', 0],
  ['does not understand it', [{ ...record, effect: 'refuse', code: 'ERROR_PARSE_ERROR' }], 'GivenBack', 0],
  ['does not know the waiter', [{ ...record, effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' }], 'GivenBack', 0],
  ['does not know the session', [{ ...record, effect: 'refuse', code: 'SESSION_NO_SUCH_SESSION' }], 'GivenBack', 0],
  [
    'books it, and says that it had',
    [{ ...record, effect: 'refuse', code: 'PAYMENT_ALREADY_RECORDED', afterDoing: true }],
    'Recorded',
    1,
  ],
  [
    'wants a lock however often it is locked',
    [{ method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NOT_LOCKED' }],
    'NeedsOperator',
    0,
  ],
  [
    'loses the answer, then does not understand the repeat',
    [
      { ...record, effect: 'answer-lost' },
      { method: 'RecordPayment', times: 2, effect: 'refuse', code: 'ERROR_PARSE_ERROR', afterDoing: true },
    ],
    'NeedsOperator',
    1,
  ],
])('an EPOS that %s: %#', async (_what, faults, then, booked) => {
  const { party, payment } = await paidWith(faults);
  const ended = await stage.arrives(payment.id, then);
  expect(stage.recorded(payment.id)).toHaveLength(booked);
  expect(stage.paid(party)).toBe(booked === 1 ? payment.base.value : 0);
  if (then !== 'NeedsOperator') expect(await statusOf(payment)).toBe(then === 'Recorded' ? 'Captured' : 'Reversed');
  const intact = await stage.database.readSnapshot(stage.scope, (snapshot) =>
    verifyIntentChain(snapshot, required(payment.intentId, 'the intent')),
  );
  expect(intact).toEqual([]);
  expect(ended.giveBackReference).toBe(then === 'GivenBack' ? `giveback-${payment.id}` : null);
});

test('an EPOS that refuses with a reason that cannot be stored has the payment given back all the same', async () => {
  const { epos } = stage.door;
  const recordPayment = epos.record.bind(epos);
  epos.record = () => {
    throw new EposRefusal('PAYMENT_NOT_RECORDED', 'sold\0 out');
  };
  try {
    const { payment } = await paidWith([]);
    const { lastError } = await stage.arrives(payment.id, 'GivenBack');
    expect(lastError).toBe('PAYMENT_NOT_RECORDED');
    expect(await statusOf(payment)).toBe('Reversed');
  } finally {
    epos.record = recordPayment;
  }
});

const silentThenRefused: EposFault[] = [
  { ...record, effect: 'no-answer' },
  { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
];

/** The fault list is used up call by call: the first is silent, all later ones are refused. */
async function refusedAfterSilence(): Promise<{ party: DiningSession; payment: TablePayment }> {
  const made = await paidWith([silentThenRefused[0] ?? { effect: 'no-answer' }]);
  await stage.arrives(made.payment.id, 'RecordUnknown');
  stage.door.faults.replace(silentThenRefused.slice(1));
  await until(async () => (await stage.paymentOf(made.payment.id)).doubtAt !== null);
  return made;
}

test('a refusal after an unanswered call is believed once the bill has not moved for a minute', async () => {
  const { payment } = await refusedAfterSilence();
  expect((await stage.paymentOf(payment.id)).state).toBe('RecordUnknown');
  expect(await statusOf(payment)).toBe('Captured');
  await stage.age(payment.id, 61_000);
  await stage.arrives(payment.id, 'GivenBack');
  expect(await statusOf(payment)).toBe('Reversed');
});

test('a refusal after an unanswered call is not believed when the bill has moved: a person decides', async () => {
  const { party, payment } = await refusedAfterSilence();
  const { restaurant } = stage.door.epos;
  restaurant.pay(required(restaurant.find(party.id), 'the session'), { value: 100, currencyCode: 'GBP' });
  await stage.age(payment.id, 61_000);
  await stage.arrives(payment.id, 'NeedsOperator');
  expect(await statusOf(payment)).toBe('Captured');
  const pending = await stage.database.read(stage.scope, async (reader) => listPendingPayments(reader, new Date()));
  expect(pending.map((each) => [each.payment.id, each.isAlarming])).toContainEqual([payment.id, true]);

  await operator(payment.id, 'giveBack');
  await stage.arrives(payment.id, 'GivenBack');
  expect(await statusOf(payment)).toBe('Reversed');
});

test('what an operator has marked as recorded is closed, and its journey goes on', async () => {
  const { party, payment } = await paidWith([
    { method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NOT_LOCKED' },
  ]);
  await stage.arrives(payment.id, 'NeedsOperator');
  expect(stage.isLocked(party)).toBe(true);
  await operator(payment.id, 'markRecorded');
  await stage.arrives(payment.id, 'Recorded');
  // The operator's process reaches no EPOS: a runner unlocks for the next part, and not the end of the lease.
  await until(() => !stage.isLocked(party));
  const view = await gateway.desk.get(stage.scope, payment.journeyId ?? '');
  expect(view.journey.state).toBe('OPEN');
  stage.door.faults.replace([]);
  await gateway.desk.finish(stage.scope, payment.journeyId ?? '');
  expect(stage.isLocked(party)).toBe(false);
});

const part = (itemId: string, denominator: number): PartWish => ({
  mode: 'ITEMS',
  shares: [{ itemId, numerator: 1, denominator }],
});

test.each<[OperatorAction, TablePaymentState, string]>([
  ['markRecorded', 'Recorded', 'item_share_taken'],
  ['giveBack', 'GivenBack', 'done'],
])('what a journey without its lease may still record is sold by no other one before %s', async (action, end, then) => {
  const party = stage.party();
  const begun = await stage.begin(gateway, party);
  const had = begun.journey.bill.items.filter((item) => isPositive(linePrice(item)));
  const [wine = '', bread = ''] = had.map(({ id }) => id);
  const [settled, unsettled] = [randomUUID(), randomUUID()];
  await stage.take(gateway, begun, { ...part(bread, 2), paymentId: settled });
  await stage.approve(await stage.paymentOf(settled));
  await stage.arrives(settled, 'Recorded');
  await stage.take(gateway, begun, { ...part(wine, 2), paymentId: unsettled });
  stage.door.faults.replace([{ method: 'RecordPayment', effect: 'internal-error' }]);
  await stage.approve(await stage.paymentOf(unsettled));
  await stage.arrives(unsettled, 'RecordUnknown');
  await stage.database.transact(stage.scope, (tx) => new Leases().forceRelease(tx, begun.journey.leaseId, true));

  const next = await stage.begin(gateway, party);
  expect(next.journey.plan.split.shares).toMatchObject([{ itemId: bread, numerator: 1, denominator: 2 }]);
  expect(await refusalOf(stage.take(gateway, next, part(wine, 2)))).toBe('journey_busy');
  await operator(unsettled, action);
  await stage.arrives(unsettled, end);
  expect(await refusalOf(stage.take(gateway, next, part(wine, 1)))).toBe(then);
});

test('an acquirer that loses its answers is asked under the same key until the money is back, once', async () => {
  stage.acquirer.rules.replace([{ match: { kind: 'Reverse' }, effect: 'drop-answer' }]);
  const { payment } = await paidWith([{ ...record, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }]);
  await until(() => stage.acquirer.rules.list().some(({ used }) => used > 0));
  stage.acquirer.rules.replace([]);
  expect((await stage.paymentOf(payment.id)).state).toBe('GivingBack');
  await until(async () => {
    await stage.age(payment.id, 20_000);
    return (await stage.paymentOf(payment.id)).state === 'GivenBack';
  });
  expect(await statusOf(payment)).toBe('Reversed');
});

test.each<[string, EposFault[]]>([
  ['yes', [{ ...record, effect: 'slow', delayMs: 1_600 }]],
  [
    'no',
    [
      { ...record, effect: 'slow', delayMs: 1_600 },
      { ...record, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
    ],
  ],
])(
  'a runner whose EPOS says %s after its lease is over does not settle what its successor has in hand',
  async (_said, faults) => {
    const { party, payment } = await paidWith(faults);
    await until(async () => (await stage.paymentOf(payment.id)).isUnanswered);
    await stage.arrives(payment.id, 'Recorded');
    expect(stage.recorded(payment.id)).toEqual([payment.base.value]);
    expect(stage.paid(party)).toBe(payment.base.value);
    expect(await statusOf(payment)).toBe('Captured');
  },
);
