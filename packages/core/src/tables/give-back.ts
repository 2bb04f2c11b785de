import type { AcquirerCall } from '../acquirer-calls/acquirer-call.js';

/** After so many refusals only a person can give the money back: each try is kept with the payment for ever. */
const REFUNDS_MAX = 60;

/** A call by which a payment is given back, as its row says. */
export type GiveBackCall = Pick<AcquirerCall, 'reference' | 'kind' | 'state' | 'outcome'>;

/** What is known of a payment that is given back, read under its lock. */
export interface GiveBackPosition {
  /** The key of the request; the reference of each call is derived from it. */
  readonly base: string;
  /** `release`: a hold, of which there is nothing to refund. `reversal`: still allowed, if nothing was refused yet. */
  readonly way: 'release' | 'reversal' | 'refund';
  /** All calls about the payment, in the order in which they were written. */
  readonly calls: readonly GiveBackCall[];
  /** A reversal of the payment that is under way, whoever has asked for it. */
  readonly reversalUnderWay: string | null;
  /** What this run has asked already: it does not follow its own refusal by another call at once. */
  readonly asked: readonly string[];
}

/** The next move: a call that is asked again, one that begins, or the end of this run. */
export type GiveBackMove =
  | { readonly do: 'ask'; readonly reference: string }
  | { readonly do: 'begin'; readonly kind: 'Reverse' | 'Refund'; readonly reference: string }
  | { readonly do: 'end'; readonly outcome: 'givenBack' | 'refused' };

/**
 * Chooses the next move. A call that has no answer is asked for again under its reference. Only after every call has
 * ended in a definite refusal another one begins, under the next derived reference: what is refused stays refused under its
 * own, and what may be under way must never have a second one beside it.
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
