import { UTC } from '@pos/core/time';
import { formatScope, type Scope } from '@pos/core/identity';
import { toContractMoment } from '@pos/rest-contracts/epos-data';
import { parseMoment } from '@pos/rest-contracts/shapes';
import type { Database } from '@pos/store/database';
import { readTimeZone } from '@pos/store/repositories';

const ZONE_MAX_AGE_MS = 60_000;
const CACHED_ACCOUNTS_MAX = 10_000;

/** The time zones of restaurants: those of times that their EPOSes send without an offset. Read once a minute. */
export class RestaurantZones {
  readonly #zones = new Map<string, { readonly zone: string; readonly until: number }>();

  constructor(private readonly database: Pick<Database, 'read'>) {}

  /** The IANA zone of the account's first location. UTC where the database does not answer: no call fails for its zone. */
  async readZone(scope: Scope): Promise<string> {
    const name = formatScope(scope);
    const cached = this.#zones.get(name);
    if (cached !== undefined && cached.until > performance.now()) return cached.zone;
    const zone = await this.database.read(scope, readTimeZone).catch(() => cached?.zone ?? UTC);
    if (this.#zones.size >= CACHED_ACCOUNTS_MAX) this.#zones.clear();
    this.#zones.set(name, { zone, until: performance.now() + ZONE_MAX_AGE_MS });
    return zone;
  }
}

/** Reads a time of a restaurant's EPOS; without an offset it is local to the zone. Null for any other text. */
export function parseRestaurantTime(zone: string, text: string): Date | null {
  const moment = toContractMoment(text, zone);
  return moment === null ? null : parseMoment(moment);
}
