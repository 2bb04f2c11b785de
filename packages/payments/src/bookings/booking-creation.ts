import type { BookingKind, EposPage } from '@pos/core/tables/bookings/booking';
import type { BookingReply } from '@pos/core/tables/bookings/booking-epos';
import type { EposCapability } from '@pos/core/tables/epos-capability';
import type { Scope } from '@pos/core/identity/identity';
import { Refusal } from '@pos/core/refusals/refusal';
import type { Database } from '@pos/store/database/database';
import {
  bindBooking,
  type BookingClaim,
  claimBooking,
  listBoundIds,
  releaseBooking,
} from '@pos/store/tables/epos-bookings';
import { listOrderCapabilities } from '../orders/order-placements.js';
import { recordBookingChange } from './booking-events.js';
import { requireAnswer, requireBooking } from './booking-replies.js';

/** Longer than a call to an EPOS and the search before it may take. */
const LEASE_MS = 60_000;
const PAGES_MAX = 20;

/** How bookings of one kind are created, read and searched at the EPOS. */
export interface BookingCalls<T extends { readonly id: string }> {
  readonly kind: BookingKind;
  readonly capabilities: Readonly<Record<'create' | 'read' | 'search', EposCapability>>;
  readonly create: () => Promise<BookingReply<T>>;
  readonly read: (id: string) => Promise<BookingReply<T>>;
  readonly searchPage: (after: string | undefined) => Promise<BookingReply<EposPage<T>>>;
  /** Whether a booking of the EPOS is the requested one. */
  readonly isRequested: (found: T) => boolean;
}

/**
 * Creates a booking at the EPOS once (ADR 0130). Before a repeat sends anything it reads the booking by its id, or
 * searches for it if the first call got no answer. An EPOS that cannot be searched is not asked a second time.
 */
export class BookingCreation {
  constructor(private readonly database: Database) {}

  /** Refuses what the EPOS refuses, `epos_unanswered` while nobody can say whether the booking exists. */
  async create<T extends { readonly id: string }>(scope: Scope, serviceId: string, calls: BookingCalls<T>): Promise<T> {
    const { database } = this;
    const key = { kind: calls.kind, serviceId };
    const claim = await database.transact(scope, (tx) => claimBooking(tx, key, LEASE_MS));
    try {
      const booking = await this.#findOrCreate(scope, claim, calls);
      await database.transact(scope, async (tx) => {
        await bindBooking(tx, key, booking.id);
        if (claim.eposId === null) await recordBookingChange(tx, calls.kind, booking.id);
      });
      return booking;
    } catch (error) {
      const mayExist = claim.mayExist || !isProvenAbsent(error);
      await database.transact(scope, (tx) => releaseBooking(tx, key, mayExist));
      throw error;
    }
  }

  async #findOrCreate<T extends { readonly id: string }>(
    scope: Scope,
    { eposId, mayExist }: BookingClaim,
    calls: BookingCalls<T>,
  ): Promise<T> {
    const { kind, capabilities, create, read } = calls;
    const registered = await this.database.read(scope, listOrderCapabilities);
    const require = (capability: EposCapability): void => {
      if (!registered.has(capability))
        throw new Refusal('epos_cannot_book', `the EPOS of this account has not registered ${capability}`);
    };
    if (eposId !== null) {
      require(capabilities.read);
      return requireBooking(kind, await read(eposId));
    }
    require(capabilities.create);
    if (mayExist) {
      if (!registered.has(capabilities.search)) {
        const detail = `an earlier request got no answer, and the EPOS has not registered ${capabilities.search}: look at the EPOS whether it has the booking`;
        throw new Refusal('epos_unanswered', detail);
      }
      const found = await this.#findRequested(scope, calls);
      if (found !== null) return found;
    }
    return requireAnswer(await create());
  }

  /** The requested booking among those of the EPOS that belong to no other request, or null. */
  async #findRequested<T extends { readonly id: string }>(
    scope: Scope,
    { kind, searchPage, isRequested }: BookingCalls<T>,
  ): Promise<T | null> {
    let after: string | undefined;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page = requireAnswer(await searchPage(after));
      // One that cannot be read may be the requested one.
      if (page.unreadableCount > 0) break;
      const candidates = page.elements.filter(isRequested);
      const ids = candidates.map(({ id }) => id);
      const bound = await this.database.read(scope, (reader) => listBoundIds(reader, kind, ids));
      const found = candidates.find(({ id }) => !bound.has(id));
      if (found !== undefined) return found;
      if (page.after === null || page.after === after) return null;
      after = page.after;
    }
    throw new Refusal(
      'epos_unanswered',
      'an earlier request got no answer, and the bookings of the EPOS cannot be read',
    );
  }
}

/** Whether the failed request has certainly created nothing. */
function isProvenAbsent(error: unknown): boolean {
  return error instanceof Refusal && error.code !== 'epos_unanswered';
}
