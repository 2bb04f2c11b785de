import { setTimeout as pause } from 'node:timers/promises';
import { answerAlarm } from '@pos/rest-contracts/operators/alarms';
import { clearAcquirerRules, replaceAcquirerRules } from '@pos/rest-contracts/sandbox/sandbox-acquirer';
import { replaceEposFaults } from '@pos/rest-contracts/sandbox/sandbox-epos';
import { waitUntil } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';
import type { AlertScenario } from './alert-scenario.js';
import type { AlertStage } from './alert-stage.js';
import { payAtTable, refund } from './payment-traffic.js';

const SETTLED_MS_MAX = 30_000;
const INQUIRY_PAUSE_MS = 500;

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
    return async () => {
      await stage.sandbox(clearAcquirerRules, {});
      await waitUntil('every outcome is known', SETTLED_MS_MAX, async () => (await countOpenCalls(at)) === 0);
    };
  },
  during: async (at) => {
    await refund(at.stage, paidIntent).catch(() => undefined);
    // A worker inquires in real time, and its circuit opens after five inquiries without an answer.
    await pause(INQUIRY_PAUSE_MS);
    await at.sql(`update acquirer_calls set deadline_at = deadline_at - interval '2 minutes'
      where state <> 'Settled' and deadline_at > now() - interval '2 minutes'`);
  },
};

async function countOpenCalls(at: AlertStage): Promise<number> {
  const [row] = await at.sql<{ open: number }>(
    `select count(*)::integer as open from acquirer_calls where state <> 'Settled' and reverse_reference is null`,
  );
  return row?.open ?? 0;
}

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
    return async () => {
      await stage.clearFaults(house);
      await table.ending(paymentId);
      await table.leave();
    };
  },
  during: async (at) => {
    await at.sql(`update table_payments set since = since - interval '3 minutes'
      where state in ('Approved', 'Recording', 'RecordUnknown') and since > now() - interval '2 minutes'`);
    // A call to the EPOS takes two seconds to be given up.
    await pause(1_000);
  },
};

const SCOPE = `(select account_id from accounts order by account_id limit 1), 'sandbox'`;

const ORDER_PENDING: AlertScenario = {
  alerts: ['PendingOrderTooOld'],
  says: 'an order that was paid in advance waits for an operator',
  provoke: async (at) => {
    await at.sql(`insert into order_placements (account_id, environment, id, intent_id, placed_order, state, total_amount,
        gratuity_amount, currency, place_calls, is_unanswered, is_hold_ending, is_money_gone, tries, may_order_stand,
        since, version, created_at, updated_at)
      values (${SCOPE}, 'op_alert', 'pi_alert', '{}', 'NeedsOperator', 100, 0, 'GBP', 0, false, false, false, 0, false,
        now() - interval '1 hour', 1, now(), now())`);
    return async () => {
      await at.sql(`delete from order_placements where id = 'op_alert'`);
    };
  },
};

const DIFFERENCE: AlertScenario = {
  alerts: ['ReconciliationDifference'],
  says: 'the daily check finds a difference, until an operator answers it',
  provoke: async (at) => {
    await at.sql(`insert into reconciliation_differences (account_id, environment, id, kind, reference, says, happened_at,
        state, first_seen_at, last_seen_at)
      values (${SCOPE}, 'rd_alert', 'NotAskedFor', 'alert', 'booked and not requested', now(), 'Open', now(), now())`);
    return async () => {
      await at.sql(`update reconciliation_differences set state = 'Answered' where id = 'rd_alert'`);
    };
  },
};

const BOOKS_UNREAD: AlertScenario = {
  alerts: ['AcquirerBooksUnread'],
  says: 'the books of an acquirer cannot be read, until a comparison is complete',
  provoke: async (at) => {
    await at.sql(`insert into uncompared_days (account_id, environment, acquirer, day, reason, problem, since)
      values (${SCOPE}, 'alert', current_date, 'BooksUnread', 'not configured', now() - interval '2 hours')`);
    return async () => {
      await at.sql(`delete from uncompared_days where acquirer = 'alert'`);
    };
  },
};

const ALARM_ID = '5f0f7c3e-6b8e-4f5a-9c1d-0a1b2c3d4e5f';

const ALARM: AlertScenario = {
  alerts: ['AlarmUnanswered'],
  says: 'the service raises an alarm, and an operator answers it',
  provoke: async (at) => {
    const { stage } = at;
    const [house] = stage.houses;
    const { accountId } = house.scope;
    await at.sql(
      `insert into alarms (account_id, environment, id, kind, subject, occurrence, message, details, created_at)
       values ($1, 'sandbox', $2, 'MoneyNotReturned', 'alert', '', 'money was not returned', '{}', now())`,
      [accountId, ALARM_ID],
    );
    return async () => {
      await stage.api(house)(answerAlarm, { params: { alarmId: ALARM_ID }, body: { note: 'checked by hand' } });
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
