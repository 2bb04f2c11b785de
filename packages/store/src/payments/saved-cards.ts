import type { CardFundingType, CardScheme, SavedCard, SavedCardState } from '@pos/core/cards';
import { type CustomerId, isId, type PaymentMethodId, type SetupIntentId } from '@pos/core/identity';
import { defineStatement } from '@pos/postgres/statements';
import {
  column,
  findRow,
  insertRow,
  nullable,
  type RowOf,
  defineRelation,
  updateVersion,
  enumColumn,
  enumKeyColumn,
} from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export const savedCards = defineRelation('saved_cards', {
  id: enumKeyColumn<PaymentMethodId>(),
  version: column.integer,
  state: enumColumn<SavedCardState>(),
  customer_id: nullable(enumColumn<CustomerId>()),
  setup_intent_id: nullable(enumColumn<SetupIntentId>()),
  acquirer_reference: column.text,
  masked_number: column.text,
  last4: column.text,
  scheme: nullable(enumColumn<CardScheme>()),
  funding_type: enumColumn<CardFundingType>(),
  expiry_month: column.integer,
  expiry_year: column.integer,
  cardholder_name: column.text,
  stored_at: nullable(column.timestamp),
  created_at: column.timestamp,
  updated_at: column.timestamp,
});
type SavedCardRow = RowOf<typeof savedCards>;

const COLUMNS = savedCards.columns.join(', ');

/** In one order, so that two who lock several never wait for each other. */
const LOCK_OF_CUSTOMER = defineStatement(
  'lock_cards_of_customer',
  `${buildOwnerQuery('customer_id')} order by id for no key update`,
);
const LOCK_OF_SETUP = defineStatement(
  'lock_cards_of_setup',
  `${buildOwnerQuery('setup_intent_id')} order by id for no key update`,
);
const STORED_OF_CUSTOMER = defineStatement(
  'list_stored_cards',
  `${buildOwnerQuery('customer_id')} and state = 'Stored' order by created_at desc, id desc`,
);

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

/** The cards of a customer, or of a setup intent, that are not erased, for changing them. */
export async function lockCardsOfOwner(tx: Tx, owner: CustomerId | SetupIntentId): Promise<SavedCard[]> {
  const { accountId, environment } = tx.scope;
  const lockStatement = isId('setupIntent', owner) ? LOCK_OF_SETUP : LOCK_OF_CUSTOMER;
  const rows = await tx.query<SavedCardRow>(lockStatement, [accountId, environment, owner]);
  return rows.map(toSavedCard);
}

/** The cards of a customer that can be charged, newest first. */
export async function listStoredCards(reader: Reader, customerId: CustomerId): Promise<SavedCard[]> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<SavedCardRow>(STORED_OF_CUSTOMER, [accountId, environment, customerId]);
  return rows.map(toSavedCard);
}

/** Updates the card, whose version must not have changed since it was read. */
export function updateSavedCard(tx: Tx, card: SavedCard): void {
  const { id, ...set } = toRow({ ...card, version: card.version + 1 });
  updateVersion(tx, savedCards, { where: { id }, version: card.version, set });
}

function buildOwnerQuery(owner: 'customer_id' | 'setup_intent_id'): string {
  return `select ${COLUMNS} from saved_cards
   where account_id = $1 and environment = $2 and ${owner} = $3 and state <> 'Erased'`;
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
