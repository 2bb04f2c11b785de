import type * as bookings from '@pos/core/bookings';
import type { BookingEpos, BookingReference, BookingReply } from '@pos/core/bookings';
import type { Scope } from '@pos/core/identity';
import {
  type EposDataCallName,
  type EposDataResult,
  type EposReading,
  isEposDataRead,
  readEposAnswer,
} from '@pos/rest-contracts/epos-data';
import {
  buildPartyParams,
  buildReservationParams,
  formatPage,
  formatTime,
  readParty,
  readReservation,
} from './booking-wire.js';
import type { EposDataCaller } from './epos-data-caller.js';

/** The gateway limits a call to the EPOS to less. */
const WAIT_MS = 25_000;

/** The end of a call, with the members that were left out of its answer. */
type CallEnd<T> =
  | { readonly reading: Extract<EposReading<T>, { ok: true }> }
  | { readonly reply: Exclude<BookingReply<never>, { outcome: 'answered' }> };

/** The bookings of an EPOS that implements the EPOS Data API. */
export class DataApiBookings implements BookingEpos {
  constructor(
    private readonly parts: {
      readonly caller: EposDataCaller;
      /** The zone of times without an offset. */
      readonly readZone: (scope: Scope) => Promise<string>;
    },
  ) {}

  async searchReservations(scope: Scope, { tableId, from, to, page }: bookings.ReservationSearch) {
    const span = { ...(from && { fromTime: formatTime(from) }), ...(to && { toTime: formatTime(to) }) };
    const params = { ...(tableId !== undefined && { tableId }), ...span, cursor: formatPage(page) };
    return toPageReply(await this.#call({ scope }, 'SearchReservations', params), readReservation);
  }

  async getReservation(scope: Scope, reservationId: string) {
    return toReply(await this.#call({ scope }, 'GetReservationById', { reservationId }), readReservation);
  }

  async createReservation(scope: Scope, serviceReservationId: string, details: bookings.ReservationDetails) {
    const params = { ...buildReservationParams(details), serviceReservationId };
    return toReply(await this.#call({ scope }, 'CreateReservation', params), readReservation);
  }

  async updateReservation(scope: Scope, { id, serviceId }: BookingReference, details: bookings.ReservationDetails) {
    const ids = { reservationId: id, serviceReservationId: serviceId };
    const params = { ...buildReservationParams(details), ...ids };
    return toReply(await this.#call({ scope }, 'UpdateReservation', params), readReservation);
  }

  async deleteReservation(scope: Scope, reservationId: string) {
    return toReply(await this.#call({ scope }, 'DeleteReservationById', { reservationId }), () => null);
  }

  async searchParties(scope: Scope, { tableId, isCompletedOnly, page }: bookings.PartySearch, waitMs = WAIT_MS) {
    const filter = { ...(tableId !== undefined && { tableId }), ...(isCompletedOnly && { completedOnly: true }) };
    return toPageReply(
      await this.#call({ scope, waitMs }, 'SearchParties', { ...filter, cursor: formatPage(page) }),
      readParty,
    );
  }

  async getParty(scope: Scope, partyId: string) {
    return toReply(await this.#call({ scope }, 'GetPartyById', { partyId }), readParty);
  }

  async createParty(
    scope: Scope,
    { serviceId, serviceReservationId }: Parameters<BookingEpos['createParty']>[1],
    party: bookings.NewParty,
  ) {
    const ids = { servicePartyId: serviceId, ...(serviceReservationId !== null && { serviceReservationId }) };
    return toReply(await this.#call({ scope }, 'CreateParty', { ...buildPartyParams(party), ...ids }), readParty);
  }

  async updateParty(scope: Scope, { id, serviceId }: BookingReference, party: bookings.PartyChange) {
    const params = { ...buildPartyParams(party), partyId: id, servicePartyId: serviceId };
    return toReply(await this.#call({ scope }, 'UpdateParty', params), readParty);
  }

  async deleteParty(scope: Scope, partyId: string) {
    return toReply(await this.#call({ scope }, 'DeletePartyById', { partyId }), () => null);
  }

  async listAreas(scope: Scope): Promise<BookingReply<readonly bookings.DiningArea[]>> {
    return toReply(await this.#call({ scope }, 'ListAreas', {}), (areas) => areas);
  }

  async searchTables(scope: Scope, { areaId, waiterId, page }: bookings.TableSearch) {
    const filter = { ...(areaId !== undefined && { areaId }), ...(waiterId !== undefined && { waiterId }) };
    return toPageReply(
      await this.#call({ scope }, 'SearchTables', { ...filter, cursor: formatPage(page) }),
      (table): bookings.DiningTable => table,
    );
  }

  async #call<N extends EposDataCallName>(
    { scope, waitMs = WAIT_MS }: { readonly scope: Scope; readonly waitMs?: number | undefined },
    name: N,
    params: Readonly<Record<string, unknown>>,
  ): Promise<CallEnd<EposDataResult<N>>> {
    const { caller, readZone } = this.parts;
    const headers = { serviceRequestingProduct: 'Bookings' };
    const end = await caller.callEpos({ scope, name, params, headers, waitMs });
    if (end.outcome === 'answered') {
      const reading = readEposAnswer(name, end.json, { zone: await readZone(scope) });
      if (reading.ok) return { reading };
      return { reply: { outcome: 'noAnswer', reason: `the answer cannot be read: ${reading.reason}` } };
    }
    if (end.outcome !== 'refused') return { reply: end };
    const { errorType, debugMessage = '' } = end.error;
    const reason = debugMessage === '' ? errorType : debugMessage;
    // After an error of the EPOS a change may have been made.
    if (errorType === 'UnexpectedError') {
      const failure = isEposDataRead(name) ? 'the EPOS failed' : 'the EPOS failed at the change';
      return { reply: { outcome: 'noAnswer', reason: `${failure}: ${reason}` } };
    }
    return { reply: { outcome: 'refused', error: errorType, reason } };
  }
}

function toReply<Sent, T>(end: CallEnd<Sent>, read: (sent: Sent) => T): BookingReply<T> {
  return 'reply' in end ? end.reply : { outcome: 'answered', value: read(end.reading.value) };
}

interface SentPage<Sent> {
  readonly data: readonly Sent[];
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

function toPageReply<Sent, T>(
  end: CallEnd<SentPage<Sent>>,
  read: (sent: Sent) => T,
): BookingReply<bookings.EposPage<T>> {
  return toReply(end, ({ data, before, after }) => ({
    elements: data.map(read),
    before: before ?? null,
    after: after ?? null,
    unreadableCount: 'reading' in end ? end.reading.unreadable.filter(({ isSkipped }) => isSkipped).length : 0,
  }));
}
