import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { AcquirerBooking } from '@pos/core/acquirer';
import type { DifferenceKind, Finding } from '@pos/core/ledger';
import { isSameAmount, isZero, type Money } from '@pos/core/money';
import { cutStorableText } from '@pos/core/refusals';
import type { Reader } from '@pos/store/database';
import { findAcquirerCall } from '@pos/store/payments';

/** Longer than any reference of ours; the acquirer's list is not trusted. */
const REFERENCE_LENGTH_MAX = 100;

/** Compares a booking with our call, if it is one to this acquirer. */
export async function checkBookingOfAcquirer(
  reader: Reader,
  {
    acquirer,
    booking,
    call,
  }: { readonly acquirer: string; readonly booking: AcquirerBooking; readonly call: AcquirerCall | null },
): Promise<Finding[]> {
  // Another acquirer of the account was asked under this reference: this one never was.
  const own = call?.acquirer === acquirer ? call : null;
  const reverseReference = own?.reverseReference ?? null;
  const reversal = reverseReference === null ? null : await findAcquirerCall(reader, reverseReference);
  return checkBooking(booking, own, reversal).map((finding) => ({ ...finding, acquirer }));
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
      ...{ amount, ours, theirs: `${kind} of ${formatBookedAmount(amount)}`, says, happenedAt: bookedAt },
    },
  ];
  if (call === null) return createFinding('NotAskedFor', null, `the acquirer booked a ${kind} that we never asked for`);
  const requested = `${call.kind} of ${formatBookedAmount(call.amount)}`;
  if (!isOfKind(booking, call))
    return createFinding('OtherKind', requested, `the acquirer booked a ${kind}, we asked for a ${call.kind}`);
  if (status !== 'booked' || isReversalOfNothing(booking)) return [];
  if (!isSameAmount(amount, call.amount)) {
    const says = `the acquirer booked ${formatBookedAmount(amount)}, we asked for ${formatBookedAmount(call.amount)}`;
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

/**
 * Whether the booking has the kind of the call. Money that is taken at once is a capture under the reference of its
 * authorisation. A release looks like a reversal.
 */
export function isOfKind({ kind }: Pick<AcquirerBooking, 'kind'>, call: Pick<AcquirerCall, 'kind'>): boolean {
  return (
    kind === call.kind ||
    (kind === 'Capture' && call.kind === 'Authorise') ||
    (kind === 'Reverse' && call.kind === 'Release')
  );
}

/** A reversal before any authorisation has no amount: the acquirer only stores the reference. */
export function isReversalOfNothing({ kind, amount }: AcquirerBooking): boolean {
  return kind === 'Reverse' && isZero(amount);
}

/** No column can store a NUL, and a check that cannot store its findings would fail for ever. */
function toStorableReference(reference: string): string {
  return cutStorableText(reference, REFERENCE_LENGTH_MAX);
}

/** An amount as the findings show it: minor units and the currency. */
export function formatBookedAmount({ value, currencyCode }: Money): string {
  return `${value} ${currencyCode}`;
}
