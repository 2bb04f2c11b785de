import { toStorable } from '@pos/core/refusals/storable-text';
import {
  type DataTransportKind,
  type TablesTransportKind,
  type TablesOutcome,
  type DataOutcome,
  createNotSent,
  type TablesCallRequest,
  type CallFailure,
  createNoAnswer,
} from '../epos-calls/tables-call.js';

type TransportKind = TablesTransportKind | DataTransportKind;

/** A route of a call to an EPOS. */
export interface CallRoute<Outcome, Kind extends TransportKind> {
  readonly transport: Kind;
  readonly connectionId: string;
  readonly send: () => Promise<Outcome>;
}

/** The outcome of a call, and the route that sent it; null if none did. */
export interface RoutingResult<Outcome, Kind extends TransportKind> {
  readonly outcome: Outcome | CallFailure;
  readonly route: CallRoute<Outcome, Kind> | null;
}

/** Uses the first route that sends the call. Among cached routes, a missing one ends the list. */
export async function sendThroughRoutes<Outcome extends TablesOutcome | DataOutcome, Kind extends TransportKind>(
  routes: readonly CallRoute<Outcome, Kind>[],
  isFresh: boolean,
): Promise<RoutingResult<Outcome, Kind>> {
  let routingResult: RoutingResult<Outcome, Kind> = {
    outcome: createNotSent('noRoute', 'no EPOS is connected'),
    route: null,
  };
  for (const route of routes) {
    const outcome = await route.send();
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
export function sanitiseOutcome<Outcome extends TablesOutcome | DataOutcome>(
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
