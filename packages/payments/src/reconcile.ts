import type { AcquirerCall } from '@pos/core/acquirer-call';
import type { Scope } from '@pos/core/identity';
import { isSameAmount, isZero, type Money } from '@pos/core/money';
import type { AcquirerAnswer, AcquirerBooking, AcquirerPort } from '@pos/core/ports';
import { callsBetween, findCall } from '@pos/store/acquirer-calls';
import type { Database } from '@pos/store/database';
import { type ListingFault, listingFaults } from '@pos/store/transactions';
import type { Accounts } from './accounts.js';

/** One way in which our books, our listing and the acquirer's books disagree, in words for the person who looks into it. */
export interface Difference {
  readonly reference: string;
  readonly says: string;
}

const PAGES_MAX = 1_000;
const PAGE_DEADLINE_MS = 10_000;
/** A booking may be a little older or younger than our row for it: clocks differ, and a card machine takes its time. */
const SLACK_MS = 10 * 60 * 1000;

/**
 * Compares what the acquirer booked for an account in a span of time with our calls, and the lines of the payments that
 * they were about with the ledger; empty when all agrees. A call whose
 * outcome is still open is no difference: it is being asked after. Throws when the acquirer's list cannot be had.
 */
export async function reconcile(
  { database, acquirer, accounts }: { database: Database; acquirer: AcquirerPort; accounts: Accounts },
  scope: Scope,
  span: { readonly from: Date; readonly to: Date },
): Promise<Difference[]> {
  const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
  const wide = { from: new Date(span.from.getTime() - SLACK_MS), to: new Date(span.to.getTime() + SLACK_MS) };
  const bookings = await allBooked(acquirer, { merchantId, ...wide });
  const { found, uncounted } = await database.read(scope, async (reader) => {
    const calls = await callsBetween(reader, span.from, span.to);
    const known = new Map((await callsBetween(reader, wide.from, wide.to)).map((call) => [call.reference, call]));
    const found: Difference[] = [];
    for (const booking of bookings.filter(({ bookedAt }) => bookedAt >= span.from && bookedAt < span.to)) {
      // A payment may wait for its machine for hours, and what is undone may have been asked for long before.
      const call = known.get(booking.reference) ?? (await findCall(reader, booking.reference));
      const undone = call?.reverseReference ?? null;
      const undoing = undone === null ? null : await findCall(reader, undone);
      found.push(...bookingFaults(booking, call, undoing));
    }
    const intentIds = new Set(calls.flatMap(({ paymentIntentId }) => paymentIntentId ?? []));
    found.push(...(await listingFaults(reader, [...intentIds])).map(unlisted));
    return { found, uncounted: calls.filter((call) => isUncounted(call, bookings)) };
  });
  for (const { reference, kind } of uncounted) {
    const answer = await acquirer.inquire({ reference, deadlineMs: PAGE_DEADLINE_MS });
    // Repeated through an outage it may have been booked long after it was first asked for, in another list than this.
    const bookedAt = bookedAtOf(answer);
    if (bookedAt !== null && (bookedAt < wide.from || bookedAt >= wide.to)) continue;
    found.push({ reference, says: `we count a ${kind} that the acquirer has not booked` });
  }
  return found;
}

function unlisted({ intentId, kept, listed, currency }: ListingFault): Difference {
  return { reference: intentId, says: `the ledger keeps ${kept} ${currency}, the transactions sum to ${listed}` };
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

function bookingFaults(
  booking: AcquirerBooking,
  call: AcquirerCall | null,
  undoing: AcquirerCall | null,
): Difference[] {
  const { reference, kind, amount, status } = booking;
  const differs = (says: string): Difference[] => [{ reference, says }];
  if (call === null) return differs(`the acquirer booked a ${kind} that we never asked for`);
  // Money that is taken at once is two lines under one reference.
  // Of a release the acquirer's list says the same as of a reversal.
  const isOurKind =
    kind === call.kind ||
    (kind === 'Capture' && call.kind === 'Authorise') ||
    (kind === 'Reverse' && call.kind === 'Release');
  if (!isOurKind) return differs(`the acquirer booked a ${kind}, we asked for a ${call.kind}`);
  if (status !== 'booked' || isReversalOfNothing(booking)) return [];
  if (!isSameAmount(amount, call.amount)) {
    return differs(`the acquirer booked ${written(amount)}, we asked for ${written(call.amount)}`);
  }
  // A reversal that was refused for good is replaced by a refund, so the booking itself stands.
  const isBeingUndone = undoing !== null && (undoing.state !== 'Settled' || undoing.outcome === 'Declined');
  if (call.state !== 'Settled' || call.outcome === 'Approved' || isBeingUndone) return [];
  return differs(`the acquirer booked a ${kind} that we take for ${call.outcome ?? call.state}`);
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

function written({ value, currencyCode }: Money): string {
  return `${value} ${currencyCode}`;
}
