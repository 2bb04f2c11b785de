import type { EposTransport as Family } from '@pos/core/accounts/account';
import { formatScope, type Scope } from '@pos/core/identity/identity';
import type { AccountCache } from '@pos/payments/accounts/account-cache';
import { type GatewayConnection, listLiveConnections } from '@pos/store/terminals/gateway-connections';
import type { Database } from '@pos/store/database/database';
import { type EposIntegration, listEposIntegrations } from '@pos/store/repositories/epos-integrations';

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

/** The connections that an EPOS opens by itself. */
export const EPOS_CONNECTION_KINDS = ['epos-grpc-stream', 'tables-ws', 'epos-ws'] as const;

/** A moment: the calls of one device that follow each other at once. */
const ROUTES_MAX_AGE_MS = 500;
const CACHED_ACCOUNTS_MAX = 10_000;

interface RouteCacheEntry {
  readonly routes: Promise<EposRoutes>;
  readonly until: number;
}

/**
 * The routes to EPOSes that were read a moment ago. They are kept only while the database notifies of connections that
 * open, and dropped at any sign of a change; what is left of a stale one leads to a stream that says it is not there.
 */
export class EposRouteCache {
  readonly #entries = new Map<string, RouteCacheEntry>();
  #subscription: Promise<unknown> | null = null;
  #isListening = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      /** How long routes count without a sign of a change. */
      readonly routesMaxAgeMs?: number;
      /** Is called when what an account has registered was deleted or replaced. */
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

  /** Something has changed: the next call looks for itself. */
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
    // It is put down before it is read, so that a change while it is read drops it too.
    this.#entries.set(name, entry);
    const removeEntry = (): void => {
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
    };
    // An account without a way waits for one; a database that did not answer is no answer.
    routes.then(({ liveConnections, integrations }) => {
      if (liveConnections.length === 0 && integrations.length === 0) removeEntry();
    }, removeEntry);
    return routes;
  }

  /** Listens from the first call on, for as long as the database is open. */
  #listenForChanges(): void {
    const { database, onRegistrationChange } = this.parts;
    this.#subscription ??= Promise.all([
      database.listen('machines', (key) => {
        // Of an EPOS the key is empty, and the hint does not say whose it is: connections are opened seldom.
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
