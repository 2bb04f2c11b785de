import type { TablePayment, TablePaymentOutput } from './table-payment.js';

/** The decision of a reaction: the payment to store, and the one action to take after that. */
export interface PaymentDecision {
  readonly payment: TablePayment;
  readonly output?: TablePaymentOutput;
}
