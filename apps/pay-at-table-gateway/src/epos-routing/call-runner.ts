import type { Scope } from '@pos/core/identity/identity';
import type { Log } from '@pos/service-kit/telemetry/log';
import { setTimeout as pause } from 'node:timers/promises';
import type { EposRouteCache, EposRoutes } from './epos-routes.js';
import {
  type CallRoute,
  isAnswered,
  isRetryable,
  isStaleRoute,
  type RoutingResult,
  sendThroughRoutes,
} from './route-attempts.js';
import {
  type CallFailure,
  createNotSent,
  type DataOutcome,
  type DataResult,
  type DataTransportKind,
  type Deadline,
  type TablesOutcome,
  type TablesResult,
  type TablesTransportKind,
} from '../epos-calls/tables-call.js';

/** The pauses before the second and the third attempt of a read. */
const READ_RETRY_DELAYS_MS = [500, 1_500] as const;

/** One call to an account's EPOS: its deadline, and which of the account's routes it may take. */
export interface RoutedCall<Outcome, Kind extends TablesTransportKind | DataTransportKind> {
  readonly scope: Scope;
  readonly isRead: boolean;
  readonly listRoutes: (routes: EposRoutes) => readonly CallRoute<Outcome, Kind>[];
  readonly deadline: Deadline;
}

/**
 * Sends a call along the routes of its account: the newest live connection, here or at another gateway, then the
 * registered address. `notSent` continues with the next route, anything else is the answer. Reads are tried three times,
 * writes once.
 */
export class CallRunner {
  #isDraining = false;

  constructor(private readonly parts: { readonly routeCache: EposRouteCache; readonly log: Log }) {}

  /** Never rejects for what an EPOS does; rejects when the database cannot be asked for the routes. */
  async runCall<Outcome extends TablesOutcome | DataOutcome, Kind extends TablesTransportKind | DataTransportKind>(
    call: RoutedCall<Outcome, Kind>,
  ): Promise<RoutingResult<Outcome, Kind>> {
    const delays = call.isRead ? READ_RETRY_DELAYS_MS : [];
    let result = await this.#tryRoutes(call);
    for (const delayMs of delays) {
      // Over orders, each call of the EPOS Data API was tried three times already.
      const isFinal = result.route?.transport === 'orders' || !isRetryable(result.outcome);
      if (isFinal || call.deadline.getRemainingMs() <= delayMs || this.#isDraining) break;
      await pause(delayMs);
      result = await this.#tryRoutes(call);
    }
    return result;
  }

  /** A connection of this gateway that another gateway names, or why no call is made on it. */
  admitLocalConnection<Connection extends object>(
    connection: Connection | null,
  ): { readonly connection: Connection } | { readonly objection: CallFailure } {
    if (this.#isDraining) return { objection: DRAINING_FAILURE };
    return connection === null ? { objection: NOT_LOCAL_FAILURE } : { connection };
  }

  /** Takes no new calls; those that run continue. */
  drain(): void {
    this.#isDraining = true;
  }

  logCall(
    { accountId }: Scope,
    callLog: {
      readonly call: string;
      readonly code: string | undefined;
      readonly result: TablesResult | DataResult;
      readonly startedAt: number;
    },
  ): void {
    const { outcome, transport, connectionId } = callLog.result;
    this.parts.log.info('epos.called', {
      account_id: accountId,
      call: callLog.call,
      way: transport,
      connection_id: connectionId,
      outcome: outcome.outcome,
      ...(callLog.code !== undefined && { code: callLog.code }),
      ...('reason' in outcome && { reason: outcome.reason }),
      took_ms: Math.round(performance.now() - callLog.startedAt),
    });
  }

  async #tryRoutes<Outcome extends TablesOutcome | DataOutcome, Kind extends TablesTransportKind | DataTransportKind>({
    scope,
    listRoutes,
  }: RoutedCall<Outcome, Kind>): Promise<RoutingResult<Outcome, Kind>> {
    if (this.#isDraining) return { outcome: DRAINING_FAILURE, route: null };
    const { routeCache } = this.parts;
    const cachedRoutes = await routeCache.findRoutes(scope);
    const firstResult = await sendThroughRoutes(listRoutes(cachedRoutes), cachedRoutes.isFresh);
    if (isAnswered(firstResult.outcome)) return firstResult;
    routeCache.invalidate(scope);
    if (cachedRoutes.isFresh || !isStaleRoute(firstResult.outcome)) return firstResult;
    const freshRoutes = await routeCache.findRoutes(scope);
    // A connection that was not there a moment ago is not asked again.
    const failedConnectionId = firstResult.route?.connectionId ?? '';
    const otherRoutes = listRoutes(freshRoutes).filter(
      ({ connectionId }) => connectionId === '' || connectionId !== failedConnectionId,
    );
    return otherRoutes.length === 0 ? firstResult : sendThroughRoutes(otherRoutes, true);
  }
}

const DRAINING_FAILURE = createNotSent('draining', 'the gateway is shutting down');
const NOT_LOCAL_FAILURE = createNotSent('noConnection', 'the connection is not held here');
