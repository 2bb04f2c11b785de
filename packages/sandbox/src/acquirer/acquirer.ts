import { exceeds, isPositive, isSameAmount, money, type Money } from '@pos/core/money';
import {
  computeCapturable,
  computeRefundable,
  type AcquirerBooks,
  type BookedCall,
  type AuthorisationTotals,
} from './acquirer-books.js';
import {
  AcquirerError,
  type AuthorisationRequest,
  type FollowUpRequest,
  type MachineRefundRequest,
  type SimulatedCallState,
} from './acquirer-call.js';
import { toCardDetails, computeCardFingerprint } from './card-details.js';
import { APPROVED, createDeclinedVerdict, evaluateOnlineCharge, type CardVerdict } from './card-verdict.js';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { Seed } from '../clock/seed.js';

interface NewCall {
  readonly reference: string;
  readonly merchantId: string;
}

const REFERENCE_LENGTH_MAX = 64;
const NO_CURRENCY = 'XXX';

/**
 * The acquirer of the simulated world. Each call is booked once by its reference; a repeat is answered from the books.
 * A `verdict` overrules what the card and the amount would have made happen.
 */
export class Acquirer {
  readonly books: AcquirerBooks;
  readonly #clock: SimulationClock;
  /** References of calls that are decided later than they were requested. */
  readonly #undecidedReferences = new Set<string>();
  readonly #seed: Seed;
  readonly #merchantsWithoutTriggers = new Set<string>();
  readonly #merchantClocks = new Map<string, SimulationClock>();

  constructor(parts: { readonly books: AcquirerBooks; readonly clock: SimulationClock; readonly seed: Seed }) {
    this.books = parts.books;
    this.#clock = parts.clock;
    this.#seed = parts.seed;
  }

  /** Whether the last two digits of an amount decide for this merchant. */
  setAmountTriggers(merchantId: string, areOn: boolean): void {
    if (areOn) this.#merchantsWithoutTriggers.delete(merchantId);
    else this.#merchantsWithoutTriggers.add(merchantId);
  }

  areAmountTriggersOn(merchantId: string): boolean {
    return !this.#merchantsWithoutTriggers.has(merchantId);
  }

  authorise(request: AuthorisationRequest, verdict: CardVerdict | null = null): SimulatedCallState {
    const { instrument } = request;
    const values = JSON.stringify({
      kind: 'Authorise',
      merchantId: request.merchantId,
      amount: request.amount,
      isPurchase: request.isPurchase,
      card: computeCardFingerprint(this.#seed, instrument.card.number),
    });
    const repeated = this.#findRepeated(request.reference, values);
    if (repeated !== null) return this.#toAuthorisationState(repeated);

    const isAlreadyReversed = this.#isReversedBefore(request.reference);
    const evaluated = isAlreadyReversed
      ? createDeclinedVerdict('Reversed before it arrived')
      : (verdict ?? this.#evaluate(request));
    return this.#toAuthorisationState(
      this.#recordCall({
        ...this.#createCall(request, request.amount, evaluated),
        kind: 'Authorise',
        originalReference: null,
        merchantId: request.merchantId,
        terminalId: instrument.kind === 'present' ? instrument.terminalId : null,
        isPurchase: request.isPurchase,
        values,
        isReversed: isAlreadyReversed,
        card: toCardDetails(this.#seed, instrument.card),
        challenge:
          evaluated.outcome === 'Challenged'
            ? { md: this.#seed.deriveUuid('challenge', request.reference), canPass: evaluated.canPassChallenge }
            : null,
      }),
    );
  }

  /** Continues after the issuer's page; `hasPassed` is the answer that the page reported. */
  completeChallenge(
    reference: string,
    answer: { readonly hasPassed: boolean; readonly md: string },
  ): SimulatedCallState {
    const call = this.#getCall(reference);
    if (call.challenge === null) throw new AcquirerError('FailedPrecondition', 'never challenged');
    if (call.challenge.md !== answer.md) throw new AcquirerError('InvalidArgument', 'md of another challenge');
    if (call.outcome !== 'Challenged' || call.isReversed) return this.#toAuthorisationState(call);

    const isPassed = answer.hasPassed && call.challenge.canPass;
    return this.#toAuthorisationState(
      this.books.recordCall({
        ...call,
        outcome: isPassed ? 'Approved' : 'Declined',
        message: isPassed ? 'Approved' : 'Challenge failed',
        authCode: isPassed ? this.#createAuthCode(reference) : '',
        isChallengePassed: isPassed,
        decidedAt: this.#clock.now().toISOString(),
        bookedAt: this.#clock.getTimestamp().toISOString(),
      }),
    );
  }

  increase(request: FollowUpRequest, verdict: CardVerdict | null = null): SimulatedCallState {
    return this.#bookFollowUp({ ...request, kind: 'Increase', verdict }, (totals) => {
      if (totals.isReversed || totals.isRemainderReleased || isPositive(totals.captured)) return 'captured or reversed';
      return null;
    });
  }

  capture(request: FollowUpRequest, verdict: CardVerdict | null = null): SimulatedCallState {
    return this.#bookFollowUp({ ...request, kind: 'Capture', verdict }, (totals) => {
      if (totals.isReversed) return 'the authorisation was reversed';
      return exceeds(request.amount, computeCapturable(totals)) ? 'more than is held' : null;
    });
  }

  refund(request: FollowUpRequest, verdict: CardVerdict | null = null): SimulatedCallState {
    const original = this.books.findCall(request.originalReference);
    const refusal = original?.isRefundable === false ? createDeclinedVerdict('Refund refused') : null;
    return this.#bookFollowUp({ ...request, kind: 'Refund', verdict: verdict ?? refusal }, (totals) =>
      exceeds(request.amount, computeRefundable(totals)) ? 'more than was taken' : null,
    );
  }

  /**
   * Refunds to a card that a machine reads, with or without a previous payment. An invalid request is an error online;
   * at the machine the cardholder only sees a decline.
   */
  refundAtMachine(request: MachineRefundRequest, verdict: CardVerdict | null = null): SimulatedCallState {
    const { reference, originalReference, merchantId, terminalId, amount } = request;
    const values = JSON.stringify({ kind: 'Refund', of: originalReference, merchantId, amount });
    const repeated = this.#findRepeated(reference, values);
    if (repeated !== null) return this.#toCallState(repeated);

    const original = originalReference === null ? null : this.books.findCall(originalReference);
    const obstacle = originalReference === null ? null : this.#findRefundObstacle(original, amount);
    const evaluated = obstacle === null ? (verdict ?? request.verdict ?? APPROVED) : createDeclinedVerdict(obstacle);
    return this.#toCallState(
      this.#recordCall({
        ...this.#createCall(request, amount, evaluated),
        kind: 'Refund',
        originalReference,
        merchantId,
        terminalId,
        isPurchase: false,
        values,
        card: original?.card ?? toCardDetails(this.#seed, request.card),
      }),
    );
  }

  /**
   * Undoes an authorisation, or prevents one. An unknown reference is stored, and an authorisation that arrives later
   * under it is declined.
   */
  reverse(
    request: { reference: string; originalReference: string; merchantId: string; releaseRest: boolean },
    ruledVerdict: CardVerdict | null = null,
  ): SimulatedCallState {
    requireReference(request.reference);
    requireReference(request.originalReference);
    const values = JSON.stringify({ kind: 'Reverse', of: request.originalReference, releaseRest: request.releaseRest });
    const repeated = this.#findRepeated(request.reference, values);
    if (repeated !== null) return this.#toCallState(repeated);

    const original = this.books.findCall(request.originalReference);
    const totals = original === null ? null : this.books.computeTotals(original);
    const isBlocked =
      totals !== null &&
      original !== null &&
      !request.releaseRest &&
      !totals.isReversed &&
      (isPositive(totals.refunded) || (!original.isPurchase && isPositive(totals.captured)));
    const amount =
      totals === null ? money(0, NO_CURRENCY) : request.releaseRest ? computeCapturable(totals) : totals.held;
    const evaluated = isBlocked
      ? createDeclinedVerdict('A capture or a refund stands in the way')
      : { ...APPROVED, message: 'Reversed' };
    const verdict = ruledVerdict ?? evaluated;
    const reversal = this.#recordCall({
      ...this.#createCall(request, amount, verdict),
      kind: 'Reverse',
      originalReference: request.originalReference,
      merchantId: original?.merchantId ?? request.merchantId,
      terminalId: null,
      isPurchase: false,
      values,
      card: original?.card ?? null,
    });
    if (original !== null && verdict.outcome === 'Approved' && !request.releaseRest)
      this.books.recordCall({ ...original, isReversed: true });
    return this.#toCallState(reversal);
  }

  /** The outcome or the current state of the call under this reference. Changes nothing. */
  inquire(reference: string): SimulatedCallState {
    const call = this.books.findCall(reference);
    if (call === null) {
      const outcome = this.#isReversedBefore(reference) ? 'Reversed' : 'NotFound';
      return { reference, outcome, amount: null, call: null };
    }
    return this.#toCallState(call);
  }

  #findRefundObstacle(original: BookedCall | null, amount: Money): string | null {
    if (original === null) return 'Unknown payment';
    if (!original.isRefundable) return 'Refund refused';
    if (original.amount.currencyCode !== amount.currencyCode) return 'Another currency';
    return exceeds(amount, computeRefundable(this.books.computeTotals(original))) ? 'More than was taken' : null;
  }

  #bookFollowUp(
    {
      kind,
      verdict,
      ...request
    }: FollowUpRequest & { kind: 'Increase' | 'Capture' | 'Refund'; verdict: CardVerdict | null },
    obstacle: (totals: AuthorisationTotals) => string | null,
  ): SimulatedCallState {
    requireReference(request.reference);
    if (!isPositive(request.amount)) throw new AcquirerError('InvalidArgument', 'an amount above 0 is needed');
    const values = JSON.stringify({ kind, of: request.originalReference, amount: request.amount });
    const repeated = this.#findRepeated(request.reference, values);
    if (repeated !== null) return this.#toCallState(repeated);

    const original = this.#getCall(request.originalReference);
    if (original.kind !== 'Authorise') throw new AcquirerError('FailedPrecondition', 'not an authorisation');
    if (original.amount.currencyCode !== request.amount.currencyCode) {
      throw new AcquirerError('FailedPrecondition', `the authorisation is in ${original.amount.currencyCode}`);
    }
    const refusalReason = this.#isUndecided(original)
      ? 'not decided yet'
      : original.outcome === 'Approved'
        ? obstacle(this.books.computeTotals(original))
        : 'not approved';
    if (refusalReason !== null) throw new AcquirerError('FailedPrecondition', refusalReason);
    return this.#toCallState(
      this.#recordCall({
        ...this.#createCall({ ...request, merchantId: original.merchantId }, request.amount, verdict ?? APPROVED),
        kind,
        originalReference: request.originalReference,
        merchantId: original.merchantId,
        terminalId: null,
        isPurchase: false,
        values,
        card: original.card,
      }),
    );
  }

  #evaluate({ instrument, merchantId, amount }: AuthorisationRequest): CardVerdict {
    if (instrument.kind === 'present') return instrument.verdict;
    const { card, isRemote, hasAddress } = instrument;
    return evaluateOnlineCharge({
      card,
      amount: amount.value,
      isStored: instrument.kind === 'stored',
      isRemote,
      isChallengePossible: instrument.isChallengePossible ?? true,
      hasAddress,
      areAmountTriggersOn: this.areAmountTriggersOn(merchantId),
      now: this.#clock.now(),
      countEarlierAttempts: () => this.earlierAttempts({ merchantId, amount, cardNumber: card.number }),
    });
  }

  /** How often this card was charged with this amount before. */
  earlierAttempts(attempt: { merchantId: string; amount: Money; cardNumber: string }): number {
    const fingerprint = computeCardFingerprint(this.#seed, attempt.cardNumber);
    return this.books
      .listCalls()
      .filter(
        ({ kind, merchantId, card, amount }) =>
          kind === 'Authorise' &&
          merchantId === attempt.merchantId &&
          card?.fingerprint === fingerprint &&
          isSameAmount(amount, attempt.amount),
      ).length;
  }

  /** Finds an earlier call under this reference. Throws when its values differ. */
  #findRepeated(reference: string, values: string): BookedCall | null {
    requireReference(reference);
    const call = this.books.findCall(reference);
    if (call !== null && call.values !== values) {
      throw new AcquirerError('AlreadyExists', 'the reference was used with other values');
    }
    return call;
  }

  #getCall(reference: string): BookedCall {
    const call = this.books.findCall(reference);
    if (call === null) throw new AcquirerError('NotFound', 'unknown reference');
    return call;
  }

  #isReversedBefore(reference: string): boolean {
    return this.books
      .listRelatedCalls(reference)
      .some(
        ({ kind, outcome, values }) =>
          kind === 'Reverse' && outcome === 'Approved' && values.includes('"releaseRest":false'),
      );
  }

  /** From now on the merchant's calls are made at the time of this clock, which replays what a step has made due. */
  setMerchantClock(merchantId: string, clock: SimulationClock): void {
    this.#merchantClocks.set(merchantId, clock);
  }

  /** Advances the merchant's time: pending decisions fall due earlier by the same amount. */
  advanceTime(merchantId: string, byMs: number): void {
    for (const reference of this.#undecidedReferences) {
      const call = this.books.findCall(reference);
      if (call === null || !this.#isUndecided(call)) this.#undecidedReferences.delete(reference);
      else if (call.merchantId === merchantId) {
        this.#recordCall({ ...call, decidedAt: new Date(Date.parse(call.decidedAt) - byMs).toISOString() });
      }
    }
  }

  #isUndecided(call: BookedCall): boolean {
    return Date.parse(call.decidedAt) > this.#clock.now().getTime();
  }

  /** Under a reversed reference nothing is authorised any more, even if an approval was answered before. */
  #toAuthorisationState(call: BookedCall): SimulatedCallState {
    const state = this.#toCallState(call);
    return state.outcome === 'Reversed' ? { ...state, outcome: 'Declined' } : state;
  }

  #toCallState(call: BookedCall): SimulatedCallState {
    const outcome = call.isReversed ? 'Reversed' : this.#isUndecided(call) ? 'InProgress' : call.outcome;
    const original =
      call.kind === 'Increase' && call.originalReference !== null ? this.#getCall(call.originalReference) : null;
    const amount = original === null ? call.amount : this.books.computeTotals(original).held;
    return { reference: call.reference, outcome, amount, call };
  }

  #createCall({ reference, merchantId }: NewCall, amount: Money, verdict: CardVerdict) {
    const calledAt = (this.#merchantClocks.get(merchantId) ?? this.#clock).now();
    const decidedAt = new Date(calledAt.getTime() + this.#clock.toRealMs(verdict.lateByMs));
    if (verdict.lateByMs > 0) this.#undecidedReferences.add(reference);
    return {
      number: this.books.getNextNumber(),
      reference,
      amount,
      outcome: verdict.outcome,
      decidedAt: decidedAt.toISOString(),
      bookedAt: this.#clock.getTimestamp().toISOString(),
      isReversed: false,
      transactionId: this.#seed.deriveUuid('transaction', reference),
      authCode: verdict.outcome === 'Approved' ? this.#createAuthCode(reference) : '',
      message: verdict.message,
      avsResult: verdict.avsResult,
      challenge: null,
      isChallengePassed: false,
      isRefundable: verdict.isRefundable,
    };
  }

  #recordCall(call: BookedCall): BookedCall {
    return this.books.recordCall(call);
  }

  #createAuthCode(reference: string): string {
    return this.#seed.deriveDigits(6, 'auth code', reference);
  }
}

function requireReference(reference: string): void {
  if (reference.length < 1 || reference.length > REFERENCE_LENGTH_MAX) {
    throw new AcquirerError('InvalidArgument', `a reference has 1 to ${REFERENCE_LENGTH_MAX} characters`);
  }
}
