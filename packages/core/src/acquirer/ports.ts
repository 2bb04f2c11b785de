import type { AcquirerCallKind } from '../acquirer-calls/acquirer-call.js';
import type { AcquirerErrorStatus } from '../acquirer-calls/acquirer-status.js';
import type { Approval, CardDetails, Decline } from '../cards/card.js';
import type { UncheckedBill } from '../tables/bill.js';
import type { EposErrorCode, EposSilence } from '../tables/epos-error.js';
import type { PaymentIntentId, PaymentMethodId, Scope } from '../identity/identity.js';
import type { Requestor } from '../tables/lease.js';
import type { Money } from '../money/money.js';
import type { RecordAnswer } from '../tables/record-result.js';
import type { CardDescription, SavedCardState } from '../cards/saved-card.js';

/** One call about an authorisation. The reference is the idempotency key: the same call may be sent again under it. */
export interface AcquirerRequest {
  readonly reference: string;
  readonly originalReference: string;
  readonly amount: Money;
  /** The whole call ends by then, with an outcome or as unknown. */
  readonly deadlineMs: number;
}

/**
 * What the acquirer says of a reference. `unknown` is the silence of the wire, `inProgress` and
 * `notFound` are its words: none of the three ends anything. `refused`, `alreadyExists` and `accessRefused` are the error
 * statuses that say something definite; `meaningOfStatus` says which.
 */
export type AcquirerAnswer =
  | { readonly outcome: 'approved'; readonly approval: Approval }
  | {
      readonly outcome: 'done';
      readonly transactionId: string;
      readonly transactionDateTime: string;
      /** What was booked, of a raise the new total; null where the acquirer does not say. */
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
}

/** The acquirer without card numbers: what a process outside the vault may ask. It never throws for a silence. */
export interface AcquirerPort {
  increase(order: AcquirerRequest): Promise<AcquirerAnswer>;
  capture(order: AcquirerRequest): Promise<AcquirerAnswer>;
  refund(order: AcquirerRequest): Promise<AcquirerAnswer>;
  /** Accepted for a reference that is not known too; a later authorisation under it is then refused. */
  reverse(
    order: Omit<AcquirerRequest, 'amount'> & { readonly merchantId: string; readonly isRestOnly: boolean },
  ): Promise<AcquirerAnswer>;
  inquire(question: { readonly reference: string; readonly deadlineMs: number }): Promise<AcquirerAnswer>;
  listBooked(question: {
    readonly merchantId: string;
    readonly from: Date;
    readonly to: Date;
    readonly pageToken: string | null;
    readonly deadlineMs: number;
  }): Promise<{ readonly bookings: readonly AcquirerBooking[]; readonly nextPageToken: string | null }>;
}

/** How a charge of a stored card ended, or stands. Of `unknown` the attempt's row tells later. */
export interface ChargeAnswer {
  readonly outcome: 'approved' | 'declined' | 'failed' | 'unknown';
  /** What the acquirer said, for people. */
  readonly message: string;
}

/** The vault as the other processes of the service ask it: cards by their ids, never a number. */
export interface CardVaultPort {
  /**
   * Charges a stored card for an attempt whose row stands; a repeat under its reference charges once. Whoever asked
   * settles the attempt by what the acquirer says of the reference.
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
  /** Makes the number unreadable for ever. Refuses `saved_card_busy` while it is being charged. */
  erase(scope: Scope, cardId: PaymentMethodId): Promise<void>;
  /** The card without its number. */
  describe(scope: Scope, cardId: PaymentMethodId): Promise<CardDescription & { readonly state: SavedCardState }>;
  /** Gives up an open attempt; true once the acquirer has acknowledged it. */
  reverse(scope: Scope, reference: string, reversalReference: string): Promise<boolean>;
}

/** For whom an EPOS is called, and how long it may take. */
export interface EposCall {
  readonly requestor: Requestor;
  readonly deadlineMs: number;
}

/** `notConnected` is certain not to have reached the EPOS; of `noAnswer` nobody knows. */
export type EposAnswer<T> =
  | { readonly outcome: 'answered'; readonly value: T }
  | EposRefused
  | { readonly outcome: EposSilence; readonly reason: string };

/** A refusal of the EPOS itself. `isUnimplemented`: the EPOS does not have the call at all. */
export interface EposRefused {
  readonly outcome: 'refused';
  readonly code: EposErrorCode;
  readonly reason: string;
  readonly isUnimplemented?: true;
}

/** How an EPOS answered to the record of a payment. */
export interface RecordReply {
  readonly answer: RecordAnswer;
  readonly reason: string;
  readonly isUnimplemented?: true;
}

/** What a payment at a table asks of an EPOS, whichever way it is connected. Its bills are untrusted input. */
export interface EposPort {
  getBill(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>>;
  lockSession(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>>;
  unlockSession(sessionId: string, call: EposCall): Promise<EposAnswer<null>>;
  /** The message is the stored one, byte for byte; the fence is checked by whoever holds the socket, right before it writes. */
  recordPayment(
    message: Uint8Array,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply>;
  /** The same where the EPOS keeps orders: the intent is recorded on its order, under our lock if there is one. */
  recordOnOrder(
    message: Uint8Array,
    on: OrderPayment,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply>;
  /** Whether the order lists the intent; null when it cannot be read now. */
  isOnOrder(on: OrderPayment, call: EposCall): Promise<boolean | null>;
}

/** A payment of an EPOS that keeps orders. */
export interface OrderPayment {
  readonly orderId: string;
  readonly intentId: PaymentIntentId;
}
