import type { PaymentIntentId } from '../identity/identity.js';
import type { UncheckedBill } from './bill.js';
import type { EposErrorCode, EposSilence } from './epos-error.js';
import type { Requestor } from './lease.js';
import type { RecordAnswer } from './record-result.js';

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
