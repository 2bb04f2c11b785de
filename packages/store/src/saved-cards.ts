import type { CardFundingType, CardScheme } from '@pos/core/card';
import type { CustomerId, PaymentMethodId, SetupIntentId } from '@pos/core/identity';
import type { SavedCard, SavedCardState } from '@pos/core/saved-card';
import { column, findRow, insertRow, nullable, type RowOf, table, updateVersion, word, wordKey } from './table.js';
import type { Reader, Tx } from './transaction.js';

export const savedCards = table('saved_cards', {
  id: wordKey<PaymentMethodId>(),
  version: column.integer,
  state: word<SavedCardState>(),
  customer_id: nullable(word<CustomerId>()),
  setup_intent_id: nullable(word<SetupIntentId>()),
  acquirer_reference: column.text,
  masked_number: column.text,
  last4: column.text,
  scheme: nullable(word<CardScheme>()),
  funding_type: word<CardFundingType>(),
  expiry_month: column.integer,
  expiry_year: column.integer,
  cardholder_name: column.text,
  stored_at: nullable(column.time),
  created_at: column.time,
  updated_at: column.time,
});
type SavedCardRow = RowOf<typeof savedCards>;

/** Writes a card with its attempt. */
export function insertSavedCard(tx: Tx, card: SavedCard): void {
  insertRow(tx, savedCards, toRow(card));
}

export async function findSavedCard(reader: Reader, id: PaymentMethodId): Promise<SavedCard | null> {
  const row = await findRow(reader, savedCards, { where: { id } });
  return row === null ? null : toSavedCard(row);
}

/** Reads the card for changing it, or null. */
export async function lockSavedCard(tx: Tx, id: PaymentMethodId): Promise<SavedCard | null> {
  const row = await findRow(tx, savedCards, { where: { id }, isLocking: true });
  return row === null ? null : toSavedCard(row);
}

/** Writes what became of the card; it must still be at the version that was read. */
export function updateSavedCard(tx: Tx, card: SavedCard): void {
  const { id, ...set } = toRow({ ...card, version: card.version + 1 });
  updateVersion(tx, savedCards, { where: { id }, version: card.version, set });
}

function toRow(card: SavedCard): SavedCardRow {
  return {
    id: card.id,
    version: card.version,
    state: card.state,
    customer_id: card.customerId,
    setup_intent_id: card.setupIntentId,
    acquirer_reference: card.acquirerReference,
    masked_number: card.maskedNumber,
    last4: card.last4,
    scheme: card.scheme,
    funding_type: card.fundingType,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    cardholder_name: card.cardholderName,
    stored_at: card.storedAt,
    created_at: card.createdAt,
    updated_at: card.updatedAt,
  };
}

function toSavedCard(row: SavedCardRow): SavedCard {
  return {
    id: row.id,
    version: row.version,
    state: row.state,
    customerId: row.customer_id,
    setupIntentId: row.setup_intent_id,
    acquirerReference: row.acquirer_reference,
    maskedNumber: row.masked_number,
    last4: row.last4,
    scheme: row.scheme,
    fundingType: row.funding_type,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    cardholderName: row.cardholder_name,
    storedAt: row.stored_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
