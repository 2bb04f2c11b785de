import { assert } from '@pos/core/refusals';
import type { PaymentIntentId } from '@pos/core/identity';
import type { ReceiptMail } from '@pos/core/receipts';
import { MoreThan } from 'typeorm';
import { type Cursor, type Direction, type Page, buildPage } from '../database/page.js';
import { mails, type MailState } from '../relations/queue-relations.js';
import { findRow, insertRow, type RowOf, updateRows } from '../relations/relation.js';
import { schedule } from '../queues/timers.js';
import { countScopedRows, selectPage, selectRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A mail that is being sent, or in a sandbox's mailbox. */
export interface Mail extends ReceiptMail {
  readonly id: string;
  readonly state: MailState;
  /** Null: a mail to a user of the portal. */
  readonly paymentIntentId: PaymentIntentId | null;
  readonly recipient: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Stores a mail with the change that caused it; a worker sends it, except in a sandbox. */
export async function insertMail(
  tx: Tx,
  { paymentIntentId, recipient, subject, text, html }: Omit<Mail, 'id' | 'state' | 'attempts' | 'createdAt'>,
): Promise<void> {
  const id = await tx.newUuid();
  const isSandbox = tx.scope.environment === 'sandbox';
  insertRow(tx, mails, {
    id,
    state: isSandbox ? 'Mailbox' : 'Waiting',
    intent_id: paymentIntentId,
    ...{ recipient, subject, text, html },
    ...{ attempts: 0, last_error: null, created_at: tx.now, updated_at: tx.now },
  });
  if (!isSandbox) schedule(tx, { kind: 'mail', subject: id, dueInMs: 0 });
}

export async function findMail(reader: Reader, id: string): Promise<Mail | null> {
  const row = await findRow(reader, mails, { where: { id } });
  return row === null ? null : toMail(row);
}

/** Writes the result of an attempt to send. */
export async function updateMail(
  tx: Tx,
  id: string,
  change: { readonly state: MailState; readonly attempts: number; readonly lastError: string | null },
): Promise<void> {
  const { state, attempts, lastError } = change;
  const set = { state, attempts, last_error: lastError, updated_at: tx.now };
  assert((await updateRows(tx, mails, { where: { id }, set })) === 1, `no mail ${id}`);
}

/** A page of a sandbox's mails, newest first. */
export async function listMails(
  reader: Reader,
  page: { limit: number; cursor: Cursor | null; direction: Direction },
): Promise<Page<Mail>> {
  const rows = await selectRows(reader, mails, (select) => selectPage(select, page));
  return buildPage(rows.map(toMail), page);
}

/** The number of mails about an intent since a time. The index of the mails of an intent finds them. */
export function countMailsSince(reader: Reader, intentId: PaymentIntentId, since: Date): Promise<number> {
  return countScopedRows(reader, mails, { intent_id: intentId, created_at: MoreThan(since) });
}

function toMail(row: RowOf<typeof mails>): Mail {
  const { id, state, recipient, subject, text, html, attempts } = row;
  return {
    ...{ id, state, recipient, subject, text, html, attempts },
    paymentIntentId: row.intent_id,
    createdAt: row.created_at,
  };
}
