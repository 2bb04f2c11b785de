import type {
  EposPage,
  EposPageRequest,
  NewParty,
  Party,
  PartyDeposit,
  Reservation,
  ReservationDetails,
} from '@pos/core/bookings';
import { containsCardNumber, containsSecurityCode } from '@pos/core/cards';
import { isId } from '@pos/core/identity';
import { AMOUNT_MAX, money } from '@pos/core/money';
import type * as wire from '@pos/grpc-contracts/gateway';
import { createParseRefusal } from '../device-request.js';

// The messages of BookingService. The limits are those of the REST API.

const ID_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 200;
const STATUS_LENGTH_MAX = 100;
const NOTES_LENGTH_MAX = 1_024;
const CURSOR_LENGTH_MAX = 1_024;
const TABLES_MAX = 50;
const INTENTS_MAX = 20;
const COVERS_MAX = 10_000;
const PAGE_LIMIT_MAX = 100;
const PAGE_LIMIT_DEFAULT = 50;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function readServiceId(member: string, id: string): string {
  if (!UUID.test(id)) throw createParseRefusal(member, 'must be a UUID');
  return id.toLowerCase();
}

export function readEposId(member: string, id: string): string {
  return readText(member, id, { min: 1, max: ID_LENGTH_MAX });
}

export function readOptionalId(member: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : readEposId(member, id);
}

export function readPage(page: wire.BookingPage | undefined): EposPageRequest {
  const { limit = 0, before, after } = page ?? {};
  if (limit < 0 || limit > PAGE_LIMIT_MAX) throw createParseRefusal('page.limit', `must be 1 to ${PAGE_LIMIT_MAX}`);
  if (before !== undefined && after !== undefined) throw createParseRefusal('page', 'only one of before and after');
  for (const cursor of [before, after]) {
    if (cursor !== undefined) readText('page', cursor, { min: 1, max: CURSOR_LENGTH_MAX });
  }
  return { limit: limit === 0 ? PAGE_LIMIT_DEFAULT : limit, before, after };
}

export function readReservation(details: wire.ReservationDetails | undefined): ReservationDetails {
  if (details === undefined) throw createParseRefusal('details', 'is missing');
  const startTime = readTime('details.start_time', details.startTime);
  const endTime = readTime('details.end_time', details.endTime);
  if (startTime >= endTime) throw createParseRefusal('details.end_time', 'must be after start_time');
  return {
    name: readFreeText('details.name', details.name, { min: 1, max: NAME_LENGTH_MAX }),
    covers: readCovers(details.covers),
    ...{ startTime, endTime, tableIds: readTableIds(details.tableIds) },
    ...readNotes(details),
  };
}

export function readParty(details: wire.PartyDetails | undefined): NewParty {
  if (details === undefined) throw createParseRefusal('details', 'is missing');
  const { tableIds, startTime, expectedEndTime, status, name, covers, deposit } = details;
  return {
    tableIds: readTableIds(tableIds),
    startTime: readTime('details.start_time', startTime),
    expectedEndTime,
    status: status === undefined ? undefined : readFreeText('details.status', status, STATUS_LIMITS),
    name: name === undefined ? undefined : readFreeText('details.name', name, { min: 1, max: NAME_LENGTH_MAX }),
    covers: covers === undefined ? undefined : readCovers(covers),
    ...readNotes(details),
    deposit: deposit === undefined ? undefined : readDeposit(deposit),
  };
}

export function readStatus({ status }: NewParty): string {
  if (status === undefined) throw createParseRefusal('details.status', 'is missing');
  return status;
}

export function presentReservation({ id, startTime, endTime, ...rest }: Reservation): wire.Reservation {
  const details = { ...rest, startTime, endTime, tableIds: [...rest.tableIds] };
  return { reservationId: id, details: { ...NO_NOTES, ...details } };
}

export function presentParty({ id, endTime, reservationId, ...rest }: Party): wire.Party {
  const { tableIds, startTime, expectedEndTime, status, name, covers, hostNotes, guestRequests, deposit } = rest;
  return {
    ...{ partyId: id, endTime, reservationId },
    details: {
      ...{ tableIds: [...tableIds], startTime, expectedEndTime, status, name, covers, hostNotes, guestRequests },
      deposit: deposit === undefined ? undefined : presentDeposit(deposit),
    },
  };
}

export function presentLinks({ before, after, unreadableCount }: EposPage<unknown>): wire.BookingPageLinks {
  return { before: before ?? undefined, after: after ?? undefined, unreadableCount };
}

const STATUS_LIMITS = { min: 1, max: STATUS_LENGTH_MAX };
const NO_NOTES = { hostNotes: undefined, guestRequests: undefined };

function presentDeposit({ totalAmount, paymentIntentIds, description }: PartyDeposit): wire.PartyDeposit {
  return {
    ...{ totalAmount: BigInt(totalAmount.value), currency: totalAmount.currencyCode },
    ...{ paymentIntentIds: [...paymentIntentIds], description },
  };
}

function readDeposit({ totalAmount, currency, paymentIntentIds, description }: wire.PartyDeposit): PartyDeposit {
  if (totalAmount < 1n || totalAmount > BigInt(AMOUNT_MAX))
    throw createParseRefusal('details.deposit.total_amount', `must be 1 to ${AMOUNT_MAX}`);
  if (!/^[A-Z]{3}$/.test(currency)) throw createParseRefusal('details.deposit.currency', 'must be an ISO 4217 code');
  const hasIds = paymentIntentIds.length > 0 && paymentIntentIds.length <= INTENTS_MAX;
  if (!hasIds || !paymentIntentIds.every((id) => isId('paymentIntent', id)))
    throw createParseRefusal('details.deposit.payment_intent_ids', `must be 1 to ${INTENTS_MAX} payment intents`);
  return {
    ...{ totalAmount: money(Number(totalAmount), currency), paymentIntentIds },
    description:
      description === undefined
        ? undefined
        : readFreeText('details.deposit.description', description, { min: 0, max: NAME_LENGTH_MAX }),
  };
}

function readNotes({ hostNotes, guestRequests }: Pick<wire.ReservationDetails, 'hostNotes' | 'guestRequests'>) {
  const limits = { min: 0, max: NOTES_LENGTH_MAX };
  return {
    hostNotes: hostNotes === undefined ? undefined : readFreeText('details.host_notes', hostNotes, limits),
    guestRequests:
      guestRequests === undefined ? undefined : readFreeText('details.guest_requests', guestRequests, limits),
  };
}

function readTableIds(ids: readonly string[]): readonly string[] {
  if (ids.length === 0 || ids.length > TABLES_MAX)
    throw createParseRefusal('details.table_ids', `must be 1 to ${TABLES_MAX}`);
  return ids.map((id, index) => readEposId(`details.table_ids[${index}]`, id));
}

function readCovers(covers: number): number {
  if (covers < 0 || covers > COVERS_MAX) throw createParseRefusal('details.covers', `must be 0 to ${COVERS_MAX}`);
  return covers;
}

function readTime(member: string, time: Date | undefined): Date {
  if (time === undefined) throw createParseRefusal(member, 'is missing');
  return time;
}

/** Text of people must hold neither a card number nor its security code: it is stored at the EPOS, and displayed. */
function readFreeText(member: string, sent: string, limits: { readonly min: number; readonly max: number }): string {
  const read = readText(member, sent, limits);
  if (containsCardNumber(read, 'any')) throw createParseRefusal(member, 'must not hold a card number');
  if (containsSecurityCode(read)) throw createParseRefusal(member, 'must not hold the security code of a card');
  return read;
}

function readText(member: string, sent: string, { min, max }: { readonly min: number; readonly max: number }): string {
  const length = Array.from(sent).length;
  if (length < min || length > max) throw createParseRefusal(member, `must be ${min} to ${max} characters`);
  return sent;
}
