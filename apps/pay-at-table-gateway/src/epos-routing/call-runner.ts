import type { ActivityRecorder } from '@pos/core/activities';
import type { Scope } from '@pos/core/identity';
import { type Log, runSpan } from '@pos/service-kit/telemetry';
import { setTimeout as pause } from 'node:timers/promises';
import { describeEposCall, type EndedEposCall } from './epos-call-activity.js';
import { observeEposCall } from './epos-call-metrics.js';
import type { EposRouteCache, EposRoutes } from './epos-route-cache.js';
import { UnreadableReporter } from './unreadable-reporter.js';
import {
  type CallRoute,
  isAnswered,
  isRetryable,
  isStaleRoute,
  type RoutingResult,
  sendThroughRoutes,
} from './route-attempts.js';
import { RouteHealth } from './route-health.js';
import { type CallFailure, createNotSent } from '../epos-calls/call-failure.js';
import type { DataOutcome } from '../epos-calls/data-call.js';
import type { DataTransportKind, TablesTransportKind } from '../epos-calls/transport-kinds.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';

/** The pauses before the second and the third attempt of a read. */
const READ_RETRY_DELAYS_MS = [500, 1_500] as const;

type RouteList<Outcome, Kind extends TablesTransportKind | DataTransportKind> = readonly CallRoute<Outcome, Kind>[];

/** One call to the EPOS of an account, with its deadline and its possible routes. */
export interface RoutedCall<Outcome, Kind extends TablesTransportKind | DataTransportKind> {
  readonly name: string;
  readonly scope: Scope;
  readonly isRead: boolean;
  readonly listRoutes: (routes: EposRoutes) => RouteList<Outcome, Kind> | Promise<RouteList<Outcome, Kind>>;
  readonly deadline: Deadline;
}

/**
 * Sends a call along the routes of its account: the newest live connection, here or at another gateway, then the
 * registered address. `notSent` continues with the next route, anything else is the answer. Reads are tried three times,
 * writes once.
 */
export class CallRunner {
  #isDraining = false;
  readonly #health: RouteHealth;
  readonly #unreadableReporter: UnreadableReporter;

  constructor(
    private readonly parts: {
      readonly routeCache: EposRouteCache;
      readonly log: Log;
      readonly activities: ActivityRecorder;
    },
  ) {
    this.#health = new RouteHealth(parts.log);
    this.#unreadableReporter = new UnreadableReporter(parts.log);
  }

  /** Rejects only when the database cannot be read for the routes. */
  runCall<Outcome extends TablesOutcome | DataOutcome, Kind extends TablesTransportKind | DataTransportKind>(
    call: RoutedCall<Outcome, Kind>,
  ): Promise<RoutingResult<Outcome, Kind>> {
    return runSpan(
      { name: `epos ${call.name}`, kind: 'client' },
      () => this.#runAttempts(call),
      ({ outcome: { outcome }, route }) => ({
        attributes: { 'pos.outcome': outcome, 'pos.transport': route?.transport ?? 'none' },
        hasFailed: outcome === 'notSent' || outcome === 'noAnswer',
      }),
    );
  }

  async #runAttempts<Outcome extends TablesOutcome | DataOutcome, Kind extends TablesTransportKind | DataTransportKind>(
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

  /** The connection of this gateway for a forwarded call, or why the call is refused. */
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

  /** Logs a call that has ended, counts it and records it in the activity log. */
  logCall(scope: Scope, callLog: Omit<EndedEposCall, 'unreadable'>): void {
    const { outcome, transport, connectionId } = callLog.result;
    const found = 'unreadable' in outcome ? (outcome.unreadable ?? []) : [];
    const unreadable = this.#unreadableReporter.reportUnreadable(scope, {
      ...{ call: callLog.call, transport, unreadable: found, isData: transport === 'orders' },
    });
    const activity = describeEposCall(scope, { ...callLog, unreadable });
    if (activity !== null) this.parts.activities.record(activity);
    const tookMs = performance.now() - callLog.startedAt;
    observeEposCall(callLog.call, { transport, outcome: outcome.outcome }, tookMs / 1_000);
    this.parts.log.info('epos.called', {
      account_id: scope.accountId,
      call: callLog.call,
      way: transport,
      connection_id: connectionId,
      outcome: outcome.outcome,
      ...(callLog.code !== undefined && { code: callLog.code }),
      ...('reason' in outcome && { reason: outcome.reason }),
      took_ms: Math.round(tookMs),
    });
  }

  async #tryRoutes<Outcome extends TablesOutcome | DataOutcome, Kind extends TablesTransportKind | DataTransportKind>({
    scope,
    listRoutes,
  }: RoutedCall<Outcome, Kind>): Promise<RoutingResult<Outcome, Kind>> {
    if (this.#isDraining) return { outcome: DRAINING_FAILURE, route: null };
    const { routeCache } = this.parts;
    const cachedRoutes = await routeCache.findRoutes(scope);
    const { isFresh } = cachedRoutes;
    const health = this.#health;
    const firstResult = await sendThroughRoutes(await listRoutes(cachedRoutes), { isFresh, health });
    if (isAnswered(firstResult.outcome)) return firstResult;
    routeCache.invalidate(scope);
    if (isFresh || !isStaleRoute(firstResult.outcome)) return firstResult;
    const freshRoutes = await routeCache.findRoutes(scope);
    // The connection or address that has just failed is not tried again.
    const failedKey = firstResult.route?.healthKey ?? '';
    const freshList = await listRoutes(freshRoutes);
    const otherRoutes = freshList.filter(({ healthKey }) => healthKey === '' || healthKey !== failedKey);
    return otherRoutes.length === 0 ? firstResult : sendThroughRoutes(otherRoutes, { isFresh: true, health });
  }
}

const DRAINING_FAILURE = createNotSent('draining', 'the gateway is shutting down');
const NOT_LOCAL_FAILURE = createNotSent('noConnection', 'the connection is not held here');
