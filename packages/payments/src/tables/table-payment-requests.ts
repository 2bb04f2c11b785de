import type { Lease } from '@pos/core/tables/lease';
import type { Money } from '@pos/core/money/money';
import type { TablePayment, TablePaymentOutput } from '@pos/core/tables/table-payment';
import type { ClaimedTimer } from '@pos/store/queues/timers';

/** A payment that a device has taken by itself, with its message as it will be sent. */
export interface RelayPaymentRequest {
  readonly paymentId: string;
  readonly lease: Lease;
  readonly message: Uint8Array;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  /** The acquirer's name for what was taken; empty when the device does not tell. */
  readonly transactionId: string;
  readonly paidBefore: Money;
  /** The order that the session stands for; null where the EPOS keeps sessions. */
  readonly orderId: string | null;
  /** For how long its runner has it. */
  readonly claimMs: number;
}
/** A payment in the hands of its first runner, with the step that was made when it was stored. */
export interface RelayedPayment {
  readonly claimed: ClaimedTimer;
  readonly result: TablePaymentResult;
  /** As it stands with the payment open. */
  readonly lease: Lease;
}
/**
 * A payment after a step, and what its runner does next. `isHeld`: this runner still has the payment. One that has ended,
 * and of which the EPOS is to be told, is taken up again for that.
 */
export interface TablePaymentResult {
  readonly payment: TablePayment;
  readonly outputs: readonly TablePaymentOutput[];
  readonly isHeld: boolean;
}
