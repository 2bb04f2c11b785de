import { assert } from '@pos/core/assert';
import { chainRecord, type LedgerEntryDraft } from '@pos/core/ledger';
import type { TerminalSessionId } from '@pos/core/identity';
import type { NewPaymentEvent, PaymentEventDetails } from '@pos/core/payment-event';
import { type Chain, chainFaults, EMPTY_CHAIN, Linking } from './chain.js';
import { acquirerCalls } from './acquirer-calls.js';
import { ledgerEntries, ledgerPostings, paymentEvents, paymentIntents } from './payment-rows.js';
import { statement } from './statement.js';
import { findRow, findRows, insertRows } from './table.js';
import { terminalSessions } from './terminal-rows.js';
import type { Reader, Tx } from './transaction.js';

/** What one decision adds to the records of its subject. */
export interface NewRecords {
  readonly events?: readonly NewPaymentEvent[];
  readonly entries: readonly LedgerEntryDraft[];
}

/**
 * Appends history and postings to the chain of an intent (or of the session of an unlinked refund) and returns its new
 * end, which the caller stores with the subject's row. The caller holds the lock of that row, so nobody else appends.
 */
export async function append(
  tx: Tx,
  { subjectId, end }: { readonly subjectId: string; readonly end: Chain },
  records: NewRecords,
): Promise<Chain> {
  const events = records.events ?? [];
  if (events.length + records.entries.length === 0) return end;
  const linking = new Linking(end);
  const eventRows = events.map((event) => ({
    intent_id: subjectId,
    event_type: event.eventType,
    occurred_at: event.occurredAt,
    details: event.details,
    ...linking.add((number) => eventRecord(subjectId, number, event)),
  }));
  const postedAt = tx.now;
  const entryRows = records.entries.map((draft) => ({
    subject_id: subjectId,
    kind: draft.kind,
    reference: draft.reference,
    currency: draft.currencyCode,
    posted_at: postedAt,
    ...linking.add((number) => chainRecord(draft, { subjectId, number, postedAt })),
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
  return linking.end;
}

/** Where the chain of a session ends. */
async function endOfChain(tx: Tx, subjectId: string): Promise<Chain> {
  const [last] = await findRows(tx, ledgerEntries, {
    where: { subject_id: subjectId },
    orderBy: 'number desc',
    limit: 1,
  });
  return last === undefined ? EMPTY_CHAIN : { head: last.hash, length: last.number };
}

const KEEP_END = statement(
  'keep_chain_end_of_session',
  `update terminal_sessions set chain_head = $4, chain_length = $5
   where account_id = $1 and environment = $2 and id = $3`,
);

/** Appends the postings of an unlinked refund to the chain of its session, and keeps its new end with the session. */
export async function appendToSession(
  tx: Tx,
  sessionId: TerminalSessionId,
  entries: readonly LedgerEntryDraft[],
): Promise<void> {
  const { head, length } = await append(
    tx,
    { subjectId: sessionId, end: await endOfChain(tx, sessionId) },
    { entries },
  );
  tx.later(KEEP_END, [tx.scope.accountId, tx.scope.environment, sessionId, head, length]);
}

/** The entries of a subject in order, with their postings. */
export async function entriesOf(reader: Reader, subjectId: string): Promise<LedgerEntryDraft[]> {
  return (await postedEntries(reader, subjectId)).map(({ draft }) => draft);
}

/**
 * Reads an intent's whole chain and recomputes it. Returns what is wrong in words, nothing when each record is as it was
 * written: an edited, removed, added or reordered record breaks its own link or the end kept in the intent's row.
 */
export async function verifyChain(reader: Reader, intentId: `pi_${string}`): Promise<string[]> {
  const intent = await findRow(reader, paymentIntents, { where: { id: intentId } });
  assert(intent !== null, `no payment intent ${intentId}`);
  const events = await findRows(reader, paymentEvents, { where: { intent_id: intentId }, orderBy: 'number' });
  const entries = await postedEntries(reader, intentId);
  const records = [
    ...events.map((row) => ({
      ...row,
      record: eventRecord(intentId, row.number, {
        eventType: row.event_type,
        occurredAt: row.occurred_at,
        details: row.details,
      }),
    })),
    ...entries.map(({ row, draft }) => ({
      ...row,
      record: chainRecord(draft, { subjectId: intentId, number: row.number, postedAt: row.posted_at }),
    })),
  ];
  return chainFaults('intent', { head: intent.chain_head, length: intent.chain_length }, records);
}

/**
 * The same for the session of an unlinked refund. Its end is kept since migration 0044; of older rows only the links
 * between the records are checked, and that an approved refund has one.
 */
export async function verifyRefundChain(reader: Reader, sessionId: TerminalSessionId): Promise<string[]> {
  const session = await findRow(reader, terminalSessions, { where: { id: sessionId } });
  assert(session !== null, `no terminal session ${sessionId}`);
  const records = (await postedEntries(reader, sessionId)).map(({ row, draft }) => ({
    ...row,
    record: chainRecord(draft, { subjectId: sessionId, number: row.number, postedAt: row.posted_at }),
  }));
  const { chain_head: head, chain_length: length } = session;
  const last = records.at(-1);
  const own = last === undefined ? EMPTY_CHAIN : { head: last.hash, length: records.length };
  const end = head === null || length === null ? own : { head, length };
  const call = await findRow(reader, acquirerCalls, { where: { reference: session.acquirer_reference } });
  const isUnposted = call?.outcome === 'Approved' && call.state === 'Settled' && records.length === 0;
  return [
    ...(isUnposted ? ['the refund was approved and is not posted'] : []),
    ...chainFaults('session', end, records),
  ];
}

async function postedEntries(reader: Reader, subjectId: string) {
  const rows = await findRows(reader, ledgerEntries, { where: { subject_id: subjectId }, orderBy: 'number' });
  const postings = await findRows(reader, ledgerPostings, {
    where: { subject_id: subjectId },
    orderBy: 'entry_number, line',
  });
  return rows.map((row) => ({
    row,
    draft: {
      kind: row.kind,
      reference: row.reference,
      currencyCode: row.currency,
      postings: postings
        .filter(({ entry_number }) => entry_number === row.number)
        .map(({ ledger_account, amount }) => ({ account: ledger_account, amount })),
    },
  }));
}

/** Member by member, because a JSON column keeps no order. */
function eventRecord(intentId: string, number: number, event: NewPaymentEvent): string {
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
