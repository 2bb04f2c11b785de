import type { DigitsViolation } from '@pos/core/cards';

/** Where a process writes what an acquirer shows wrongly. */
interface UnreadableCardLog {
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Takes what is wrong with the digits that an acquirer shows of the card of a call; the reference is ours. */
export type UnreadableCardReporter = (reference: string, problem: DigitsViolation) => void;

/** An acquirer that is asked after a call repeats its answer; older references than these may be logged again. */
const REFERENCES_MAX = 10_000;

/**
 * Logs each call whose card the acquirer shows unreadably, once per reference, with the reason and without any digit of
 * the card. The approval itself is kept.
 */
export function createUnreadableCardReporter(log: UnreadableCardLog): UnreadableCardReporter {
  const logged = new Set<string>();
  return (reference, reason) => {
    if (logged.has(reference)) return;
    if (logged.size >= REFERENCES_MAX) logged.clear();
    logged.add(reference);
    log.warn('acquirer.card_unreadable', { acquirer_reference: reference, reason });
  };
}
