import { type AcquirerCall, moved, newCall } from '@pos/core/acquirer-call';
import type { WalletKind } from '@pos/core/card';
import { isPast } from '@pos/core/card-number';
import { consumeSecret } from '@pos/core/client-secret';
import type { PaymentMethodId, Scope } from '@pos/core/identity';
import { type ClientSecretSubject, isSameHash, readClientSecret } from '@pos/core/ids';
import type { Money } from '@pos/core/money';
import {
  type AttemptResult,
  DUPLICATE,
  judgeSubmission,
  type PayerContacts,
  resultOf,
  secretInvalid,
  SUBMISSIONS_WINDOW_MS,
  type SubmissionFacts,
  withContacts,
} from '@pos/core/online-attempt';
import { type PaymentIntent, totalAmount } from '@pos/core/payment-intent';
import type { AcquirerAnswer } from '@pos/core/ports';
import { keyed, Refusal, type RefusalMembers } from '@pos/core/refusal';
import type { CardDescription } from '@pos/core/saved-card';
import { findCall, hasOpenAttempt, insertCall, lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Database, Reader, Tx } from '@pos/store/database';
import { countAttemptsSince, findAttemptBySecret, insertAttempt } from '@pos/store/online-attempts';
import { findIntent, type LockedIntent, lockIntent, updateIntent } from '@pos/store/payment-intents';
import type { Accounts } from './accounts.js';
import { callDeadline, pursueLater, requireAcquirer } from './money-call.js';
import { settleOnline } from './online-settling.js';
import { keepCard } from './saved-cards.js';
import type { PaymentSettings } from './settings.js';

/** What a payer's client submits, without the card itself: whoever has that asks the acquirer. */
export interface Submission {
  readonly secret: string;
  /** Which wallet gave the card; null where the payer typed it. */
  readonly wallet: WalletKind | null;
  readonly card: CardDescription;
  readonly hasCv2: boolean;
  /** The payer lets the card be kept. */
  readonly isSavingAllowed: boolean;
  readonly contacts: PayerContacts;
  /** The payer's browser and address, for the issuer; what the integrator said of them comes first. */
  readonly device: { readonly userAgent: string; readonly ipAddress: string };
}

/** Everything of an authorisation but the card. */
export interface AuthorisationOrder {
  readonly scope: Scope;
  readonly reference: string;
  readonly merchantId: string;
  readonly amount: Money;
  /** Taken at once, not only held. */
  readonly isCapturing: boolean;
  readonly isCardholderAbsent: boolean;
  readonly billing: { readonly line: string; readonly postcode: string };
  readonly device: Submission['device'];
  readonly deadlineMs: number;
}

/** What only the process with the card can do for its attempt. */
export interface CardHands {
  /** Puts the card to the acquirer, outside any transaction; a silence is `unknown`. */
  readonly ask: (order: AuthorisationOrder) => Promise<AcquirerAnswer>;
  /** Keeps the sealed number under this name, in the attempt's own transaction. */
  readonly keep: (tx: Tx, cardId: PaymentMethodId) => void;
}

/** What a payer's client brings back from the issuer's page. */
export interface ChallengeAnswer {
  readonly secret: string;
  readonly transactionId: string;
  readonly paRes: string;
}

/** The question that goes with it; it carries no card, so any process of the vault may put it. */
export interface ChallengeOrder {
  readonly scope: Scope;
  readonly reference: string;
  readonly paRes: string;
  readonly md: string;
  readonly deadlineMs: number;
}

/**
 * Payments that a payer makes with a card of his own: one secret, one attempt, one authorisation. The attempt's row
 * stands before the acquirer is asked; its answer is settled in one transaction, by whoever hears it.
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
    const { database, settings } = this.parts;
    const claim = claimOf(submission.secret);
    const order = await database.transact(claim.scope, (tx) => this.#begin(tx, claim, { submission, hands }));
    if (order === null) return DUPLICATE;
    settings.fault('after-attempt-before-call');
    const answer = await hands.ask(order);
    settings.fault('after-answer-before-commit');
    return this.#settle(claim.scope, order.reference, answer);
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
    await this.parts.database.transact(claim.scope, async (tx) => {
      const locked = await lockIntent(tx, claim.intentId);
      if (locked === null) throw secretInvalid();
      const facts = { ...(await factsOf(tx, locked, tx.hash(secret))), hasRunningAttempt: false, submissions: 0 };
      if (judgeSubmission(locked.intent, facts) === 'duplicate') throw secretInvalid();
    });
  }

  async #begin(
    tx: Tx,
    { intentId }: Claim,
    { submission, hands }: { readonly submission: Submission; readonly hands: CardHands },
  ): Promise<AuthorisationOrder | null> {
    const { settings } = this.parts;
    const locked = await lockIntent(tx, intentId);
    if (locked === null) throw secretInvalid();
    const secretHash = tx.hash(submission.secret);
    const facts = await factsOf(tx, locked, secretHash);
    if (judgeSubmission(locked.intent, facts) === 'duplicate') return null;
    requireAcquirer(tx, settings);
    const { clientSecretExpireAt } = locked.intent;
    const { merchantId, settings: wishes } = await this.parts.accounts.get(tx);
    const { wallets } = wishes.supportedPaymentMethods;
    const faults = faultsOf(locked.intent, submission, { now: tx.now, wallets });
    const intent = withContacts(locked.intent, submission.contacts, faults);
    const reference = await tx.newUuid();
    const cardId = await keptId(tx, intent, submission);
    await updateIntent(tx, consumeSecret(intent, tx.now), locked);
    insertAttempt(tx, {
      ...{ reference, secretHash, cardId, createdAt: tx.now },
      subject: { paymentIntentId: intent.id, setupIntentId: null },
      secretExpireAt: clientSecretExpireAt ?? tx.now,
    });
    await insertCall(tx, moved(authorisationOf(tx, { reference, intent, settings }), 'send'));
    pursueLater(tx, reference, settings);
    if (cardId !== null) {
      const customerId = intent.details.customer?.customerId ?? null;
      const kept = { id: cardId, customerId, setupIntentId: null, acquirerReference: reference };
      keepCard(tx, { ...kept, card: submission.card });
      hands.keep(tx, cardId);
    }
    return orderOf(tx.scope, intent, { reference, merchantId, submission, settings });
  }

  /** The outcome where there is one already, else what to ask. Refuses a transaction that the secret has not challenged. */
  async #beginCompletion(
    tx: Tx,
    secret: string,
    transactionId: string,
  ): Promise<{ readonly result: AttemptResult } | { readonly reference: string; readonly md: string }> {
    const attempt = await findAttemptBySecret(tx, tx.hash(secret));
    if (attempt === null || tx.now >= attempt.secretExpireAt) throw secretInvalid();
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

interface Claim {
  readonly scope: Scope;
  readonly intentId: ClientSecretSubject['intentId'];
}

function claimOf(secret: string): Claim {
  const subject = readClientSecret(secret);
  if (subject === null) throw secretInvalid();
  const { accountId, environment, intentId } = subject;
  return { scope: { accountId, environment }, intentId };
}

async function factsOf(tx: Tx, { intent, secretHash }: LockedIntent, sentHash: Buffer): Promise<SubmissionFacts> {
  const since = new Date(tx.now.getTime() - SUBMISSIONS_WINDOW_MS);
  const [hasRunningAttempt, submissions, begun] = await Promise.all([
    hasOpenAttempt(tx, intent.id),
    countAttemptsSince(tx, intent.id, since),
    findAttemptBySecret(tx, sentHash),
  ]);
  return {
    now: tx.now,
    isSecretRight: secretHash !== null && isSameHash(secretHash, sentHash),
    isSecretAtWork: hasRunningAttempt && begun?.subject.paymentIntentId === intent.id && (await isAtWork(tx, begun)),
    hasRunningAttempt,
    submissions,
  };
}

async function isAtWork(reader: Reader, { reference }: { readonly reference: string }): Promise<boolean> {
  const call = await findCall(reader, reference);
  return call !== null && call.state !== 'Settled' && call.reverseReference === null;
}

function faultsOf(
  intent: PaymentIntent,
  { wallet, card, hasCv2 }: Submission,
  { now, wallets }: { readonly now: Date; readonly wallets: readonly WalletKind[] },
): RefusalMembers {
  const isCv2Needed = wallet === null && !intent.cardHolderNotPresent;
  const [carrier, expiry] = wallet === null ? ['cardNumber', 'expiryDate'] : ['wallet', 'token'];
  const isWay = intent.paymentMethods.includes(wallet === null ? 'Card' : 'Wallet');
  const isTaken = isWay && (wallet === null || wallets.includes(wallet));
  return {
    ...(!isTaken && { [carrier]: ['Is no way to pay this payment.'] }),
    ...(isPast({ month: card.expiryMonth, year: card.expiryYear }, now) && { [expiry]: ['Has passed.'] }),
    ...(isCv2Needed && !hasCv2 && { cV2: ['Is required.'] }),
  };
}

/** The save box counts only where the payment names the customer whose card it will be. */
async function keptId(tx: Tx, { details }: PaymentIntent, submission: Submission): Promise<PaymentMethodId | null> {
  const isKept = submission.isSavingAllowed && submission.wallet === null;
  return isKept && details.customer?.customerId !== undefined ? tx.newId('paymentMethod') : null;
}

function authorisationOf(
  tx: Tx,
  { reference, intent, settings }: { reference: string; intent: PaymentIntent; settings: PaymentSettings },
): AcquirerCall {
  return newCall({
    ...{ reference, kind: 'Authorise', originalReference: null },
    ...{ paymentIntentId: intent.id, terminalSessionId: null },
    amount: totalAmount(intent),
    deadlineAt: callDeadline(tx, settings),
  });
}

function orderOf(
  scope: Scope,
  intent: PaymentIntent,
  asked: { reference: string; merchantId: string; submission: Submission; settings: PaymentSettings },
): AuthorisationOrder {
  const { billingAddress, requestSecurity } = intent.details;
  const { device } = asked.submission;
  return {
    scope,
    reference: asked.reference,
    merchantId: asked.merchantId,
    amount: totalAmount(intent),
    isCapturing: intent.captureMode === 'Auto',
    isCardholderAbsent: intent.cardHolderNotPresent,
    billing: { line: billingAddress?.address1 ?? '', postcode: billingAddress?.postcode ?? '' },
    device: {
      userAgent: requestSecurity?.userAgent ?? device.userAgent,
      ipAddress: requestSecurity?.ipAddress ?? device.ipAddress,
    },
    deadlineMs: asked.settings.acquirerDeadlineMs,
  };
}

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
  const intentId = call?.paymentIntentId ?? null;
  const intent = intentId === null ? null : await findIntent(reader, intentId);
  const result = call === null ? null : resultOf(call, intent?.captureMode === 'Manual');
  if (result === null) throw outcomeUnknown();
  return result;
}

function outcomeUnknown(): Refusal {
  return new Refusal('payment_outcome_unknown', 'How the payment ends is not known yet: read the payment intent.');
}
