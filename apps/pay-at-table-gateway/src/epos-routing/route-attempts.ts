import { formatScope } from '@pos/core/identity';
import { toStorable } from '@pos/core/refusals';
import type { HealthRoute, RouteHealth } from './route-health.js';
import type { CallTransport } from '../epos-transports/epos-transport.js';
import type { DataTransportKind, TablesTransportKind } from '../epos-calls/transport-kinds.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest } from '../epos-calls/tables-call.js';
import type { DataOutcome } from '../epos-calls/data-call.js';
import { createNotSent, type CallFailure, createNoAnswer } from '../epos-calls/call-failure.js';

type TransportKind = TablesTransportKind | DataTransportKind;

/** A route of a call to an EPOS. */
export interface CallRoute<Outcome, Kind extends TransportKind> extends HealthRoute {
  readonly transport: Kind;
  readonly connectionId: string;
  /** `connectLimitMs`: the longest wait for a connection, because another route can take the call. */
  readonly send: (connectLimitMs: number) => Promise<Outcome>;
}

/** The route of a call over one transport. */
export function createCallRoute<
  Outcome extends TablesOutcome | DataOutcome,
  Kind extends TransportKind,
  Request extends Pick<TablesCallRequest, 'scope' | 'faults'>,
>(
  transport: CallTransport<Kind, Request, Outcome>,
  callRequest: Request,
  limitCall: (connectLimitMs: number) => Deadline,
): CallRoute<Outcome | CallFailure, Kind> {
  const { kind, connectionId, dialling } = transport;
  return {
    transport: kind,
    connectionId,
    healthKey: dialling === undefined ? connectionId : `${formatScope(callRequest.scope)} ${dialling.healthKey}`,
    probe: dialling === undefined ? null : () => dialling.probe(callRequest.scope),
    send: async (connectLimitMs) =>
      sanitiseOutcome(await transport.call(callRequest, limitCall(connectLimitMs)), callRequest),
  };
}

/** The outcome of a call, and the route that sent it; null if none did. */
export interface RoutingResult<Outcome, Kind extends TransportKind> {
  readonly outcome: Outcome | CallFailure;
  readonly route: CallRoute<Outcome, Kind> | null;
}

/** How long a call waits for the connection of one route while another route can take it. */
const CONNECT_WITH_ALTERNATIVE_MAX_MS = 1_500;

/**
 * Uses the first route that sends the call; routes that were down recently come last. Among cached routes, a missing one
 * ends the list.
 */
export async function sendThroughRoutes<Outcome extends TablesOutcome | DataOutcome, Kind extends TransportKind>(
  listedRoutes: readonly CallRoute<Outcome, Kind>[],
  { isFresh, health }: { readonly isFresh: boolean; readonly health: RouteHealth },
): Promise<RoutingResult<Outcome, Kind>> {
  const routes = health.sortByHealth(listedRoutes);
  let routingResult: RoutingResult<Outcome, Kind> = {
    outcome: createNotSent('noRoute', 'no EPOS is connected'),
    route: null,
  };
  for (const [index, route] of routes.entries()) {
    const isLast = index === routes.length - 1;
    const outcome = await route.send(isLast ? Number.POSITIVE_INFINITY : CONNECT_WITH_ALTERNATIVE_MAX_MS);
    health.recordOutcome(route, outcome);
    routingResult = { outcome, route };
    if (outcome.outcome !== 'notSent' || outcome.cause === 'fencedOff') break;
    if (!isFresh && isStaleRoute(outcome)) break;
  }
  return routingResult;
}

/**
 * Makes each text of an answer storable, for every transport (ADR 0056). The tester may also request that the answer is
 * dropped.
 */
function sanitiseOutcome<Outcome extends TablesOutcome | DataOutcome>(
  outcome: Outcome,
  { faults }: Pick<TablesCallRequest, 'faults'>,
): Outcome | CallFailure {
  const isAnswer = outcome.outcome === 'answered' || outcome.outcome === 'refused';
  if (faults?.withholdAnswer === true && isAnswer) return createNoAnswer('the answer was withheld, as asked');
  return toStorable(outcome);
}

/** The EPOS has answered: its route is right. */
export function isAnswered({ outcome }: TablesOutcome | DataOutcome): boolean {
  return outcome === 'answered' || outcome === 'refused';
}

/** The outcome is unknown; a read may be repeated. */
export function isRetryable(outcome: TablesOutcome | DataOutcome): boolean {
  if (outcome.outcome === 'noAnswer') return true;
  return outcome.outcome === 'refused' && 'error' in outcome && outcome.error.errorType === 'UnexpectedError';
}

/** The route has ended, and the EPOS may have another one now. */
export function isStaleRoute(outcome: TablesOutcome | DataOutcome): boolean {
  return outcome.outcome === 'notSent' && outcome.cause !== 'fencedOff' && outcome.cause !== 'queueFull';
}
