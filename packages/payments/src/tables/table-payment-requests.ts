import type { PaymentIntentId } from '@pos/core/identity';
import type { Lease, TablePayment, TablePaymentOutput } from '@pos/core/tables';
import type { Money } from '@pos/core/money';
import type { ClaimedTimer } from '@pos/store/queues';

/** A payment that a device has taken by itself, with its message as it will be sent. */
export interface RelayPaymentRequest {
  readonly paymentId: string;
  readonly lease: Lease;
  readonly message: Uint8Array;
  /** The intent that carries the card transaction of the message; null: none does. Absent: it was not read yet. */
  readonly provingIntentId?: PaymentIntentId | null;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  readonly paidBefore: Money;
  /** The order of the session; null if the EPOS keeps sessions. */
  readonly orderId: string | null;
  /** Whether the key of the device may return money, as the REST calls that do so require. */
  readonly mayGiveBack: boolean;
  /** For how long its runner holds it. */
  readonly claimMs: number;
}
/** A payment that its first runner holds, with the step that was made when it was stored. */
export interface RelayedPayment {
  readonly claimed: ClaimedTimer;
  readonly step: TablePaymentResult;
  /** Includes the open payment. */
  readonly lease: Lease;
}
/**
 * A payment after a step, and the next action of its runner. `isHeld`: this runner still holds the payment. A
 * payment that has ended and must be reported to the EPOS is claimed again for that.
 */
export interface TablePaymentResult {
  readonly payment: TablePayment;
  readonly outputs: readonly TablePaymentOutput[];
  readonly isHeld: boolean;
  /** The lease as the step has stored it, if that was without row locks. */
  readonly lease?: Lease;
}
