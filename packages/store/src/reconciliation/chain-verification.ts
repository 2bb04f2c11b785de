import { assert } from '@pos/core/refusals';
import { isId, type PaymentIntentId, type SetupIntentId, type TerminalSessionId } from '@pos/core/identity';
import { formatChainRecord } from '@pos/core/ledger';
import { acquirerCalls } from '../payments/acquirer-calls.js';
import { type Chain, ChainVerifier, EMPTY_CHAIN, type LinkedRecord } from '../ledger/hash-chain.js';
import { encodeEventRecord, NUMBER_MAX, listPostedEntries } from '../ledger/ledger.js';
import { paymentEvents, paymentIntents } from '../relations/payment-relations.js';
import { encodeSetupEventRecord } from '../payments/setup-intents.js';
import { setupEvents, setupIntents } from '../relations/setup-intent-relations.js';
import { findRow, findRows } from '../relations/relation.js';
import { terminalSessions } from '../relations/terminal-relations.js';
import type { SnapshotReader } from '../database/transaction.js';

/** Records that are read at once; a chain of any length is checked in this much memory. */
const RECORDS_PER_READ = 500;

/**
 * Recomputes the chain of a payment intent, a setup intent or the session of an unlinked refund. Returns the
 * problems as text, empty when each record is as it was written. A chain that grows meanwhile is intact: the
 * snapshot contains its records and its end of one moment.
 */
export function verifySubjectChain(snapshot: SnapshotReader, id: string): Promise<string[]> {
  const { environment } = snapshot.scope;
  if (isId('paymentIntent', id, environment)) return verifyIntentChain(snapshot, id);
  if (isId('setupIntent', id, environment)) return verifySetupChain(snapshot, id);
  return verifyRefundChain(snapshot, id as TerminalSessionId);
}

/** Recomputes the chain of a payment intent: its events and its ledger entries. */
export async function verifyIntentChain(snapshot: SnapshotReader, id: PaymentIntentId): Promise<string[]> {
  const intent = await findRow(snapshot, paymentIntents, { where: { id } });
  assert(intent !== null, `no payment intent ${id}`);
  const verifier = await verifyRecords('intent', (above) => readIntentRecords(snapshot, id, above));
  return verifier.verifyEnd({ head: intent.chain_head, length: intent.chain_length });
}

/** Recomputes the chain of a setup intent: its events. */
export async function verifySetupChain(snapshot: SnapshotReader, id: SetupIntentId): Promise<string[]> {
  const setup = await findRow(snapshot, setupIntents, { where: { id } });
  assert(setup !== null, `no setup intent ${id}`);
  const verifier = await verifyRecords('setup intent', (above) => readSetupRecords(snapshot, id, above));
  return verifier.verifyEnd({ head: setup.chain_head, length: setup.chain_length });
}

/** Recomputes the chain of the session of an unlinked refund. A session without a stored end has no records. */
async function verifyRefundChain(snapshot: SnapshotReader, id: TerminalSessionId): Promise<string[]> {
  const session = await findRow(snapshot, terminalSessions, { where: { id } });
  assert(session !== null, `no terminal session ${id}`);
  const verifier = await verifyRecords('session', async (above) => readEntryRecords(snapshot, id, above));
  const { chain_head: head, chain_length: length, acquirer_reference: reference } = session;
  const end: Chain = head === null || length === null ? EMPTY_CHAIN : { head, length };
  const call = await findRow(snapshot, acquirerCalls, { where: { reference } });
  const isUnposted = call?.outcome === 'Approved' && call.state === 'Settled' && verifier.end.length === 0;
  return [...(isUnposted ? ['the refund was approved and is not posted'] : []), ...verifier.verifyEnd(end)];
}

/** Records above a number in ascending order, and the number up to which the page is complete; null: to the end. */
interface RecordPage {
  readonly records: readonly LinkedRecord[];
  readonly upTo: number | null;
}

async function verifyRecords(subject: string, read: (above: number) => Promise<RecordPage>): Promise<ChainVerifier> {
  const verifier = new ChainVerifier(subject);
  for (let above: number | null = 0; above !== null;) {
    const page: RecordPage = await read(above);
    for (const record of page.records) verifier.add(record);
    above = page.upTo;
  }
  return verifier;
}

/** Events and entries share their numbering: a page ends where the shorter of the two lists ends. */
async function readIntentRecords(snapshot: SnapshotReader, id: PaymentIntentId, above: number): Promise<RecordPage> {
  const [rows, entries] = await Promise.all([
    findRows(snapshot, paymentEvents, {
      ...{ where: { intent_id: id }, range: { column: 'number', above, upTo: NUMBER_MAX } },
      ...{ orderBy: 'number', limit: RECORDS_PER_READ },
    }),
    readEntryRecords(snapshot, id, above),
  ]);
  const events = rows.map((row) => ({
    ...row,
    record: encodeEventRecord(id, row.number, {
      ...{ eventType: row.event_type, occurredAt: row.occurred_at, details: row.details },
    }),
  }));
  const upTo = Math.min(findLastNumber(events) ?? NUMBER_MAX, entries.upTo ?? NUMBER_MAX);
  const records = [...events, ...entries.records].filter(({ number }) => number <= upTo);
  return {
    records: records.sort((first, second) => first.number - second.number),
    upTo: upTo === NUMBER_MAX ? null : upTo,
  };
}

async function readEntryRecords(snapshot: SnapshotReader, subjectId: string, above: number): Promise<RecordPage> {
  const entries = await listPostedEntries(snapshot, subjectId, { above, limit: RECORDS_PER_READ });
  const records = entries.map(({ row, draft }) => ({
    ...row,
    record: formatChainRecord(draft, { subjectId, number: row.number, postedAt: row.posted_at }),
  }));
  return { records, upTo: findLastNumber(records) };
}

async function readSetupRecords(snapshot: SnapshotReader, id: SetupIntentId, above: number): Promise<RecordPage> {
  const rows = await findRows(snapshot, setupEvents, {
    ...{ where: { setup_intent_id: id }, range: { column: 'number', above, upTo: NUMBER_MAX } },
    ...{ orderBy: 'number', limit: RECORDS_PER_READ },
  });
  const records = rows.map((row) => ({
    ...row,
    record: encodeSetupEventRecord(id, row.number, {
      ...{ eventType: row.event_type, occurredAt: row.occurred_at, details: row.details },
    }),
  }));
  return { records, upTo: findLastNumber(records) };
}

/** The number up to which a page is complete; null if it contains all that follow. */
function findLastNumber(page: readonly LinkedRecord[]): number | null {
  return page.length < RECORDS_PER_READ ? null : (page.at(-1)?.number ?? null);
}
