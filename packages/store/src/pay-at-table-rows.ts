import type { Bill, BillItem } from '@pos/core/bill';
import type { TerminalId } from '@pos/core/identity';
import type { JourneyPlan, JourneyState } from '@pos/core/journey';
import type { LeaseState, Requestor } from '@pos/core/lease';
import type { NextStep, TablePayment, TablePaymentState } from '@pos/core/table-payment';
import { column, json, nullable, type RowOf, table, word } from './table.js';

/** A bill as JSON keeps it: the times of its items are text. */
export type StoredBill = Omit<Bill, 'items'> & {
  readonly items: readonly (Omit<BillItem, 'lastOrderedAt'> & { readonly lastOrderedAt: string | null })[];
};

export const sessionLeases = table('session_leases', {
  lease_id: column.key,
  session_id: column.text,
  owner: column.text,
  requestor: json<Requestor>(),
  waiter_id: nullable(column.integer),
  state: word<LeaseState>(),
  epos_locked: column.flag,
  lock_id: nullable(column.text),
  open_payments: column.integer,
  acquired_at: column.time,
  expires_at: column.time,
  version: column.integer,
  released_at: nullable(column.time),
});
export type LeaseRow = RowOf<typeof sessionLeases>;

export const journeys = table('journeys', {
  id: column.key,
  session_id: column.text,
  session_name: column.text,
  table_name: nullable(column.text),
  lease_id: column.text,
  owner: column.text,
  requestor: json<Requestor>(),
  state: word<JourneyState>(),
  currency: column.text,
  bill: json<StoredBill>(),
  bill_read_at: column.time,
  /** Written by statements of its own, so that a change that is heard meanwhile is not lost. */
  bill_changed_mark: nullable(column.text),
  plan: json<JourneyPlan>(),
  version: column.integer,
  created_at: column.time,
  updated_at: column.time,
  finished_at: nullable(column.time),
});
export type JourneyRow = RowOf<typeof journeys>;

export const tablePayments = table('table_payments', {
  id: column.key,
  origin: word<TablePayment['origin']>(),
  journey_id: nullable(column.text),
  lease_id: nullable(column.text),
  session_id: column.text,
  order_id: nullable(column.text),
  intent_id: nullable(word<`pi_${string}`>()),
  terminal_session_id: nullable(word<`ts_${string}`>()),
  moving_to: nullable(word<TerminalId>()),
  state: word<TablePaymentState>(),
  next_step: nullable(word<NextStep>()),
  due_at: nullable(column.time),
  base_amount: column.exact,
  gratuity_amount: column.exact,
  cashback_amount: column.exact,
  currency: column.text,
  message: nullable(column.bytes),
  paid_before: nullable(column.exact),
  record_calls: column.integer,
  is_unanswered: column.flag,
  first_unanswered_at: nullable(column.time),
  doubt_at: nullable(column.time),
  lock_rounds: column.integer,
  tries: column.integer,
  give_back_reference: nullable(column.text),
  give_back_since: nullable(column.time),
  given_back_at: nullable(column.time),
  last_error: nullable(column.text),
  since: column.time,
  version: column.integer,
  created_at: column.time,
  updated_at: column.time,
});
export type TablePaymentRow = RowOf<typeof tablePayments>;
