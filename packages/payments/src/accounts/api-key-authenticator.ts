import type { Caller } from '@pos/core/accounts';
import { findApiKeyOwners, type ApiKeyOwner, recordApiKeyUse } from '@pos/store/repositories';
import type { Database } from '@pos/store/database';
import { SharedRateLimiter } from '@pos/store/rate-limits';
import { UnknownApiKeys } from './unknown-api-keys.js';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** The bearer of a key. */
export type AuthenticatedKey = Pick<Caller, 'scope' | 'keyId' | 'permissions'> &
  Pick<ApiKeyOwner, 'ratePerSecond' | 'isStrict'>;

/** A deleted key is refused after this time, in every process. */
const FRESH_MS = 900;
const CACHED_MAX = 10_000;
/** How often the use of a key is recorded. */
const USE_RECORD_INTERVAL_MS = 60_000;
const KEY_LENGTH_MAX = 200;
const KEY_PATTERN = /^sk_(sandbox|prod)_[A-Za-z0-9_-]+$/;

/** Caches recent keys, so that not every request has to look up its key in the database. */
export class ApiKeyAuthenticator {
  readonly #cached = new Map<string, { readonly owner: Promise<ApiKeyOwner | null>; readonly until: number }>();

  readonly #useRecordedUntil = new Map<string, number>();

  /** The keys of the next query, and its answer. */
  readonly #pendingTexts = new Set<string>();
  #pendingLookup: Promise<Map<string, ApiKeyOwner>> | null = null;

  readonly #unknownKeys: UnknownApiKeys;
  readonly #noteRevision: (partnersRevision: number) => void;

  /** The clock for unknown keys is monotonic and in milliseconds. */
  constructor(
    private readonly database: Database,
    {
      limits = new SharedRateLimiter(database),
      now,
      notePartnersRevision = () => undefined,
    }: {
      readonly limits?: SharedRateLimiter;
      readonly now?: () => number;
      /** Receives the revision of the registered partners, which each lookup of a key reads. */
      readonly notePartnersRevision?: (revision: number) => void;
    } = {},
  ) {
    this.#unknownKeys = new UnknownApiKeys(limits, now);
    this.#noteRevision = notePartnersRevision;
  }

  /**
   * The owner of the key, at most a second old; null for a key that is unknown, deleted or no key at all. Refuses
   * `rate_limited`, without a database query, when too many unknown keys came from the address.
   */
  async authenticate(text: string, address: string): Promise<AuthenticatedKey | null> {
    if (text.length > KEY_LENGTH_MAX || !KEY_PATTERN.test(text)) return null;
    const owner = await this.#findCachedOwner(text, address);
    if (owner === null) return null;
    this.#recordUse(owner, text);
    const { scope, id: keyId, permissions, ratePerSecond, isStrict } = owner;
    return { scope, keyId, permissions, ratePerSecond, isStrict };
  }

  /**
   * Records beside the request that the key was used. A failed record is repeated a minute later: it is no evidence.
   */
  #recordUse(owner: ApiKeyOwner, text: string): void {
    const { id, scope } = owner;
    const now = performance.now();
    if (now < (this.#useRecordedUntil.get(id) ?? 0)) return;
    if (this.#useRecordedUntil.size >= CACHED_MAX) this.#useRecordedUntil.clear();
    this.#useRecordedUntil.set(id, now + USE_RECORD_INTERVAL_MS);
    this.database.transact(scope, (tx) => recordApiKeyUse(tx, owner, text)).catch(() => undefined);
  }

  #findCachedOwner(text: string, address: string): Promise<ApiKeyOwner | null> {
    const cached = this.#cached.get(text);
    if (cached !== undefined && performance.now() < cached.until) return cached.owner;
    if (this.#unknownKeys.isUnknown(text)) return Promise.resolve(null);
    const admission = this.#unknownKeys.admitLookup(text, address);
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
    const owner = this.#findOwner(text, { address, admission });
    this.#cached.set(text, { owner, until: performance.now() + FRESH_MS });
    // A refusal, and a database that did not answer, are not cached: the next request queries again.
    owner.catch(() => this.#cached.delete(text));
    return owner;
  }

  async #findOwner(
    text: string,
    { address, admission }: { readonly address: string; readonly admission: void | Promise<void> },
  ): Promise<ApiKeyOwner | null> {
    // Nearly always the token is available at once, and then the key is part of this turn's query.
    if (admission !== undefined) await admission;
    const found = await this.#lookUp(text).catch((error: unknown) => {
      this.#unknownKeys.refundLookup(text, address);
      throw error;
    });
    if (found === null) this.#unknownKeys.recordUnknown(text);
    else this.#unknownKeys.recordFound(text, address);
    return found;
  }

  /**
   * Looks up all keys of one turn of the event loop with one query: a gateway re-admits thousands of lines each
   * second.
   */
  async #lookUp(text: string): Promise<ApiKeyOwner | null> {
    this.#pendingLookup ??= this.#runLookup();
    this.#pendingTexts.add(text);
    return (await this.#pendingLookup).get(text) ?? null;
  }

  async #runLookup(): Promise<Map<string, ApiKeyOwner>> {
    await endOfTurn();
    const texts = [...this.#pendingTexts];
    this.#pendingTexts.clear();
    this.#pendingLookup = null;
    const owners = await this.database.readSystem((reader) => findApiKeyOwners(reader, texts));
    for (const { partnersRevision } of owners.values()) this.#noteRevision(partnersRevision);
    return owners;
  }
}
