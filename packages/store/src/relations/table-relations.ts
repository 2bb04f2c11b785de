import type {
  Bill,
  BillItem,
  LeaseState,
  NextStep,
  Requestor,
  TablePayment,
  TablePaymentState,
} from '@pos/core/tables';
import type { TerminalId } from '@pos/core/identity';
import type { JourneyPlan, JourneyState } from '@pos/core/journeys';
import type { ColumnGroups } from './changed-columns.js';
import { column, jsonColumn, nullable, type RowOf, defineRelation, enumColumn } from './relation.js';

/** A bill as JSON stores it: the times of its items are text. */
export type StoredBill = Omit<Bill, 'items'> & {
  readonly items: readonly (Omit<BillItem, 'lastOrderedAt'> & { readonly lastOrderedAt: string | null })[];
};

export const sessionLeases = defineRelation('session_leases', {
  lease_id: column.key,
  session_id: column.text,
  owner: column.text,
  requestor: jsonColumn<Requestor>(),
  waiter_id: nullable(column.integer),
  state: enumColumn<LeaseState>(),
  epos_locked: column.boolean,
  lock_id: nullable(column.text),
  open_payments: column.integer,
  acquired_at: column.timestamp,
  expires_at: column.timestamp,
  version: column.integer,
  released_at: nullable(column.timestamp),
});
export type LeaseRow = RowOf<typeof sessionLeases>;

/** What never changes, the device, the lock at the EPOS, the state, and what ages. */
export const leaseColumnGroups = [
  ['lease_id', 'session_id', 'acquired_at'],
  ['owner', 'requestor', 'waiter_id'],
  ['epos_locked', 'lock_id'],
  ['state', 'released_at'],
  ['open_payments', 'expires_at'],
] as const satisfies ColumnGroups<LeaseRow>;

export const journeys = defineRelation('journeys', {
  id: column.key,
  session_id: column.text,
  session_name: column.text,
  table_name: nullable(column.text),
  lease_id: column.text,
  owner: column.text,
  requestor: jsonColumn<Requestor>(),
  state: enumColumn<JourneyState>(),
  currency: column.text,
  bill: jsonColumn<StoredBill>(),
  bill_read_at: column.timestamp,
  /** Written by its own statements, so that a change that arrives meanwhile is not lost. */
  bill_changed_mark: nullable(column.text),
  plan: jsonColumn<JourneyPlan>(),
  version: column.integer,
  created_at: column.timestamp,
  updated_at: column.timestamp,
  finished_at: nullable(column.timestamp),
});
export type JourneyRow = RowOf<typeof journeys>;

/** What never changes or is written by its own statements, the device, the table, the bill, and the plan. */
export const journeyColumnGroups = [
  ['id', 'session_id', 'created_at', 'bill_changed_mark'],
  ['lease_id', 'owner', 'requestor'],
  ['session_name', 'table_name', 'currency'],
  ['bill'],
  ['plan'],
] as const satisfies ColumnGroups<JourneyRow>;

export const tablePayments = defineRelation('table_payments', {
  id: column.key,
  origin: enumColumn<TablePayment['origin']>(),
  journey_id: nullable(column.text),
  lease_id: nullable(column.text),
  session_id: column.text,
  order_id: nullable(column.text),
  intent_id: nullable(enumColumn<`pi_${string}`>()),
  terminal_session_id: nullable(enumColumn<`ts_${string}`>()),
  moving_to: nullable(enumColumn<TerminalId>()),
  state: enumColumn<TablePaymentState>(),
  next_step: nullable(enumColumn<NextStep>()),
  due_at: nullable(column.timestamp),
  base_amount: column.bigint,
  gratuity_amount: column.bigint,
  cashback_amount: column.bigint,
  currency: column.text,
  message: nullable(column.bytes),
  paid_before: nullable(column.bigint),
  record_calls: column.integer,
  is_unanswered: column.boolean,
  first_unanswered_at: nullable(column.timestamp),
  doubt_at: nullable(column.timestamp),
  lock_rounds: column.integer,
  tries: column.integer,
  give_back_reference: nullable(column.text),
  give_back_since: nullable(column.timestamp),
  given_back_at: nullable(column.timestamp),
  may_give_back: column.booleanDefaultTrue,
  last_error: nullable(column.text),
  since: column.timestamp,
  version: column.integer,
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
export type TablePaymentRow = RowOf<typeof tablePayments>;

/** What never changes, what the payment is of, its amounts, its message, its calls, and its give-back. */
export const tablePaymentColumnGroups = [
  ['id', 'origin', 'created_at', 'may_give_back'],
  ['journey_id', 'lease_id', 'session_id', 'order_id', 'intent_id', 'terminal_session_id', 'moving_to'],
  ['base_amount', 'gratuity_amount', 'cashback_amount', 'currency', 'paid_before'],
  ['message'],
  ['record_calls', 'is_unanswered', 'first_unanswered_at', 'doubt_at', 'lock_rounds'],
  ['give_back_reference', 'give_back_since', 'given_back_at'],
] as const satisfies ColumnGroups<TablePaymentRow>;

export const provedTransactions = defineRelation('proved_transactions', {
  transaction_id: column.key,
  payment_id: column.text,
  proved_at: column.timestamp,
});
