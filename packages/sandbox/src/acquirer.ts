import { exceeds, isPositive, isSameAmount, money, type Money } from '@pos/core/money';
import { capturable, refundable, type AcquirerBooks, type BookedCall, type Figures } from './acquirer-books.js';
import { AcquirerError, type Authorisation, type Follow, type MachineRefund, type Standing } from './acquirer-call.js';
import { cardFacts, cardFingerprint } from './card-facts.js';
import { APPROVED, declined, judgeOnline, type Verdict } from './card-verdict.js';
import type { WorldClock } from './clock.js';
import type { Seed } from './seed.js';

const REFERENCE_MAX = 64;
const NO_CURRENCY = 'XXX';

/**
 * The acquirer of the simulated world. Each call is booked once by its reference; a repeat is answered from the books.
 * A `verdict` overrules what the card and the amount would have made happen.
 */
export class Acquirer {
  readonly books: AcquirerBooks;
  readonly #clock: WorldClock;
  readonly #seed: Seed;
  readonly #withoutTriggers = new Set<string>();

  constructor(parts: { readonly books: AcquirerBooks; readonly clock: WorldClock; readonly seed: Seed }) {
    this.books = parts.books;
    this.#clock = parts.clock;
    this.#seed = parts.seed;
  }

  /** Whether the last two digits of an amount decide for this merchant. */
  setAmountTriggers(merchantId: string, areOn: boolean): void {
    if (areOn) this.#withoutTriggers.delete(merchantId);
    else this.#withoutTriggers.add(merchantId);
  }

  areAmountTriggersOn(merchantId: string): boolean {
    return !this.#withoutTriggers.has(merchantId);
  }

  authorise(asked: Authorisation, verdict: Verdict | null = null): Standing {
    const { instrument } = asked;
    const values = JSON.stringify({
      kind: 'Authorise',
      merchantId: asked.merchantId,
      amount: asked.amount,
      isPurchase: asked.isPurchase,
      card: cardFingerprint(this.#seed, instrument.card.number),
    });
    const known = this.#known(asked.reference, values);
    if (known !== null) return this.#authorisationAnswer(known);

    const prevented = this.#isPrevented(asked.reference);
    const judged = prevented ? declined('Reversed before it arrived') : (verdict ?? this.#judge(asked));
    return this.#authorisationAnswer(
      this.#book({
        ...this.#blank(asked.reference, asked.amount, judged),
        kind: 'Authorise',
        originalReference: null,
        merchantId: asked.merchantId,
        terminalId: instrument.kind === 'present' ? instrument.terminalId : null,
        isPurchase: asked.isPurchase,
        values,
        isReversed: prevented,
        card: cardFacts(this.#seed, instrument.card),
        challenge:
          judged.outcome === 'Challenged'
            ? { md: this.#seed.uuid('challenge', asked.reference), canPass: judged.canPassChallenge }
            : null,
      }),
    );
  }

  /** The payer came back from the issuer's page; `hasPassed` is what that page said. */
  completeChallenge(reference: string, answer: { readonly hasPassed: boolean; readonly md: string }): Standing {
    const call = this.#get(reference);
    if (call.challenge === null) throw new AcquirerError('FailedPrecondition', 'never challenged');
    if (call.challenge.md !== answer.md) throw new AcquirerError('InvalidArgument', 'md of another challenge');
    if (call.outcome !== 'Challenged' || call.isReversed) return this.#authorisationAnswer(call);

    const isPassed = answer.hasPassed && call.challenge.canPass;
    return this.#authorisationAnswer(
      this.books.write({
        ...call,
        outcome: isPassed ? 'Approved' : 'Declined',
        message: isPassed ? 'Approved' : 'Challenge failed',
        authCode: isPassed ? this.#authCode(reference) : '',
        isChallengePassed: isPassed,
        decidedAt: this.#clock.now().toISOString(),
        bookedAt: this.#clock.stamp().toISOString(),
      }),
    );
  }

  increase(asked: Follow, verdict: Verdict | null = null): Standing {
    return this.#follow({ ...asked, kind: 'Increase', verdict }, (figures) => {
      if (figures.isReversed || figures.isRestReleased || isPositive(figures.captured)) return 'captured or reversed';
      return null;
    });
  }

  capture(asked: Follow, verdict: Verdict | null = null): Standing {
    return this.#follow({ ...asked, kind: 'Capture', verdict }, (figures) => {
      if (figures.isReversed) return 'the authorisation was reversed';
      return exceeds(asked.amount, capturable(figures)) ? 'more than is held' : null;
    });
  }

  refund(asked: Follow, verdict: Verdict | null = null): Standing {
    const original = this.books.find(asked.originalReference);
    const refusal = original?.isRefundable === false ? declined('Refund refused') : null;
    return this.#follow({ ...asked, kind: 'Refund', verdict: verdict ?? refusal }, (figures) =>
      exceeds(asked.amount, refundable(figures)) ? 'more than was taken' : null,
    );
  }

  /**
   * Money back onto a card that a machine reads, of a payment or of none. Online a caller is told that it asked for
   * nonsense; at the machine the cardholder sees a plain no.
   */
  refundAtMachine(asked: MachineRefund, verdict: Verdict | null = null): Standing {
    const { reference, originalReference, merchantId, terminalId, amount } = asked;
    const values = JSON.stringify({ kind: 'Refund', of: originalReference, merchantId, amount });
    const known = this.#known(reference, values);
    if (known !== null) return this.#standing(known);

    const original = originalReference === null ? null : this.books.find(originalReference);
    const obstacle = originalReference === null ? null : this.#refundObstacle(original, amount);
    const judged = obstacle === null ? (verdict ?? asked.verdict ?? APPROVED) : declined(obstacle);
    return this.#standing(
      this.#book({
        ...this.#blank(reference, amount, judged),
        kind: 'Refund',
        originalReference,
        merchantId,
        terminalId,
        isPurchase: false,
        values,
        card: original?.card ?? cardFacts(this.#seed, asked.card),
      }),
    );
  }

  /**
   * Undoes an authorisation, or makes sure that it never happens: an unknown reference is remembered, and the
   * authorisation that may still be on its way is declined when it arrives.
   */
  reverse(
    asked: { reference: string; originalReference: string; merchantId: string; releaseRest: boolean },
    ruled: Verdict | null = null,
  ): Standing {
    checkReference(asked.reference);
    checkReference(asked.originalReference);
    const values = JSON.stringify({ kind: 'Reverse', of: asked.originalReference, releaseRest: asked.releaseRest });
    const known = this.#known(asked.reference, values);
    if (known !== null) return this.#standing(known);

    const original = this.books.find(asked.originalReference);
    const figures = original === null ? null : this.books.figuresOf(original);
    const isBlocked =
      figures !== null &&
      original !== null &&
      !asked.releaseRest &&
      !figures.isReversed &&
      (isPositive(figures.refunded) || (!original.isPurchase && isPositive(figures.captured)));
    const amount = figures === null ? money(0, NO_CURRENCY) : asked.releaseRest ? capturable(figures) : figures.held;
    const judged = isBlocked
      ? declined('A capture or a refund stands in the way')
      : { ...APPROVED, message: 'Reversed' };
    const verdict = ruled ?? judged;
    const reversal = this.#book({
      ...this.#blank(asked.reference, amount, verdict),
      kind: 'Reverse',
      originalReference: asked.originalReference,
      merchantId: original?.merchantId ?? asked.merchantId,
      terminalId: null,
      isPurchase: false,
      values,
      card: original?.card ?? null,
    });
    if (original !== null && verdict.outcome === 'Approved' && !asked.releaseRest)
      this.books.write({ ...original, isReversed: true });
    return this.#standing(reversal);
  }

  /** How the call under this reference ended, or stands. Changes nothing. */
  inquire(reference: string): Standing {
    const call = this.books.find(reference);
    if (call === null) {
      const outcome = this.#isPrevented(reference) ? 'Reversed' : 'NotFound';
      return { reference, outcome, amount: null, call: null };
    }
    return this.#standing(call);
  }

  #refundObstacle(original: BookedCall | null, amount: Money): string | null {
    if (original === null) return 'Unknown payment';
    if (!original.isRefundable) return 'Refund refused';
    if (original.amount.currencyCode !== amount.currencyCode) return 'Another currency';
    return exceeds(amount, refundable(this.books.figuresOf(original))) ? 'More than was taken' : null;
  }

  #follow(
    { kind, verdict, ...asked }: Follow & { kind: 'Increase' | 'Capture' | 'Refund'; verdict: Verdict | null },
    obstacle: (figures: Figures) => string | null,
  ): Standing {
    checkReference(asked.reference);
    if (!isPositive(asked.amount)) throw new AcquirerError('InvalidArgument', 'an amount above 0 is needed');
    const values = JSON.stringify({ kind, of: asked.originalReference, amount: asked.amount });
    const known = this.#known(asked.reference, values);
    if (known !== null) return this.#standing(known);

    const original = this.#get(asked.originalReference);
    if (original.kind !== 'Authorise') throw new AcquirerError('FailedPrecondition', 'not an authorisation');
    if (original.amount.currencyCode !== asked.amount.currencyCode) {
      throw new AcquirerError('FailedPrecondition', `the authorisation is in ${original.amount.currencyCode}`);
    }
    const refused = this.#isUndecided(original) ? 'not decided yet' : obstacle(this.books.figuresOf(original));
    if (refused !== null) throw new AcquirerError('FailedPrecondition', refused);
    return this.#standing(
      this.#book({
        ...this.#blank(asked.reference, asked.amount, verdict ?? APPROVED),
        kind,
        originalReference: asked.originalReference,
        merchantId: original.merchantId,
        terminalId: null,
        isPurchase: false,
        values,
        card: original.card,
      }),
    );
  }

  #judge({ instrument, merchantId, amount }: Authorisation): Verdict {
    if (instrument.kind === 'present') return instrument.verdict;
    const { card, isRemote, hasAddress } = instrument;
    return judgeOnline({
      card,
      amount: amount.value,
      isStored: instrument.kind === 'stored',
      isRemote,
      hasAddress,
      areAmountTriggersOn: this.areAmountTriggersOn(merchantId),
      now: this.#clock.now(),
      earlierAttempts: () => this.earlierAttempts({ merchantId, amount, cardNumber: card.number }),
    });
  }

  /** How often this card was charged with this amount before. */
  earlierAttempts(of: { merchantId: string; amount: Money; cardNumber: string }): number {
    const fingerprint = cardFingerprint(this.#seed, of.cardNumber);
    return this.books
      .all()
      .filter(
        ({ kind, merchantId, card, amount }) =>
          kind === 'Authorise' &&
          merchantId === of.merchantId &&
          card?.fingerprint === fingerprint &&
          isSameAmount(amount, of.amount),
      ).length;
  }

  /** The call under this reference if it was made before; with other values it is an error. */
  #known(reference: string, values: string): BookedCall | null {
    checkReference(reference);
    const call = this.books.find(reference);
    if (call !== null && call.values !== values) {
      throw new AcquirerError('AlreadyExists', 'the reference was used with other values');
    }
    return call;
  }

  #get(reference: string): BookedCall {
    const call = this.books.find(reference);
    if (call === null) throw new AcquirerError('NotFound', 'unknown reference');
    return call;
  }

  #isPrevented(reference: string): boolean {
    return this.books
      .belongingTo(reference)
      .some(
        ({ kind, outcome, values }) =>
          kind === 'Reverse' && outcome === 'Approved' && values.includes('"releaseRest":false'),
      );
  }

  #isUndecided(call: BookedCall): boolean {
    return Date.parse(call.decidedAt) > this.#clock.now().getTime();
  }

  /** Under a reversed reference nothing is authorised any more, whatever was answered before. */
  #authorisationAnswer(call: BookedCall): Standing {
    const standing = this.#standing(call);
    return standing.outcome === 'Reversed' ? { ...standing, outcome: 'Declined' } : standing;
  }

  #standing(call: BookedCall): Standing {
    const outcome = call.isReversed ? 'Reversed' : this.#isUndecided(call) ? 'InProgress' : call.outcome;
    const original =
      call.kind === 'Increase' && call.originalReference !== null ? this.#get(call.originalReference) : null;
    const amount = original === null ? call.amount : this.books.figuresOf(original).held;
    return { reference: call.reference, outcome, amount, call };
  }

  #blank(reference: string, amount: Money, verdict: Verdict) {
    const decidedAt = new Date(this.#clock.now().getTime() + this.#clock.realMs(verdict.lateByMs));
    return {
      number: this.books.nextNumber(),
      reference,
      amount,
      outcome: verdict.outcome,
      decidedAt: decidedAt.toISOString(),
      bookedAt: this.#clock.stamp().toISOString(),
      isReversed: false,
      transactionId: this.#seed.uuid('transaction', reference),
      authCode: verdict.outcome === 'Approved' ? this.#authCode(reference) : '',
      message: verdict.message,
      avsResult: verdict.avsResult,
      challenge: null,
      isChallengePassed: false,
      isRefundable: verdict.isRefundable,
    };
  }

  #book(call: BookedCall): BookedCall {
    return this.books.write(call);
  }

  #authCode(reference: string): string {
    return this.#seed.digits(6, 'auth code', reference);
  }
}

function checkReference(reference: string): void {
  if (reference.length < 1 || reference.length > REFERENCE_MAX) {
    throw new AcquirerError('InvalidArgument', `a reference has 1 to ${REFERENCE_MAX} characters`);
  }
}
