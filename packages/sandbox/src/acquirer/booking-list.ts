import type { Money } from '@pos/core/money';
import type { AcquirerBooks, BookedCall, BookedKind } from './acquirer-books.js';

/** One line of the acquirer's list, which reconciliation reads. */
export interface BookingLine {
  /** Order of the list. The next page starts after the last number of the page before. */
  readonly number: number;
  readonly reference: string;
  readonly originalReference: string | null;
  readonly kind: BookedKind;
  readonly merchantId: string;
  readonly terminalId: string | null;
  readonly amount: Money;
  readonly bookedAt: Date;
  readonly status: 'Booked' | 'Reversed' | 'Declined';
  readonly transactionId: string;
}

/** All bookings up to now, oldest first. A purchase has two lines; an undecided call has none. */
export function listBookingLines(books: AcquirerBooks, now: Date): BookingLine[] {
  return books
    .listCalls()
    .filter((call) => Date.parse(call.decidedAt) <= now.getTime() && call.outcome !== 'Challenged')
    .flatMap((call) => {
      const line = toBookingLine(call, books);
      const isCapturedPurchase = call.isPurchase && call.outcome === 'Approved';
      return isCapturedPurchase ? [line, { ...line, kind: 'Capture' as const, number: line.number + 1 }] : [line];
    });
}

function toBookingLine(call: BookedCall, books: AcquirerBooks): BookingLine {
  const original = call.originalReference === null ? null : books.findCall(call.originalReference);
  const isReversed = call.isReversed || (call.kind !== 'Reverse' && original?.isReversed === true);
  return {
    number: call.number * 2,
    reference: call.reference,
    originalReference: call.originalReference,
    kind: call.kind,
    merchantId: call.merchantId,
    terminalId: call.terminalId,
    amount: call.amount,
    bookedAt: new Date(call.bookedAt),
    status: call.outcome !== 'Approved' ? 'Declined' : isReversed ? 'Reversed' : 'Booked',
    transactionId: call.transactionId,
  };
}
