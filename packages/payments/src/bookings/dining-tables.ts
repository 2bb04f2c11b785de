import type { DiningArea, DiningTable, EposPage, TableSearch } from '@pos/core/bookings';
import type { Scope } from '@pos/core/identity';
import { BookingAccess, type BookingParts } from './booking-access.js';
import { requireAnswer } from './booking-replies.js';

/** The areas and tables of a restaurant, as its EPOS has them. */
export class DiningTables {
  readonly #access: BookingAccess;

  constructor(private readonly parts: BookingParts) {
    this.#access = new BookingAccess(parts);
  }

  async listAreas(scope: Scope): Promise<readonly DiningArea[]> {
    await this.#access.requireReadable(scope, 'ListAreas');
    return requireAnswer(await this.parts.epos.listAreas(scope));
  }

  async list(scope: Scope, search: TableSearch): Promise<EposPage<DiningTable>> {
    await this.#access.requireReadable(scope, 'SearchTables');
    return requireAnswer(await this.parts.epos.searchTables(scope, search));
  }
}
