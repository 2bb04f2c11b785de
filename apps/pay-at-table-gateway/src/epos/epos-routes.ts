import type { EposTransport as Family } from '@pos/core/account';
import type { Scope } from '@pos/core/identity';
import type { AccountCache } from '@pos/payments/accounts';
import { type GatewayConnection, listLiveConnections } from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { type EposIntegration, listEposIntegrations } from '@pos/store/epos-integrations';

/** How an account's EPOS can be reached: its live connections, newest first, and what it has registered. */
export interface EposRoutes {
  readonly family: Family;
  readonly live: readonly GatewayConnection[];
  readonly integrations: readonly EposIntegration[];
}

/** Routes, and whether they were read for whoever asked or are a moment old. */
export interface KnownRoutes extends EposRoutes {
  readonly isFresh: boolean;
}

/** The connections that an EPOS opens by itself. */
export const EPOS_CONNECTIONS = ['epos-grpc-stream', 'tables-ws', 'epos-ws'] as const;

/** A moment: the calls of one device that follow each other at once. */
const FRESH_MS = 500;
const KEPT_MAX = 10_000;

interface Kept {
  readonly routes: Promise<EposRoutes>;
  readonly until: number;
}

/**
 * The ways to EPOSes that were looked up a moment ago. They are kept only while the database tells of connections that
 * open, and dropped at any sign of a change; what is left of a stale one leads to a stream that says it is not there.
 */
export class EposRouteBook {
  readonly #kept = new Map<string, Kept>();
  #hearing: Promise<unknown> | null = null;
  #isHearing = false;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      /** How long routes count without a sign of a change. */
      readonly routesFreshMs?: number;
      /** Is called when what an account has registered was deleted or replaced. */
      readonly onRegistration?: (scopeName: string) => void;
    },
  ) {}

  /** The routes of an account, at most half a second old. */
  async find(scope: Scope): Promise<KnownRoutes> {
    const kept = this.#kept.get(nameOf(scope));
    if (kept !== undefined && performance.now() < kept.until) return { ...(await kept.routes), isFresh: false };
    this.#hear();
    return { ...(await this.#look(scope)), isFresh: true };
  }

  /** Something has changed: the next call looks for itself. */
  drop(scope: Scope): void {
    this.#kept.delete(nameOf(scope));
  }

  #look(scope: Scope): Promise<EposRoutes> {
    const { database, accounts } = this.parts;
    const until = performance.now() + (this.parts.routesFreshMs ?? FRESH_MS);
    const routes = database.read(scope, async (reader) => ({
      family: (await accounts.get(reader)).settings.payAtTable.transport,
      live: await listLiveConnections(reader, EPOS_CONNECTIONS),
      integrations: await listEposIntegrations(reader),
    }));
    if (!this.#isHearing) return routes;
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    const kept = { routes, until };
    const name = nameOf(scope);
    // It is put down before it is read, so that a change while it is read drops it too.
    this.#kept.set(name, kept);
    const forget = (): void => {
      if (this.#kept.get(name) === kept) this.#kept.delete(name);
    };
    // An account without a way waits for one; a database that did not answer is no answer.
    routes.then(({ live, integrations }) => {
      if (live.length === 0 && integrations.length === 0) forget();
    }, forget);
    return routes;
  }

  /** Listens from the first call on, for as long as the database is open. */
  #hear(): void {
    const { database, onRegistration } = this.parts;
    this.#hearing ??= Promise.all([
      database.listen('machines', (key) => {
        // Of an EPOS the key is empty, and the hint does not say whose it is: connections are opened seldom.
        if (key === '') this.#kept.clear();
      }),
      database.listen('epos', (scopeName) => {
        this.#kept.delete(scopeName);
        onRegistration?.(scopeName);
      }),
    ]).then(
      () => (this.#isHearing = true),
      () => (this.#hearing = null),
    );
  }
}

/** As hints name it. */
export function nameOf({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}
