import type { PaymentIntentId, TerminalId } from '@pos/core/identity';
import { type CardDetails, deriveTransactionId } from '@pos/core/cards';
import { isUuid } from '@pos/core/ids';
import { money, type Money } from '@pos/core/money';
import type { PaymentIntent, PaymentSource } from '@pos/core/payment-intents';
import {
  TRANSACTION_STATUSES,
  type TransactionChange,
  type TransactionDraft,
  type TransactionStatus,
  type TransactionType,
} from '@pos/core/ledger';
import {
  type Cursor,
  type Direction,
  type Page,
  buildPage,
  buildPageSql,
  pageValues,
  splitSnapshot,
  selectWithSnapshot,
} from '../database/page.js';
import { defineStatement } from '@pos/postgres/statements';
import { column, jsonColumn, nullable, type RowOf, defineRelation, enumColumn } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const transactions = defineRelation('transactions', {
  id: column.key,
  legacy_id: column.bigint,
  acquirer_reference: column.text,
  type: enumColumn<TransactionType>(),
  status: enumColumn<TransactionStatus>(),
  currency: column.text,
  amount: column.bigint,
  tips_amount: column.bigint,
  cashback_amount: column.bigint,
  auth_code: column.text,
  card: nullable(jsonColumn<CardDetails>()),
  is_charge: column.boolean,
  intent_id: nullable(enumColumn<PaymentIntentId>()),
  reference: nullable(column.text),
  payment_source: nullable(enumColumn<PaymentSource>()),
  terminal_id: nullable(enumColumn<TerminalId>()),
  created_at: column.timestamp,
  updated_at: column.timestamp,
  settled_on: nullable(column.day),
});

export const transactionCounters = defineRelation('transaction_counters', { last: column.bigint });

/** A line of the listing. */
export interface CardTransaction {
  readonly id: string;
  /** The reference of the call that took or gave back the money. */
  readonly acquirerReference: string;
  readonly legacyId: number;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amount: Money;
  readonly tipsAmount: Money;
  readonly cashbackAmount: Money;
  readonly authCode: string;
  readonly card: CardDetails | null;
  readonly isCharge: boolean;
  readonly paymentIntentId: PaymentIntentId | null;
  readonly reference: string | null;
  readonly paymentSource: PaymentSource | null;
  /** The card machine with which the card was presented. */
  readonly terminalId: TerminalId | null;
  readonly createdAt: Date;
  /** The last day on which a part of it was settled, `yyyy-mm-dd` by the acquirer's calendar; null until that is known. */
  readonly settledOn: string | null;
}

/** A statement of its own: the next one sees what the previous holder of the counter has written. */
const NEXT_NUMBER = defineStatement(
  'take_transaction_numbers',
  `insert into transaction_counters (account_id, environment, last) values ($1, $2, 1)
   on conflict (account_id, environment) do update set last = transaction_counters.last + 1`,
);

/**
 * A line of a reference that has one is a second word about the same attempt: a card machine that took money after it had
 * said that it took none. An id that another line has already, the acquirer's mistake, is replaced by the line's own.
 */
const WRITE = defineStatement(
  'write_transaction',
  `insert into transactions (account_id, environment, id, legacy_id, acquirer_reference, type, status, currency, amount,
     tips_amount, cashback_amount, auth_code, card, is_charge, intent_id, reference, payment_source, terminal_id,
     created_at, updated_at)
   select $1, $2,
     case when exists (select from transactions t
       where t.account_id = $1 and t.environment = $2 and t.id = $3 and t.acquirer_reference <> $5) then $4 else $3 end,
     counter.last, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
     (select s.terminal_id from acquirer_calls c
      join terminal_sessions s on s.account_id = $1 and s.environment = $2 and s.id = c.terminal_session_id
      where c.account_id = $1 and c.environment = $2 and c.reference = $18),
     $19, $19
   from transaction_counters counter
   where counter.account_id = $1 and counter.environment = $2
   on conflict (account_id, environment, acquirer_reference) do update
     set status = excluded.status, auth_code = excluded.auth_code, updated_at = excluded.updated_at
     where transactions.status = 'Declined'`,
);

const UPDATE_STATUS = defineStatement(
  'update_transaction_status',
  `update transactions set status = $4, updated_at = $5
   where account_id = $1 and environment = $2 and acquirer_reference = $3`,
);

const UPDATE_AMOUNT = defineStatement(
  'update_transaction_amount',
  `update transactions set amount = $4, updated_at = $5
   where account_id = $1 and environment = $2 and acquirer_reference = $3`,
);

/**
 * Writes what was decided into the listing, of an intent or of none. It leaves with the COMMIT, behind all else: the
 * counter is one row for all payments of an account.
 */
export function writeTransactions(tx: Tx, intent: PaymentIntent | null, changes: readonly TransactionChange[]): void {
  const { accountId, environment } = tx.scope;
  for (const change of changes) {
    switch (change.kind) {
      case 'new':
        tx.enqueueAtCommit(NEXT_NUMBER, [accountId, environment]);
        tx.enqueueAtCommit(WRITE, toValues(tx, intent, change.transaction));
        break;
      case 'status':
        tx.enqueueAtCommit(UPDATE_STATUS, [accountId, environment, change.reference, change.status, tx.now]);
        break;
      case 'amount':
        tx.enqueueAtCommit(UPDATE_AMOUNT, [accountId, environment, change.reference, change.amount.value, tx.now]);
        break;
    }
  }
}

function toValues(tx: Tx, intent: PaymentIntent | null, draft: TransactionDraft): readonly unknown[] {
  const { amount, tips, cashback } = draft.amounts;
  const derivedId = deriveTransactionId(draft.reference);
  const acquirerId = draft.transactionId?.toLowerCase() ?? '';
  return [
    tx.scope.accountId,
    tx.scope.environment,
    isUuid(acquirerId) ? acquirerId : derivedId,
    derivedId,
    draft.reference,
    draft.type,
    draft.status,
    amount.currencyCode,
    amount.value,
    tips.value,
    cashback.value,
    draft.authCode,
    draft.card === null ? null : JSON.stringify(draft.card),
    draft.isCharge,
    intent?.id ?? null,
    intent?.reference ?? null,
    intent?.paymentSource ?? null,
    draft.takenUnder,
    tx.now,
  ];
}

/** Which lines are looked for, by their time: `from` inclusive, `to` exclusive; no statuses are all. */
export interface TransactionSearchTerms {
  readonly statuses: readonly TransactionStatus[];
  readonly from: Date;
  readonly to: Date;
  readonly limit: number;
}

/** What the ledger keeps of a payment's money, and what its lines sum to, in minor units as text. */
export interface ListingMismatch {
  readonly intentId: PaymentIntentId;
  readonly kept: string;
  readonly listed: string;
  readonly currency: string;
}

const MISMATCHES = defineStatement(
  'find_listing_mismatches',
  `select i.id as "intentId", i.currency, b.kept::text, l.listed::text
   from payment_intents i
   cross join lateral (select coalesce(sum(p.amount), 0) as kept from ledger_postings p
     where p.account_id = $1 and p.environment = $2 and p.subject_id = i.id and p.ledger_account = 'card_receivable') b
   cross join lateral (select coalesce(sum((t.amount + t.tips_amount + t.cashback_amount)
       * case t.type when 'Refund' then -1 when 'PreAuth' then 0 else 1 end), 0) as listed
     from transactions t
     where t.account_id = $1 and t.environment = $2 and t.intent_id = i.id and t.status = 'Authorized') l
   where i.account_id = $1 and i.environment = $2 and i.id = any ($3::text[]) and b.kept <> l.listed
   order by i.id`,
);

/** The payments whose lines do not sum to the ledger's taken minus returned money. */
export function findListingMismatches(
  reader: Reader,
  intentIds: readonly PaymentIntentId[],
): Promise<ListingMismatch[]> {
  return reader.query(MISMATCHES, [reader.scope.accountId, reader.scope.environment, [...intentIds]]);
}

const SALES = defineStatement(
  'list_sale_references',
  `select acquirer_reference as reference from transactions
   where account_id = $1 and environment = $2 and acquirer_reference = any ($3::text[])
     and type = 'Sale' and status = 'Authorized'`,
);

/** The references of calls that have taken money at once and were not reversed. */
export async function listSaleReferences(reader: Reader, references: readonly string[]): Promise<ReadonlySet<string>> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ reference: string }>(SALES, [accountId, environment, [...references]]);
  return new Set(rows.map(({ reference }) => reference));
}

const SEARCHES = { older: defineSearchStatement('older'), newer: defineSearchStatement('newer') };

/** A page of lines, newest first. */
export async function searchTransactions(
  reader: Reader,
  search: TransactionSearchTerms & { readonly cursor: Cursor | null; readonly direction: Direction },
): Promise<Page<CardTransaction>> {
  const { statuses, limit, cursor, direction } = search;
  const foundRows = await reader.query<RowOf<typeof transactions> & { readonly seen: string }>(SEARCHES[direction], [
    reader.scope.accountId,
    reader.scope.environment,
    statuses.length === 0 ? [...TRANSACTION_STATUSES] : [...statuses],
    ...pageValues(search),
  ]);
  const { rows, seen } = splitSnapshot(foundRows);
  return buildPage(rows.map(toTransaction), { limit, direction, cursor, seen });
}

function defineSearchStatement(direction: Direction) {
  const source = {
    relation: 'transactions',
    columns: transactions.columns,
    condition: '',
    statuses: { values: TRANSACTION_STATUSES, parameter: 3 },
    firstParameter: 4,
  };
  return defineStatement(
    `search_transactions_${direction}`,
    selectWithSnapshot(direction, buildPageSql(direction, source)),
  );
}

function toTransaction(row: RowOf<typeof transactions>): CardTransaction {
  const toMoney = (value: number) => money(value, row.currency);
  return {
    id: row.id,
    acquirerReference: row.acquirer_reference,
    legacyId: row.legacy_id,
    type: row.type,
    status: row.status,
    amount: toMoney(row.amount),
    tipsAmount: toMoney(row.tips_amount),
    cashbackAmount: toMoney(row.cashback_amount),
    authCode: row.auth_code,
    card: row.card,
    isCharge: row.is_charge,
    paymentIntentId: row.intent_id,
    reference: row.reference,
    paymentSource: row.payment_source,
    terminalId: row.terminal_id,
    createdAt: row.created_at,
    settledOn: row.settled_on,
  };
}
