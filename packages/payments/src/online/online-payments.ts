import { type AcquirerCall, applyCallMove, getTransactionId } from '@pos/core/acquirer-calls';
import { isId, type Scope } from '@pos/core/identity';
import { type AttemptResult, DUPLICATE, findAttemptResult, createInvalidSecretRefusal } from '@pos/core/online';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { createViolation, Refusal } from '@pos/core/refusals';
import { findAcquirerCall, findIntent, findOnlineAttemptBySecret, lockAcquirerCall } from '@pos/store/payments';
import type { Database, Reader, Tx } from '@pos/store/database';
import type { AccountCache } from '../accounts/account-cache.js';
import {
  beginPayment,
  beginPaymentBySavedCard,
  beginSetup,
  type StartedAttempt,
  refuseSavedCardForSetup,
} from './attempt-start.js';
import { scheduleFollowUp, requireAcquirer } from '../acquirer/money-call.js';
import type {
  AuthorisationRequest,
  CardAccess,
  ChallengeResponse,
  ChallengeRequest,
  OpenSavedCard,
  SavedCardSubmission,
  CardSubmission,
} from './card-submission.js';
import { concludeAttempt, concludeWithoutChallenge } from './attempt-conclusion.js';
import { readSecretClaim, requireValidSecret } from './payer-secret.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { updateCall } from '../alarms/call-update.js';

/**
 * Payments and setups with a payer's own card. One secret, one attempt, one authorisation. The attempt's row is
 * stored before the acquirer is called; any process that receives the answer concludes the call in one transaction.
 */
export class OnlinePayments {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Makes the attempt. Refuses `payment_outcome_unknown` while its result is unknown; a worker finds it out. */
  async pay(submission: CardSubmission, cardAccess: CardAccess): Promise<AttemptResult> {
    const { scope, intentId } = readSecretClaim(submission.secret);
    return this.#runAttempt(scope, submission.secret, (tx) =>
      isId('setupIntent', intentId)
        ? beginSetup(tx, this.parts, { id: intentId, submission, cardAccess })
        : beginPayment(tx, this.parts, { id: intentId, submission, cardAccess }),
    );
  }

  /** The same with a saved card. */
  async payWithSavedCard(submission: SavedCardSubmission, open: OpenSavedCard): Promise<AttemptResult> {
    const { scope, intentId } = readSecretClaim(submission.secret);
    return this.#runAttempt(scope, submission.secret, (tx) =>
      isId('setupIntent', intentId)
        ? refuseSavedCardForSetup(tx, intentId, submission.secret)
        : beginPaymentBySavedCard(tx, this.parts, { id: intentId, submission, open }),
    );
  }

  /** Ends a challenge. May be repeated in any process: the acquirer decides once. */
  async completeChallenge(
    { secret, transactionId, paRes }: ChallengeResponse,
    sendChallenge: (request: ChallengeRequest) => Promise<AcquirerAnswer>,
  ): Promise<AttemptResult> {
    const { database, settings } = this.parts;
    const { scope } = readSecretClaim(secret);
    const started = await database.transact(scope, (tx) => this.#beginCompletion(tx, secret, transactionId));
    if ('result' in started) return started.result;
    const request = { ...started, scope, paRes, deadlineMs: settings.acquirerDeadlineMs };
    const answer = await sendChallenge(request);
    settings.fault('after-answer-before-commit');
    return this.#settle(scope, { reference: started.reference, isChallengePossible: true }, answer);
  }

  /** Refuses a secret that could not pay now. For requests that only prepare a payment. */
  async requireUsableSecret(secret: string): Promise<void> {
    const claim = readSecretClaim(secret);
    await this.parts.database.transact(claim.scope, async (tx) => {
      await requireValidSecret(tx, claim);
      await this.parts.accounts.getEnabled(tx);
    });
  }

  /**
   * Refuses a production secret where production has no acquirer. For requests whose body must not be read before
   * that.
   */
  requireAcquirer(secret: string): void {
    requireAcquirer(readSecretClaim(secret), this.parts.settings);
  }

  async #runAttempt(
    scope: Scope,
    secret: string,
    begin: (tx: Tx) => Promise<StartedAttempt | null>,
  ): Promise<AttemptResult> {
    const { database, settings } = this.parts;
    const started = await database.transact(scope, begin);
    if (started === null) return this.#describeDuplicate(scope, secret);
    settings.fault('after-attempt-before-call');
    const answer = await started.authorise(started.request);
    settings.fault('after-answer-before-commit');
    const { reference, isChallengePossible } = started.request;
    return this.#settle(scope, { reference, isChallengePossible }, answer);
  }

  /**
   * Returns the transaction that was made with the secret, for a payer whose answer was lost; with another secret it
   * returns none.
   */
  #describeDuplicate(scope: Scope, secret: string): Promise<AttemptResult> {
    return this.parts.database.read(scope, async (reader) => {
      const attempt = await findOnlineAttemptBySecret(reader, secret);
      const call = attempt === null ? null : await findAcquirerCall(reader, attempt.reference);
      return { ...DUPLICATE, transactionId: (call === null ? null : getTransactionId(call)) ?? '' };
    });
  }

  /**
   * The outcome, if there is one already, else the request to send. Refuses a transaction that the secret has not
   * challenged.
   */
  async #beginCompletion(
    tx: Tx,
    secret: string,
    transactionId: string,
  ): Promise<{ readonly result: AttemptResult } | Pick<ChallengeRequest, 'acquirer' | 'reference' | 'md'>> {
    const attempt = await findOnlineAttemptBySecret(tx, secret);
    if (attempt === null || attempt.secretExpireAt === null || tx.now >= attempt.secretExpireAt)
      throw createInvalidSecretRefusal();
    const call = await lockAcquirerCall(tx, attempt.reference);
    if (call === null || getTransactionId(call) !== transactionId) {
      throw createViolation(
        'validation_failed',
        'transactionId',
        'Is not a transaction of this secret that waits for its payer.',
      );
    }
    if (call.state === 'Settled') return { result: await readAttemptResult(tx, call) };
    if (call.reverseReference !== null || call.result?.kind !== 'challenged') throw createInvalidSecretRefusal();
    await updateCall(tx, applyCallMove(call, 'send'));
    scheduleFollowUp(tx, call.reference, this.parts.settings);
    return { acquirer: call.acquirer, reference: call.reference, md: call.result.md };
  }

  async #settle(
    scope: Scope,
    { reference, isChallengePossible }: Pick<AuthorisationRequest, 'reference' | 'isChallengePossible'>,
    answer: AcquirerAnswer,
  ): Promise<AttemptResult> {
    const { database } = this.parts;
    const settle = isChallengePossible ? concludeAttempt : concludeWithoutChallenge;
    try {
      await database.transact(scope, (tx) => settle(tx, reference, answer));
      return await database.read(scope, async (reader) =>
        readAttemptResult(reader, await findAcquirerCall(reader, reference)),
      );
    } catch (error) {
      const isTransient = error instanceof Refusal && TRANSIENT_REFUSALS.has(error.code);
      // The acquirer has been called, so the answer must not state that nothing was submitted.
      throw isTransient ? Object.assign(createOutcomeUnknownRefusal(), { cause: error }) : error;
    }
  }
}

const TRANSIENT_REFUSALS: ReadonlySet<Refusal['code']> = new Set(['service_unavailable', 'commit_unknown']);

async function readAttemptResult(reader: Reader, call: AcquirerCall | null): Promise<AttemptResult> {
  const result = call === null ? null : findAttemptResult(call, await isOnlyAuthorised(reader, call));
  if (result === null) throw createOutcomeUnknownRefusal();
  return result;
}

/** A card setup takes no money, and neither does a payment that waits for its capture. */
async function isOnlyAuthorised(reader: Reader, { paymentIntentId }: AcquirerCall): Promise<boolean> {
  if (paymentIntentId === null) return true;
  const intent = await findIntent(reader, paymentIntentId);
  return intent?.captureMode === 'Manual';
}

function createOutcomeUnknownRefusal(): Refusal {
  return new Refusal('payment_outcome_unknown', 'How the payment ends is not known yet: read the payment intent.');
}
