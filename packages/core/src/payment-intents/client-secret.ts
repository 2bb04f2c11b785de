import {
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
} from './payment-intent.js';

const SECRET_LIFE_MS = 30 * 60 * 1000;

/** The resource that a secret opens to a payer's browser: a payment intent or a setup intent. */
export interface SecretBearer {
  readonly status: string;
  readonly clientSecret: string | null;
  readonly clientSecretExpireAt: Date | null;
}

/**
 * Issues a new one-time secret for the payer's browser and voids the old one. The status stays, so no event is
 * published.
 */
export function issueSecret(
  intent: PaymentIntent,
  secret: { readonly text: string; readonly now: Date; readonly hasRunningAttempt: boolean },
): IntentDecision {
  const status = getNextStatus(intent, 'change', 'secret_not_refreshable');
  if (secret.hasRunningAttempt) throw createBusyRefusal();
  return transitionTo(withSecret(intent, secret.text, secret.now), status, { now: secret.now });
}

/** The intent with another secret, or with none. */
export function withSecret<T extends SecretBearer>(intent: T, text: string | null, now: Date): T {
  return { ...intent, clientSecret: text, clientSecretExpireAt: computeSecretExpiry(text, now) };
}

/** When a secret that is issued now expires; null for none. */
export function computeSecretExpiry(text: string | null, now: Date): Date | null {
  return text === null ? null : new Date(now.getTime() + SECRET_LIFE_MS);
}

/** Whether the payer may still use the secret: it expires with its time and when the intent leaves Created. */
export function isSecretUsable(intent: SecretBearer, now: Date): boolean {
  return intent.status === 'Created' && intent.clientSecretExpireAt !== null && now < intent.clientSecretExpireAt;
}

/** The intent as it is shown: without a secret that cannot be used any more. */
export function withUsableSecret<T extends SecretBearer>(intent: T, now: Date): T {
  return isSecretUsable(intent, now) ? intent : { ...intent, clientSecret: null, clientSecretExpireAt: null };
}

/** Consumes the secret with the submitted attempt; a second submission finds none. */
export function consumeSecret(intent: PaymentIntent, now: Date): IntentDecision {
  const status = getNextStatus(intent, 'change', 'payment_intent_not_payable');
  return transitionTo(withSecret(intent, null, now), status, { now });
}
