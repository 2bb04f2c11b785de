import { z } from 'zod';

/** What can go wrong between the processor and its callers. Each is booked as if nothing had happened. */
const FAULT_EFFECTS = [
  /** The connection is closed after the request was booked. */
  'drop-answer',
  /** HTTP 500 after the request was booked. */
  'error-after-booking',
  /** HTTP 503, and nothing is booked. */
  'down',
  /** An answer that is no JSON. */
  'garbage',
  /** The answer is about another payment. */
  'other-payment',
  /** The answer has another amount. */
  'wrong-amount',
  /** A payment that allows no challenge is challenged all the same. */
  'challenge-forced',
  /** The answer to a challenge is accepted, and decided later than its request. */
  'challenge-late',
  /** A lookup does not find a payment that is booked. */
  'lookup-empty',
  /** The repeat of a payment or of an operation is refused with another code than that of a repeat. */
  'repeat-refused',
  /** The repeat of a payment is answered with a declined payment. */
  'repeat-declined',
  /** Decisions are published twice. */
  'webhook-twice',
  /** After a decision its old state is published once more. */
  'webhook-stale',
  /** Decisions are not published. */
  'webhook-lost',
] as const;
export type FaultEffect = (typeof FAULT_EFFECTS)[number];

/** The faults of the control request: each occurs with every nth request. */
export const Faults = z.strictObject({
  faults: z.array(z.strictObject({ effect: z.enum(FAULT_EFFECTS), every: z.int().min(1).max(1_000) })).max(20),
});

/** The faults that are switched on, with their counts. */
export class FaultSwitches {
  #faults: { readonly effect: FaultEffect; readonly every: number; seen: number }[] = [];

  replace({ faults }: z.output<typeof Faults>): void {
    this.#faults = faults.map((fault) => ({ ...fault, seen: 0 }));
  }

  /** Counts one occasion for the fault, and whether it occurs now. */
  occurs(effect: FaultEffect): boolean {
    const fault = this.#faults.find((each) => each.effect === effect);
    if (fault === undefined) return false;
    fault.seen += 1;
    return fault.seen % fault.every === 0;
  }
}
