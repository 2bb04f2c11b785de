import { Refusal } from '../refusals/refusal.js';
import { stepTablePayment } from '../tables/table-payment-transitions.js';
import type { TablePayment, TablePaymentInput, TablePaymentOutput } from '../tables/table-payment.js';
import { NOON } from './builders.js';

/** The resulting state of a payment and its outputs, in seconds counted from the input. */
export function applyInput(payment: TablePayment, input: TablePaymentInput, afterSeconds = 0): string {
  const now = at(afterSeconds);
  try {
    const result = stepTablePayment(payment, input, now);
    const outputs = result.outputs.filter((output) => output.do !== 'publishJourney');
    return [result.payment.state, ...outputs.map((output) => shown(output, now))].join(' ');
  } catch (refused) {
    if (refused instanceof Refusal) return refused.code;
    throw refused;
  }
}
function shown(output: TablePaymentOutput, now: Date): string {
  return output.do === 'wakeAt' ? `wake ${(output.at.getTime() - now.getTime()) / 1000}` : output.do;
}
export function at(seconds: number): Date {
  return new Date(NOON.getTime() + seconds * 1000);
}
