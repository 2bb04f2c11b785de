import { isId, type PaymentIntentId, type SetupIntentId } from '@pos/core/identity';
import type { SecretBearer } from '@pos/core/payment-intents';
import { money, type Money } from '@pos/core/money';
import { column, defineRelation, enumColumn, findRow, insertRow, nullable, type RowOf } from '../relations/relation.js';
import { defineChange, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

export const pageSecrets = defineRelation('page_secrets', {
  secret_hash: column.bytesKey,
  intent_id: nullable(enumColumn<PaymentIntentId>()),
  setup_intent_id: nullable(enumColumn<SetupIntentId>()),
  total: nullable(column.bigint),
  currency: nullable(column.text),
  used_by: nullable(column.text),
  created_at: column.timestamp,
  expire_at: column.timestamp,
});

/** The one-time secret of one open payment page. An intent may have several, and its own secret beside them. */
export interface PageSecret {
  /** Keyed hash of its text. */
  readonly hash: Buffer;
  readonly intentId: PaymentIntentId | SetupIntentId;
  /** What the page showed, and the only total that the secret pays; null for a setup intent. */
  readonly total: Money | null;
  /** The reference of the attempt that used it up; null while it is unused. */
  readonly usedBy: string | null;
  /** Account time. */
  readonly expireAt: Date;
}

const DELETE_EXPIRED = {
  payment: defineDeleteStatement('intent_id', 'expired'),
  setup: defineDeleteStatement('setup_intent_id', 'expired'),
};
const DELETE_UNUSED = {
  payment: defineDeleteStatement('intent_id', 'unused'),
  setup: defineDeleteStatement('setup_intent_id', 'unused'),
};
const USE = defineChange(
  'use_page_secret',
  sql.update('page_secrets')`set used_by = ${4}
   where account_id = ${1} and environment = ${2} and secret_hash = ${3} and used_by is null returning used_by`,
);

/** Writes a secret of a page, and deletes those of the intent that have expired unused. The intent has to be locked. */
export function insertPageSecret(
  tx: Tx,
  { text, intentId, total, expireAt }: Pick<PageSecret, 'intentId' | 'total' | 'expireAt'> & { readonly text: string },
): void {
  const { accountId, environment } = tx.scope;
  const isSetup = isId('setupIntent', intentId);
  tx.enqueue(DELETE_EXPIRED[isSetup ? 'setup' : 'payment'], [accountId, environment, intentId, tx.now]);
  insertRow(tx, pageSecrets, {
    secret_hash: tx.hash(text),
    intent_id: isSetup ? null : intentId,
    setup_intent_id: isSetup ? intentId : null,
    total: total?.value ?? null,
    currency: total?.currencyCode ?? null,
    used_by: null,
    created_at: tx.now,
    expire_at: expireAt,
  });
}

/** The secret of a page with this text, used or unused, also one that has expired; null for any other text. */
export async function findPageSecret(reader: Reader, text: string): Promise<PageSecret | null> {
  for (const hash of reader.hashes(text)) {
    const row = await findRow(reader, pageSecrets, { where: { secret_hash: hash } });
    if (row !== null) return toPageSecret(row);
  }
  return null;
}

/** Uses the secret up with the attempt of this reference. The intent has to be locked. */
export function usePageSecret(tx: Tx, { hash }: PageSecret, reference: string): void {
  tx.enqueue(USE, [tx.scope.accountId, tx.scope.environment, hash, reference]);
}

/**
 * Whether a change voids the secrets of pages: a new secret of the intent itself replaces all others, and nobody pays an
 * intent that has left Created.
 */
export function isVoidingPageSecrets(before: SecretBearer, after: SecretBearer): boolean {
  return after.clientSecret !== null || (before.status === 'Created' && after.status !== 'Created');
}

/** Voids all secrets of pages of the intent that are unused. The intent has to be locked. */
export function deleteUnusedPageSecrets(tx: Tx, intentId: PaymentIntentId | SetupIntentId): void {
  const statement = DELETE_UNUSED[isId('setupIntent', intentId) ? 'setup' : 'payment'];
  tx.enqueue(statement, [tx.scope.accountId, tx.scope.environment, intentId]);
}

function defineDeleteStatement(column: 'intent_id' | 'setup_intent_id', which: 'expired' | 'unused') {
  return defineChange(
    `delete_${which}_page_secrets_of_${column}`,
    sql.deleteFrom('page_secrets')`
     where account_id = ${1} and environment = ${2} and ${column} = ${3} and used_by is null
       ${which === 'expired' ? sql`and expire_at <= ${4}` : ''} returning secret_hash`,
  );
}

function toPageSecret(row: RowOf<typeof pageSecrets>): PageSecret {
  const intentId = row.intent_id ?? row.setup_intent_id;
  if (intentId === null) throw new Error('a secret of a page of no intent');
  return {
    hash: row.secret_hash,
    intentId,
    total: row.total === null || row.currency === null ? null : money(row.total, row.currency),
    usedBy: row.used_by,
    expireAt: row.expire_at,
  };
}
