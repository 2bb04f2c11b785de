import type { BookingKind, BookingReply, EposPage } from '@pos/core/bookings';
import type { EposCapability } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { Database, Tx } from '@pos/store/database';
import { computeBookingKeptUntil } from '@pos/store/queues';
import {
  bindBooking,
  type BookingClaim,
  type BookingKey,
  claimBooking,
  listBoundIds,
  releaseBooking,
} from '@pos/store/tables';
import { listOrderCapabilities } from '../orders/order-placements.js';
import { claimContent, releaseContent } from './booking-content.js';
import { recordBookingChange } from './booking-events.js';
import { isUnchanged, requireAnswer, requireBooking } from './booking-replies.js';

/** Longer than a call to an EPOS and the search before it may take. */
export const LEASE_MS = 60_000;
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
  /** The content in canonical form, where the id is the caller's; absent where the service made the id. */
  readonly content?: string | undefined;
  /** The known ends of the booking: its ids are kept until after the last. */
  readonly ends: readonly (Date | undefined)[];
  /** What the booking needs is reserved with the right to create it, and released when it certainly does not exist. */
  readonly reserve?: (tx: Tx) => Promise<unknown>;
  readonly release?: (tx: Tx) => Promise<void>;
}

/** A running creation. */
interface Creation<T extends { readonly id: string }> {
  readonly scope: Scope;
  readonly key: BookingKey;
  readonly claim: BookingClaim;
  readonly calls: BookingCalls<T>;
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
    const claim = await database.transact(scope, async (tx) => {
      const keepUntil = computeBookingKeptUntil(tx.now, ...calls.ends);
      const claimed = await claimBooking(tx, key, { leaseMs: LEASE_MS, keepUntil });
      if (calls.content !== undefined) await claimContent(tx, key, { content: calls.content, keepUntil });
      if (claimed.eposId === null) await calls.reserve?.(tx);
      return claimed;
    });
    try {
      return await this.#findOrCreate({ scope, key, claim, calls });
    } catch (error) {
      const mayExist = claim.mayExist || !isUnchanged(error);
      await database.transact(scope, async (tx) => {
        const isReleased = await releaseBooking(tx, key, { lease: claim.lease, mayExist });
        if (!isReleased || mayExist) return;
        await releaseContent(tx, key);
        await calls.release?.(tx);
      });
      throw error;
    }
  }

  async #findOrCreate<T extends { readonly id: string }>(creation: Creation<T>): Promise<T> {
    const { scope, key, calls } = creation;
    const { eposId, mayExist, lease } = creation.claim;
    const { kind, capabilities, create, read } = calls;
    const registered = await this.database.read(scope, listOrderCapabilities);
    const require = (capability: EposCapability): void => {
      if (!registered.has(capability))
        throw new Refusal('epos_cannot_book', `the EPOS of this account has not registered ${capability}`);
    };
    if (eposId !== null) {
      require(capabilities.read);
      const booking = requireBooking(kind, await read(eposId));
      await this.database.transact(scope, (tx) => releaseBooking(tx, key, { lease, mayExist: true }));
      return booking;
    }
    require(capabilities.create);
    if (mayExist) {
      if (!registered.has(capabilities.search)) {
        const detail = `an earlier request got no answer, and the EPOS has not registered ${capabilities.search}: look at the EPOS whether it has the booking`;
        throw new Refusal('epos_unanswered', detail);
      }
      const found = await this.#findRequested(creation);
      if (found !== null) return found;
    }
    const created = requireAnswer(await create());
    if (await this.#bind(creation, { booking: created, isCreated: true })) return created;
    // An equal request, whose answer was lost, has found it before.
    throw new Refusal('epos_unanswered', 'another request with the same content has the booking that the EPOS named');
  }

  /** The requested booking among those of the EPOS that belong to no other request, bound to this one; or null. */
  async #findRequested<T extends { readonly id: string }>(creation: Creation<T>): Promise<T | null> {
    const { kind, searchPage, isRequested } = creation.calls;
    let after: string | undefined;
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const page = requireAnswer(await searchPage(after));
      // One that cannot be read may be the requested one.
      if (page.unreadableCount > 0) break;
      const candidates = page.elements.filter(isRequested);
      const ids = candidates.map(({ id }) => id);
      const bound = await this.database.read(creation.scope, (reader) => listBoundIds(reader, kind, ids));
      for (const booking of candidates.filter(({ id }) => !bound.has(id)))
        if (await this.#bind(creation, { booking, isCreated: false })) return booking;
      if (page.after === null || page.after === after) return null;
      after = page.after;
    }
    throw new Refusal(
      'epos_unanswered',
      'an earlier request got no answer, and the bookings of the EPOS cannot be read',
    );
  }

  /** Stores the id of the booking, ends the right to create it, and publishes it. False if another request has it. */
  #bind<T extends { readonly id: string }>(
    { scope, key, claim, calls }: Creation<T>,
    { booking, isCreated }: { readonly booking: T; readonly isCreated: boolean },
  ): Promise<boolean> {
    return this.database.transact(scope, async (tx) => {
      const keepUntil = computeBookingKeptUntil(tx.now, ...calls.ends);
      const requestedAt = isCreated ? claim.requestedAt : null;
      if (!(await bindBooking(tx, key, { eposId: booking.id, keepUntil, requestedAt }))) return false;
      await releaseBooking(tx, key, { lease: claim.lease, mayExist: true });
      await recordBookingChange(tx, key.kind, booking.id);
      return true;
    });
  }
}
