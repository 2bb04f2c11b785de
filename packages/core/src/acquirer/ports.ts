import type { AcquirerCallKind } from '../acquirer-calls/acquirer-call.js';
import type { AcquirerCapabilities } from './acquirer-capabilities.js';
import type { AcquirerErrorStatus } from '../acquirer-calls/acquirer-status.js';
import type { Approval, CardDetails, Decline } from '../cards/card.js';
import type { PaymentIntentId, PaymentMethodId, Scope } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import type { CardDescription, SavedCardState } from '../cards/saved-card.js';

/** One call about an authorisation. The reference is the idempotency key: the same call may be sent again under it. */
export interface AcquirerRequest {
  readonly reference: string;
  readonly originalReference: string;
  readonly amount: Money;
  /** The whole call ends by this time, with an outcome or as unknown. */
  readonly deadlineMs: number;
}

/**
 * The acquirer's state of a reference. `unknown` is a missing answer, `inProgress` and `notFound` are answers; none
 * of the three ends anything. `refused`, `alreadyExists` and `accessRefused` are the error statuses with a definite
 * meaning; `findStatusMeaning` returns it.
 */
export type AcquirerAnswer =
  | { readonly outcome: 'approved'; readonly approval: Approval }
  | {
      readonly outcome: 'done';
      readonly transactionId: string;
      readonly transactionDateTime: string;
      /** The booked amount, for an increase the new total; null if the acquirer does not return it. */
      readonly amount: Money | null;
    }
  | { readonly outcome: 'declined'; readonly decline: Decline }
  | {
      readonly outcome: 'challenged';
      readonly transactionId: string;
      readonly card: CardDetails | null;
      readonly stepUpUrl: string;
      readonly paReq: string;
      readonly md: string;
    }
  | { readonly outcome: 'reversed' | 'inProgress' | 'notFound' }
  | { readonly outcome: 'refused' | 'accessRefused'; readonly status: AcquirerErrorStatus }
  | { readonly outcome: 'alreadyExists' }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** One line of the acquirer's own books. */
export interface AcquirerBooking {
  readonly reference: string;
  readonly originalReference: string | null;
  readonly kind: AcquirerCallKind;
  readonly status: 'booked' | 'reversed' | 'declined';
  readonly amount: Money;
  readonly bookedAt: Date;
  /** The acquirer's id of the transaction, and the TID of its machine; empty when the books do not name them. */
  readonly transactionId: string;
  readonly tid: string;
}

/** A question about a reference. */
export interface AcquirerInquiry {
  readonly reference: string;
  readonly deadlineMs: number;
  /** The account and the time of a sandbox, by which a simulated acquirer decides. Production sends none. */
  readonly accountTime?: { readonly accountId: string; readonly now: Date };
}

/** The acquirer without card numbers: the calls of a process outside the vault. A missing answer never throws. */
export interface AcquirerPort {
  increase(order: AcquirerRequest): Promise<AcquirerAnswer>;
  capture(order: AcquirerRequest): Promise<AcquirerAnswer>;
  refund(order: AcquirerRequest): Promise<AcquirerAnswer>;
  /** Accepted also for an unknown reference; a later authorisation under it is then refused. */
  reverse(
    order: Omit<AcquirerRequest, 'amount'> & { readonly merchantId: string; readonly isRestOnly: boolean },
  ): Promise<AcquirerAnswer>;
  inquire(question: AcquirerInquiry): Promise<AcquirerAnswer>;
  listBooked(question: {
    readonly merchantId: string;
    readonly from: Date;
    readonly to: Date;
    readonly pageToken: string | null;
    readonly deadlineMs: number;
  }): Promise<{ readonly bookings: readonly AcquirerBooking[]; readonly nextPageToken: string | null }>;
  getCapabilities(question: { readonly deadlineMs: number }): Promise<CapabilitiesAnswer>;
}

/** What the adapter declares. `notImplemented`: it is older than the call, and had to provide everything. */
export type CapabilitiesAnswer =
  | { readonly outcome: 'declared'; readonly capabilities: AcquirerCapabilities }
  | { readonly outcome: 'notImplemented' }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** The result of a charge of a stored card. For `unknown` the attempt's row has the result later. */
export interface ChargeAnswer {
  readonly outcome: 'approved' | 'declined' | 'failed' | 'unknown';
  /** The acquirer's message, for people. */
  readonly message: string;
}

/** The vault's calls for the other processes of the service: cards by their ids, never a number. */
export interface CardVaultPort {
  /**
   * Charges a stored card for an attempt whose row is already stored; a repetition under its reference charges once.
   * The caller concludes the attempt by the acquirer's answer about the reference.
   */
  charge(order: {
    readonly scope: Scope;
    readonly cardId: PaymentMethodId;
    readonly paymentIntentId: PaymentIntentId;
    readonly reference: string;
    readonly amount: Money;
    readonly isCapturing: boolean;
    readonly isCustomerInitiated: boolean;
    readonly deadlineMs: number;
  }): Promise<ChargeAnswer>;
  /** Makes the number unreadable for ever. Refuses `saved_card_busy` while the card is being charged. */
  erase(scope: Scope, cardId: PaymentMethodId): Promise<void>;
  /** The card without its number. */
  describe(scope: Scope, cardId: PaymentMethodId): Promise<CardDescription & { readonly state: SavedCardState }>;
  /** Gives up an open attempt; true once the acquirer has acknowledged it. */
  reverse(scope: Scope, reference: string, reversalReference: string): Promise<boolean>;
}
