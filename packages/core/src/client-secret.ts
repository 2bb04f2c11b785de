import { arrive, busy, destination, type IntentDecision, type PaymentIntent } from './payment-intent.js';

export const SECRET_LIFE_MS = 30 * 60 * 1000;

/** A new one-time secret for the payer's browser; the old one is void from then on. No status changes, so nobody is told. */
export function issueSecret(
  intent: PaymentIntent,
  secret: { readonly text: string; readonly now: Date; readonly hasRunningAttempt: boolean },
): IntentDecision {
  const status = destination(intent, 'change', 'secret_not_refreshable');
  if (secret.hasRunningAttempt) throw busy();
  return arrive(withSecret(intent, secret.text, secret.now), status, { now: secret.now });
}

/** The intent with another secret, or with none. */
export function withSecret(intent: PaymentIntent, text: string | null, now: Date): PaymentIntent {
  const clientSecretExpireAt = text === null ? null : new Date(now.getTime() + SECRET_LIFE_MS);
  return { ...intent, clientSecret: text, clientSecretExpireAt };
}

/** Whether the payer may still use the secret: it dies with its time and when the intent leaves Created. */
export function isSecretUsable(intent: PaymentIntent, now: Date): boolean {
  return intent.status === 'Created' && intent.clientSecretExpireAt !== null && now < intent.clientSecretExpireAt;
}

/** A submitted attempt takes the secret with it; a second submission finds none. */
export function consumeSecret(intent: PaymentIntent, now: Date): IntentDecision {
  const status = destination(intent, 'change', 'payment_intent_not_payable');
  return arrive(withSecret(intent, null, now), status, { now });
}
