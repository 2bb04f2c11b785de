import type { AcquirerCall } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import { isSameAmount, isZero, type Money } from '@pos/core/money';
import type { AcquirerAnswer, AcquirerBooking, AcquirerPort } from '@pos/core/ports';
import { type DifferenceKind, type Finding, isSameFinding } from '@pos/core/reconciliation';
import { cutStorableText } from '@pos/core/storable-text';
import { callsBetween, type DatedCall, findCall } from '@pos/store/acquirer-calls';
import type { Database, Reader } from '@pos/store/database';
import { type ListingFault, listingFaults } from '@pos/store/transactions';
import type { Accounts } from './accounts.js';

const PAGES_MAX = 1_000;
const PAGE_DEADLINE_MS = 10_000;
/** A booking may be a little older or younger than our row for it: clocks differ, and a card machine takes its time. */
const SLACK_MS = 10 * 60 * 1000;

/** Longer than any reference of ours; what an acquirer lists is not trusted. */
const REFERENCE_LENGTH_MAX = 100;

/** Answers to an inquiry that do not say whether the call is booked: silence, and an acquirer that refuses us. */
const SAYS_NOTHING: ReadonlySet<AcquirerAnswer['outcome']> = new Set([
  'unknown',
  'accessRefused',
  'refused',
  'alreadyExists',
]);

interface Parts {
  readonly database: Database;
  readonly acquirer: AcquirerPort;
  readonly accounts: Accounts;
}

interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The kinds of findings that a comparison with the acquirer's list can make. */
export const LISTED_KINDS = [
  'NotAskedFor',
  'OtherKind',
  'OtherAmount',
  'NotApproved',
  'NotBooked',
  'ListingSum',
] as const satisfies DifferenceKind[];

/**
 * Compares what the acquirer booked for an account in a span of time with our calls, and the lines of the payments that
 * they were about with the ledger; empty when all agrees. A call whose outcome is open is no difference: it is being asked
 * after. Nor is one that ends between the two readings: what differs is compared once more, and only what is found twice
 * counts. Throws when the acquirer's list cannot be had.
 */
export async function reconcile(parts: Parts, scope: Scope, span: Span): Promise<Finding[]> {
  const first = await compareOnce(parts, scope, span);
  if (first.length === 0) return [];
  const second = await compareOnce(parts, scope, span);
  return second.filter((finding) => first.some((each) => isSameFinding(each, finding)));
}

async function compareOnce({ database, acquirer, accounts }: Parts, scope: Scope, span: Span): Promise<Finding[]> {
  const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
  const wide = { from: new Date(span.from.getTime() - SLACK_MS), to: new Date(span.to.getTime() + SLACK_MS) };
  const bookings = await allBooked(acquirer, { merchantId, ...wide });
  const { found, uncounted } = await database.readSnapshot(scope, (reader) =>
    compareCalls(reader, { bookings, span, wide }),
  );
  for (const call of uncounted) {
    const { reference, kind, amount, createdAt } = call;
    const answer = await acquirer.inquire({ reference, deadlineMs: PAGE_DEADLINE_MS });
    if (SAYS_NOTHING.has(answer.outcome)) throw new Error(`the acquirer does not say what became of ${reference}`);
    // Repeated through an outage it may have been booked long after it was first asked for, in another list than this.
    const bookedAt = bookedAtOf(answer);
    if (bookedAt !== null && (bookedAt < wide.from || bookedAt >= wide.to)) continue;
    const says = `we count a ${kind} that the acquirer has not booked`;
    found.push({
      ...{ kind: 'NotBooked', reference, paymentIntentId: call.paymentIntentId, amount, happenedAt: createdAt },
      ...{ ours: `${kind} of ${written(amount)}`, theirs: null, says },
    });
  }
  return found;
}

async function compareCalls(
  reader: Reader,
  { bookings, span, wide }: { readonly bookings: readonly AcquirerBooking[]; readonly span: Span; readonly wide: Span },
): Promise<{ found: Finding[]; uncounted: DatedCall[] }> {
  const calls = await callsBetween(reader, span.from, span.to);
  const known = new Map<string, AcquirerCall>();
  for (const call of await callsBetween(reader, wide.from, wide.to)) known.set(call.reference, call);
  const found: Finding[] = [];
  for (const booking of bookings.filter(({ bookedAt }) => bookedAt >= span.from && bookedAt < span.to)) {
    // A payment may wait for its machine for hours, and what is undone may have been asked for long before.
    const call = known.get(booking.reference) ?? (await findListed(reader, booking));
    const undone = call?.reverseReference ?? null;
    const undoing = undone === null ? null : await findCall(reader, undone);
    found.push(...bookingFaults(booking, call, undoing));
  }
  const lastCalls = new Map(calls.flatMap((call) => (call.paymentIntentId ? [[call.paymentIntentId, call]] : [])));
  for (const fault of await listingFaults(reader, [...lastCalls.keys()])) {
    const { createdAt } = required(lastCalls.get(fault.intentId), 'a call about the payment');
    found.push(unlisted(fault, createdAt));
  }
  return { found, uncounted: calls.filter((call) => isUncounted(call, bookings)) };
}

/** A reference with a NUL is none of ours, and the database cannot even be asked for it. */
function findListed(reader: Reader, { reference }: AcquirerBooking): Promise<AcquirerCall | null> {
  return reference.includes('\0') ? Promise.resolve(null) : findCall(reader, reference);
}

function unlisted({ intentId, kept, listed, currency }: ListingFault, happenedAt: Date): Finding {
  return {
    ...{ kind: 'ListingSum', reference: intentId, paymentIntentId: intentId, amount: null, happenedAt },
    ...{ ours: `${kept} ${currency}`, theirs: `${listed} ${currency}` },
    says: `the ledger keeps ${kept} ${currency}, the transactions sum to ${listed}`,
  };
}

async function allBooked(
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

function bookingFaults(booking: AcquirerBooking, call: AcquirerCall | null, undoing: AcquirerCall | null): Finding[] {
  const { kind, amount, status, bookedAt } = booking;
  const differs = (how: DifferenceKind, ours: string | null, says: string): Finding[] => [
    {
      ...{ kind: how, reference: storable(booking.reference), paymentIntentId: call?.paymentIntentId ?? null },
      ...{ amount, ours, theirs: `${kind} of ${written(amount)}`, says, happenedAt: bookedAt },
    },
  ];
  if (call === null) return differs('NotAskedFor', null, `the acquirer booked a ${kind} that we never asked for`);
  const asked = `${call.kind} of ${written(call.amount)}`;
  // Money that is taken at once is two lines under one reference.
  // Of a release the acquirer's list says the same as of a reversal.
  const isOurKind =
    kind === call.kind ||
    (kind === 'Capture' && call.kind === 'Authorise') ||
    (kind === 'Reverse' && call.kind === 'Release');
  if (!isOurKind) return differs('OtherKind', asked, `the acquirer booked a ${kind}, we asked for a ${call.kind}`);
  if (status !== 'booked' || isReversalOfNothing(booking)) return [];
  if (!isSameAmount(amount, call.amount)) {
    const says = `the acquirer booked ${written(amount)}, we asked for ${written(call.amount)}`;
    return differs('OtherAmount', asked, says);
  }
  // A reversal that was refused for good is replaced by a refund, so the booking itself stands.
  const isBeingUndone = undoing !== null && (undoing.state !== 'Settled' || undoing.outcome === 'Declined');
  if (call.state !== 'Settled' || call.outcome === 'Approved' || isBeingUndone) return [];
  const outcome = call.outcome ?? call.state;
  return differs('NotApproved', `${asked}: ${outcome}`, `the acquirer booked a ${kind} that we take for ${outcome}`);
}

/** What is reversed before it was ever authorised has no amount: the acquirer only remembers the reference. */
function isReversalOfNothing({ kind, amount }: AcquirerBooking): boolean {
  return kind === 'Reverse' && isZero(amount);
}

/** Whether we count on money that the acquirer's list does not show. */
function isUncounted(call: AcquirerCall, bookings: readonly AcquirerBooking[]): boolean {
  if (call.outcome !== 'Approved' || call.kind === 'Reverse' || call.kind === 'Release') return false;
  return !bookings.some(({ reference, status }) => reference === call.reference && status === 'booked');
}

function bookedAtOf(answer: AcquirerAnswer): Date | null {
  if (answer.outcome === 'done') return new Date(answer.transactionDateTime);
  return answer.outcome === 'approved' ? new Date(answer.approval.transactionDateTime) : null;
}

/** No column holds a NUL, and a check that cannot store what it found would fail for ever. */
function storable(reference: string): string {
  return cutStorableText(reference, REFERENCE_LENGTH_MAX);
}

function written({ value, currencyCode }: Money): string {
  return `${value} ${currencyCode}`;
}
