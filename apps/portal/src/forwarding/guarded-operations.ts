import { createApiKey, deleteApiKey } from '@pos/rest-contracts/accounts/api-keys';
import { changeBranding } from '@pos/rest-contracts/accounts/branding';
import type { Operation } from '@pos/rest-contracts/operation/operation';
import { resolvePendingPayment } from '@pos/rest-contracts/operators/pay-at-table';
import { refundPaymentIntent, reversePaymentIntent } from '@pos/rest-contracts/payment-intents/payment-money';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions/terminal-sessions';
import { activateSecret, createSecret, deleteSecret } from '@pos/rest-contracts/webhooks/webhooks';

const GUARDED: ReadonlySet<string> = new Set(
  [
    createApiKey,
    deleteApiKey,
    changeBranding,
    createSecret,
    activateSecret,
    deleteSecret,
    refundPaymentIntent,
    reversePaymentIntent,
    resolvePendingPayment,
  ].map(({ id }) => id),
);

/**
 * Whether a request needs the password within the last five minutes: it changes credentials or what payers see, or
 * returns money. A card machine also returns money, without a payment too.
 */
export function isGuarded({ id }: Operation, body: Buffer): boolean {
  return GUARDED.has(id) || (id === createTerminalSession.id && mentionsRefund(body));
}

/**
 * The API accepts several spellings of members and values, so any mention counts. JSON is written again because it may
 * contain letters as escapes. What is no JSON is refused by the API.
 */
function mentionsRefund(body: Buffer): boolean {
  try {
    return /refund/i.test(JSON.stringify(JSON.parse(body.toString('utf8'))));
  } catch {
    return false;
  }
}
