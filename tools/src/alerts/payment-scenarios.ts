import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentIntentId } from '@pos/core/identity';
import { AcquirerClient } from '@pos/payments/acquirer';
import {
  answerAlarm,
  answerReconciliationDifference,
  listAlarms,
  listReconciliationDifferences,
  readReconciliation,
  resolvePendingPayment,
  startReconciliation,
} from '@pos/rest-contracts/operators';
import { getOrderPlacement } from '@pos/rest-contracts/orders';
import {
  advanceClock,
  clearAcquirerRules,
  listAcquirerBookings,
  replaceAcquirerRules,
  replaceEposFaults,
} from '@pos/rest-contracts/sandbox';
import { listCallsOfIntent } from '@pos/store/payments';
import { type Stage, type StageRestaurant, waitUntil } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';
import { registerOrderingEpos, submitTestOrder } from '../e2e/advance-order.js';
import type { AlertScenario } from './alert-scenario.js';
import { payAtTable, refund, untilCallsAreSettled } from './payment-traffic.js';

const SETTLED_MS_MAX = 30_000;
const INQUIRY_PAUSE_MS = 500;
const HOUR_MS = 3_600_000;
/** The deadline of a call, 10 s, and the age from which the alert is active. */
const OUTCOME_AGE_MS = 71_000;
/** By how much a sandbox is advanced: the age from which an alert is active, and half of it more. */
const MONEY_AGE = '00:03:00';
const ORDER_AGE = '00:15:00';
const BOOKS_AGE = '01:30:00';

let paidIntent = '';

/** Refunds are made and repeated under their reference; nobody but the acquirer knows whether they were booked. */
const ACQUIRER_DOWN: AlertScenario = {
  alerts: ['AcquirerDown', 'AcquirerCircuitOpen', 'UnknownOutcomesTooOld'],
  says: 'the acquirer answers nothing',
  provoke: async (at) => {
    const { stage } = at;
    paidIntent = await payAtTable(stage);
    const rules = [{ match: {}, effect: 'refuse' as const, status: 'UNAVAILABLE' as const }];
    await stage.sandbox(replaceAcquirerRules, { body: { rules } });
    await refund(stage, paidIntent).catch(() => undefined);
    await pause(OUTCOME_AGE_MS);
    return async () => {
      await stage.sandbox(clearAcquirerRules, {});
      await untilCallsAreSettled(at);
    };
  },
  during: async (at) => {
    await refund(at.stage, paidIntent).catch(() => undefined);
    // A worker inquires in real time, and its circuit opens after five inquiries without an answer.
    await pause(INQUIRY_PAUSE_MS);
  },
};

/** Each of these payments is approved, and its record stays unanswered. */
const EPOS_SILENT: AlertScenario = {
  alerts: ['EposSilent', 'PendingMoneyTooOld'],
  says: 'an EPOS takes calls and answers none',
  provoke: async (at) => {
    const { stage } = at;
    const [house] = stage.houses;
    const { accountId } = house.scope;
    const table = await TestTable.begin(stage, house);
    const faults = [{ method: 'RecordPayment' as const, effect: 'no-answer' as const }];
    await stage.sandbox(replaceEposFaults, { params: { accountId }, body: { faults } });
    const paymentId = await table.take(900);
    await waitUntil('the payment is pending', SETTLED_MS_MAX, async () => (await stage.pending(house)).length > 0);
    await advance(stage, house, MONEY_AGE);
    return async () => {
      await stage.clearFaults(house);
      await retryPending(stage, house);
      await table.ending(paymentId);
      await table.leave();
    };
  },
  // A call to the EPOS takes two seconds to be given up.
  during: () => pause(1_000),
};

/** Has everything that the restaurant's pending list shows tried again now. */
async function retryPending(stage: Stage, house: StageRestaurant): Promise<void> {
  for (const { paymentId } of await stage.pending(house)) {
    const body = { action: 'RetryNow' as const, note: 'the EPOS answers again' };
    // A worker may have finished it meanwhile, and then the decision is refused.
    await stage
      .api(house)(resolvePendingPayment, { params: { paymentId }, body })
      .catch(() => undefined);
  }
}

/** Moves the clock of the restaurant's sandbox, so that what is open there is older. */
async function advance(stage: Stage, house: StageRestaurant, by: string): Promise<void> {
  await stage.api(house)(advanceClock, { body: { by } });
}

/** The EPOS may have the order: it neither confirms it nor lists its orders. */
const ORDER_PENDING: AlertScenario = {
  alerts: ['PendingOrderTooOld'],
  says: 'an order is paid in advance, and its EPOS never says whether it has it',
  provoke: async (at) => {
    const { stage } = at;
    const [, house] = stage.houses;
    const params = { accountId: house.scope.accountId };
    const unregister = await registerOrderingEpos(stage, house);
    const faults = (['CreateOrder', 'SearchOrders'] as const).map((method) => ({
      method,
      effect: 'no-answer' as const,
    }));
    await stage.sandbox(replaceEposFaults, { params, body: { faults } });
    const { placementId } = await submitTestOrder(stage, house);
    const readStatus = async () => (await stage.api(house)(getOrderPlacement, { params: { placementId } })).status;
    await waitUntil('the EPOS is asked', SETTLED_MS_MAX, async () => {
      return !['Waiting', 'Held'].includes(await readStatus());
    });
    await advance(stage, house, ORDER_AGE);
    return async () => {
      await stage.clearFaults(house);
      await retryPending(stage, house);
      await waitUntil('the EPOS has the order', SETTLED_MS_MAX, async () => (await readStatus()) === 'Completed');
      await unregister();
    };
  },
};

/** Somebody refunds at the acquirer itself, which we never asked for. */
const DIFFERENCE: AlertScenario = {
  alerts: ['ReconciliationDifference'],
  says: 'the check of the books finds a refund that we did not request, until an operator answers it',
  provoke: async ({ stage }) => {
    const [house] = stage.houses;
    const intentId = await payAtTable(stage);
    await refundAtAcquirer(stage, intentId);
    await startCheck(stage);
    const listOpen = async () =>
      (await stage.api(house)(listReconciliationDifferences, { query: { state: 'Open' } })).data;
    await waitUntil('the difference is found', SETTLED_MS_MAX, async () => (await listOpen()).length > 0);
    return async () => {
      for (const { id: differenceId, kind } of await listOpen()) {
        assert.equal(kind, 'NotAskedFor');
        const body = { note: 'the bank refunded this by hand' };
        await stage.api(house)(answerReconciliationDifference, { params: { differenceId }, body });
      }
    };
  },
};

async function refundAtAcquirer(stage: Stage, paymentIntentId: string): Promise<void> {
  const [house] = stage.houses;
  const calls = await stage.database.read(house.scope, (reader) =>
    listCallsOfIntent(reader, paymentIntentId as PaymentIntentId),
  );
  const { merchantId } = house.keepers;
  const { bookings } = await stage.sandbox(listAcquirerBookings, { query: { merchantId } });
  const taken = bookings.find(
    ({ kind, reference }) => kind === 'Capture' && calls.some((each) => each.reference === reference),
  );
  assert.ok(taken !== undefined, 'the payment is not booked');
  const acquirer = new AcquirerClient(stage.acquirerAddress);
  try {
    const amount = { value: 100, currencyCode: 'GBP' } as const;
    const reference = `by-hand-${randomUUID()}`;
    const answer = await acquirer.refund({ reference, originalReference: taken.reference, amount, deadlineMs: 5_000 });
    assert.equal(answer.outcome, 'done');
  } finally {
    acquirer.close();
  }
}

/** Has the books of the last hour compared now. */
async function startCheck(stage: Stage): Promise<void> {
  const [house] = stage.houses;
  const from = new Date(Date.now() - HOUR_MS).toISOString();
  await stage.api(house)(startReconciliation, { body: { from, note: 'provoked' } });
}

const BOOKS_UNREAD: AlertScenario = {
  alerts: ['AcquirerBooksUnread'],
  says: 'the books of an acquirer cannot be read, until a comparison is complete',
  provoke: async (at) => {
    const { stage } = at;
    const [house] = stage.houses;
    const rules = [
      { match: { kind: 'ListBooked' as const }, effect: 'refuse' as const, status: 'UNAVAILABLE' as const },
    ];
    await stage.sandbox(replaceAcquirerRules, { body: { rules } });
    await startCheck(stage);
    const countUnread = async () => (await stage.api(house)(readReconciliation, {})).uncomparedDays.length;
    await waitUntil('the comparison is incomplete', SETTLED_MS_MAX, async () => (await countUnread()) > 0);
    await advance(stage, house, BOOKS_AGE);
    return async () => {
      await stage.sandbox(clearAcquirerRules, {});
      await startCheck(stage);
      await waitUntil('the comparison is complete', SETTLED_MS_MAX, async () => (await countUnread()) === 0);
    };
  },
};

const ALARM: AlertScenario = {
  alerts: ['AlarmUnanswered'],
  says: 'the acquirer refuses our credentials, and an operator answers the alarm',
  provoke: async (at) => {
    const { stage } = at;
    const [house] = stage.houses;
    const intentId = await payAtTable(stage);
    const rules = [
      { match: { kind: 'Refund' as const }, effect: 'refuse' as const, status: 'UNAUTHENTICATED' as const },
    ];
    await stage.sandbox(replaceAcquirerRules, { body: { rules } });
    await refund(stage, intentId).catch(() => undefined);
    const listOpen = async () => (await stage.api(house)(listAlarms, { query: { state: 'Unanswered' } })).data;
    await waitUntil('the alarm is raised', SETTLED_MS_MAX, async () => (await listOpen()).length > 0);
    return async () => {
      await stage.sandbox(clearAcquirerRules, {});
      await untilCallsAreSettled(at);
      for (const { alarmId, kind } of await listOpen()) {
        assert.equal(kind, 'AcquirerAccessRefused');
        await stage.api(house)(answerAlarm, { params: { alarmId }, body: { note: 'the credentials are replaced' } });
      }
    };
  },
};

/** What may happen to money, at acquirers and at EPOSes. */
export const PAYMENT_SCENARIOS: readonly AlertScenario[] = [
  ACQUIRER_DOWN,
  EPOS_SILENT,
  ORDER_PENDING,
  DIFFERENCE,
  BOOKS_UNREAD,
  ALARM,
];
