import { isId, parseKnownId, type Scope, type SetupIntentId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import type { NewSetupEvent, SetupDecision, SetupIntent } from '@pos/core/setup-intents';
import { type Chain, EMPTY_CHAIN, ChainBuilder } from '../ledger/hash-chain.js';
import type { SystemReader } from '../database/database.js';
import { setupEvents, type SetupIntentRow, setupIntents } from '../relations/setup-intent-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRow, findRows, insertRow, insertRows, updateVersion } from '../relations/relation.js';
import { deleteUnusedPageSecrets, isVoidingPageSecrets } from './page-secrets.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A setup intent under its row lock, with the end of its chain of events. */
export interface LockedSetupIntent {
  readonly setup: SetupIntent;
  readonly chain: Chain;
  /** Keyed hash of the client secret that is good now, or null. */
  readonly secretHash: Buffer | null;
}

const BY_ID = defineStatement(
  'find_setup_intent_scope',
  'select account_id, environment from setup_intents where id = $1',
);

/** Whose setup intent this is, over all accounts: for callers who know no more than its id. */
export async function findSetupIntentScope(reader: SystemReader, id: string): Promise<Scope | null> {
  if (!isId('setupIntent', id)) return null;
  const [row] = await reader.query<{ account_id: string; environment: Scope['environment'] }>(BY_ID, [id]);
  return row === undefined
    ? null
    : { accountId: parseKnownId('account', row.account_id), environment: row.environment };
}

/** Writes a new setup intent, which has no history. */
export function insertSetupIntent(tx: Tx, setup: SetupIntent): void {
  insertRow(tx, setupIntents, { ...toRow(setup), ...toChainColumns(EMPTY_CHAIN), ...toSecretColumns(tx, setup) });
}

/** Reads the setup for changing it, or null: an unknown, foreign or malformed id. Its client secret stays sealed. */
export async function lockSetupIntent(tx: Tx, id: string): Promise<LockedSetupIntent | null> {
  if (!isId('setupIntent', id)) return null;
  const row = await findRow(tx, setupIntents, { where: { id }, isLocking: true });
  if (row === null) return null;
  const chain = { head: row.chain_head, length: row.chain_length };
  return { setup: toSetup(row, null), chain, secretHash: row.secret_hash };
}

/** The setup with its client secret opened for presenting, or null. */
export async function findSetupIntent(reader: Reader, id: string): Promise<SetupIntent | null> {
  if (!isId('setupIntent', id)) return null;
  const row = await findRow(reader, setupIntents, { where: { id } });
  if (row === null) return null;
  return toSetup(
    row,
    row.secret_ciphertext === null ? null : reader.open(setupSecretContext(row.id), row.secret_ciphertext),
  );
}

/** Writes what was decided under the lock, with its history, and returns the setup at its new version. */
export function updateSetupIntent(tx: Tx, { setup, events }: SetupDecision, locked: LockedSetupIntent): SetupIntent {
  const next = { ...setup, version: locked.setup.version + 1 };
  const builder = new ChainBuilder(locked.chain);
  const eventRows = events.map((event) => ({
    setup_intent_id: setup.id,
    event_type: event.eventType,
    occurred_at: event.occurredAt,
    details: event.details,
    ...builder.add((number) => encodeSetupEventRecord(setup.id, number, event)),
  }));
  insertRows(tx, setupEvents, eventRows);
  const { id, created_at: _createdAt, ...columns } = toRow(next);
  const keepsSecret = setup.clientSecret === null && setup.clientSecretExpireAt !== null;
  updateVersion(tx, setupIntents, {
    where: { id },
    version: locked.setup.version,
    set: { ...columns, ...toChainColumns(builder.end), ...(keepsSecret ? {} : toSecretColumns(tx, setup)) },
  });
  if (isVoidingPageSecrets(locked.setup, setup)) deleteUnusedPageSecrets(tx, id);
  return next;
}

/** The setup's history, oldest first. */
export async function listSetupEvents(reader: Reader, id: SetupIntentId): Promise<NewSetupEvent[]> {
  const rows = await findRows(reader, setupEvents, { where: { setup_intent_id: id }, orderBy: 'number' });
  return rows.map((row) => ({ eventType: row.event_type, occurredAt: row.occurred_at, details: row.details }));
}

/** The text that a setup event's hash is made of: member by member, because a JSON column keeps no order. */
export function encodeSetupEventRecord(
  setupId: string,
  number: number,
  { eventType, occurredAt, details }: NewSetupEvent,
): string {
  const { transactionId, authCode, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId } = details;
  return JSON.stringify([
    setupId,
    number,
    occurredAt.toISOString(),
    eventType,
    [transactionId, authCode],
    [cardNumber, expiryDate, cardType, cardholderName, paymentMethodId],
  ]);
}

type SetupIntentRowWithoutSecret = Omit<
  SetupIntentRow,
  'chain_head' | 'chain_length' | 'secret_hash' | 'secret_ciphertext' | 'secret_expire_at'
>;

function toChainColumns({ head, length }: Chain) {
  return { chain_head: head, chain_length: length };
}

function setupSecretContext(id: string): SealContext {
  return { relation: 'setup_intents', column: 'secret_ciphertext', row: id };
}

function toSecretColumns(tx: Tx, { id, clientSecret, clientSecretExpireAt }: SetupIntent) {
  return {
    secret_hash: clientSecret === null ? null : tx.hash(clientSecret),
    secret_ciphertext: clientSecret === null ? null : tx.seal(setupSecretContext(id), clientSecret),
    secret_expire_at: clientSecretExpireAt,
  };
}

function toRow(setup: SetupIntent): SetupIntentRowWithoutSecret {
  return {
    id: setup.id,
    version: setup.version,
    status: setup.status,
    merchant_initiated_transaction_type: setup.merchantInitiatedTransactionType,
    terms: setup.terms,
    intended_amount: setup.intendedAmount?.value ?? null,
    intended_currency: setup.intendedAmount?.currencyCode ?? null,
    reference: setup.reference,
    description: setup.description,
    payment_methods: setup.paymentMethods,
    payment_source: setup.paymentSource,
    expire_at: setup.expireAt,
    card_expire_at: setup.cardExpireAt,
    metadata: setup.metadata,
    details: setup.details,
    payment_details: setup.paymentDetails,
    created_at: setup.createdAt,
    updated_at: setup.updatedAt,
  };
}

function toSetup(row: SetupIntentRow, clientSecret: string | null): SetupIntent {
  const { intended_amount: intended, intended_currency: currency } = row;
  return {
    id: row.id,
    version: row.version,
    status: row.status,
    merchantInitiatedTransactionType: row.merchant_initiated_transaction_type,
    terms: row.terms,
    intendedAmount: intended === null || currency === null ? null : money(intended, currency),
    reference: row.reference,
    description: row.description,
    paymentMethods: row.payment_methods,
    paymentSource: row.payment_source,
    expireAt: row.expire_at,
    cardExpireAt: row.card_expire_at,
    clientSecretExpireAt: row.secret_expire_at,
    clientSecret,
    metadata: row.metadata,
    details: row.details,
    paymentDetails: row.payment_details,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
