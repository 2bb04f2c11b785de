import type { Approval, AvsResult, CardDetails } from '../cards/card.js';
import type { PaymentMethodId } from '../identity/identity.js';
import type { Money } from '../money/money.js';

export const PAYMENT_EVENT_TYPES = [
  'Created',
  'Authorized',
  'Captured',
  'Reversed',
  'Refunded',
  'Canceled',
  'AuthChallenged',
  'Declined',
  'ManualAuthReady',
  'Error',
  'Unknown',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];

export const PAYMENT_MESSAGES = [
  'DEPOSITED',
  'AUTHORIZED',
  'DECLINED',
  'REFERRED',
  'REVERSED',
  'REFUNDED',
  'FAILED',
] as const;
export type PaymentMessage = (typeof PAYMENT_MESSAGES)[number];

/** How the payment was taken, once it was: plain JSON. The reference is ours and never leaves the service. */
export interface PaymentDetails {
  readonly reference: string;
  readonly transactionId: string;
  /** The acquirer's own text for it, where that is no UUID. */
  readonly acquirerTransactionId?: string;
  readonly transactionDateTime: string;
  readonly message: PaymentMessage;
  readonly authCode: string;
  readonly paymentMethodId: PaymentMethodId | null;
  readonly avsResult: AvsResult | null;
  readonly card: CardDetails;
}

/** A line of the intent's history before it is numbered and chained. */
export interface NewPaymentEvent {
  readonly eventType: PaymentEventType;
  readonly occurredAt: Date;
  readonly details: PaymentEventDetails;
}

/** Plain JSON. */
export interface PaymentEventDetails extends AttemptDetails {
  readonly amount: Money;
}

/** The attempt of an event. The code is empty before an approval; a Canceled event belongs to no attempt. */
export interface AttemptDetails {
  readonly transactionId: string | null;
  readonly authCode: string;
  readonly cardNumber: string | null;
  readonly expiryDate: string | null;
  readonly cardType: string | null;
  readonly cardholderName: string | null;
  readonly paymentMethodId: PaymentMethodId | null;
}

/** The attempt that an event is about. */
export interface Attempt {
  readonly transactionId: string | null;
  readonly amount: Money;
  readonly authCode?: string;
  readonly card: CardDetails | null;
  readonly paymentMethodId?: PaymentMethodId | null;
}

/** A line of the history about one attempt. */
export function createPaymentEvent(eventType: PaymentEventType, occurredAt: Date, attempt: Attempt): NewPaymentEvent {
  return { eventType, occurredAt, details: { ...toAttemptDetails(attempt), amount: attempt.amount } };
}

/** The details of an attempt without its amount. */
export function toAttemptDetails(attempt: Omit<Attempt, 'amount'>): AttemptDetails {
  const { transactionId, authCode = '', card, paymentMethodId = null } = attempt;
  return {
    transactionId,
    authCode,
    // Empty where the mask could not be read.
    cardNumber: card?.cardNumber || null,
    expiryDate: card?.expiryDate ?? null,
    cardType: card?.cardType ?? null,
    cardholderName: card?.cardName ?? null,
    paymentMethodId,
  };
}

/** The event of an intent that ended unpaid: no attempt, no card. */
export function createCanceledEvent(amount: Money, occurredAt: Date): NewPaymentEvent {
  return createPaymentEvent('Canceled', occurredAt, { transactionId: null, amount, card: null });
}

/** What the intent shows of the payment that was approved. */
export function toPaymentDetails(approval: Approval, message: PaymentMessage): PaymentDetails {
  const { reference, transactionId, acquirerTransactionId, transactionDateTime, authCode } = approval;
  const { paymentMethodId, avsResult, card } = approval;
  return {
    ...{ reference, transactionId, transactionDateTime, message, authCode, paymentMethodId, avsResult, card },
    ...(acquirerTransactionId !== undefined && { acquirerTransactionId }),
  };
}
