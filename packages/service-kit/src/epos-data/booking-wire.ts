import type {
  EposPageRequest,
  NewParty,
  Party,
  PartyChange,
  Reservation,
  ReservationDetails,
} from '@pos/core/bookings';
import { requireValue } from '@pos/core/refusals';
import type { EposParty, EposReservation } from '@pos/rest-contracts/epos-data';
import { parseMoment, presentMoment } from '@pos/rest-contracts/shapes';

// Bookings in the form of the EPOS Data API. Times are written with three fraction digits.

export function readReservation({ startTime, endTime, ...rest }: EposReservation): Reservation {
  return { ...rest, startTime: readTime(startTime), endTime: readTime(endTime) };
}

export function readParty({ startTime, expectedEndTime, endTime, ...rest }: EposParty): Party {
  return {
    ...rest,
    startTime: readTime(startTime),
    ...(expectedEndTime !== undefined && { expectedEndTime: readTime(expectedEndTime) }),
    ...(endTime !== undefined && { endTime: readTime(endTime) }),
  };
}

export function buildReservationParams({ startTime, endTime, ...rest }: ReservationDetails) {
  return { ...rest, startTime: formatTime(startTime), endTime: formatTime(endTime) };
}

export function buildPartyParams(party: NewParty | PartyChange) {
  const { startTime, expectedEndTime, ...rest } = party;
  const endTime = 'endTime' in party ? party.endTime : undefined;
  return {
    ...rest,
    startTime: formatTime(startTime),
    ...(expectedEndTime !== undefined && { expectedEndTime: formatTime(expectedEndTime) }),
    ...(endTime !== undefined && { endTime: formatTime(endTime) }),
  };
}

export function formatPage({ limit, before, after }: EposPageRequest) {
  return { limit, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

export function formatTime(time: Date): string {
  return presentMoment(time);
}

/** The contract has checked the text. */
function readTime(text: string): Date {
  return requireValue(parseMoment(text), 'the time of a booking');
}
