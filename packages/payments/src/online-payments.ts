import { type AcquirerCall, moved } from '@pos/core/acquirer-call';
import { isId, type Scope } from '@pos/core/identity';
import { type AttemptResult, DUPLICATE, resultOf, secretInvalid } from '@pos/core/online-attempt';
import type { AcquirerAnswer } from '@pos/core/ports';
import { keyed, Refusal } from '@pos/core/refusal';
import { findCall, lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Database, Reader, Tx } from '@pos/store/database';
import { findAttemptBySecret } from '@pos/store/online-attempts';
import { findIntent } from '@pos/store/payment-intents';
import type { Accounts } from './accounts.js';
import {
  beginPayment,
  beginPaymentBySavedCard,
  beginSetup,
  type BegunAttempt,
  refuseSavedCardForSetup,
} from './attempt-beginning.js';
import { pursueLater, requireAcquirer } from './money-call.js';
import type {
  CardHands,
  ChallengeAnswer,
  ChallengeOrder,
  OpenSavedCard,
  SavedCardSubmission,
  Submission,
} from './online-order.js';
import { settleOnline } from './online-settling.js';
import { claimOf, requireGoodSecret } from './payer-secret.js';
import type { PaymentSettings } from './settings.js';

/**
 * What a payer does with a card of his own: he pays, or has the card set up for later. One secret, one attempt, one
 * authorisation. The attempt's row stands before the acquirer is asked; its answer is settled in one transaction, by
 * whoever hears it.
 */
export class OnlinePayments {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: Accounts;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Makes the attempt. Refuses `payment_outcome_unknown` while nobody knows how it ends; a worker finds out. */
  async pay(submission: Submission, hands: CardHands): Promise<AttemptResult> {
    const { scope, intentId } = claimOf(submission.secret);
    return this.#attempt(scope, submission.secret, (tx) =>
      isId('setupIntent', intentId)
        ? beginSetup(tx, this.parts, { id: intentId, submission, hands })
        : beginPayment(tx, this.parts, { id: intentId, submission, hands }),
    );
  }

  /** The same with a card that was saved before. */
  async payBySavedCard(submission: SavedCardSubmission, open: OpenSavedCard): Promise<AttemptResult> {
    const { scope, intentId } = claimOf(submission.secret);
    return this.#attempt(scope, submission.secret, (tx) =>
      isId('setupIntent', intentId)
        ? refuseSavedCardForSetup(tx, intentId, submission.secret)
        : beginPaymentBySavedCard(tx, this.parts, { id: intentId, submission, open }),
    );
  }

  /** Ends a challenge. May be repeated, at any process: the acquirer decides once. */
  async completeChallenge(
    { secret, transactionId, paRes }: ChallengeAnswer,
    ask: (order: ChallengeOrder) => Promise<AcquirerAnswer>,
  ): Promise<AttemptResult> {
    const { database, settings } = this.parts;
    const { scope } = claimOf(secret);
    const begun = await database.transact(scope, (tx) => this.#beginCompletion(tx, secret, transactionId));
    if ('result' in begun) return begun.result;
    const order = { ...begun, scope, paRes, deadlineMs: settings.acquirerDeadlineMs };
    const answer = await ask(order);
    settings.fault('after-answer-before-commit');
    return this.#settle(scope, begun.reference, answer);
  }

  /** Refuses a secret that could not pay now. For what only prepares a payment. */
  async requireUsable(secret: string): Promise<void> {
    const claim = claimOf(secret);
    await this.parts.database.transact(claim.scope, (tx) => requireGoodSecret(tx, claim));
  }

  /** Refuses a secret of production where it has no acquirer. For what cannot be read before it is known who reads it. */
  requireAcquirer(secret: string): void {
    requireAcquirer(claimOf(secret), this.parts.settings);
  }

  async #attempt(
    scope: Scope,
    secret: string,
    begin: (tx: Tx) => Promise<BegunAttempt | null>,
  ): Promise<AttemptResult> {
    const { database, settings } = this.parts;
    const begun = await database.transact(scope, begin);
    if (begun === null) return this.#duplicate(scope, secret);
    settings.fault('after-attempt-before-call');
    const answer = await begun.ask(begun.order);
    settings.fault('after-answer-before-commit');
    return this.#settle(scope, begun.order.reference, answer);
  }

  /** Names the transaction that was made with the secret, for a payer whose answer was lost; with another secret it names none. */
  #duplicate(scope: Scope, secret: string): Promise<AttemptResult> {
    return this.parts.database.read(scope, async (reader) => {
      const attempt = await findAttemptBySecret(reader, secret);
      const call = attempt === null ? null : await findCall(reader, attempt.reference);
      return { ...DUPLICATE, transactionId: (call === null ? null : transactionOf(call)) ?? '' };
    });
  }

  /** The outcome where there is one already, else what to ask. Refuses a transaction that the secret has not challenged. */
  async #beginCompletion(
    tx: Tx,
    secret: string,
    transactionId: string,
  ): Promise<{ readonly result: AttemptResult } | { readonly reference: string; readonly md: string }> {
    const attempt = await findAttemptBySecret(tx, secret);
    if (attempt === null || attempt.secretExpireAt === null || tx.now >= attempt.secretExpireAt) throw secretInvalid();
    const call = await lockCall(tx, attempt.reference);
    if (call === null || transactionOf(call) !== transactionId) {
      throw keyed(
        'validation_failed',
        'transactionId',
        'Is not a transaction of this secret that waits for its payer.',
      );
    }
    if (call.state === 'Settled') return { result: await told(tx, call) };
    if (call.reverseReference !== null || call.result?.kind !== 'challenged') throw secretInvalid();
    await updateCall(tx, moved(call, 'send'));
    pursueLater(tx, call.reference, this.parts.settings);
    return { reference: call.reference, md: call.result.md };
  }

  async #settle(scope: Scope, reference: string, answer: AcquirerAnswer): Promise<AttemptResult> {
    const { database } = this.parts;
    try {
      await database.transact(scope, (tx) => settleOnline(tx, reference, answer));
      return await database.read(scope, async (reader) => told(reader, await findCall(reader, reference)));
    } catch (error) {
      const isPassing = error instanceof Refusal && PASSING.has(error.code);
      // The acquirer has been asked: it would be wrong to say that nothing was submitted.
      throw isPassing ? Object.assign(outcomeUnknown(), { cause: error }) : error;
    }
  }
}

const PASSING: ReadonlySet<Refusal['code']> = new Set(['service_unavailable', 'commit_unknown']);

function transactionOf({ result }: AcquirerCall): string | null {
  switch (result?.kind) {
    case 'challenged':
      return result.transactionId;
    case 'approved':
      return result.approval.transactionId;
    case 'declined':
      return result.decline.transactionId;
    case 'done':
    case 'refused':
    case undefined:
      return null;
  }
}

async function told(reader: Reader, call: AcquirerCall | null): Promise<AttemptResult> {
  const result = call === null ? null : resultOf(call, await isOnlyHeld(reader, call));
  if (result === null) throw outcomeUnknown();
  return result;
}

/** Of a card that is set up nothing is taken, as of a payment that waits for its capture. */
async function isOnlyHeld(reader: Reader, { paymentIntentId }: AcquirerCall): Promise<boolean> {
  if (paymentIntentId === null) return true;
  const intent = await findIntent(reader, paymentIntentId);
  return intent?.captureMode === 'Manual';
}

function outcomeUnknown(): Refusal {
  return new Refusal('payment_outcome_unknown', 'How the payment ends is not known yet: read the payment intent.');
}
