import type { PaymentIntentId } from '@pos/core/identity';
import { assert } from '@pos/core/refusals';
import { money } from '@pos/core/money';
import type { TablePayment } from '@pos/core/tables';
import { tablePaymentColumnGroups, type TablePaymentRow, tablePayments } from '../relations/table-relations.js';
import { selectChangedColumns } from '../relations/changed-columns.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRow, findRows, insertRow, updateVersion } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** The condition of a payment that is not final. */
export const OPEN_TABLE_PAYMENT = `state not in ('Recorded', 'GivenBack', 'Ended')`;

const OPEN = defineStatement(
  'list_open_table_payments',
  `select ${tablePayments.columns.join(', ')} from table_payments
   where account_id = $1 and environment = $2 and ${OPEN_TABLE_PAYMENT}
   order by since, id`,
);

/**
 * Writes a new payment together with the next query: that fails (23505) when there is a payment of this id or on
 * this intent.
 */
export async function insertTablePayment(tx: Tx, payment: TablePayment): Promise<void> {
  insertRow(tx, tablePayments, toRow(payment));
}

/** Reads a payment for changing it, or null. */
export async function lockTablePayment(tx: Tx, id: string): Promise<TablePayment | null> {
  const row = await findRow(tx, tablePayments, { where: { id }, isLocking: true });
  return row === null ? null : toPayment(row);
}

export async function findTablePayment(reader: Reader, id: string): Promise<TablePayment | null> {
  const row = await findRow(reader, tablePayments, { where: { id } });
  return row === null ? null : toPayment(row);
}

/** Whether a payment at a table was ever made, or begun, with this intent. */
export async function hasTablePayment(reader: Reader, intentId: PaymentIntentId): Promise<boolean> {
  return (await findRow(reader, tablePayments, { where: { intent_id: intentId } })) !== null;
}

/** The payments at tables with this intent in the order in which they were begun. */
export async function listTablePaymentsOfIntent(reader: Reader, intentId: PaymentIntentId): Promise<TablePayment[]> {
  const rows = await findRows(reader, tablePayments, { where: { intent_id: intentId }, orderBy: 'created_at, id' });
  return rows.map(toPayment);
}

/** The payments of a journey in the order in which they were begun. */
export async function listTablePaymentsOfJourney(reader: Reader, journeyId: string): Promise<TablePayment[]> {
  const rows = await findRows(reader, tablePayments, { where: { journey_id: journeyId }, orderBy: 'created_at, id' });
  return rows.map(toPayment);
}

/** The payments that are not final, longest open first. */
export async function listOpenTablePayments(reader: Reader): Promise<TablePayment[]> {
  const rows = await reader.query<TablePaymentRow>(OPEN, [reader.scope.accountId, reader.scope.environment]);
  return rows.map(toPayment);
}

/** Writes a payment that was read for changing as `before`, and returns it with its new version. */
export async function updateTablePayment(tx: Tx, before: TablePayment, payment: TablePayment): Promise<TablePayment> {
  assert(before.id === payment.id, 'a change of another payment');
  const { id, version } = payment;
  const set = selectChangedColumns(tablePaymentColumnGroups, toRow(before), toRow(payment));
  updateVersion(tx, tablePayments, { where: { id }, version, set: { ...set, version: version + 1 } });
  return { ...payment, version: version + 1 };
}

function toRow(payment: TablePayment): TablePaymentRow {
  return {
    id: payment.id,
    origin: payment.origin,
    journey_id: payment.journeyId,
    lease_id: payment.leaseId,
    session_id: payment.sessionId,
    order_id: payment.orderId,
    intent_id: payment.intentId,
    terminal_session_id: payment.terminalSessionId,
    moving_to: payment.movingTo,
    state: payment.state,
    next_step: payment.nextStep,
    due_at: payment.dueAt,
    base_amount: payment.base.value,
    gratuity_amount: payment.gratuity.value,
    cashback_amount: payment.cashback.value,
    currency: payment.base.currencyCode,
    message: payment.message === null ? null : Buffer.from(payment.message),
    paid_before: payment.paidBefore?.value ?? null,
    record_calls: payment.recordCalls,
    is_unanswered: payment.isUnanswered,
    first_unanswered_at: payment.firstUnansweredAt,
    doubt_at: payment.doubtAt,
    lock_rounds: payment.lockRounds,
    tries: payment.tries,
    give_back_reference: payment.giveBackReference,
    give_back_since: payment.giveBackSince,
    given_back_at: payment.givenBackAt,
    may_give_back: payment.mayGiveBack,
    last_error: payment.lastError,
    since: payment.since,
    version: payment.version,
    created_at: payment.createdAt,
    updated_at: payment.updatedAt,
  };
}

function toPayment(row: TablePaymentRow): TablePayment {
  return {
    id: row.id,
    origin: row.origin,
    journeyId: row.journey_id,
    leaseId: row.lease_id,
    sessionId: row.session_id,
    orderId: row.order_id,
    intentId: row.intent_id,
    terminalSessionId: row.terminal_session_id,
    movingTo: row.moving_to,
    state: row.state,
    nextStep: row.next_step,
    dueAt: row.due_at,
    base: money(row.base_amount, row.currency),
    gratuity: money(row.gratuity_amount, row.currency),
    cashback: money(row.cashback_amount, row.currency),
    message: row.message === null ? null : new Uint8Array(row.message),
    paidBefore: row.paid_before === null ? null : money(row.paid_before, row.currency),
    recordCalls: row.record_calls,
    isUnanswered: row.is_unanswered,
    firstUnansweredAt: row.first_unanswered_at,
    doubtAt: row.doubt_at,
    lockRounds: row.lock_rounds,
    tries: row.tries,
    giveBackReference: row.give_back_reference,
    giveBackSince: row.give_back_since,
    givenBackAt: row.given_back_at,
    mayGiveBack: row.may_give_back,
    lastError: row.last_error,
    since: row.since,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
