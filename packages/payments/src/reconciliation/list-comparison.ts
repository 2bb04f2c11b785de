import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { AcquirerBooking } from '@pos/core/acquirer';
import type { Finding } from '@pos/core/ledger';
import type { Reader } from '@pos/store/database';
import { findAcquirerCall } from '@pos/store/payments';
import { checkBookingOfAcquirer } from './booking-check.js';
import { type CallsOfSpan, type ComparedBooks, selectCallsOfSpan } from './compared-books.js';
import { compareReferences, listSettledReferences } from './file-comparison.js';

/** Compares the list of an acquirer with our calls to it, and its settlement lines of the span where it sends files too. */
export async function compareWithList(
  reader: Reader,
  bookings: readonly AcquirerBooking[],
  ours: CallsOfSpan,
): Promise<ComparedBooks> {
  const { acquirer, span, calls } = ours;
  const known = new Map(calls.map((call) => [call.reference, call]));
  const findings: Finding[] = [];
  for (const booking of bookings.filter(({ bookedAt }) => bookedAt >= span.from && bookedAt < span.to)) {
    // A payment may wait for its machine for hours, and a reversed call may have been sent long before.
    const call = known.get(booking.reference) ?? (await findCallOfBooking(reader, booking));
    findings.push(...(await checkBookingOfAcquirer(reader, { acquirer, booking, call })));
  }
  // What an import has found is found again, so that an agreeing list does not close it.
  const references = await listSettledReferences(reader, acquirer, span);
  findings.push(...(await compareReferences(reader, { acquirer, references, isList: true })).findings);
  const missing = selectCallsOfSpan(ours).filter((call) => isMissingAtAcquirer(call, bookings));
  return { findings, missing, references: [], isAwaited: false };
}

/** A reference with a NUL is none of ours, and the database cannot even search for it. */
function findCallOfBooking(reader: Reader, { reference }: AcquirerBooking): Promise<AcquirerCall | null> {
  return reference.includes('\0') ? Promise.resolve(null) : findAcquirerCall(reader, reference);
}

/** Whether our books contain money that the acquirer's list does not. */
function isMissingAtAcquirer(call: AcquirerCall, bookings: readonly AcquirerBooking[]): boolean {
  if (call.outcome !== 'Approved' || call.kind === 'Reverse' || call.kind === 'Release') return false;
  return !bookings.some(({ reference, status }) => reference === call.reference && status === 'booked');
}
