import type { AcquirerCall } from '@pos/core/acquirer-calls/acquirer-call';
import { requireValue } from '@pos/core/refusals/assert';
import type { Scope } from '@pos/core/identity/identity';
import { isSameAmount, isZero, type Money } from '@pos/core/money/money';
import type { AcquirerAnswer, AcquirerBooking, AcquirerPort } from '@pos/core/acquirer/ports';
import { type DifferenceKind, type Finding, isSameFinding } from '@pos/core/ledger/reconciliation';
import { cutStorableText } from '@pos/core/refusals/storable-text';
import { listCallsBetween, type DatedAcquirerCall, findAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Database, Reader } from '@pos/store/database/database';
import { type ListingMismatch, findListingMismatches } from '@pos/store/payments/transaction-listing';
import type { AccountCache } from '../accounts/account-cache.js';

const PAGES_MAX = 1_000;
const PAGE_DEADLINE_MS = 10_000;
/** A booking may be a little older or newer than our row for it: clocks differ, and a card machine takes its time. */
const SLACK_MS = 10 * 60 * 1000;

/** Longer than any reference of ours; the acquirer's list is not trusted. */
const REFERENCE_LENGTH_MAX = 100;

/** Answers to an inquiry that do not state whether the call is booked: no answer, and an acquirer that refuses us. */
const INCONCLUSIVE_OUTCOMES: ReadonlySet<AcquirerAnswer['outcome']> = new Set([
  'unknown',
  'accessRefused',
  'refused',
  'alreadyExists',
]);

interface ComparisonServices {
  readonly database: Database;
  readonly acquirer: AcquirerPort;
  readonly accounts: AccountCache;
}

interface ComparisonRange {
  readonly from: Date;
  readonly to: Date;
}

/** The kinds of findings of a comparison with the acquirer's list. */
export const LISTED_DIFFERENCE_KINDS = [
  'NotAskedFor',
  'OtherKind',
  'OtherAmount',
  'NotApproved',
  'NotBooked',
  'ListingSum',
] as const satisfies DifferenceKind[];

/**
 * Compares what the acquirer booked for an account in a span of time with our calls, and the transaction lines of
 * their payments with the ledger; empty when everything agrees. A call whose outcome is open is no difference,
 * because inquiries run. Nor is one that ends between the two reads: differences are compared once more, and count
 * only if they are found twice. Throws when the acquirer does not return its list.
 */
export async function compareWithAcquirer(
  parts: ComparisonServices,
  scope: Scope,
  span: ComparisonRange,
): Promise<Finding[]> {
  const first = await compareOnce(parts, scope, span);
  if (first.length === 0) return [];
  const second = await compareOnce(parts, scope, span);
  return second.filter((finding) => first.some((each) => isSameFinding(each, finding)));
}

async function compareOnce(
  { database, acquirer, accounts }: ComparisonServices,
  scope: Scope,
  span: ComparisonRange,
): Promise<Finding[]> {
  const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
  const wideRange = { from: new Date(span.from.getTime() - SLACK_MS), to: new Date(span.to.getTime() + SLACK_MS) };
  const bookings = await listAllBookings(acquirer, { merchantId, ...wideRange });
  const { found, uncounted: missing } = await database.readSnapshot(scope, (reader) =>
    compareCalls(reader, { bookings, span, wide: wideRange }),
  );
  for (const call of missing) {
    const { reference, kind, amount, createdAt } = call;
    const answer = await acquirer.inquire({ reference, deadlineMs: PAGE_DEADLINE_MS });
    if (INCONCLUSIVE_OUTCOMES.has(answer.outcome))
      throw new Error(`the acquirer does not say what became of ${reference}`);
    // A call that was repeated through an outage may have been booked much later, in another list than this.
    const bookedAt = findBookedAt(answer);
    if (bookedAt !== null && (bookedAt < wideRange.from || bookedAt >= wideRange.to)) continue;
    const says = `we count a ${kind} that the acquirer has not booked`;
    found.push({
      ...{ kind: 'NotBooked', reference, paymentIntentId: call.paymentIntentId, amount, happenedAt: createdAt },
      ...{ ours: `${kind} of ${formatAmount(amount)}`, theirs: null, says },
    });
  }
  return found;
}

async function compareCalls(
  reader: Reader,
  {
    bookings,
    span,
    wide: wideRange,
  }: { readonly bookings: readonly AcquirerBooking[]; readonly span: ComparisonRange; readonly wide: ComparisonRange },
): Promise<{ found: Finding[]; uncounted: DatedAcquirerCall[] }> {
  const calls = await listCallsBetween(reader, span.from, span.to);
  const known = new Map<string, AcquirerCall>();
  for (const call of await listCallsBetween(reader, wideRange.from, wideRange.to)) known.set(call.reference, call);
  const found: Finding[] = [];
  for (const booking of bookings.filter(({ bookedAt }) => bookedAt >= span.from && bookedAt < span.to)) {
    // A payment may wait for its machine for hours, and a reversed call may have been sent long before.
    const call = known.get(booking.reference) ?? (await findCallOfBooking(reader, booking));
    const reverseReference = call?.reverseReference ?? null;
    const reversal = reverseReference === null ? null : await findAcquirerCall(reader, reverseReference);
    found.push(...checkBooking(booking, call, reversal));
  }
  const lastCalls = new Map(calls.flatMap((call) => (call.paymentIntentId ? [[call.paymentIntentId, call]] : [])));
  for (const mismatch of await findListingMismatches(reader, [...lastCalls.keys()])) {
    const { createdAt } = requireValue(lastCalls.get(mismatch.intentId), 'a call about the payment');
    found.push(toListingFinding(mismatch, createdAt));
  }
  return { found, uncounted: calls.filter((call) => isMissingAtAcquirer(call, bookings)) };
}

/** A reference with a NUL is none of ours, and the database cannot even search for it. */
function findCallOfBooking(reader: Reader, { reference }: AcquirerBooking): Promise<AcquirerCall | null> {
  return reference.includes('\0') ? Promise.resolve(null) : findAcquirerCall(reader, reference);
}

function toListingFinding({ intentId, kept, listed, currency }: ListingMismatch, happenedAt: Date): Finding {
  return {
    ...{ kind: 'ListingSum', reference: intentId, paymentIntentId: intentId, amount: null, happenedAt },
    ...{ ours: `${kept} ${currency}`, theirs: `${listed} ${currency}` },
    says: `the ledger keeps ${kept} ${currency}, the transactions sum to ${listed}`,
  };
}

async function listAllBookings(
  acquirer: AcquirerPort,
  span: { readonly merchantId: string; readonly from: Date; readonly to: Date },
): Promise<AcquirerBooking[]> {
  const all: AcquirerBooking[] = [];
  let pageToken: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { bookings, nextPageToken } = await acquirer.listBooked({
      ...span,
      pageToken,
      deadlineMs: PAGE_DEADLINE_MS,
    });
    all.push(...bookings);
    if (nextPageToken === null) return all;
    pageToken = nextPageToken;
  }
  throw new Error(`the acquirer lists more than ${PAGES_MAX} pages`);
}

function checkBooking(booking: AcquirerBooking, call: AcquirerCall | null, reversal: AcquirerCall | null): Finding[] {
  const { kind, amount, status, bookedAt } = booking;
  const createFinding = (how: DifferenceKind, ours: string | null, says: string): Finding[] => [
    {
      ...{
        kind: how,
        reference: toStorableReference(booking.reference),
        paymentIntentId: call?.paymentIntentId ?? null,
      },
      ...{ amount, ours, theirs: `${kind} of ${formatAmount(amount)}`, says, happenedAt: bookedAt },
    },
  ];
  if (call === null) return createFinding('NotAskedFor', null, `the acquirer booked a ${kind} that we never asked for`);
  const requested = `${call.kind} of ${formatAmount(call.amount)}`;
  // Money that is taken at once is two lines under one reference. A release looks like a reversal in the acquirer's
  // list.
  const isOurKind =
    kind === call.kind ||
    (kind === 'Capture' && call.kind === 'Authorise') ||
    (kind === 'Reverse' && call.kind === 'Release');
  if (!isOurKind)
    return createFinding('OtherKind', requested, `the acquirer booked a ${kind}, we asked for a ${call.kind}`);
  if (status !== 'booked' || isReversalOfNothing(booking)) return [];
  if (!isSameAmount(amount, call.amount)) {
    const says = `the acquirer booked ${formatAmount(amount)}, we asked for ${formatAmount(call.amount)}`;
    return createFinding('OtherAmount', requested, says);
  }
  // A reversal that was refused for good is replaced by a refund, so the booking itself is valid.
  const isBeingUndone = reversal !== null && (reversal.state !== 'Settled' || reversal.outcome === 'Declined');
  if (call.state !== 'Settled' || call.outcome === 'Approved' || isBeingUndone) return [];
  const outcome = call.outcome ?? call.state;
  return createFinding(
    'NotApproved',
    `${requested}: ${outcome}`,
    `the acquirer booked a ${kind} that we take for ${outcome}`,
  );
}

/** A reversal before any authorisation has no amount: the acquirer only stores the reference. */
function isReversalOfNothing({ kind, amount }: AcquirerBooking): boolean {
  return kind === 'Reverse' && isZero(amount);
}

/** Whether our books contain money that the acquirer's list does not. */
function isMissingAtAcquirer(call: AcquirerCall, bookings: readonly AcquirerBooking[]): boolean {
  if (call.outcome !== 'Approved' || call.kind === 'Reverse' || call.kind === 'Release') return false;
  return !bookings.some(({ reference, status }) => reference === call.reference && status === 'booked');
}

function findBookedAt(answer: AcquirerAnswer): Date | null {
  if (answer.outcome === 'done') return new Date(answer.transactionDateTime);
  return answer.outcome === 'approved' ? new Date(answer.approval.transactionDateTime) : null;
}

/** No column can store a NUL, and a check that cannot store its findings would fail for ever. */
function toStorableReference(reference: string): string {
  return cutStorableText(reference, REFERENCE_LENGTH_MAX);
}

function formatAmount({ value, currencyCode }: Money): string {
  return `${value} ${currencyCode}`;
}
