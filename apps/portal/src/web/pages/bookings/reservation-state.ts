import type { PartyAnswer, ReservationAnswer } from '../../client/answers.js';

/** An EPOS gives reservations no state, so it follows from the time and from the parties at the tables. */
export type ReservationState = 'expected' | 'due' | 'seated' | 'over';

/**
 * What is known of a reservation now. Null: its time has come, and the parties are not known, or only a page of them.
 */
export function findReservationState(
  { id, startTime, endTime }: Pick<ReservationAnswer, 'id' | 'startTime' | 'endTime'>,
  { parties, now }: { readonly parties: readonly Pick<PartyAnswer, 'reservationId'>[] | null; readonly now: number },
): ReservationState | null {
  if (parties?.some(({ reservationId }) => reservationId === id) === true) return 'seated';
  if (Date.parse(endTime) <= now) return 'over';
  if (Date.parse(startTime) > now) return 'expected';
  return parties === null ? null : 'due';
}
