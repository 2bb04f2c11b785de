import type { AcquirerBooking } from '@pos/core/acquirer';
import type { Finding } from '@pos/core/ledger';
import { exceeds, isSameAmount, type Money, money } from '@pos/core/money';
import type { Reader } from '@pos/store/database';
import type { DatedAcquirerCall } from '@pos/store/payments';
import type { ImportedLine } from '@pos/store/reconciliation';
import { toBooking } from '../acquirer/acquirer-books.js';
import { checkBookingOfAcquirer, formatBookedAmount, isOfKind, isReversalOfNothing } from './booking-check.js';

/** All lines of settlement files that one acquirer has sent under one reference. At least one. */
export interface SettledReference {
  readonly acquirer: string;
  readonly lines: readonly ImportedLine[];
  /** Our call with the reference; null where there is none. */
  readonly call: DatedAcquirerCall | null;
  /** Whether all files have arrived that can name the call. */
  readonly isComplete: boolean;
  /** By which the days of the lines begin. */
  readonly timeZone: string;
}

/** What the lines of a reference show. */
export interface SettledReferenceCheck {
  readonly findings: readonly Finding[];
  /** Less than our call is settled, and a file that has not arrived may name the rest. */
  readonly isAwaited: boolean;
}

/**
 * Compares everything that is settled under a reference with our call. The sum of the lines counts, so an acquirer may
 * settle a call in several parts. The order of the lines in their files decides nothing (ADR-0089). A line of another
 * kind than our call counts until the lines of a later import have the right kind.
 */
export async function checkSettledReference(
  reader: Reader,
  { acquirer, lines, call, isComplete, timeZone }: SettledReference,
): Promise<SettledReferenceCheck> {
  const findings = new Map<string, Finding>();
  let isAwaited = false;
  const groups = groupByKind(lines).map((group) => ({ ...group, booking: sumLines(group.lines, timeZone) }));
  const rightlyNamedAt = findLastImport(groups, call);
  for (const { booking, lines: sameKind } of groups) {
    const asRequested = call?.acquirer === acquirer ? { ...booking, amount: call.amount } : booking;
    for (const finding of await checkBookingOfAcquirer(reader, { acquirer, booking: asRequested, call })) {
      const isCorrected =
        finding.kind === 'OtherKind' && sameKind.every(({ importedAt }) => importedAt < rightlyNamedAt);
      const theirs = `${booking.kind} of ${formatTotals(sameKind)}`;
      if (!isCorrected && !findings.has(finding.kind))
        findings.set(finding.kind, { ...finding, amount: booking.amount, theirs });
    }
    if (call?.acquirer !== acquirer || !isOfKind(booking, call) || isReversalOfNothing(booking)) continue;
    const { isLess, finding } = compareAmounts({ acquirer, call, booking, lines: sameKind });
    if (isLess && !isComplete) isAwaited = true;
    else if (finding !== null) findings.set(finding.kind, finding);
  }
  return { findings: [...findings.values()], isAwaited };
}

interface KindGroup {
  readonly lines: readonly ImportedLine[];
}

interface SummedGroup extends KindGroup {
  readonly booking: AcquirerBooking;
}

function groupByKind(lines: readonly ImportedLine[]): KindGroup[] {
  return (['Capture', 'Refund', 'Reverse'] as const)
    .map((kind) => ({ lines: lines.filter((line) => line.kind === kind) }))
    .filter((group) => group.lines.length > 0);
}

/** The newest import with a line of the kind of our call; the epoch where there is none. */
function findLastImport(groups: readonly SummedGroup[], call: DatedAcquirerCall | null): Date {
  const times = groups
    .filter(({ booking }) => call !== null && isOfKind(booking, call))
    .flatMap(({ lines }) => lines.map(({ importedAt }) => importedAt.getTime()));
  return new Date(Math.max(0, ...times));
}

/** One booking of the first day, with the sum of the amounts; of several currencies only one is summed. */
function sumLines(lines: readonly ImportedLine[], timeZone: string): AcquirerBooking {
  const [earliest] = lines.toSorted((one, other) => (one.bookedOn < other.bookedOn ? -1 : 1));
  const [total] = computeTotals(lines);
  if (earliest === undefined || total === undefined) throw new Error('a reference without a line');
  return { ...toBooking(earliest, timeZone), amount: total };
}

function computeTotals(lines: readonly ImportedLine[]): Money[] {
  const totals = new Map<string, number>();
  for (const { amount } of lines) {
    // A sum that no amount can be is a difference in any case.
    const total = Math.min((totals.get(amount.currencyCode) ?? 0) + amount.value, Number.MAX_SAFE_INTEGER);
    totals.set(amount.currencyCode, total);
  }
  return [...totals].toSorted().map(([currency, value]) => money(value, currency));
}

function formatTotals(lines: readonly ImportedLine[]): string {
  return computeTotals(lines).map(formatBookedAmount).join(' and ');
}

function compareAmounts({
  acquirer,
  call,
  booking,
  lines,
}: {
  readonly acquirer: string;
  readonly call: DatedAcquirerCall;
  readonly booking: AcquirerBooking;
  readonly lines: readonly ImportedLine[];
}): { readonly isLess: boolean; readonly finding: Finding | null } {
  const totals = computeTotals(lines);
  const [total] = totals;
  const isOneCurrency = totals.length === 1 && total?.currencyCode === call.amount.currencyCode;
  if (isOneCurrency && isSameAmount(total, call.amount)) return { isLess: false, finding: null };
  const settled = formatTotals(lines);
  const count = lines.length === 1 ? 'one line' : `${lines.length} lines`;
  const finding: Finding = {
    ...{ kind: 'SettledAmount', reference: booking.reference, paymentIntentId: call.paymentIntentId, acquirer },
    ...{ amount: booking.amount, happenedAt: booking.bookedAt },
    ...{
      ours: `${call.kind} of ${formatBookedAmount(call.amount)}`,
      theirs: `${booking.kind} of ${settled} in ${count}`,
    },
    says: `the acquirer settled ${settled} in ${count}, we asked for ${formatBookedAmount(call.amount)}`,
  };
  return { isLess: isOneCurrency && exceeds(call.amount, total), finding };
}
