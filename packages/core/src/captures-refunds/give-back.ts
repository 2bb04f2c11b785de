import { toZonedDay } from '../time/time-zone.js';
import type { AcquirerCall } from '../acquirer-calls/acquirer-call.js';

/**
 * After so many refusals only an operator can give the money back: each try stays stored with the payment for ever.
 */
const REFUNDS_MAX = 60;

/** The state of an intent whose money is to be given back. Times are account time. */
export interface IntentToGiveBack {
  readonly status: string;
  readonly capturedAt: Date | null;
  readonly isAnythingRefunded: boolean;
}

/**
 * Chooses reversal or refund. A reversal undoes the payment completely; it is allowed on the day of the capture
 * only, by the calendar of the zone.
 */
export function findGiveBackWay(
  intent: IntentToGiveBack,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): 'reversal' | 'refund' {
  if (intent.status === 'Authorized') return 'reversal';
  const { capturedAt } = intent;
  const isSameDay = capturedAt !== null && toZonedDay(capturedAt, timeZone) === toZonedDay(now, timeZone);
  return intent.status === 'Captured' && isSameDay && !intent.isAnythingRefunded ? 'reversal' : 'refund';
}

/** A call that gives a payment back, as stored in its row. */
export type GiveBackCall = Pick<AcquirerCall, 'reference' | 'kind' | 'state' | 'outcome'>;

/** The state of a payment that is given back, read under its row lock. */
export interface GiveBackPosition {
  /** The key of the request; the reference of each call is derived from it. */
  readonly base: string;
  /** `release`: a hold, which cannot be refunded. `reversal`: still allowed, if no call was refused yet. */
  readonly way: 'release' | 'reversal' | 'refund';
  /** All calls about the payment, in the order in which they were written. */
  readonly calls: readonly GiveBackCall[];
  /** A reversal of the payment that is under way, from any request. */
  readonly reversalUnderWay: string | null;
  /** References that this run has called already: it does not follow its own refusal by another call at once. */
  readonly asked: readonly string[];
}

/** The next move: an existing call is repeated, a new one begins, or this run ends. */
export type GiveBackMove =
  | { readonly do: 'ask'; readonly reference: string }
  | { readonly do: 'begin'; readonly kind: 'Reverse' | 'Refund'; readonly reference: string }
  | { readonly do: 'end'; readonly outcome: 'givenBack' | 'refused' };

/**
 * Chooses the next move. A call that has no answer is repeated under its reference. A new call begins, under the
 * next derived reference, only after every call has ended in a definite refusal: a refused reference stays refused,
 * and a call that may be under way must never run beside a second one.
 */
export function chooseGiveBack({ base, way, calls, reversalUnderWay, asked }: GiveBackPosition): GiveBackMove {
  const reversals = listDerivedCalls(calls, `rv-${base}`);
  const refunds = listDerivedCalls(calls, base);
  const known = [...refunds, ...reversals, ...calls.filter(({ reference }) => reference === reversalUnderWay)];
  const open = known.find(({ state }) => state !== 'Settled');
  if (open !== undefined) return { do: 'ask', reference: open.reference };
  if (known.some(({ outcome }) => outcome === 'Approved')) return { do: 'end', outcome: 'givenBack' };
  const isReversing = way === 'release' || (way === 'reversal' && reversals.length === 0 && refunds.length === 0);
  const same = isReversing ? reversals : refunds;
  const isJustRefused = same.some(({ reference }) => asked.includes(reference));
  if (isJustRefused || same.length >= REFUNDS_MAX) return { do: 'end', outcome: 'refused' };
  const reference = deriveReference(isReversing ? `rv-${base}` : base, same.length + 1);
  return { do: 'begin', kind: isReversing ? 'Reverse' : 'Refund', reference };
}

/** The calls under a key and the references that are derived from it, from the first on. */
function listDerivedCalls(calls: readonly GiveBackCall[], base: string): GiveBackCall[] {
  const family: GiveBackCall[] = [];
  for (;;) {
    const reference = deriveReference(base, family.length + 1);
    const call = calls.find((each) => each.reference === reference);
    if (call === undefined) return family;
    family.push(call);
  }
}

function deriveReference(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}
