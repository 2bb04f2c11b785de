import type { BookingKind, BookingReply } from '@pos/core/bookings';
import type { EposCapability } from '@pos/core/tables';
import { cutStorableText, Refusal, toStorableText } from '@pos/core/refusals';
import type { Reader } from '@pos/store/database';
import { listOrderCapabilities } from '../orders/order-placements.js';

const REASON_LENGTH_MAX = 500;
const ID_LENGTH_MAX = 200;

const NOT_FOUND = {
  Reservation: ['reservation_not_found', 'the EPOS has no such reservation'],
  Party: ['party_not_found', 'the EPOS has no such party'],
} as const satisfies Record<BookingKind, unknown>;

/** The answer of the EPOS. Every other end of the call is thrown as its refusal. */
export function requireAnswer<T>(reply: BookingReply<T>): T {
  if (reply.outcome === 'answered') return reply.value;
  throw toRefusal(reply);
}

/** The same for a call about one booking, which the EPOS may not have. */
export function requireBooking<T>(kind: BookingKind, reply: BookingReply<T>): T {
  if (reply.outcome === 'refused' && reply.error === 'NotFound') {
    throw createNotFound(kind);
  }
  return requireAnswer(reply);
}

/** Whether the failed call has certainly changed nothing at the EPOS. */
export function isUnchanged(error: unknown): boolean {
  return error instanceof Refusal && error.code !== 'epos_unanswered';
}

/** Whether the EPOS has answered that it does not have the booking. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Refusal && Object.values(NOT_FOUND).some(([code]) => code === error.code);
}

function createNotFound(kind: BookingKind): Refusal {
  const [code, detail] = NOT_FOUND[kind];
  return new Refusal(code, detail);
}

/** Refuses an id that no EPOS can have given, as one that the EPOS does not have. */
export function requireEposId(kind: BookingKind, id: string): void {
  if (id === '' || id.length > ID_LENGTH_MAX || toStorableText(id) !== id) throw createNotFound(kind);
}

/** Refuses `epos_cannot_book` unless the EPOS has registered the call. */
export async function requireCapability(reader: Reader, capability: EposCapability): Promise<void> {
  if ((await listOrderCapabilities(reader)).has(capability)) return;
  throw new Refusal('epos_cannot_book', `the EPOS of this account has not registered ${capability}`);
}

function toRefusal(reply: Exclude<BookingReply<unknown>, { outcome: 'answered' }>): Refusal {
  const reason = cutStorableText(reply.reason, REASON_LENGTH_MAX);
  switch (reply.outcome) {
    case 'refused':
      return new Refusal('booking_refused', `the EPOS refuses it: ${reason}`);
    case 'notSent':
      return new Refusal('epos_unreachable', `the EPOS was not called: ${reason}`);
    case 'noAnswer':
      return new Refusal('epos_unanswered', `the EPOS gave no usable answer: ${reason}`);
  }
}
