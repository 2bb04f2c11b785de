import type { FourEyesAnswer } from '../../client/answers.js';

const KNOWN = [
  ...(['refundPaymentIntent', 'reversePaymentIntent'] as const),
  ...(['createTerminalSession', 'resolvePendingPayment'] as const),
] as const;

/** The message that names what is requested. */
export function nameAction({ operationId }: Pick<FourEyesAnswer, 'operationId'>): (typeof KNOWN)[number] | 'other' {
  return KNOWN.find((each) => each === operationId) ?? 'other';
}
