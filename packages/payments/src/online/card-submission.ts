import type { WalletKind } from '@pos/core/cards/card';
import type { PaymentMethodId, Scope } from '@pos/core/identity/identity';
import type { Money } from '@pos/core/money/money';
import type { PayerContacts } from '@pos/core/online/online-attempt';
import type { AcquirerAnswer } from '@pos/core/acquirer/ports';
import type { CardDescription, SavedCard } from '@pos/core/cards/saved-card';
import type { Tx } from '@pos/store/database/database';

/** What every submission of a payer's client carries, whatever card it is about. */
export interface PayerSubmission {
  readonly secret: string;
  readonly contacts: PayerContacts;
  /** The payer's browser and address, for the issuer; what the integrator said of them comes first. */
  readonly device: PayerDevice;
}

export interface PayerDevice {
  readonly userAgent: string;
  readonly ipAddress: string;
}

/** What a payer's client submits, without the card itself: whoever has that asks the acquirer. */
export interface CardSubmission extends PayerSubmission {
  /** Which wallet gave the card; null where the payer typed it. */
  readonly wallet: WalletKind | null;
  readonly card: CardDescription;
  readonly hasCv2: boolean;
  /** The payer lets the card be kept. */
  readonly isSavingAllowed: boolean;
  /** The payer agrees to later payments that the merchant asks for. */
  readonly isConsentGiven: boolean;
}

/** The same with a card that was saved before. */
export interface SavedCardSubmission extends PayerSubmission {
  /** Proves that the payer may use it; null where the secret that the integrator gave the payment has to do so. */
  readonly customerSecret: string | null;
  readonly paymentMethodId: string;
}

/** Everything of an authorisation but the card. */
export interface AuthorisationRequest {
  readonly scope: Scope;
  readonly reference: string;
  readonly merchantId: string;
  readonly amount: Money;
  /** Taken at once, not only held. */
  readonly isCapturing: boolean;
  readonly isCardholderAbsent: boolean;
  readonly billing: { readonly line: string; readonly postcode: string };
  readonly device: PayerDevice;
  readonly deadlineMs: number;
}

/** Puts a card to the acquirer, outside any transaction; a silence is `unknown`. */
export type Authorise = (order: AuthorisationRequest) => Promise<AcquirerAnswer>;

/** What only the process with the card can do for its attempt. */
export interface CardAccess {
  readonly authorise: Authorise;
  /** Keeps the sealed number under this name, in the attempt's own transaction. */
  readonly storeCard: (tx: Tx, cardId: PaymentMethodId) => void;
}

/** Takes a saved card's number out of the safe, in the attempt's own transaction, for whoever asks then. */
export type OpenSavedCard = (tx: Tx, card: SavedCard) => Promise<Authorise>;

/** What a payer's client brings back from the issuer's page. */
export interface ChallengeResponse {
  readonly secret: string;
  readonly transactionId: string;
  readonly paRes: string;
}

/** The question that goes with it; it carries no card, so any process of the vault may put it. */
export interface ChallengeRequest {
  readonly scope: Scope;
  readonly reference: string;
  readonly paRes: string;
  readonly md: string;
  readonly deadlineMs: number;
}
