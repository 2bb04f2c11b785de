import type { AvsResult, CardFundingType, CardScheme } from '@pos/core/card';
import { add, money, sum, subtract, zero, type Money } from '@pos/core/money';

export type BookedKind = 'Authorise' | 'Increase' | 'Capture' | 'Refund' | 'Reverse';

/** What the acquirer decided on a call; `Challenged` is the only one that changes later. */
export type BookedOutcome = 'Approved' | 'Declined' | 'Referred' | 'Failed' | 'Challenged';

/** A card without its number. */
export interface CardFacts {
  readonly maskedNumber: string;
  readonly last4: string;
  readonly scheme: CardScheme | null;
  readonly fundingType: CardFundingType;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cardholderName: string;
  /** A keyed hash of the number: tells that two bookings are of one card, and nothing else. */
  readonly fingerprint: string;
}

/** One call that was made to the acquirer, as it stands now. Plain JSON: a line of the journal. */
export interface BookedCall {
  /** Counts all calls from 1: the order of the books. */
  readonly number: number;
  readonly reference: string;
  readonly kind: BookedKind;
  /** The authorisation it belongs to; null for an authorisation and for a refund without a payment. */
  readonly originalReference: string | null;
  readonly merchantId: string;
  /** The TID of the machine that called; null for an online call. */
  readonly terminalId: string | null;
  readonly amount: Money;
  readonly isPurchase: boolean;
  /** The values of the call as text: a repeat with others is refused. */
  readonly values: string;
  readonly outcome: BookedOutcome;
  /** ISO 8601. Until then an inquiry says that the call is in progress. */
  readonly decidedAt: string;
  readonly bookedAt: string;
  readonly isReversed: boolean;
  readonly transactionId: string;
  readonly authCode: string;
  readonly message: string;
  readonly card: CardFacts | null;
  readonly avsResult: AvsResult | null;
  readonly challenge: { readonly md: string; readonly canPass: boolean } | null;
  readonly isChallengePassed: boolean;
  readonly isRefundable: boolean;
}

/** What an authorisation holds, has taken and has given back. */
export interface Figures {
  readonly held: Money;
  readonly captured: Money;
  readonly refunded: Money;
  readonly isReversed: boolean;
  readonly isRestReleased: boolean;
}

/** Where the books are written to: a file in the running sandbox, a list in a test. */
export interface Journal {
  /** Every line written so far, oldest first. */
  read(): readonly string[];
  /** Durable when it returns. */
  append(line: string): void;
}

/** A journal that lasts as long as the process. */
export function memoryJournal(lines: string[] = []): Journal {
  return { read: () => lines, append: (line) => void lines.push(line) };
}

/** The acquirer's books: each call once, by its reference. Written through to the journal, read from it at the start. */
export class AcquirerBooks {
  readonly #journal: Journal;
  readonly #byReference = new Map<string, BookedCall>();
  readonly #byOriginal = new Map<string, string[]>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const line of journal.read()) {
      const call = parseLine(line);
      if (call !== null) this.#keep(call);
    }
  }

  find(reference: string): BookedCall | null {
    return this.#byReference.get(reference) ?? null;
  }

  /** Writes the call, or its new standing; on return it is in the journal. */
  write(call: BookedCall): BookedCall {
    this.#journal.append(JSON.stringify(call));
    this.#keep(call);
    return call;
  }

  nextNumber(): number {
    return this.#byReference.size + 1;
  }

  /** Everything booked, in the order of the first writing. */
  all(): BookedCall[] {
    return [...this.#byReference.values()].sort((left, right) => left.number - right.number);
  }

  /** The captures, refunds, increases and reversals of an authorisation. */
  belongingTo(reference: string): BookedCall[] {
    return (this.#byOriginal.get(reference) ?? []).flatMap((each) => this.find(each) ?? []);
  }

  /** What an approved authorisation holds now, from its own line and those that belong to it. */
  figuresOf(authorisation: BookedCall): Figures {
    const { currencyCode } = authorisation.amount;
    const parts = this.belongingTo(authorisation.reference).filter(({ outcome }) => outcome === 'Approved');
    const of = (kind: BookedKind): Money =>
      sum(
        parts.filter((part) => part.kind === kind).map(({ amount }) => amount),
        currencyCode,
      );
    const isApproved = authorisation.outcome === 'Approved';
    const first = isApproved ? authorisation.amount : zero(currencyCode);
    const isRestReleased = parts.some((part) => part.kind === 'Reverse' && part.values.includes('"releaseRest":true'));
    const captured = authorisation.isPurchase ? first : of('Capture');
    return {
      held: add(first, of('Increase')),
      captured,
      refunded: of('Refund'),
      isReversed: authorisation.isReversed,
      isRestReleased,
    };
  }

  #keep(call: BookedCall): void {
    const isNew = !this.#byReference.has(call.reference);
    this.#byReference.set(call.reference, call);
    if (isNew && call.originalReference !== null) {
      const siblings = this.#byOriginal.get(call.originalReference) ?? [];
      this.#byOriginal.set(call.originalReference, [...siblings, call.reference]);
    }
  }
}

/** What may still be captured. Nothing, once the rest is released. */
export function capturable(figures: Figures): Money {
  if (figures.isReversed || figures.isRestReleased) return zero(figures.held.currencyCode);
  return subtract(figures.held, figures.captured);
}

/** What may still be given back. */
export function refundable(figures: Figures): Money {
  if (figures.isReversed) return zero(figures.held.currencyCode);
  return subtract(figures.captured, figures.refunded);
}

/** A line of the journal; null for the torn last line that a killed process leaves behind. */
function parseLine(line: string): BookedCall | null {
  if (!line.endsWith('}')) return null;
  const call = JSON.parse(line) as BookedCall;
  return { ...call, amount: money(call.amount.value, call.amount.currencyCode) };
}
