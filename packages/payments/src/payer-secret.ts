import type { SecretBearer } from '@pos/core/client-secret';
import { isId, type PaymentIntentId, type Scope, type SetupIntentId } from '@pos/core/identity';
import { isOneHash, isSameHash, readClientSecret } from '@pos/core/ids';
import {
  isPaid,
  judgeSubmission,
  secretInvalid,
  SUBMISSIONS_WINDOW_MS,
  type SubmissionFacts,
} from '@pos/core/online-attempt';
import { findCall, hasOpenAttempt } from '@pos/store/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database';
import { countAttemptsSince, findAttemptBySecret, type OnlineAttempt } from '@pos/store/online-attempts';
import { findIntent, lockIntent } from '@pos/store/payment-intents';
import { findSetup, lockSetup } from '@pos/store/setup-intents';

/** What the text of a one-time secret says of itself, not yet proved. */
export interface SecretClaim {
  readonly secret: string;
  readonly scope: Scope;
  readonly intentId: PaymentIntentId | SetupIntentId;
}

/** What a secret claims to be for. Refuses a text that is no secret. */
export function claimOf(secret: string): SecretClaim {
  const subject = readClientSecret(secret);
  if (subject === null) throw secretInvalid();
  const { accountId, environment, intentId } = subject;
  return { secret, scope: { accountId, environment }, intentId };
}

/** An intent under its lock, of either kind, with the hash of its good secret. */
export interface LockedBearer {
  readonly intent: SecretBearer & { readonly id: PaymentIntentId | SetupIntentId; readonly expireAt: Date };
  readonly secretHash: Buffer | null;
}

/** A secret that may begin an attempt now. */
export interface GoodSecret {
  readonly hash: Buffer;
  readonly expireAt: Date;
}

/** Proves a secret for an attempt; null where the attempt would be one too many. Refuses one that is not good. */
export async function proveSecret(tx: Tx, locked: LockedBearer, secret: string): Promise<GoodSecret | null> {
  if (judgeSubmission(locked.intent, await factsOf(tx, locked, secret)) === 'duplicate') return null;
  return { hash: tx.hash(secret), expireAt: locked.intent.clientSecretExpireAt ?? tx.now };
}

/** Refuses a secret that could not begin an attempt, however many were begun before. */
export async function requireGoodSecret(tx: Tx, { secret, intentId }: SecretClaim): Promise<void> {
  const locked = await lockBearer(tx, intentId);
  if (locked === null) throw secretInvalid();
  const facts = { ...(await factsOf(tx, locked, secret)), hasRunningAttempt: false, submissions: 0 };
  if (judgeSubmission(locked.intent, facts) === 'duplicate') throw secretInvalid();
}

/** What a payer does with his secret: he submits with the unused one, and ends a challenge with the one he submitted. */
export type SecretPurpose = 'submission' | 'challenge';

/** Whether the secret is good for that now, as far as can be told without a lock: nothing may be begun for it. */
export async function isSecretOf(reader: Reader, claim: SecretClaim, purpose: SecretPurpose): Promise<boolean> {
  const { secret, intentId } = claim;
  if (purpose === 'challenge') {
    const begun = await findAttemptBySecret(reader, secret);
    return begun !== null && isAbout(begun, intentId);
  }
  const intent = isId('setupIntent', intentId) ? await findSetup(reader, intentId) : await findIntent(reader, intentId);
  const own = intent?.clientSecret ?? null;
  return own !== null && isSameHash(reader.hash(own), reader.hash(secret));
}

/**
 * Refuses a secret that nothing can be answered to but `client_secret_invalid`, as far as can be told without a lock. So
 * the body of somebody who has no secret is never read.
 */
export async function requireAnswerable(reader: Reader, claim: SecretClaim): Promise<void> {
  const { secret, intentId } = claim;
  const begun = await findAttemptBySecret(reader, secret);
  if (begun !== null && isAbout(begun, intentId)) return;
  const intent = isId('setupIntent', intentId) ? await findSetup(reader, intentId) : await findIntent(reader, intentId);
  if (intent === null || !isPaid(intent)) throw secretInvalid();
}

async function lockBearer(tx: Tx, id: PaymentIntentId | SetupIntentId): Promise<LockedBearer | null> {
  if (!isId('setupIntent', id)) return lockIntent(tx, id);
  const locked = await lockSetup(tx, id);
  return locked === null ? null : { intent: locked.setup, secretHash: locked.secretHash };
}

async function factsOf(tx: Tx, { intent, secretHash }: LockedBearer, sent: string): Promise<SubmissionFacts> {
  const since = new Date(tx.now.getTime() - SUBMISSIONS_WINDOW_MS);
  const [hasRunningAttempt, submissions, begun] = await Promise.all([
    hasOpenAttempt(tx, intent.id),
    countAttemptsSince(tx, intent.id, since),
    findAttemptBySecret(tx, sent),
  ]);
  return {
    now: tx.now,
    isSecretRight: secretHash !== null && isOneHash(secretHash, tx.hashes(sent)),
    isSecretAtWork: hasRunningAttempt && begun !== null && isAbout(begun, intent.id) && (await isAtWork(tx, begun)),
    hasRunningAttempt,
    submissions,
  };
}

function isAbout({ subject }: OnlineAttempt, intentId: string): boolean {
  return (subject.paymentIntentId ?? subject.setupIntentId) === intentId;
}

async function isAtWork(reader: Reader, { reference }: OnlineAttempt): Promise<boolean> {
  const call = await findCall(reader, reference);
  return call !== null && call.state !== 'Settled' && call.reverseReference === null;
}
