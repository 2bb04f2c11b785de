import type { EposTransport as Family } from '@pos/core/accounts';
import { formatScope, type Scope } from '@pos/core/identity';
import type { AccountCache } from '@pos/payments/accounts';
import { type GatewayConnection, listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { type EposIntegration, listEposIntegrations } from '@pos/store/repositories';

/** How an account's EPOS can be reached: its live connections, newest first, and what it has registered. */
export interface EposRoutes {
  readonly family: Family;
  readonly liveConnections: readonly GatewayConnection[];
  readonly integrations: readonly EposIntegration[];
}

/** Routes, and whether they were read for this call or come from the cache. */
export interface CachedRoutes extends EposRoutes {
  readonly isFresh: boolean;
}

/** The connections that an EPOS opens. */
export const EPOS_CONNECTION_KINDS = ['epos-grpc-stream', 'tables-ws', 'epos-ws'] as const;

/** Long enough for consecutive calls of one device. */
const ROUTES_MAX_AGE_MS = 500;
const CACHED_ACCOUNTS_MAX = 10_000;

interface RouteCacheEntry {
  readonly routes: Promise<EposRoutes>;
  readonly until: number;
}

/**
 * Caches the routes to EPOSes for a moment, while the database notifies of new connections. Any notification of a change
 * drops them. A stale route leads to a gateway that answers that the connection is not there.
 */
export class EposRouteCache {
  readonly #entries = new Map<string, RouteCacheEntry>();
  #subscription: Promise<unknown> | null = null;
  #isListening = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      /** How long routes are cached without a notification of a change. */
      readonly routesMaxAgeMs?: number;
      /** Called when a registration of an account was deleted or replaced. */
      readonly onRegistrationChange?: (scopeName: string) => void;
    },
  ) {}

  /** The routes of an account, at most half a second old. */
  async findRoutes(scope: Scope): Promise<CachedRoutes> {
    const entry = this.#entries.get(formatScope(scope));
    if (entry !== undefined && performance.now() < entry.until) return { ...(await entry.routes), isFresh: false };
    this.#listenForChanges();
    return { ...(await this.#readRoutes(scope)), isFresh: true };
  }

  /** Drops the routes of an account: the next call reads them. */
  invalidate(scope: Scope): void {
    this.#entries.delete(formatScope(scope));
  }

  #readRoutes(scope: Scope): Promise<EposRoutes> {
    const { database, accounts } = this.parts;
    const expiresAtMs = performance.now() + (this.parts.routesMaxAgeMs ?? ROUTES_MAX_AGE_MS);
    const routes = database.read(scope, async (reader) => ({
      family: (await accounts.get(reader)).settings.payAtTable.transport,
      liveConnections: await listLiveConnections(reader, EPOS_CONNECTION_KINDS),
      integrations: await listEposIntegrations(reader),
    }));
    if (!this.#isListening) return routes;
    if (this.#entries.size >= CACHED_ACCOUNTS_MAX) this.#entries.clear();
    const entry = { routes, until: expiresAtMs };
    const name = formatScope(scope);
    // The entry is stored before the read, so that a change during the read drops it too.
    this.#entries.set(name, entry);
    const removeEntry = (): void => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    // The routes of an account without any, and failed reads, are not cached.
    routes.then(({ liveConnections, integrations }) => {
      if (liveConnections.length === 0 && integrations.length === 0) removeEntry();
    }, removeEntry);
    return routes;
  }

  /** Listens from the first call until the database is closed. */
  #listenForChanges(): void {
    const { database, onRegistrationChange } = this.parts;
    this.#subscription ??= Promise.all([
      database.listen('machines', (key) => {
        // The hint of an EPOS names no account, so it drops all entries. Connections are opened seldom.
        if (key === '') this.#entries.clear();
      }),
      database.listen('epos', (scopeName) => {
        this.#entries.delete(scopeName);
        onRegistrationChange?.(scopeName);
      }),
    ]).then(
      () => (this.#isListening = true),
      () => (this.#subscription = null),
    );
  }
}
