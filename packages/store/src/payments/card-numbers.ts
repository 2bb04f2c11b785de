import { type Environment, parseKnownId, type PaymentMethodId, type Scope } from '@pos/core/identity';
import type { SystemReader } from '../database/database.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import type { Reader, Tx } from '../database/transaction.js';

// Schema vault, which only card-vault's login sees. What comes in here is sealed already.

/** A card number as the database has it. */
export interface SealedCardNumber {
  /** Names the master key under which the number's own key is sealed. */
  readonly keyId: string;
  readonly wrappedKey: Buffer;
  readonly ciphertext: Buffer;
}

/** Which card a number belongs to, over all accounts. */
export interface CardNumberReference {
  readonly scope: Scope;
  readonly cardId: PaymentMethodId;
}

const INSERT = defineChange(
  'insert_card_number',
  sql.insertInto('vault.card_numbers')`(account_id, environment, card_id, key_id, wrapped_key, ciphertext, created_at)
   values (${1}, ${2}, ${3}, ${4}, ${5}, ${6}, ${7})`,
);
const FIND = defineStatement(
  'find_card_number',
  `select key_id, wrapped_key, ciphertext from vault.card_numbers
   where account_id = $1 and environment = $2 and card_id = $3`,
);
const LOCK = defineStatement('lock_card_number', `${FIND.text} for no key update`);
const REWRAP = defineChange(
  'rewrap_card_number',
  sql.update('vault.card_numbers')`set key_id = ${4}, wrapped_key = ${5}
   where account_id = ${1} and environment = ${2} and card_id = ${3} returning card_id`,
);
const ERASE = defineChange(
  'delete_card_number',
  sql.deleteFrom('vault.card_numbers')`
   where account_id = ${1} and environment = ${2} and card_id = ${3} returning card_id`,
);
const UNDER_OTHER_KEYS = defineStatement(
  'list_card_numbers_under_other_keys',
  `select account_id, environment, card_id, key_id, wrapped_key from vault.card_numbers where key_id <> $1
   order by account_id, environment, card_id limit $2`,
);
const OF_NEXT_KEY = defineStatement(
  'list_card_numbers_of_next_key',
  `select account_id, environment, card_id, key_id, wrapped_key, ciphertext from vault.card_numbers
   where key_id = (select min(key_id) from vault.card_numbers where key_id > $1) limit $2`,
);

/** Stores a sealed number, with the next statement. */
export function insertCardNumber(tx: Tx, cardId: PaymentMethodId, sealed: SealedCardNumber): void {
  tx.enqueue(INSERT, [...keyValues(tx, cardId), sealed.keyId, sealed.wrappedKey, sealed.ciphertext, tx.databaseNow]);
}

/** The sealed number, or null once it is erased. */
export async function findCardNumber(reader: Reader, cardId: PaymentMethodId): Promise<SealedCardNumber | null> {
  return toSealedCardNumber(await reader.query<NumberRow>(FIND, keyValues(reader, cardId)));
}

/** The same, for sealing its key again. */
export async function lockCardNumber(tx: Tx, cardId: PaymentMethodId): Promise<SealedCardNumber | null> {
  return toSealedCardNumber(await tx.query<NumberRow>(LOCK, keyValues(tx, cardId)));
}

/** Puts the number's own key under another master key; the number stays sealed as it is. */
export function rewrapCardNumber(
  tx: Tx,
  cardId: PaymentMethodId,
  sealed: Pick<SealedCardNumber, 'keyId' | 'wrappedKey'>,
): void {
  tx.enqueue(REWRAP, [...keyValues(tx, cardId), sealed.keyId, sealed.wrappedKey]);
}

/** Deletes the number; none there is fine. */
export function deleteCardNumber(tx: Tx, cardId: PaymentMethodId): void {
  tx.enqueue(ERASE, keyValues(tx, cardId));
}

/** Some of the numbers that are not under this master key, without the numbers themselves. */
export async function listCardNumbersUnderOtherKeys(
  reader: SystemReader,
  keyId: string,
  limit: number,
): Promise<(CardNumberReference & Pick<SealedCardNumber, 'keyId' | 'wrappedKey'>)[]> {
  const rows = await reader.query<ReferenceRow & Omit<NumberRow, 'ciphertext'>>(UNDER_OTHER_KEYS, [keyId, limit]);
  return rows.map((row) => ({ ...toReference(row), keyId: row.key_id, wrappedKey: row.wrapped_key }));
}

/**
 * Some numbers under the next master key after this one by its id; none after the last. So a few of each key are read in
 * a few steps.
 */
export async function listCardNumbersOfNextKey(
  reader: SystemReader,
  keyId: string,
  limit: number,
): Promise<(CardNumberReference & { readonly sealed: SealedCardNumber })[]> {
  const rows = await reader.query<ReferenceRow & NumberRow>(OF_NEXT_KEY, [keyId, limit]);
  return rows.map((row) => ({ ...toReference(row), sealed: toSealedRow(row) }));
}

interface ReferenceRow {
  readonly account_id: string;
  readonly environment: Environment;
  readonly card_id: string;
}

function toReference(row: ReferenceRow): CardNumberReference {
  return {
    scope: { accountId: parseKnownId('account', row.account_id), environment: row.environment },
    cardId: parseKnownId('paymentMethod', row.card_id),
  };
}

interface NumberRow {
  readonly key_id: string;
  readonly wrapped_key: Buffer;
  readonly ciphertext: Buffer;
}

function toSealedCardNumber([row]: NumberRow[]): SealedCardNumber | null {
  return row === undefined ? null : toSealedRow(row);
}

function toSealedRow(row: NumberRow): SealedCardNumber {
  return { keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext };
}

function keyValues({ scope }: Reader, cardId: PaymentMethodId): [string, string, string] {
  return [scope.accountId, scope.environment, cardId];
}
