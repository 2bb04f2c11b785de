import type { AcquirerCall } from '@pos/core/acquirer-call';
import type { Scope } from '@pos/core/identity';
import { isSameAmount } from '@pos/core/money';
import type { AcquirerBooking, AcquirerPort } from '@pos/core/ports';
import { callsBetween } from '@pos/store/acquirer-calls';
import type { Database } from '@pos/store/database';
import type { Accounts } from './accounts.js';

/** One way in which our books and the acquirer's disagree, in words for the person who looks into it. */
export interface Difference {
  readonly reference: string;
  readonly says: string;
}

const PAGES_MAX = 1_000;
/** A booking may be a little older or younger than our row for it: clocks differ, and a machine may be slow. */
const SLACK_MS = 10 * 60 * 1000;

/** Compares what the acquirer booked for an account in a span of time with our calls; empty when all agrees. */
export async function reconcile(
  { database, acquirer, accounts }: { database: Database; acquirer: AcquirerPort; accounts: Accounts },
  scope: Scope,
  span: { readonly from: Date; readonly to: Date },
): Promise<Difference[]> {
  const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
  const bookings = await allBooked(acquirer, { merchantId, ...span });
  const from = new Date(span.from.getTime() - SLACK_MS);
  const to = new Date(span.to.getTime() + SLACK_MS);
  const calls = await database.read(scope, (reader) => callsBetween(reader, from, to));
  const byReference = new Map(calls.map((call) => [call.reference, call]));
  return [
    ...bookings.flatMap((booking) => bookingFaults(booking, byReference.get(booking.reference))),
    ...calls.flatMap((call) => callFaults(call, bookings)),
  ];
}

async function allBooked(
  acquirer: AcquirerPort,
  span: { readonly merchantId: string; readonly from: Date; readonly to: Date },
): Promise<AcquirerBooking[]> {
  const all: AcquirerBooking[] = [];
  let pageToken: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { bookings, nextPageToken } = await acquirer.listBooked({ ...span, pageToken, deadlineMs: 10_000 });
    all.push(...bookings);
    if (nextPageToken === null) return all;
    pageToken = nextPageToken;
  }
  throw new Error(`the acquirer lists more than ${PAGES_MAX} pages`);
}

function bookingFaults(booking: AcquirerBooking, call: AcquirerCall | undefined): Difference[] {
  const { reference } = booking;
  if (call === undefined) return [{ reference, says: `the acquirer booked a ${booking.kind} that we never asked for` }];
  if (booking.status !== 'booked') return [];
  if (!isSameAmount(booking.amount, call.amount)) {
    return [{ reference, says: `the acquirer booked ${booking.amount.value}, we asked for ${call.amount.value}` }];
  }
  if (booking.kind === 'Authorise' && call.outcome !== 'Approved' && call.reverseReference === null) {
    return [{ reference, says: `the acquirer holds money that we take for ${call.outcome ?? call.state}` }];
  }
  return [];
}

function callFaults(call: AcquirerCall, bookings: readonly AcquirerBooking[]): Difference[] {
  if (call.outcome !== 'Approved' || call.kind === 'Reverse') return [];
  const isBooked = bookings.some(({ reference, status }) => reference === call.reference && status === 'booked');
  return isBooked
    ? []
    : [{ reference: call.reference, says: `we count a ${call.kind} that the acquirer has not booked` }];
}
