import { type Booking, BookingKind, BookingStatus } from '@pos/grpc-contracts/acquirer';
import type { Stage } from '../scene/flow.js';
import type { ExpectedLine } from '../scene/expected-books.js';
import { checkReceived, describeAnswer } from './answers.js';

/** A time before the first decision of a flow, and one after its last. */
const LIST_MARGIN_MS = 1_000;
const PAGE_SIZE = 1_000;
const PAGES_MAX = 1_000;

/** Reads a whole list, page by page, and checks that the pages end. */
export async function readList(
  stage: Stage,
  range: { readonly from: Date; readonly to: Date; readonly pageSize?: number },
): Promise<Booking[]> {
  const { scene, step } = stage;
  const pageSize = range.pageSize ?? PAGE_SIZE;
  const bookings: Booking[] = [];
  let pageToken = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { from, to } = range;
    const request = { merchantId: scene.profile.merchantId, from, to, pageSize, pageToken };
    const answer = await scene.connection.listBooked(request);
    if (answer.kind === 'status') {
      const found = describeAnswer(answer);
      return step.fail({ clause: 'list.complete', member: 'ListBooked', expected: 'a list', found });
    }
    checkReceived(stage, { method: 'ListBooked', reference: pageToken }, answer);
    step.check(answer.content.bookings.length <= pageSize, {
      ...{ clause: 'list.pages', member: 'ListBooked.bookings', expected: `at most ${pageSize}` },
      found: answer.content.bookings.length,
    });
    bookings.push(...answer.content.bookings);
    pageToken = answer.content.nextPageToken;
    if (pageToken === '') return bookings;
  }
  return step.fail({
    ...{ clause: 'list.pages', member: 'ListBooked.next_page_token', expected: 'an end', found: pageToken },
  });
}

/** The range of time that covers all decisions of the flow; null when there was none. */
export function findRange({ scene }: Stage): { readonly from: Date; readonly to: Date } | null {
  const { times } = scene.books;
  if (times === null) return null;
  return { from: new Date(times.firstMs - LIST_MARGIN_MS), to: new Date(times.lastMs + LIST_MARGIN_MS) };
}

/** Compares the list of the adapter with what the flow was answered: every flow ends with it. */
export async function checkBooks(stage: Stage): Promise<void> {
  const range = findRange(stage);
  if (range === null) return;
  const { books } = stage.scene;
  const listed = (await readList(stage, range)).filter(({ reference }) => books.has(reference));
  const expected = books.lines();
  for (const line of expected) checkLine(stage, { line, listed });
  for (const booking of listed) checkBooking(stage, { booking, expected });
  checkOrder(stage, listed);
}

function checkLine(
  { step }: Stage,
  { line, listed }: { readonly line: ExpectedLine; readonly listed: readonly Booking[] },
): void {
  // A checked card holds nothing, so it need not be booked.
  if (line.amount === 0n) return;
  const own = listed.filter(({ reference, kind }) => reference === line.reference && kind === line.kind);
  const member = `ListBooked ${describeKind(line.kind)} of ${line.reference}`;
  step.check(own.length >= 1, { clause: 'list.complete', member, expected: 'a booking', found: 'none' });
  step.check(own.length <= 1, { clause: 'repeat.once', member, expected: 'one booking', found: own.length });
  const [booking] = own;
  if (booking === undefined) return;
  step.check(booking.amount === line.amount && booking.currency === line.currency, {
    ...{ clause: 'list.amounts', member, expected: `${line.amount} ${line.currency}` },
    found: `${booking.amount} ${booking.currency}`,
  });
  step.check(booking.status === line.status, {
    ...{ clause: 'list.statuses', member, expected: describeStatus(line.status) },
    found: describeStatus(booking.status),
  });
  step.check(booking.originalReference === line.originalReference, {
    ...{
      clause: 'list.original',
      member,
      expected: line.originalReference === '' ? 'nothing' : line.originalReference,
    },
    found: booking.originalReference,
  });
}

function checkBooking(
  { step, scene }: Stage,
  { booking, expected }: { readonly booking: Booking; readonly expected: readonly ExpectedLine[] },
): void {
  // A call without an approval may be listed, as declined or over nothing.
  if (booking.status !== BookingStatus.BOOKING_STATUS_BOOKED || booking.amount === 0n) return;
  if (booking.kind === BookingKind.BOOKING_KIND_REVERSE && scene.books.isAcknowledged(booking.reference)) return;
  const isExpected = expected.some(({ reference, kind }) => reference === booking.reference && kind === booking.kind);
  step.check(isExpected, {
    ...{ clause: 'list.only-booked', member: `ListBooked ${describeKind(booking.kind)} of ${booking.reference}` },
    ...{ expected: 'no booking', found: `${booking.amount} ${booking.currency}` },
  });
}

/** Checks that each booking is not older than the one before it. */
export function checkOrder({ step }: Stage, listed: readonly Booking[]): void {
  const times = listed.map(({ bookedAt }) => bookedAt?.getTime() ?? Number.NaN);
  const unordered = times.findIndex((time, index) => !(time >= (times[index - 1] ?? Number.NEGATIVE_INFINITY)));
  step.check(unordered === -1, {
    ...{ clause: 'list.order', member: 'ListBooked.booked_at', expected: 'the oldest first' },
    found: unordered === -1 ? 'the oldest first' : `line ${unordered + 1} is older, or has no time`,
  });
}

function describeKind(kind: BookingKind): string {
  return kind.replace('BOOKING_KIND_', '');
}

function describeStatus(status: BookingStatus): string {
  return status.replace('BOOKING_STATUS_', '');
}
