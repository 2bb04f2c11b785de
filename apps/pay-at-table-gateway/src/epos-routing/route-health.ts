import type { Log } from '@pos/service-kit/telemetry';
import type { DataOutcome } from '../epos-calls/data-call.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';

/** The part of a route by which it is recognised in later calls. */
export interface HealthRoute {
  readonly transport: string;
  /** Names the connection or the registered address; empty for a route that is never remembered. */
  readonly healthKey: string;
  /** Connects again without sending a call; null for a connection of the EPOS, which reconnects by itself. */
  readonly probe: (() => Promise<boolean>) | null;
}

interface DownRoute {
  readonly expiresAtMs: number;
  probedAtMs: number;
  isProbing: boolean;
}

/**
 * How long a route is remembered as down. The rows of a killed gateway, whose connections cannot be probed, stay valid for
 * ten seconds.
 */
const DOWN_MAX_AGES_MS = { probed: 10 * 60_000, unprobed: 10_000 } as const;
const PROBE_INTERVAL_MS = 2_000;
const DOWN_ROUTES_MAX = 10_000;

/**
 * Remembers which routes to EPOSes could not be reached. Calls take other routes first, and a probe beside them finds out
 * when the route serves again: no payer waits for a dead address (ADR 0124). Each process learns it by itself.
 */
export class RouteHealth {
  readonly #downRoutes = new Map<string, DownRoute>();

  constructor(private readonly log: Pick<Log, 'info' | 'warn'>) {}

  /** Sorts routes that are down behind the others, and probes them. The order is otherwise kept. */
  sortByHealth<Route extends HealthRoute>(routes: readonly Route[]): Route[] {
    if (routes.length < 2 || this.#downRoutes.size === 0) return [...routes];
    const downRoutes = routes.filter(({ healthKey }) => this.#findDownRoute(healthKey) !== null);
    for (const route of downRoutes) this.#probeIfDue(route);
    return [...routes.filter((route) => !downRoutes.includes(route)), ...downRoutes];
  }

  /** Learns from the outcome of a call: only a failed connection marks a route as down, and any answer marks it as up. */
  recordOutcome(route: HealthRoute, outcome: TablesOutcome | DataOutcome): void {
    if (route.healthKey === '') return;
    if (outcome.outcome !== 'notSent') this.#markUp(route);
    else if (outcome.cause === 'noConnection') this.#markDown(route, outcome.reason);
  }

  #findDownRoute(healthKey: string): DownRoute | null {
    const downRoute = this.#downRoutes.get(healthKey);
    if (downRoute === undefined) return null;
    if (performance.now() < downRoute.expiresAtMs) return downRoute;
    this.#downRoutes.delete(healthKey);
    return null;
  }

  #markDown(route: HealthRoute, reason: string): void {
    const { healthKey, transport, probe } = route;
    const known = this.#findDownRoute(healthKey);
    if (known === null) {
      this.log.warn('epos.route_down', { way: transport, reason });
      if (this.#downRoutes.size >= DOWN_ROUTES_MAX) this.#downRoutes.clear();
    }
    const maxAgeMs = DOWN_MAX_AGES_MS[probe === null ? 'unprobed' : 'probed'];
    const expiresAtMs = performance.now() + maxAgeMs;
    const { probedAtMs = Number.NEGATIVE_INFINITY, isProbing = false } = known ?? {};
    this.#downRoutes.set(healthKey, { expiresAtMs, probedAtMs, isProbing });
  }

  #markUp({ healthKey, transport }: HealthRoute): void {
    if (this.#downRoutes.delete(healthKey)) this.log.info('epos.route_up', { way: transport });
  }

  #probeIfDue(route: HealthRoute): void {
    const { healthKey, probe } = route;
    const downRoute = this.#findDownRoute(healthKey);
    if (downRoute === null || probe === null || downRoute.isProbing) return;
    if (performance.now() - downRoute.probedAtMs < PROBE_INTERVAL_MS) return;
    downRoute.isProbing = true;
    const endProbe = (isUp: boolean): void => {
      const current = this.#downRoutes.get(healthKey);
      if (isUp) this.#markUp(route);
      else if (current !== undefined) Object.assign(current, { isProbing: false, probedAtMs: performance.now() });
    };
    probe().then(endProbe, () => endProbe(false));
  }
}
