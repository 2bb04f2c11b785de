import { assert } from '@pos/core/assert';
import { chainRecord, type LedgerEntryDraft } from '@pos/core/ledger';
import type { NewPaymentEvent, PaymentEventDetails } from '@pos/core/payment-event';
import { type Chain, chainFaults, EMPTY_CHAIN, Linking } from './chain.js';
import { ledgerEntries, ledgerPostings, paymentEvents, paymentIntents } from './payment-rows.js';
import { findRow, findRows, insertRows } from './table.js';
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

/** Where the chain of a subject without a row of its own ends. */
export async function endOfChain(tx: Tx, subjectId: string): Promise<Chain> {
  const [last] = await findRows(tx, ledgerEntries, {
    where: { subject_id: subjectId },
    orderBy: 'number desc',
    limit: 1,
  });
  return last === undefined ? EMPTY_CHAIN : { head: last.hash, length: last.number };
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
