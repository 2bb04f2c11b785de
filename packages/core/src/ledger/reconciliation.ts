import type { Money } from '../money/money.js';
import { Refusal } from '../refusals/refusal.js';

/**
 * How books can disagree. The first six kinds are about what the acquirer booked or a call of ours: `OtherAmount` about
 * one booking, `SettledAmount` about all lines of settlement files under one reference. `ListingSum` is about the
 * transaction lines of a payment, `BrokenChain` about its records, `UnprovedRecord` about a payment that a device reports
 * and no card transaction proves.
 */
export const DIFFERENCE_KINDS = [
  'NotAskedFor',
  'OtherKind',
  'OtherAmount',
  'SettledAmount',
  'NotApproved',
  'NotBooked',
  'ListingSum',
  'BrokenChain',
  'UnprovedRecord',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `Open` until an operator answers it (`Answered`) or a later check does not find it any more (`Closed`). */
export const DIFFERENCE_STATES = ['Open', 'Answered', 'Closed'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

/** What one check found. */
export interface Finding {
  readonly kind: DifferenceKind;
  /** The reference of the call to the acquirer; for sums and chains the id of the subject. */
  readonly reference: string;
  readonly paymentIntentId: string | null;
  /** The acquirer whose books disagree; null or absent where only our own books do. */
  readonly acquirer?: string | null;
  /** The money at stake; null where there is no one amount. */
  readonly amount: Money | null;
  /** The values in our books and in the other ones; null if one of them has none. */
  readonly ours: string | null;
  readonly theirs: string | null;
  /** One sentence for the person who looks into it. */
  readonly says: string;
  /** When it was booked or requested, database time: a check of that span finds it again while it exists. */
  readonly happenedAt: Date;
}

/** A finding as it is stored. There is one per reference and kind that is not closed. */
export interface Difference extends Finding {
  readonly id: string;
  readonly state: DifferenceState;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

/** What a check changes in the stored differences. */
export interface DifferenceReview {
  /** Alarms: differences that were not stored yet, and those that changed after an operator answered them. */
  readonly inserted: readonly Finding[];
  readonly reopened: readonly Difference[];
  /** Stored before and found again. */
  readonly seen: readonly Difference[];
  readonly closed: readonly Difference[];
}

/**
 * Compares what a check found with the stored differences that it could have found or that have the same reference
 * and kind; none of them is closed. `isCovered` returns whether the check would have found a difference that still
 * exists.
 */
export function reviewDifferences(
  stored: readonly Difference[],
  findings: readonly Finding[],
  { now, isCovered }: { readonly now: Date; readonly isCovered: (difference: Difference) => boolean },
): DifferenceReview {
  const byName = new Map(findings.map((finding) => [formatDifferenceName(finding), finding]));
  const reopened: Difference[] = [];
  const seen: Difference[] = [];
  const closed: Difference[] = [];
  for (const difference of stored) {
    const finding = byName.get(formatDifferenceName(difference));
    byName.delete(formatDifferenceName(difference));
    if (finding === undefined) {
      if (isCovered(difference)) closed.push({ ...difference, state: 'Closed' });
      continue;
    }
    const next = { ...difference, ...finding, happenedAt: difference.happenedAt, lastSeenAt: now };
    const isChanged = finding.ours !== difference.ours || finding.theirs !== difference.theirs;
    if (difference.state === 'Answered' && isChanged) reopened.push({ ...next, state: 'Open' });
    else seen.push(next);
  }
  return { inserted: [...byName.values()], reopened, seen, closed };
}

/** Whether two checks found the same. */
export function isSameFinding(first: Finding, second: Finding): boolean {
  return (
    formatDifferenceName(first) === formatDifferenceName(second) &&
    first.ours === second.ours &&
    first.theirs === second.theirs
  );
}

/** Marks that an operator has checked it. Refuses `difference_not_answerable`: it is answered or closed already. */
export function acknowledgeDifference(difference: Difference): Difference {
  if (difference.state !== 'Open') {
    const why = difference.state === 'Closed' ? 'the difference does not exist any more' : 'it is answered already';
    throw new Refusal('difference_not_answerable', why);
  }
  return { ...difference, state: 'Answered' };
}

function formatDifferenceName({ kind, reference }: Pick<Finding, 'kind' | 'reference'>): string {
  return `${kind} ${reference}`;
}
