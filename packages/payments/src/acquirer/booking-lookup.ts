import type { AcquirerCall } from '@pos/core/acquirer-calls';
import {
  type AcquirerAnswer,
  type AcquirerBooking,
  type AcquirerPort,
  findVerdict,
  toAcquirerAnswer,
} from '@pos/core/acquirer';
import { exceeds, sum } from '@pos/core/money';
import type { OpenAcquirerCall } from '@pos/store/payments';

/** Whose list is read, until when, and how long each call may take. */
export interface BookingListQuery {
  readonly merchantId: string;
  readonly databaseNow: Date;
  readonly deadlineMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGES_MAX = 100;

/**
 * What the acquirer's books say of one call: its answer to an inquiry, or else the line of its list under the reference.
 * `notFound` where the acquirer answers so and lists nothing, `unknown` where neither is a final word. Changes nothing.
 */
export async function readAnswerFromBooks(
  acquirer: AcquirerPort,
  { call, createdAt }: OpenAcquirerCall,
  query: BookingListQuery,
): Promise<AcquirerAnswer> {
  const { reference } = call;
  const inquiry = await acquirer.inquire({ reference, deadlineMs: query.deadlineMs });
  if (isFinalAnswer(call, inquiry)) return inquiry;
  const bookings = await listBookingsSince(acquirer, createdAt, query);
  const line = bookings?.find((booking) => booking.reference === reference && matchesKind(call, booking));
  if (line !== undefined) return toAcquirerAnswer(call, line);
  if (bookings !== null && inquiry.outcome === 'notFound') return inquiry;
  return { outcome: 'unknown', reason: 'not in the list' };
}

/**
 * Whether the acquirer's books say that the payer's money is back, or was never taken, for an authorisation whose reversal
 * was refused: an inquiry of it says so, or the list shows its reversal or refunds of the whole amount.
 */
export async function isMoneyReturned(
  acquirer: AcquirerPort,
  { call: reversal, createdAt }: OpenAcquirerCall,
  query: BookingListQuery,
): Promise<boolean> {
  const { originalReference } = reversal;
  if (originalReference === null) return false;
  const inquiry = await acquirer.inquire({ reference: originalReference, deadlineMs: query.deadlineMs });
  if (inquiry.outcome === 'reversed' || inquiry.outcome === 'declined') return true;
  const bookings = await listBookingsSince(acquirer, createdAt, query);
  const related = (bookings ?? []).filter(
    (booking) => booking.originalReference === originalReference && booking.status === 'booked',
  );
  if (related.some(({ kind }) => kind === 'Reverse')) return true;
  const { currencyCode } = reversal.amount;
  const refunds = related.filter(({ kind, amount }) => kind === 'Refund' && amount.currencyCode === currencyCode);
  const refunded = sum(
    refunds.map(({ amount }) => amount),
    currencyCode,
  );
  return !exceeds(reversal.amount, refunded);
}

/** Everything that is booked from a day before the call was written on; null when the list cannot be read. */
export async function listBookingsSince(
  acquirer: AcquirerPort,
  createdAt: Date,
  { merchantId, databaseNow, deadlineMs }: BookingListQuery,
): Promise<readonly AcquirerBooking[] | null> {
  const span = { from: new Date(createdAt.getTime() - DAY_MS), to: new Date(databaseNow.getTime() + DAY_MS) };
  const all: AcquirerBooking[] = [];
  let pageToken: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const read = await listBookingPage(acquirer, { merchantId, ...span, pageToken, deadlineMs });
    if (read === null) return null;
    all.push(...read.bookings);
    if (read.nextPageToken === null) return all;
    pageToken = read.nextPageToken;
  }
  return null;
}

/** Null for a list without an answer: it is not an empty one. */
async function listBookingPage(acquirer: AcquirerPort, query: Parameters<AcquirerPort['listBooked']>[0]) {
  try {
    return await acquirer.listBooked(query);
  } catch {
    return null;
  }
}

/** How the acquirer says that a payment or refund ended which a card machine, or a payer, has asked for. */
const FINAL_MACHINE_OUTCOMES: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['approved', 'declined', 'reversed']);

function isFinalAnswer(call: AcquirerCall, answer: AcquirerAnswer): boolean {
  if (call.kind === 'Authorise' || call.terminalSessionId !== null)
    return FINAL_MACHINE_OUTCOMES.has(answer.outcome) || (call.kind !== 'Authorise' && answer.outcome === 'done');
  return findVerdict(call.kind, answer) !== null;
}

/** Money that is taken at once is two lines under one reference; a release is listed as a reversal. */
function matchesKind({ kind }: AcquirerCall, booking: AcquirerBooking): boolean {
  return booking.kind === (kind === 'Release' ? 'Reverse' : kind);
}
