import { isId, type PaymentIntentId, type PaymentMethodId, type SetupIntentId } from '@pos/core/identity';
import type { PayerContacts } from '@pos/core/online';
import {
  column,
  findRow,
  insertRow,
  jsonColumn,
  nullable,
  type RowOf,
  defineRelation,
  enumColumn,
} from '../relations/relation.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

export const onlineAttempts = defineRelation('online_attempts', {
  reference: column.key,
  intent_id: nullable(enumColumn<PaymentIntentId>()),
  setup_intent_id: nullable(enumColumn<SetupIntentId>()),
  secret_hash: nullable(column.bytes),
  secret_expire_at: nullable(column.timestamp),
  card_id: nullable(enumColumn<PaymentMethodId>()),
  contacts: nullable(jsonColumn<PayerContacts>()),
  created_at: column.timestamp,
});

/** What an attempt is about: a payment, or the setting-up of a later one. */
export type AttemptSubject =
  | { readonly paymentIntentId: PaymentIntentId; readonly setupIntentId: null }
  | { readonly paymentIntentId: null; readonly setupIntentId: SetupIntentId };

/** One try with a card that is not at a machine; its call to the acquirer has the same reference. */
export interface OnlineAttempt {
  readonly reference: string;
  readonly subject: AttemptSubject;
  /** Keyed hash of the secret with which a payer's client began it; null where the merchant did, who has an API key. */
  readonly secretHash: Buffer | null;
  /** Account time; null as above. */
  readonly secretExpireAt: Date | null;
  /** The card that is kept with it, or was charged by it. */
  readonly cardId: PaymentMethodId | null;
  /** What the payer filled in: kept until the attempt has ended. */
  readonly contacts: PayerContacts | null;
  readonly createdAt: Date;
}

const SINCE = {
  payment: defineSinceStatement('intent_id'),
  setup: defineSinceStatement('setup_intent_id'),
};

const CHARGING = defineStatement(
  'has_open_attempt_of_card',
  `select 1 as one from online_attempts a
   join acquirer_calls c on c.account_id = $1 and c.environment = $2 and c.reference = a.reference
   where a.account_id = $1 and a.environment = $2 and a.card_id = $3 and c.state <> 'Settled' limit 1`,
);

const DELETE_CONTACTS = defineChange(
  'delete_contacts',
  sql.update('online_attempts')`set contacts = null
   where account_id = ${1} and environment = ${2} and reference = ${3} returning reference`,
);

/** Writes an attempt; its secret must not have begun another one. */
export function insertOnlineAttempt(tx: Tx, { subject, ...attempt }: OnlineAttempt): void {
  insertRow(tx, onlineAttempts, {
    reference: attempt.reference,
    intent_id: subject.paymentIntentId,
    setup_intent_id: subject.setupIntentId,
    secret_hash: attempt.secretHash,
    secret_expire_at: attempt.secretExpireAt,
    card_id: attempt.cardId,
    contacts: attempt.contacts,
    created_at: attempt.createdAt,
  });
}

/** The attempt has ended: what its payer filled in is in the intent by now, or nobody's business. */
export function deleteContacts(tx: Tx, { reference, contacts }: OnlineAttempt): void {
  if (contacts !== null) tx.enqueue(DELETE_CONTACTS, [tx.scope.accountId, tx.scope.environment, reference]);
}

export async function findOnlineAttempt(reader: Reader, reference: string): Promise<OnlineAttempt | null> {
  const row = await findRow(reader, onlineAttempts, { where: { reference } });
  return row === null ? null : toAttempt(row);
}

/** The attempt that the secret has begun, or null. The index finds it by the keyed hash, which reveals nothing of the text. */
export async function findOnlineAttemptBySecret(reader: Reader, text: string): Promise<OnlineAttempt | null> {
  for (const hash of reader.hashes(text)) {
    const row = await findRow(reader, onlineAttempts, { where: { secret_hash: hash } });
    if (row !== null) return toAttempt(row);
  }
  return null;
}

/** How many attempts on the intent were made after a moment of the account's time. */
export async function countAttemptsSince(
  reader: Reader,
  intentId: PaymentIntentId | SetupIntentId,
  since: Date,
): Promise<number> {
  const { accountId, environment } = reader.scope;
  const countQuery = isId('setupIntent', intentId) ? SINCE.setup : SINCE.payment;
  const [row] = await reader.query<{ count: number }>(countQuery, [accountId, environment, intentId, since]);
  return row?.count ?? 0;
}

/** Whether an attempt that charges or brings the card has not ended. */
export async function hasOpenAttemptOfCard(reader: Reader, cardId: PaymentMethodId): Promise<boolean> {
  const { accountId, environment } = reader.scope;
  return (await reader.query(CHARGING, [accountId, environment, cardId])).length > 0;
}

function defineSinceStatement(column: 'intent_id' | 'setup_intent_id') {
  return defineStatement(
    `list_attempts_since_${column}`,
    `select count(*)::int as count from online_attempts
     where account_id = $1 and environment = $2 and ${column} = $3 and created_at > $4`,
  );
}

function toAttempt(row: RowOf<typeof onlineAttempts>): OnlineAttempt {
  return {
    reference: row.reference,
    subject: toSubject(row),
    secretHash: row.secret_hash,
    secretExpireAt: row.secret_expire_at,
    cardId: row.card_id,
    contacts: row.contacts,
    createdAt: row.created_at,
  };
}

function toSubject({ reference, intent_id, setup_intent_id }: RowOf<typeof onlineAttempts>): AttemptSubject {
  if (intent_id !== null) return { paymentIntentId: intent_id, setupIntentId: null };
  if (setup_intent_id !== null) return { paymentIntentId: null, setupIntentId: setup_intent_id };
  throw new Error(`the attempt ${reference} is about nothing`);
}
