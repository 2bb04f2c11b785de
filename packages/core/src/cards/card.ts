import type { PaymentMethodId } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import { CARD_SCHEMES, type CardScheme } from './schemes.js';

/** The scheme of a card as it is shown. Its label may be unknown to us although the money moved. */
export type CardType = CardScheme | 'UNKNOWN';

/** The scheme of a label that the card machine or acquirer reports. */
export function toCardType(label: string): CardType {
  return CARD_SCHEMES.find((scheme) => scheme === label) ?? 'UNKNOWN';
}

export const WALLET_KINDS = ['APPLE_PAY', 'GOOGLE_PAY'] as const;
export type WalletKind = (typeof WALLET_KINDS)[number];

export const CARD_FUNDING_TYPES = ['Unknown', 'Debit', 'Credit', 'Charge', 'Prepaid'] as const;
export type CardFundingType = (typeof CARD_FUNDING_TYPES)[number];

export const ENTRY_MODES = ['Contactless', 'ContactChip', 'Magstripe', 'ManualEntry', 'Unknown'] as const;
export type EntryMode = (typeof ENTRY_MODES)[number];

export const VERIFICATION_METHODS = ['Pin', 'Signature', 'Device', 'None'] as const;
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

export const AVS_RESULTS = [
  'ADDRESS_MATCH_POSTCODE_MATCH',
  'ADDRESS_MATCH_POSTCODE_MISMATCH',
  'ADDRESS_MISMATCH_POSTCODE_MATCH',
  'ADDRESS_MISMATCH_POSTCODE_MISMATCH',
  'NOT_CHECKED',
] as const;
export type AvsResult = (typeof AVS_RESULTS)[number];

/** The card data that may leave the vault: masked, plain JSON, stored and shown as it is. */
export interface CardDetails {
  /** First 8 digits, `****`, last 4; fewer of the first where the number is or may be shorter than 16 digits, or empty. */
  readonly cardNumber: string;
  /** Empty if they could not be read. */
  readonly last4PAN: string;
  readonly cardName: string | null;
  /** Last day of the expiry month, `yyyy-mm-dd`. */
  readonly expiryDate: string | null;
  readonly cardType: CardType;
  readonly cardFundingType: CardFundingType;
  readonly entryMode: EntryMode;
  readonly verificationMethod: VerificationMethod;
}

/** The acquirer's approval of our reference. Plain JSON: it is stored as it is. */
export interface Approval {
  /** Our own reference of the call, the acquirer's idempotency key. */
  readonly reference: string;
  /** UUID that the steps of one attempt share. */
  readonly transactionId: string;
  /** The acquirer's own text for it, where that is no UUID. */
  readonly acquirerTransactionId?: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly transactionDateTime: string;
  readonly authCode: string;
  readonly amount: Money;
  readonly card: CardDetails;
  readonly paymentMethodId: PaymentMethodId | null;
  readonly avsResult: AvsResult | null;
}

/**
 * What a card machine reports of an authorisation that it made itself; also of a declined one, then without a code.
 */
export interface CardPresentApproval extends Approval {
  readonly merchantId: string;
  /** Application id of the chip, and what else is printed of it. */
  readonly aid: string | null;
  readonly panSequence: string | null;
  readonly cardProduct: string | null;
}

/** A decline of the acquirer, or a certain failure. The card may be unknown if it was never read. */
export interface Decline {
  readonly reference: string;
  readonly transactionId: string;
  /** The acquirer's own text for it, where that is no UUID. */
  readonly acquirerTransactionId?: string;
  readonly transactionDateTime: string;
  readonly message: 'DECLINED' | 'REFERRED' | 'FAILED';
  /** The message of the issuer or acquirer, for people. */
  readonly said?: string;
  readonly card: CardDetails | null;
}

/** Twelve asterisks and the last four digits: all of a card number that a receipt or a webhook shows. */
export function formatMaskedPan(card: Pick<CardDetails, 'last4PAN'>): string {
  return `************${card.last4PAN.padStart(4, '*')}`;
}
