import type { AvsResult, CardFundingType, CardScheme } from '@pos/core/cards';
import { add, money, sum, subtract, zeroMoney, type Money } from '@pos/core/money';

export type BookedKind = 'Authorise' | 'Increase' | 'Capture' | 'Refund' | 'Reverse';

/** What the acquirer decided on a call; `Challenged` is the only one that changes later. */
export type BookedOutcome = 'Approved' | 'Declined' | 'Referred' | 'Failed' | 'Challenged';

/** A card without its number. */
export interface CardDetails {
  readonly maskedNumber: string;
  readonly last4: string;
  readonly scheme: CardScheme | null;
  readonly fundingType: CardFundingType;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cardholderName: string;
  /** A keyed hash of the number. Two bookings of one card have the same hash; the number cannot be derived from it. */
  readonly fingerprint: string;
}

/** One call to the acquirer in its current state. Plain JSON: a line of the journal. */
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
  /** ISO 8601. Before this time an inquiry reports that the call is in progress. */
  readonly decidedAt: string;
  readonly bookedAt: string;
  readonly isReversed: boolean;
  readonly transactionId: string;
  readonly authCode: string;
  readonly message: string;
  readonly card: CardDetails | null;
  readonly avsResult: AvsResult | null;
  readonly challenge: { readonly md: string; readonly canPass: boolean } | null;
  readonly isChallengePassed: boolean;
  readonly isRefundable: boolean;
}

/** What an authorisation holds, has captured and has refunded. */
export interface AuthorisationTotals {
  readonly held: Money;
  readonly captured: Money;
  readonly refunded: Money;
  readonly isReversed: boolean;
  readonly isRemainderReleased: boolean;
}

/** Where the books are written to: a file in the running sandbox, a list in a test. */
export interface AcquirerJournal {
  /** Every line written so far, oldest first. */
  readLines(): readonly string[];
  /** Durable when it returns. */
  appendLine(line: string): void;
}

/** A journal that lasts as long as the process. */
export function createMemoryJournal(lines: string[] = []): AcquirerJournal {
  return { readLines: () => lines, appendLine: (line) => void lines.push(line) };
}

/** The acquirer's books: each call once, by its reference. Written through to the journal, read from it at the start. */
export class AcquirerBooks {
  readonly #journal: AcquirerJournal;
  readonly #byReference = new Map<string, BookedCall>();
  readonly #byOriginal = new Map<string, string[]>();

  constructor(journal: AcquirerJournal) {
    this.#journal = journal;
    for (const line of journal.readLines()) {
      const call = parseJournalLine(line);
      if (call !== null) this.#indexCall(call);
    }
  }

  findCall(reference: string): BookedCall | null {
    return this.#byReference.get(reference) ?? null;
  }

  /** Stores the call or its new state. When it returns, the line is in the journal. */
  recordCall(call: BookedCall): BookedCall {
    this.#journal.appendLine(JSON.stringify(call));
    this.#indexCall(call);
    return call;
  }

  getNextNumber(): number {
    return this.#byReference.size + 1;
  }

  /** All booked calls, in the order in which they were first stored. */
  listCalls(): BookedCall[] {
    return [...this.#byReference.values()].sort((left, right) => left.number - right.number);
  }

  /** The captures, refunds, increases and reversals of an authorisation. */
  listRelatedCalls(reference: string): BookedCall[] {
    return (this.#byOriginal.get(reference) ?? []).flatMap((each) => this.findCall(each) ?? []);
  }

  /** What an approved authorisation holds now, computed from its own line and its follow-up calls. */
  computeTotals(authorisation: BookedCall): AuthorisationTotals {
    const { currencyCode } = authorisation.amount;
    const parts = this.listRelatedCalls(authorisation.reference).filter(({ outcome }) => outcome === 'Approved');
    const sumOf = (kind: BookedKind): Money =>
      sum(
        parts.filter((part) => part.kind === kind).map(({ amount }) => amount),
        currencyCode,
      );
    const isApproved = authorisation.outcome === 'Approved';
    const authorised = isApproved ? authorisation.amount : zeroMoney(currencyCode);
    const isRestReleased = parts.some((part) => part.kind === 'Reverse' && part.values.includes('"releaseRest":true'));
    const captured = authorisation.isPurchase ? authorised : sumOf('Capture');
    return {
      held: add(authorised, sumOf('Increase')),
      captured,
      refunded: sumOf('Refund'),
      isReversed: authorisation.isReversed,
      isRemainderReleased: isRestReleased,
    };
  }

  #indexCall(call: BookedCall): void {
    const isNew = !this.#byReference.has(call.reference);
    this.#byReference.set(call.reference, call);
    if (isNew && call.originalReference !== null) {
      const siblings = this.#byOriginal.get(call.originalReference) ?? [];
      this.#byOriginal.set(call.originalReference, [...siblings, call.reference]);
    }
  }
}

/** The amount that may still be captured. Zero once the rest is released. */
export function computeCapturable(totals: AuthorisationTotals): Money {
  if (totals.isReversed || totals.isRemainderReleased) return zeroMoney(totals.held.currencyCode);
  return subtract(totals.held, totals.captured);
}

/** The amount that may still be refunded. */
export function computeRefundable(totals: AuthorisationTotals): Money {
  if (totals.isReversed) return zeroMoney(totals.held.currencyCode);
  return subtract(totals.captured, totals.refunded);
}

/** Parses a line of the journal. Null for an incomplete last line, which a killed process leaves behind. */
function parseJournalLine(line: string): BookedCall | null {
  if (!line.endsWith('}')) return null;
  const call = JSON.parse(line) as BookedCall;
  return { ...call, amount: money(call.amount.value, call.amount.currencyCode) };
}
