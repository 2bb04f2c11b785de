import { assert } from '../refusals/assert.js';
import { Refusal } from '../refusals/refusal.js';
import type { PaymentDecision } from './payment-decision.js';
import type { TablePayment, TablePaymentInput } from './table-payment.js';
import { computeProofRetryAt } from './retry-schedule.js';

/** The card transaction is found: the payment is recorded from here on like every other one. */
export function applyProof(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  assert(input.kind === 'proved', 'only a proof is applied');
  const { intentId } = input;
  const proved = { state: 'Approved', nextStep: 'record', lastError: null, tries: 0, dueAt: now } as const;
  return { payment: { ...payment, ...proved, intentId } };
}

/** The transaction is not found yet. The report of the machine may be on its way, so the search is repeated for seconds. */
export function retryProofLater(payment: TablePayment, input: TablePaymentInput, now: Date): PaymentDecision {
  const dueAt = computeProofRetryAt(payment, now);
  if (dueAt === null) return stopProof(payment, input);
  return { payment: { ...payment, tries: payment.tries + 1, dueAt, lastError: getReason(input) } };
}

/** Nothing proves the payment. It is not recorded, and an operator decides. */
export function stopProof(payment: TablePayment, input: TablePaymentInput): PaymentDecision {
  const lastError = getReason(input);
  return {
    payment: { ...payment, nextStep: null, dueAt: null, lastError },
    output: { do: 'alarm', reason: `a device reports a card payment that is not proved: ${lastError}` },
  };
}

/** The device has repeated its call, or an operator wants the transaction to be looked for again. */
export function proveAgain(payment: TablePayment, _input: TablePaymentInput, now: Date): PaymentDecision {
  if (payment.nextStep === 'prove') return { payment };
  return { payment: { ...payment, nextStep: 'prove', tries: 0, dueAt: now } };
}

/** An operator has made sure that no card was charged, or that the money went back outside the service. */
export function closeNotHeld(payment: TablePayment): PaymentDecision {
  if (payment.intentId !== null) {
    throw new Refusal('pending_payment_not_decidable', 'the service has taken the money: give it back');
  }
  return { payment: { ...payment, state: 'Ended', nextStep: null, dueAt: null } };
}

function getReason(input: TablePaymentInput): string {
  return ('note' in input ? input.note : undefined) ?? 'the card transaction is not known';
}
