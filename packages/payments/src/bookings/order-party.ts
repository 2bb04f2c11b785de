import type { Party } from '@pos/core/bookings';
import type { Scope } from '@pos/core/identity';
import { listOrderCapabilities } from '../orders/order-placements.js';
import type { BookingParts } from './booking-access.js';

/** A payer waits for this while they order. An order without its party is better than no order. */
const WAIT_MS = 3_000;

/** The dine-in details of an order. */
export interface DineInDetails {
  readonly tableId?: string | undefined;
  readonly partyId?: string | undefined;
  readonly reservationId?: string | undefined;
}

/** The party of an order and its reservation, as members of the dine-in details. */
export type PartyReference = Pick<DineInDetails, 'partyId' | 'reservationId'>;

/**
 * Finds the party that sits at the table of an order. Empty if the order names its party itself or no table, if the EPOS
 * does not search parties or does not answer in time, and unless exactly one party is there.
 */
export async function findOrderParty(
  { database, epos }: Pick<BookingParts, 'database' | 'epos'>,
  scope: Scope,
  { tableId, partyId, reservationId }: DineInDetails,
): Promise<PartyReference> {
  if (tableId === undefined || partyId !== undefined) return {};
  const capabilities = await database.read(scope, listOrderCapabilities);
  if (!capabilities.has('SearchParties')) return {};
  const search = { tableId, isCompletedOnly: false, page: { limit: 10 } };
  const reply = await epos.searchParties(scope, search, WAIT_MS);
  // One that cannot be read may be the one at the table.
  if (reply.outcome !== 'answered' || reply.value.unreadableCount > 0) return {};
  const present = reply.value.elements.filter((party) => isAtTable(party, tableId));
  const [party] = present;
  if (party === undefined || present.length > 1 || reply.value.after !== null) return {};
  if (reservationId !== undefined && party.reservationId !== undefined && reservationId !== party.reservationId)
    return {};
  return {
    partyId: party.id,
    ...(reservationId === undefined && party.reservationId !== undefined && { reservationId: party.reservationId }),
  };
}

/** An EPOS may ignore the filters of a search. */
function isAtTable({ tableIds, endTime }: Party, tableId: string): boolean {
  return endTime === undefined && tableIds.includes(tableId);
}
