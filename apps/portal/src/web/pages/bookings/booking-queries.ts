import { listParties, listReservations, listTables } from '@pos/rest-contracts/bookings';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperation } from '../../client/call-operation.js';
import { BookingDay } from './booking-day.js';
import { BOOKINGS } from '../../client/queries.js';

const PAGE_SIZE = 50;
/** The page size of parties and tables: the service reads at most so many at once. */
const LONG_PAGE_SIZE = 100;
/** No event says that staff change bookings at the EPOS. Each read is a call to the EPOS. */
const REFRESH_MS = 60_000;

// An EPOS that does not answer is not called again before the reader presses a button: each call waits for seconds.
const PATIENT = { retry: false, refetchInterval: REFRESH_MS } as const;

export function createReservationsQuery(search: BookingDay & { readonly day: string }, timeZone: string) {
  const query = BookingDay.toQuery(search, { limit: PAGE_SIZE, timeZone });
  return queryOptions({
    queryKey: [BOOKINGS, 'reservations', query],
    queryFn: ({ signal }) => callOperation(listReservations, { query, signal }),
    placeholderData: keepPreviousData,
    ...PATIENT,
  });
}

/** The parties that are at the tables. */
export const partiesQuery = queryOptions({
  queryKey: [BOOKINGS, 'parties'],
  queryFn: ({ signal }) => callOperation(listParties, { query: { limit: LONG_PAGE_SIZE }, signal }),
  ...PATIENT,
});

/** The tables of the restaurant, for their names. An EPOS need not list them. */
export const tablesQuery = queryOptions({
  queryKey: [BOOKINGS, 'tables'],
  queryFn: ({ signal }) => callOperation(listTables, { query: { limit: LONG_PAGE_SIZE }, signal }),
  retry: false,
  staleTime: 300_000,
});
