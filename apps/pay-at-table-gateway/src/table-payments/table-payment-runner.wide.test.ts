import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { computeLinePrice, type OperatorAction, type TablePayment, type TablePaymentState } from '@pos/core/tables';
import { isPositive } from '@pos/core/money';
import type { PartRequest } from '@pos/core/journeys';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { Leases, listPendingPayments, TablePayments } from '@pos/payments/tables';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { EposRefusal } from '@pos/sandbox/epos';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import type { DiningSession } from '@pos/sandbox/restaurant';
import { findIntent } from '@pos/store/payments';
import { verifyIntentChain } from '@pos/store/reconciliation';
import { TimerQueue } from '@pos/store/queues';
import { randomUUID } from 'node:crypto';
import { defineInLongRun, selectRows } from '@pos/testing';
import type { TableServices } from '../testing/table-services.js';
import { getRefusalCode, TableTestEnvironment } from '../testing/table-world.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

jest.setTimeout(30_000);

let environment: TableTestEnvironment;
let gateway: TableServices;
beforeAll(async () => {
  environment = await TableTestEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());
beforeEach(() => {
  environment.eposSimulator.faults.replaceFaults([]);
  environment.acquirer.rules.replaceRules([]);
});

/** A part of a bill whose card was approved while the EPOS has these faults. */
async function createApprovedPayment(
  faults: readonly EposFault[],
): Promise<{ diningSession: DiningSession; payment: TablePayment }> {
  const diningSession = environment.findUnpaidSession();
  const journeyView = await environment.startJourney(gateway, diningSession);
  const paymentId = randomUUID();
  await environment.takePayment(gateway, journeyView, { mode: 'FULL', paymentId });
  const payment = await environment.getPayment(paymentId);
  environment.eposSimulator.faults.replaceFaults(faults);
  await environment.approvePayment(payment);
  return { diningSession, payment };
}

const RECORD_ONCE = { method: 'RecordPayment', times: 1 } as const;

async function getIntentStatus({ intentId }: TablePayment): Promise<string> {
  const intent = await environment.database.read(environment.scope, (reader) => findIntent(reader, intentId ?? ''));
  return requireValue(intent, 'the intent').status;
}

async function actAsOperator(id: string, action: OperatorAction): Promise<void> {
  const { database } = environment;
  const accounts = new AccountCache();
  const tablePayments = new TablePayments({
    ...{ accounts, intents: new PaymentIntents(accounts, DEFAULT_PAYMENT_SETTINGS), sessions: environment.sessions },
    ...{ leases: new Leases(), queue: new TimerQueue(database) },
  });
  await database.transact(environment.scope, (tx) => tablePayments.resolvePayment(tx, id, action));
}

test.each(
  selectRows<[string, EposFault[], TablePaymentState, number]>(
    [
      // what the EPOS does to the first record call             then            booked
      ['books it', [], 'Recorded', 1],
      ['books it and loses the answer', [{ ...RECORD_ONCE, effect: 'answer-lost' }], 'Recorded', 1],
      ['receives nothing', [{ ...RECORD_ONCE, effect: 'no-answer' }], 'Recorded', 1],
      ['books it and breaks the line', [{ ...RECORD_ONCE, effect: 'drop-stream', afterDoing: true }], 'Recorded', 1],
      ['books it and stumbles', [{ ...RECORD_ONCE, effect: 'internal-error', afterDoing: true }], 'Recorded', 1],
      ['stumbles', [{ ...RECORD_ONCE, effect: 'internal-error' }], 'Recorded', 1],
      ['has lost the lock', [{ ...RECORD_ONCE, effect: 'forget-locks' }], 'Recorded', 1],
      ['has lost the lock twice', [{ ...RECORD_ONCE, times: 2, effect: 'forget-locks' }], 'Recorded', 1],
      ['refuses it', [{ ...RECORD_ONCE, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }], 'GivenBack', 0],
      ['does not understand it', [{ ...RECORD_ONCE, effect: 'refuse', code: 'ERROR_PARSE_ERROR' }], 'GivenBack', 0],
      [
        'does not know the waiter',
        [{ ...RECORD_ONCE, effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' }],
        'GivenBack',
        0,
      ],
      [
        'does not know the session',
        [{ ...RECORD_ONCE, effect: 'refuse', code: 'SESSION_NO_SUCH_SESSION' }],
        'GivenBack',
        0,
      ],
      [
        'books it, and says that it had',
        [{ ...RECORD_ONCE, effect: 'refuse', code: 'PAYMENT_ALREADY_RECORDED', afterDoing: true }],
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
          { ...RECORD_ONCE, effect: 'answer-lost' },
          { method: 'RecordPayment', times: 2, effect: 'refuse', code: 'ERROR_PARSE_ERROR', afterDoing: true },
        ],
        'NeedsOperator',
        1,
      ],
    ],
    ([, , then, booked]) => `${then} ${booked}`,
  ),
)('a payment at an EPOS that %s (case %#)', async (_what, faults, then, booked) => {
  const { diningSession, payment } = await createApprovedPayment(faults);
  const ended = await environment.waitForState(payment.id, then);
  expect(environment.listRecordedAmounts(payment.id)).toHaveLength(booked);
  expect(environment.getPaidAmount(diningSession)).toBe(booked === 1 ? payment.base.value : 0);
  if (then !== 'NeedsOperator')
    expect(await getIntentStatus(payment)).toBe(then === 'Recorded' ? 'Captured' : 'Reversed');
  const intact = await environment.database.readSnapshot(environment.scope, (snapshot) =>
    verifyIntentChain(snapshot, requireValue(payment.intentId, 'the intent')),
  );
  expect(intact).toEqual([]);
  expect(ended.giveBackReference).toBe(then === 'GivenBack' ? `giveback-${payment.id}` : null);
});

testLong(
  'an EPOS that refuses with a reason that cannot be stored has the payment given back all the same',
  async () => {
    const { epos } = environment.eposSimulator;
    const recordPayment = epos.recordPayment.bind(epos);
    epos.recordPayment = () => {
      throw new EposRefusal('PAYMENT_NOT_RECORDED', 'sold\0 out');
    };
    try {
      const { payment } = await createApprovedPayment([]);
      const { lastError } = await environment.waitForState(payment.id, 'GivenBack');
      expect(lastError).toBe('PAYMENT_NOT_RECORDED');
      expect(await getIntentStatus(payment)).toBe('Reversed');
    } finally {
      epos.recordPayment = recordPayment;
    }
  },
);

const SILENT_THEN_REFUSED: EposFault[] = [
  { ...RECORD_ONCE, effect: 'no-answer' },
  { method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
];

/** The fault list is used up call by call: the first is silent, all later ones are refused. */
async function createPaymentRefusedAfterSilence(): Promise<{ diningSession: DiningSession; payment: TablePayment }> {
  const approvedPayment = await createApprovedPayment([SILENT_THEN_REFUSED[0] ?? { effect: 'no-answer' }]);
  await environment.waitForState(approvedPayment.payment.id, 'RecordUnknown');
  environment.eposSimulator.faults.replaceFaults(SILENT_THEN_REFUSED.slice(1));
  await waitUntil(async () => (await environment.getPayment(approvedPayment.payment.id)).doubtAt !== null);
  return approvedPayment;
}

test('a refusal after an unanswered call counts once the bill has not changed for a minute', async () => {
  const { payment } = await createPaymentRefusedAfterSilence();
  expect((await environment.getPayment(payment.id)).state).toBe('RecordUnknown');
  expect(await getIntentStatus(payment)).toBe('Captured');
  await environment.shiftPaymentTimes(payment.id, 61_000);
  await environment.waitForState(payment.id, 'GivenBack');
  expect(await getIntentStatus(payment)).toBe('Reversed');
});

test('a refusal after an unanswered call does not count when the bill has changed: a person decides', async () => {
  const { diningSession, payment } = await createPaymentRefusedAfterSilence();
  const { restaurant } = environment.eposSimulator.epos;
  restaurant.addPayment(requireValue(restaurant.findSession(diningSession.id), 'the session'), {
    value: 100,
    currencyCode: 'GBP',
  });
  await environment.shiftPaymentTimes(payment.id, 61_000);
  await environment.waitForState(payment.id, 'NeedsOperator');
  expect(await getIntentStatus(payment)).toBe('Captured');
  const pending = await environment.database.read(environment.scope, async (reader) =>
    listPendingPayments(reader, new Date()),
  );
  expect(pending.map((each) => [each.payment.id, each.isAlarming])).toContainEqual([payment.id, true]);

  await actAsOperator(payment.id, 'giveBack');
  await environment.waitForState(payment.id, 'GivenBack');
  expect(await getIntentStatus(payment)).toBe('Reversed');
});

test('a payment that an operator has marked as recorded is closed, and its journey continues', async () => {
  const { diningSession, payment } = await createApprovedPayment([
    { method: 'RecordPayment', effect: 'refuse', code: 'SESSION_NOT_LOCKED' },
  ]);
  await environment.waitForState(payment.id, 'NeedsOperator');
  expect(environment.isLocked(diningSession)).toBe(true);
  await actAsOperator(payment.id, 'markRecorded');
  await environment.waitForState(payment.id, 'Recorded');
  // The operator's process reaches no EPOS: a runner unlocks for the next part, and not the end of the lease.
  await waitUntil(() => !environment.isLocked(diningSession));
  const view = await gateway.journeyService.getJourney(environment.scope, payment.journeyId ?? '');
  expect(view.journey.state).toBe('OPEN');
  environment.eposSimulator.faults.replaceFaults([]);
  await gateway.journeyService.finishJourney(environment.scope, payment.journeyId ?? '');
  expect(environment.isLocked(diningSession)).toBe(false);
});

const buildItemPart = (itemId: string, denominator: number): PartRequest => ({
  mode: 'ITEMS',
  shares: [{ itemId, numerator: 1, denominator }],
});

test.each<[OperatorAction, TablePaymentState, string]>([
  ['markRecorded', 'Recorded', 'item_share_taken'],
  ['giveBack', 'GivenBack', 'done'],
])(
  'items that a journey without a lease may still record are refused to other journeys before %s',
  async (action, end, then) => {
    const diningSession = environment.findUnpaidSession();
    const journeyView = await environment.startJourney(gateway, diningSession);
    const paidBefore = journeyView.journey.bill.items.filter((item) => isPositive(computeLinePrice(item)));
    const [wine = '', bread = ''] = paidBefore.map(({ id }) => id);
    const [recorded, unrecorded] = [randomUUID(), randomUUID()];
    await environment.takePayment(gateway, journeyView, { ...buildItemPart(bread, 2), paymentId: recorded });
    await environment.approvePayment(await environment.getPayment(recorded));
    await environment.waitForState(recorded, 'Recorded');
    await environment.takePayment(gateway, journeyView, { ...buildItemPart(wine, 2), paymentId: unrecorded });
    environment.eposSimulator.faults.replaceFaults([{ method: 'RecordPayment', effect: 'internal-error' }]);
    await environment.approvePayment(await environment.getPayment(unrecorded));
    await environment.waitForState(unrecorded, 'RecordUnknown');
    await environment.database.transact(environment.scope, (tx) =>
      new Leases().forceRelease(tx, journeyView.journey.leaseId, true),
    );

    const next = await environment.startJourney(gateway, diningSession);
    expect(next.journey.plan.split.shares).toMatchObject([{ itemId: bread, numerator: 1, denominator: 2 }]);
    expect(await getRefusalCode(environment.takePayment(gateway, next, buildItemPart(wine, 2)))).toBe('journey_busy');
    await actAsOperator(unrecorded, action);
    await environment.waitForState(unrecorded, end);
    expect(await getRefusalCode(environment.takePayment(gateway, next, buildItemPart(wine, 1)))).toBe(then);
  },
);

test('an acquirer that loses its answers is asked under the same key until the money is back, once', async () => {
  environment.acquirer.rules.replaceRules([{ match: { kind: 'Reverse' }, effect: 'drop-answer' }]);
  const { payment } = await createApprovedPayment([{ ...RECORD_ONCE, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }]);
  await waitUntil(() => environment.acquirer.rules.listRules().some(({ used }) => used > 0));
  environment.acquirer.rules.replaceRules([]);
  expect((await environment.getPayment(payment.id)).state).toBe('GivingBack');
  await waitUntil(async () => {
    await environment.shiftPaymentTimes(payment.id, 20_000);
    return (await environment.getPayment(payment.id)).state === 'GivenBack';
  });
  expect(await getIntentStatus(payment)).toBe('Reversed');
});

test.each<[string, EposFault[]]>([
  ['yes', [{ ...RECORD_ONCE, effect: 'slow', delayMs: 1_600 }]],
  [
    'no',
    [
      { ...RECORD_ONCE, effect: 'slow', delayMs: 1_600 },
      { ...RECORD_ONCE, effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' },
    ],
  ],
])(
  'a runner whose EPOS answers %s after its lease has ended leaves the payment to its successor',
  async (_said, faults) => {
    const { diningSession, payment } = await createApprovedPayment(faults);
    await waitUntil(async () => (await environment.getPayment(payment.id)).isUnanswered);
    await environment.waitForState(payment.id, 'Recorded');
    expect(environment.listRecordedAmounts(payment.id)).toEqual([payment.base.value]);
    expect(environment.getPaidAmount(diningSession)).toBe(payment.base.value);
    expect(await getIntentStatus(payment)).toBe('Captured');
  },
);
