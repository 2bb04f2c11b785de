import type { PublicPaymentIntent } from '../gen/schemas.js';
import type { Challenge } from './payment-result.js';
import type { ResultCode } from './result-codes.js';
import type { CardFieldsAddresses, SavedCard } from './payment-service.js';
import type { Wallet } from './wallets.js';

/** Why an attempt ended without a payment; the name of a text for the payer. */
export type FlowNotice =
  | 'referred'
  | 'declined'
  | 'failed'
  | 'challengeFailed'
  | 'challengeClosed'
  | 'checkFields'
  | 'exhausted'
  | 'cardGone'
  | 'walletRefused'
  | 'amountChanged'
  | 'notPaid'
  | 'unreachable'
  | 'closed';

/** What the payer may choose from. */
export interface FlowOffer {
  readonly intent: PublicPaymentIntent;
  readonly fields: CardFieldsAddresses;
  /** Whether a typed card is accepted. */
  readonly acceptsCard: boolean;
  readonly savedCards: readonly SavedCard[];
  /** Whether a new card may be saved for the customer. */
  readonly canSaveCard: boolean;
  /** The wallets to offer a button for. */
  readonly wallets: readonly Wallet[];
}

/**
 * Where a flow is. `opening` reads the payment; `unreachable` could not; `ready` waits for the payer; `submitting` runs an
 * attempt; `challenging` waits for the issuer; `checking` waits for an outcome that is unknown; `ended` is final.
 */
export type FlowState =
  | { readonly kind: 'opening' | 'unreachable' }
  | {
      readonly kind: 'ready';
      readonly offer: FlowOffer;
      readonly notice: FlowNotice | null;
      /** The names of the refused fields that the card fields do not mark themselves. */
      readonly refusedFields: readonly string[];
    }
  | { readonly kind: 'submitting' | 'checking'; readonly offer: FlowOffer }
  | { readonly kind: 'challenging'; readonly offer: FlowOffer; readonly challenge: Challenge }
  | { readonly kind: 'ended'; readonly code: ResultCode; readonly detail: string };
