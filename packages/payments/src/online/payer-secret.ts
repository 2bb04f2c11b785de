import { isId, type PaymentIntentId, type Scope, type SetupIntentId } from '@pos/core/identity';
import { isSameAmount, type Money } from '@pos/core/money';
import { computeTotalAmount, type SecretBearer } from '@pos/core/payment-intents';
import { isOneHash, isSameHash, readClientSecret } from '@pos/core/ids';
import {
  isPaid,
  checkSubmission,
  createInvalidSecretRefusal,
  SUBMISSIONS_WINDOW_MS,
  type SubmissionFacts,
} from '@pos/core/online';
import {
  countAttemptsSince,
  findAcquirerCall,
  findIntent,
  findOnlineAttemptBySecret,
  findPageSecret,
  findSetupIntent,
  hasOpenAttempt,
  lockIntent,
  lockSetupIntent,
  type OnlineAttempt,
  type PageSecret,
} from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';

/** The content of a one-time secret, not yet proved. */
export interface SecretClaim {
  readonly secret: string;
  readonly scope: Scope;
  readonly intentId: PaymentIntentId | SetupIntentId;
}

/** Reads the subject of a secret. Refuses a text that is no secret. */
export function readSecretClaim(secret: string): SecretClaim {
  const subject = readClientSecret(secret);
  if (subject === null) throw createInvalidSecretRefusal();
  const { accountId, environment, intentId } = subject;
  return { secret, scope: { accountId, environment }, intentId };
}

/** An intent of either kind under its row lock, with the hash of its valid secret. */
export interface LockedSecretBearer {
  readonly intent: SecretBearer & { readonly id: PaymentIntentId | SetupIntentId; readonly expireAt: Date };
  readonly secretHash: Buffer | null;
  /** What the payer owes; null for a setup intent. */
  readonly total: Money | null;
}

/** A secret that may begin an attempt now. */
export interface ValidSecret {
  readonly hash: Buffer;
  readonly expireAt: Date;
  /** The secret of a page; null for the intent's own. */
  readonly pageSecret: PageSecret | null;
}

/** Proves a secret for an attempt; null if the attempt would be a duplicate. Refuses an invalid one. */
export async function proveSecret(tx: Tx, locked: LockedSecretBearer, secret: string): Promise<ValidSecret | null> {
  const { facts, pageSecret } = await readSubmissionFacts(tx, locked, secret);
  if (checkSubmission(locked.intent, facts) === 'duplicate') return null;
  return { hash: tx.hash(secret), expireAt: facts.secretExpireAt ?? tx.now, pageSecret };
}

/** Refuses a secret that could not begin an attempt, regardless of earlier attempts. */
export async function requireValidSecret(tx: Tx, { secret, intentId }: SecretClaim): Promise<void> {
  const locked = await lockSecretBearer(tx, intentId);
  if (locked === null) throw createInvalidSecretRefusal();
  const { facts: found } = await readSubmissionFacts(tx, locked, secret);
  const facts = { ...found, hasRunningAttempt: false, submissions: 0 };
  if (checkSubmission(locked.intent, facts) === 'duplicate') throw createInvalidSecretRefusal();
}

/** The payer's use of a secret: submit with an unused one, or end a challenge with the submitted one. */
export type SecretPurpose = 'submission' | 'challenge';

/** Whether the secret is valid for that now, as far as visible without a lock: nothing may begin because of it. */
export async function matchesSecret(reader: Reader, claim: SecretClaim, purpose: SecretPurpose): Promise<boolean> {
  const { secret, intentId } = claim;
  if (purpose === 'challenge') {
    const startedAttempt = await findOnlineAttemptBySecret(reader, secret);
    return startedAttempt !== null && isForIntent(startedAttempt, intentId);
  }
  const intent = isId('setupIntent', intentId)
    ? await findSetupIntent(reader, intentId)
    : await findIntent(reader, intentId);
  const currentSecret = intent?.clientSecret ?? null;
  if (currentSecret !== null && isSameHash(reader.hash(currentSecret), reader.hash(secret))) return true;
  const pageSecret = await findPageSecret(reader, secret);
  return pageSecret !== null && pageSecret.usedBy === null && pageSecret.intentId === intentId;
}

/**
 * Refuses a secret that can only be answered with `client_secret_invalid`, as far as visible without a lock. So the
 * body of a caller without a secret is never read.
 */
export async function requireAnswerable(reader: Reader, claim: SecretClaim): Promise<void> {
  const { secret, intentId } = claim;
  const startedAttempt = await findOnlineAttemptBySecret(reader, secret);
  if (startedAttempt !== null && isForIntent(startedAttempt, intentId)) return;
  const intent = isId('setupIntent', intentId)
    ? await findSetupIntent(reader, intentId)
    : await findIntent(reader, intentId);
  if (intent === null || !isPaid(intent)) throw createInvalidSecretRefusal();
}

async function lockSecretBearer(tx: Tx, id: PaymentIntentId | SetupIntentId): Promise<LockedSecretBearer | null> {
  if (!isId('setupIntent', id)) {
    const payment = await lockIntent(tx, id);
    return payment === null ? null : { ...payment, total: computeTotalAmount(payment.intent) };
  }
  const locked = await lockSetupIntent(tx, id);
  return locked === null ? null : { intent: locked.setup, secretHash: locked.secretHash, total: null };
}

async function readSubmissionFacts(
  tx: Tx,
  locked: LockedSecretBearer,
  submittedSecret: string,
): Promise<{ readonly facts: SubmissionFacts; readonly pageSecret: PageSecret | null }> {
  const { intent, secretHash } = locked;
  const since = new Date(tx.now.getTime() - SUBMISSIONS_WINDOW_MS);
  const isOwnSecret = secretHash !== null && isOneHash(secretHash, tx.hashes(submittedSecret));
  const [hasRunningAttempt, submissions, startedAttempt, pageSecret] = await Promise.all([
    hasOpenAttempt(tx, intent.id),
    countAttemptsSince(tx, intent.id, since),
    findOnlineAttemptBySecret(tx, submittedSecret),
    isOwnSecret ? null : findPageSecret(tx, submittedSecret),
  ]);
  const usablePageSecret = pageSecret !== null && isForBearer(pageSecret, locked) ? pageSecret : null;
  const facts = {
    now: tx.now,
    secretExpireAt: isOwnSecret ? intent.clientSecretExpireAt : (usablePageSecret?.expireAt ?? null),
    isSecretAtWork:
      hasRunningAttempt &&
      startedAttempt !== null &&
      isForIntent(startedAttempt, intent.id) &&
      (await isCallRunning(tx, startedAttempt)),
    hasRunningAttempt,
    submissions,
  };
  return { facts, pageSecret: usablePageSecret };
}

/** Whether an unused secret of a page is for this intent, and for the total that the intent still has. */
function isForBearer({ intentId, total, usedBy }: PageSecret, { intent, total: current }: LockedSecretBearer): boolean {
  if (usedBy !== null || intentId !== intent.id) return false;
  return total === null || current === null ? total === current : isSameAmount(total, current);
}

function isForIntent({ subject }: OnlineAttempt, intentId: string): boolean {
  return (subject.paymentIntentId ?? subject.setupIntentId) === intentId;
}

async function isCallRunning(reader: Reader, { reference }: OnlineAttempt): Promise<boolean> {
  const call = await findAcquirerCall(reader, reference);
  return call !== null && call.state !== 'Settled' && call.reverseReference === null;
}
