import type { AcquirerCallKind } from '../acquirer-calls/acquirer-call.js';
import type { AcquirerCapabilities } from './acquirer-capabilities.js';
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
  /** Of a sandbox: the account and its time, which a simulated acquirer decides by. Production sends none. */
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
   * The caller settles the attempt by the acquirer's answer about the reference.
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

/** The account for which an EPOS is called, and the time limit of the call. */
export interface EposCall {
  readonly requestor: Requestor;
  readonly deadlineMs: number;
}

/** `notConnected` certainly did not reach the EPOS; `noAnswer` may have. */
export type EposAnswer<T> = { readonly outcome: 'answered'; readonly value: T } | EposRefused | EposUnanswered;

/** A call without a usable answer. `isEarly`: it has failed before its deadline. */
export interface EposUnanswered {
  readonly outcome: EposSilence;
  readonly reason: string;
  readonly isEarly?: true;
}

/** A refusal of the EPOS itself. `isUnimplemented`: the EPOS does not have the call at all. */
export interface EposRefused {
  readonly outcome: 'refused';
  readonly code: EposErrorCode;
  readonly reason: string;
  readonly isUnimplemented?: true;
}

/** An EPOS's answer to the record of a payment. */
export interface RecordReply {
  readonly answer: RecordAnswer;
  readonly reason: string;
  readonly isUnimplemented?: true;
  /** There is no usable answer, and the call has failed before its deadline. */
  readonly isEarly?: true;
}

/** The calls of a table payment to an EPOS over any transport. Bills of the EPOS are untrusted input. */
export interface EposPort {
  getBill(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>>;
  lockSession(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>>;
  unlockSession(sessionId: string, call: EposCall): Promise<EposAnswer<null>>;
  /**
   * The message is the stored one, byte for byte. The owner of the socket checks the fence right before it writes.
   */
  recordPayment(
    message: Uint8Array,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply>;
  /**
   * The same call where the EPOS keeps orders: the intent is recorded on its order, under our lock if there is one.
   */
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
