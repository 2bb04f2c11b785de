import type { CardDescription, SavedCard, WalletKind } from '@pos/core/cards';
import type { PaymentMethodId, Scope } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import type { PayerContacts } from '@pos/core/online';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import type { Tx } from '@pos/store/database';

/** The common part of every submission of a payer's client, for any card. */
export interface PayerSubmission {
  readonly secret: string;
  readonly contacts: PayerContacts;
  /** The payer's browser and address, for the issuer; the integrator's values take precedence. */
  readonly device: PayerDevice;
}

export interface PayerDevice {
  readonly userAgent: string;
  readonly ipAddress: string;
}

/** A submission of a payer's client, without the card itself: the process that has the card calls the acquirer. */
export interface CardSubmission extends PayerSubmission {
  /** The wallet that provided the card; null if the payer typed it. */
  readonly wallet: WalletKind | null;
  /** Null while nobody here knows the card: the adapter of the acquirer decrypts the token of the wallet. */
  readonly card: CardDescription | null;
  readonly hasCv2: boolean;
  /** The payer allows the card to be stored. */
  readonly isSavingAllowed: boolean;
  /** The payer agrees to later payments that the merchant requests. */
  readonly isConsentGiven: boolean;
}

/** The same with a card that was saved before. */
export interface SavedCardSubmission extends PayerSubmission {
  /** Proves that the payer may use it; null if the integrator's customer secret of the payment has to prove it. */
  readonly customerSecret: string | null;
  readonly paymentMethodId: string;
}

/** Everything of an authorisation but the card. */
export interface AuthorisationRequest {
  readonly scope: Scope;
  /** The name of the acquirer that is asked. */
  readonly acquirer: string;
  readonly reference: string;
  readonly merchantId: string;
  readonly amount: Money;
  /** Taken at once, not only held. */
  readonly isCapturing: boolean;
  readonly isCardholderAbsent: boolean;
  /** False: the acquirer offers no challenge, or the payer takes no part; one that is asked for declines the card. */
  readonly isChallengePossible: boolean;
  readonly billing: { readonly line: string; readonly postcode: string };
  readonly device: PayerDevice;
  readonly deadlineMs: number;
}

/** Sends a card to the acquirer, outside any transaction; a missing answer is `unknown`. */
export type Authorise = (order: AuthorisationRequest) => Promise<AcquirerAnswer>;

/** What only the process with the card can do for its attempt. */
export interface CardAccess {
  readonly authorise: Authorise;
  /** Stores the sealed number under this id, in the attempt's own transaction. */
  readonly storeCard: (tx: Tx, cardId: PaymentMethodId) => void;
}

/** Reads a saved card's number in the attempt's own transaction, and returns the call that uses it. */
export type OpenSavedCard = (tx: Tx, card: SavedCard) => Promise<Authorise>;

/** The response that a payer's client brings from the issuer's page. */
export interface ChallengeResponse {
  readonly secret: string;
  readonly transactionId: string;
  readonly paRes: string;
}

/** The request that completes a challenge; it contains no card, so any process of the vault may send it. */
export interface ChallengeRequest {
  readonly scope: Scope;
  /** The name of the acquirer that has asked for the challenge. */
  readonly acquirer: string;
  readonly reference: string;
  readonly paRes: string;
  readonly md: string;
  readonly deadlineMs: number;
}
