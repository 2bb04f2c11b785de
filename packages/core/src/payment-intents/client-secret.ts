import {
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
} from './payment-intent.js';

const SECRET_LIFE_MS = 30 * 60 * 1000;

/** What a payer's browser may be let at by a secret: a payment intent or a setup intent. */
export interface SecretBearer {
  readonly status: string;
  readonly clientSecret: string | null;
  readonly clientSecretExpireAt: Date | null;
}

/** A new one-time secret for the payer's browser; the old one is void from then on. No status changes, so nobody is told. */
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

/** Until when a secret that is issued now may be used; null for none. */
export function computeSecretExpiry(text: string | null, now: Date): Date | null {
  return text === null ? null : new Date(now.getTime() + SECRET_LIFE_MS);
}

/** Whether the payer may still use the secret: it dies with its time and when the intent leaves Created. */
export function isSecretUsable(intent: SecretBearer, now: Date): boolean {
  return intent.status === 'Created' && intent.clientSecretExpireAt !== null && now < intent.clientSecretExpireAt;
}

/** The intent as it is shown: without a secret that nobody can use any more. */
export function withUsableSecret<T extends SecretBearer>(intent: T, now: Date): T {
  return isSecretUsable(intent, now) ? intent : { ...intent, clientSecret: null, clientSecretExpireAt: null };
}

/** A submitted attempt takes the secret with it; a second submission finds none. */
export function consumeSecret(intent: PaymentIntent, now: Date): IntentDecision {
  const status = getNextStatus(intent, 'change', 'payment_intent_not_payable');
  return transitionTo(withSecret(intent, null, now), status, { now });
}
