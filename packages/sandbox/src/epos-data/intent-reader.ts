import type { Money } from '@pos/core/money';
import { PaymentIntent } from '@pos/rest-contracts/payment-intents';
import { readBody } from '@pos/rest-contracts/parsing';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';

/** What the service reports about a payment that an EPOS is to book. `charged` is bill and tip, without cashback. */
export type IntentProof =
  | { readonly kind: 'notAsked' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'read'; readonly status: string; readonly charged: Money };

/** Reads a payment from the service; never rejects. */
export type IntentReader = (intentId: string) => Promise<IntentProof>;

const READ_TIMEOUT_MS = 10_000;

/** Reads intents at `apiUrl` with the key of the account. */
export function createIntentReader(
  apiUrl: string,
  credentials: { apiKey: string; softwareHouseId: string },
): IntentReader {
  return async (intentId) => {
    try {
      const answer = await fetch(`${apiUrl.replace(/\/+$/, '')}/payment-intents/${encodeURIComponent(intentId)}`, {
        headers: {
          authorization: `Basic ${credentials.apiKey}`,
          'software-house-id': credentials.softwareHouseId,
          version: LATEST_RELEASE,
        },
        signal: AbortSignal.timeout(READ_TIMEOUT_MS),
      });
      if (answer.status === 404) return { kind: 'absent' };
      if (!answer.ok) return { kind: 'unreadable', reason: `the service answered ${answer.status}` };
      const read = readBody(PaymentIntent, await answer.json());
      if (!read.ok) return { kind: 'unreadable', reason: 'the service answered no payment' };
      const { status, totalAmount, cashbackAmount } = read.value;
      const charged = { ...totalAmount, value: totalAmount.value - (cashbackAmount?.value ?? 0) };
      return { kind: 'read', status, charged };
    } catch (error) {
      return { kind: 'unreadable', reason: error instanceof Error ? error.message : 'the service cannot be reached' };
    }
  };
}
