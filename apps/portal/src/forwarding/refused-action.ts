import { resolvePendingPayment } from '@pos/rest-contracts/operators';
import { refundPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import type { GiveBackTarget } from '@pos/payments/four-eyes';
import { readBody } from '@pos/rest-contracts/parsing';
import type { Release } from '@pos/rest-contracts/versions';

/** Operations whose requests may need a second person. */
export const FOUR_EYES_OPERATIONS: ReadonlySet<string> = new Set([
  refundPaymentIntent.id,
  reversePaymentIntent.id,
  createTerminalSession.id,
  resolvePendingPayment.id,
]);

interface ReadRequest {
  readonly operationId: string;
  readonly path: string;
  readonly release: Release;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * What a request gives back, for the people who read the list. The API has decided already that it needs a second
 * person; what cannot be read here is listed without an amount.
 */
export function readGiveBackTarget({ operationId, path, release }: ReadRequest, body: unknown): GiveBackTarget {
  const [, , intentId = ''] = path.split('/');
  if (operationId === reversePaymentIntent.id) return toPayment(intentId, null);
  if (operationId === refundPaymentIntent.id) return toPayment(intentId, readMember(body, 'amount'));
  return operationId === createTerminalSession.id ? readSessionTarget(body, release) : { kind: 'pending' };
}

/** By the contract's own reading, because older forms of the body are flat. */
function readSessionTarget(body: unknown, release: Release): GiveBackTarget {
  const reading = readBody(createTerminalSession.body, body, release);
  if (!reading.ok) return { kind: 'pending' };
  const { details } = reading.value;
  if (details.sessionType === 'UnlinkedRefund') return { kind: 'unlinked', amount: details.unlinkedRefund.amount };
  if (details.sessionType === 'Sale') return { kind: 'pending' };
  const { paymentIntentId, amount } = details.matchedRefund;
  return toPayment(paymentIntentId, amount?.value);
}

function toPayment(paymentIntentId: string, amount: unknown): GiveBackTarget {
  return { kind: 'payment', paymentIntentId, amount: Number.isSafeInteger(amount) ? Number(amount) : null };
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Members)[name];
}
