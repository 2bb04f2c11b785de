import { formatChainRecord, type LedgerEntryDraft } from '@pos/core/ledger';
import type { TerminalSessionId } from '@pos/core/identity';
import type { NewPaymentEvent, PaymentEventDetails } from '@pos/core/payment-intents';
import { type Chain, EMPTY_CHAIN, ChainBuilder } from './hash-chain.js';
import { ledgerEntries, ledgerPostings, paymentEvents } from '../relations/payment-relations.js';
import { defineChange, sql } from '@pos/postgres/statements';
import { readTraceId } from '@pos/postgres/telemetry';
import { findRows, insertRows } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

/** The largest number that a record can have: the column is an integer. */
export const NUMBER_MAX = 2_147_483_647;

/** The records that one decision adds to its subject. */
export interface NewRecords {
  readonly events?: readonly NewPaymentEvent[];
  readonly entries: readonly LedgerEntryDraft[];
}

/**
 * Appends history and postings to the chain of an intent (or of the session of an unlinked refund) and returns its
 * new end, which the caller stores with the subject's row. The caller holds the lock of that row, so appends never
 * overlap.
 */
export async function appendRecords(
  tx: Tx,
  { subjectId, end }: { readonly subjectId: string; readonly end: Chain },
  records: NewRecords,
): Promise<Chain> {
  const events = records.events ?? [];
  if (events.length + records.entries.length === 0) return end;
  const builder = new ChainBuilder(end);
  const traceId = readTraceId();
  const eventRows = events.map((event) => ({
    intent_id: subjectId,
    event_type: event.eventType,
    occurred_at: event.occurredAt,
    details: event.details,
    trace_id: traceId,
    ...builder.add((number) => encodeEventRecord(subjectId, number, event)),
  }));
  const postedAt = tx.now;
  const entryRows = records.entries.map((draft) => ({
    subject_id: subjectId,
    kind: draft.kind,
    reference: draft.reference,
    currency: draft.currencyCode,
    posted_at: postedAt,
    ...builder.add((number) => formatChainRecord(draft, { subjectId, number, postedAt })),
  }));
  const postingRows = records.entries.flatMap((draft, index) =>
    draft.postings.map(({ account, amount }, line) => ({
      subject_id: subjectId,
      entry_number: entryRows[index]?.number ?? 0,
      line: line + 1,
      ledger_account: account,
      amount,
    })),
  );
  insertRows(tx, paymentEvents, eventRows);
  insertRows(tx, ledgerEntries, entryRows);
  insertRows(tx, ledgerPostings, postingRows);
  return builder.end;
}

/** The end of a session's chain. */
async function findChainEnd(tx: Tx, subjectId: string): Promise<Chain> {
  const [last] = await findRows(tx, ledgerEntries, {
    where: { subject_id: subjectId },
    orderBy: 'number desc',
    limit: 1,
  });
  return last === undefined ? EMPTY_CHAIN : { head: last.hash, length: last.number };
}

const STORE_CHAIN_END = defineChange(
  'append_session_entries',
  sql.update('terminal_sessions')`set chain_head = ${4}, chain_length = ${5}
   where account_id = ${1} and environment = ${2} and id = ${3}`,
);

/**
 * Appends the postings of an unlinked refund to the chain of its session, and stores the new end with the session.
 */
export async function appendSessionEntries(
  tx: Tx,
  sessionId: TerminalSessionId,
  entries: readonly LedgerEntryDraft[],
): Promise<void> {
  const { head, length } = await appendRecords(
    tx,
    { subjectId: sessionId, end: await findChainEnd(tx, sessionId) },
    { entries },
  );
  tx.enqueue(STORE_CHAIN_END, [tx.scope.accountId, tx.scope.environment, sessionId, head, length]);
}

/** The entries of a subject in order, with their postings. */
export async function listLedgerEntries(reader: Reader, subjectId: string): Promise<LedgerEntryDraft[]> {
  return (await listPostedEntries(reader, subjectId)).map(({ draft }) => draft);
}

/** The entries of a subject with the rows they are made of, in order, above a number and up to a count; 0: all. */
export async function listPostedEntries(
  reader: Reader,
  subjectId: string,
  { above = 0, limit = 0 }: { readonly above?: number; readonly limit?: number } = {},
) {
  const after = { column: 'number', above, upTo: NUMBER_MAX } as const;
  const rows = await findRows(reader, ledgerEntries, {
    ...{ where: { subject_id: subjectId }, range: after, orderBy: 'number', limit },
  });
  const postings = await findRows(reader, ledgerPostings, {
    where: { subject_id: subjectId },
    range: { column: 'entry_number', above, upTo: rows.at(-1)?.number ?? above },
    orderBy: 'entry_number, line',
  });
  const linesOf = new Map<number, LedgerEntryDraft['postings'][number][]>(rows.map(({ number }) => [number, []]));
  for (const { entry_number: number, ledger_account: account, amount } of postings) {
    linesOf.get(number)?.push({ account, amount });
  }
  return rows.map((row): { readonly row: typeof row; readonly draft: LedgerEntryDraft } => ({
    row,
    draft: {
      kind: row.kind,
      reference: row.reference,
      currencyCode: row.currency,
      postings: linesOf.get(row.number) ?? [],
    },
  }));
}

/** The text that a payment event's hash is made of: member by member, because a JSON column keeps no order. */
export function encodeEventRecord(intentId: string, number: number, event: NewPaymentEvent): string {
  const { transactionId, authCode, amount, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId } =
    event.details satisfies PaymentEventDetails;
  return JSON.stringify([
    intentId,
    number,
    event.occurredAt.toISOString(),
    event.eventType,
    [transactionId, authCode, amount.value, amount.currencyCode],
    [cardNumber, expiryDate, cardType, cardholderName, paymentMethodId],
  ]);
}
