import type {
  AcquirerCall,
  AcquirerCallKind,
  AcquirerCallState,
  AuthorisationState,
  CallMerchant,
  CallOutcome,
  CallResult,
} from '@pos/core/acquirer-calls';
import { isId, type PaymentIntentId, type SetupIntentId, type TerminalSessionId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { requireValue } from '@pos/core/refusals';
import { defineStatement } from '@pos/postgres/statements';
import {
  column,
  findRow,
  findRows,
  insertRow,
  jsonColumn,
  nullable,
  type RowOf,
  updateVersion,
  enumColumn,
  definePartnerRelation,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const acquirerCalls = definePartnerRelation('acquirer_calls', {
  reference: column.key,
  kind: enumColumn<AcquirerCallKind>(),
  acquirer: column.textDefaultName,
  merchant_id: column.text,
  original_reference: nullable(column.text),
  intent_id: nullable(enumColumn<PaymentIntentId>()),
  setup_intent_id: nullable(enumColumn<SetupIntentId>()),
  terminal_session_id: nullable(enumColumn<TerminalSessionId>()),
  amount: column.bigint,
  currency: column.text,
  state: enumColumn<AcquirerCallState>(),
  outcome: nullable(enumColumn<CallOutcome>()),
  deadline_at: column.timestamp,
  reverse_reference: nullable(column.text),
  result: nullable(jsonColumn<CallResult>()),
  version: column.integer,
  not_found_count: column.countOrZero,
  not_found_at: nullable(column.timestamp),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
type AcquirerCallRow = RowOf<typeof acquirerCalls>;

const COLUMNS = acquirerCalls.columns.join(', ');
const OPEN = { payment: defineOpenStatement('intent_id'), setup: defineOpenStatement('setup_intent_id') };
const CHALLENGED = {
  payment: defineChallengedStatement('intent_id'),
  setup: defineChallengedStatement('setup_intent_id'),
};
const UNSETTLED_OF_INTENT = defineStatement(
  'get_authorisation_state',
  `select coalesce(bool_or(kind = 'Authorise' and reverse_reference is null), false) as is_open, count(*)::int as count
   from acquirer_calls
   where account_id = $1 and environment = $2 and intent_id = $3 and kind in ('Authorise', 'Reverse')
     and state <> 'Settled'`,
);
const REVERSAL_OF_INTENT = defineStatement(
  'find_reversal_requested_at',
  `select min(created_at) as ordered_at from acquirer_calls
   where account_id = $1 and environment = $2 and intent_id = $3 and kind = 'Reverse' and state <> 'Settled'`,
);
const CALLS_BETWEEN = defineStatement(
  'list_calls_between',
  `select ${COLUMNS} from acquirer_calls
   where account_id = $1 and environment = $2 and created_at >= $3 and created_at < $4
   order by created_at, reference`,
);

const CALLS_BY_REFERENCE = defineStatement(
  'list_calls_by_reference',
  `select ${COLUMNS} from acquirer_calls
   where account_id = $1 and environment = $2 and reference = any ($3::text[])`,
);

const CALLS_LISTED_MAX = 500;

/** No refund is ever reversed: that it is not lets the index of open calls be used. */
const OPEN_REFUNDS = defineStatement(
  'list_open_machine_refunds',
  `select ${COLUMNS} from acquirer_calls
   where account_id = $1 and environment = $2 and kind = 'Refund' and terminal_session_id is not null
     and state <> 'Settled' and reverse_reference is null and (state = 'Unknown' or deadline_at <= $3)
   order by updated_at, reference limit ${CALLS_LISTED_MAX}`,
);

const REFUND_OF_SESSION = defineStatement(
  'find_machine_refund',
  `select ${COLUMNS} from acquirer_calls
   where account_id = $1 and environment = $2 and kind = 'Refund' and terminal_session_id = $3`,
);

const COUNT_NOT_FOUND = defineStatement(
  'increment_not_found_count',
  `update acquirer_calls set not_found_count = not_found_count + 1, not_found_at = $4
   where account_id = $1 and environment = $2 and reference = $3 and (not_found_at is null or not_found_at <= $5)
   returning not_found_count`,
);

const RESET_NOT_FOUND = defineStatement(
  'reset_not_found_count',
  `update acquirer_calls set not_found_count = 0, not_found_at = null
   where account_id = $1 and environment = $2 and reference = $3 returning reference`,
);

/** A refund on a card machine, and since when it is in this state (database time). */
export interface OpenMachineRefund {
  readonly call: AcquirerCall;
  readonly since: Date;
}

const OPEN_CALLS = defineStatement(
  'list_open_calls',
  `select ${COLUMNS} from acquirer_calls
   where account_id = $1 and environment = $2 and state <> 'Settled' and reverse_reference is null
     and (deadline_at <= $3 or state = 'Declined')
     and not (kind = 'Refund' and terminal_session_id is not null)
   order by deadline_at, reference limit ${CALLS_LISTED_MAX}`,
);

/** A call to the acquirer that has not ended, and when it was written (database time). */
export interface OpenAcquirerCall {
  readonly call: AcquirerCall;
  readonly createdAt: Date;
}

/**
 * Calls whose deadline was before `before` and that have not ended, and reversals that were refused for good, longest open
 * first; at most 500. Refunds on card machines are left out: `openMachineRefunds` lists them.
 */
export async function listOpenCalls(reader: Reader, before: Date): Promise<OpenAcquirerCall[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<AcquirerCallRow>(OPEN_CALLS, [accountId, environment, before]);
  return rows.map((row) => ({ call: toCall(row), createdAt: row.created_at }));
}

/** Finds a call by its reference, open or over, or null. */
export async function findDatedAcquirerCall(reader: Reader, reference: string): Promise<OpenAcquirerCall | null> {
  const row = await findRow(reader, acquirerCalls, { where: { reference } });
  return row === null ? null : { call: toCall(row), createdAt: row.created_at };
}

/**
 * Refunds of expired sessions whose end neither machine nor acquirer has reported, and those without an end whose deadline was
 * before `before`, longest open first; at most 500.
 */
export async function listOpenMachineRefunds(reader: Reader, before: Date): Promise<OpenMachineRefund[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<AcquirerCallRow>(OPEN_REFUNDS, [accountId, environment, before]);
  return rows.map((row) => ({ call: toCall(row), since: row.updated_at }));
}

/** The refund of a card session, open or over, or null: there is no such session, or it is a sale. */
export async function findMachineRefund(
  reader: Reader,
  sessionId: TerminalSessionId,
): Promise<OpenMachineRefund | null> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<AcquirerCallRow>(REFUND_OF_SESSION, [accountId, environment, sessionId]);
  return row === undefined ? null : { call: toCall(row), since: row.updated_at };
}

/** Writes a call before it is made. */
export async function insertAcquirerCall(tx: Tx, call: AcquirerCall): Promise<void> {
  insertRow(tx, acquirerCalls, {
    ...toRow(call),
    not_found_count: 0,
    not_found_at: null,
    created_at: tx.databaseNow,
    updated_at: tx.databaseNow,
  });
}

/**
 * Counts an answer that the acquirer knows of no such call, unless one was counted less than `intervalMs` ago: the acquirer
 * can be late, and what it says twice at once it says once. Returns how many are counted in a row, or 0 when this one is
 * not counted. The call has to be locked.
 */
export async function incrementNotFoundCount(tx: Tx, reference: string, intervalMs: number): Promise<number> {
  const { accountId, environment } = tx.scope;
  const before = new Date(tx.databaseNow.getTime() - intervalMs);
  const values = [accountId, environment, reference, tx.databaseNow, before];
  const [row] = await tx.query<{ not_found_count: number }>(COUNT_NOT_FOUND, values);
  return row?.not_found_count ?? 0;
}

/** Begins to count again: the acquirer knows of the call. The call has to be locked. */
export async function resetNotFoundCount(tx: Tx, reference: string): Promise<void> {
  const { accountId, environment } = tx.scope;
  await tx.query(RESET_NOT_FOUND, [accountId, environment, reference]);
}

/** Reads the call for changing it, or null. */
export async function lockAcquirerCall(tx: Tx, reference: string): Promise<AcquirerCall | null> {
  const row = await findRow(tx, acquirerCalls, { where: { reference }, isLocking: true });
  return row === null ? null : toCall(row);
}

export async function findAcquirerCall(reader: Reader, reference: string): Promise<AcquirerCall | null> {
  const row = await findRow(reader, acquirerCalls, { where: { reference } });
  return row === null ? null : toCall(row);
}

/** The acquirer that was asked under the reference, and the number of the merchant that it was asked for. */
export async function getCallMerchant(reader: Reader, reference: string): Promise<CallMerchant> {
  const { acquirer, merchantId } = requireValue(await findAcquirerCall(reader, reference), `call ${reference}`);
  return { acquirer, merchantId };
}

/** Updates the call, whose version must not have changed since it was read. */
export async function updateAcquirerCall(tx: Tx, call: AcquirerCall): Promise<AcquirerCall> {
  const next = { ...call, version: call.version + 1 };
  const { reference: _reference, ...set } = toRow(next);
  updateVersion(tx, acquirerCalls, {
    where: { reference: call.reference },
    version: call.version,
    set: { ...set, updated_at: tx.databaseNow },
  });
  return next;
}

/**
 * Whether an attempt on the intent has not ended; one whose reversal is ordered is over, except a challenge that was ended
 * early: that one is over when the acquirer has acknowledged its reversal. Attempts on a setup intent are those that bring
 * its card and those that charge it.
 */
export async function hasOpenAttempt(reader: Reader, intentId: PaymentIntentId | SetupIntentId): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  const openQuery = OPEN[isId('setupIntent', intentId) ? 'setup' : 'payment'];
  return (await reader.query(openQuery, [accountId, environment, intentId])).length > 0;
}

/**
 * The authorisation on the intent whose challenge waits for its payer, or was ended early and is being reversed; null
 * without one.
 */
export async function findChallengedReference(
  reader: Reader,
  intentId: PaymentIntentId | SetupIntentId,
): Promise<string | null> {
  const { accountId, environment } = reader.scope;
  const query = CHALLENGED[isId('setupIntent', intentId) ? 'setup' : 'payment'];
  const [row] = await reader.query<{ reference: string }>(query, [accountId, environment, intentId]);
  return row?.reference ?? null;
}

function defineOpenStatement(column: 'intent_id' | 'setup_intent_id') {
  return defineStatement(
    `list_open_calls_of_${column}`,
    `select reference from acquirer_calls
     where account_id = $1 and environment = $2 and ${column} = $3 and kind = 'Authorise' and state <> 'Settled'
       and (reverse_reference is null or result ->> 'isEnded' = 'true') limit 1`,
  );
}

function defineChallengedStatement(column: 'intent_id' | 'setup_intent_id') {
  return defineStatement(
    `find_challenged_call_of_${column}`,
    `select reference from acquirer_calls
     where account_id = $1 and environment = $2 and ${column} = $3 and kind = 'Authorise' and state = 'Challenged'
       and (reverse_reference is null or result ->> 'isEnded' = 'true') limit 1`,
  );
}

/** Whether the acquirer may hold money for the intent, or may come to. */
export async function getAuthorisationState(reader: Reader, intentId: PaymentIntentId): Promise<AuthorisationState> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<UnsettledRow>(UNSETTLED_OF_INTENT, [accountId, environment, intentId]);
  if (row === undefined || row.count === 0) return 'settled';
  return row.is_open ? 'open' : 'beingReversed';
}

/** When the reversal was ordered that the acquirer has not acknowledged yet (database time); null when there is none. */
export async function findReversalRequestedAt(reader: Reader, intentId: PaymentIntentId): Promise<Date | null> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<{ ordered_at: Date | null }>(REVERSAL_OF_INTENT, [accountId, environment, intentId]);
  return row?.ordered_at ?? null;
}

interface UnsettledRow {
  readonly is_open: boolean;
  readonly count: number;
}

/** All calls of the intent, in the order in which they were written. */
export async function listCallsOfIntent(reader: Reader, intentId: PaymentIntentId): Promise<AcquirerCall[]> {
  const rows = await findRows(reader, acquirerCalls, {
    where: { intent_id: intentId },
    orderBy: 'created_at, reference',
  });
  return rows.map(toCall);
}

/** The calls written in a span of database time, for comparing them with the acquirer's list. */
export async function listCallsBetween(reader: Reader, from: Date, to: Date): Promise<DatedAcquirerCall[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<AcquirerCallRow>(CALLS_BETWEEN, [accountId, environment, from, to]);
  return rows.map((row) => ({ ...toCall(row), createdAt: row.created_at }));
}

/** The calls with these references, in no order; unknown ones are left out. */
export async function listCallsByReference(
  reader: Reader,
  references: readonly string[],
): Promise<DatedAcquirerCall[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<AcquirerCallRow>(CALLS_BY_REFERENCE, [accountId, environment, [...references]]);
  return rows.map((row) => ({ ...toCall(row), createdAt: row.created_at }));
}

/** A call and when it was written (database time). */
export interface DatedAcquirerCall extends AcquirerCall {
  readonly createdAt: Date;
}

function toRow(
  call: AcquirerCall,
): Omit<AcquirerCallRow, 'created_at' | 'updated_at' | 'not_found_count' | 'not_found_at'> {
  return {
    reference: call.reference,
    kind: call.kind,
    acquirer: call.acquirer,
    merchant_id: call.merchantId,
    original_reference: call.originalReference,
    intent_id: call.paymentIntentId,
    setup_intent_id: call.setupIntentId,
    terminal_session_id: call.terminalSessionId,
    amount: call.amount.value,
    currency: call.amount.currencyCode,
    state: call.state,
    outcome: call.outcome,
    deadline_at: call.deadlineAt,
    reverse_reference: call.reverseReference,
    result: call.result,
    version: call.version,
  };
}

function toCall(row: AcquirerCallRow): AcquirerCall {
  return {
    reference: row.reference,
    kind: row.kind,
    acquirer: row.acquirer,
    merchantId: row.merchant_id,
    originalReference: row.original_reference,
    paymentIntentId: row.intent_id,
    setupIntentId: row.setup_intent_id,
    terminalSessionId: row.terminal_session_id,
    amount: money(row.amount, row.currency),
    state: row.state,
    outcome: row.outcome,
    deadlineAt: row.deadline_at,
    reverseReference: row.reverse_reference,
    result: row.result,
    version: row.version,
  };
}
