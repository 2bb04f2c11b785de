import type { Scope } from '@pos/core/identity';
import { EPOS_LOOK_AGAIN_MS, EPOS_WAIT_MAX_MS } from '@pos/core/webhooks';
import type { AttemptRecord, EposDelivery } from '@pos/store/queues';
import { type DeliveryServices, computeRetryDelay } from './webhook-delivery.js';
import { observeAttempt } from '../monitoring/work-metrics.js';
import type { EposGatewayClient, EventOutcome } from './epos-gateway-client.js';
import type { LaneRest } from './lane-worker.js';

/** The services that an EPOS delivery needs. */
export type EposDeliveryServices = Omit<DeliveryServices, 'egress'> & {
  readonly gatewayClient: Pick<EposGatewayClient, 'sendEvent'>;
};

/** An event for an EPOS, and the limit of its attempt. */
interface EposDeliveryRequest {
  readonly scope: Scope;
  readonly delivery: EposDelivery;
  readonly deadlineMs: number;
}

const NOT_REGISTERED = 'the EPOS has not registered this kind any more';

/**
 * Makes one attempt to deliver the stored bytes to the account's EPOS. Without an open socket, and while no gateway can
 * be reached, the lane rests and no attempt is counted; without a socket for a day at most.
 */
export async function attemptEposDelivery(
  services: EposDeliveryServices,
  request: EposDeliveryRequest,
): Promise<AttemptRecord | LaneRest> {
  const { scope, delivery, deadlineMs } = request;
  if (delivery.transport === null) return createFinalAttempt(delivery, NOT_REGISTERED);
  const startedAt = performance.now();
  services.fault('epos-event.before-send');
  const eventOutcome = await services.gatewayClient.sendEvent({ scope, body: delivery.body, deadlineMs });
  services.fault('epos-event.after-send');
  const result = toResult(services, delivery, eventOutcome);
  const tookMs = Math.round(performance.now() - startedAt);
  const isDelivered = 'isDelivered' in result && result.isDelivered;
  observeAttempt('epos', {
    ...{ outcome: eventOutcome.outcome, number: delivery.attempts + 1, tookMs },
    delayMs: isDelivered && delivery.attempts === 0 ? delivery.recordedForMs + tookMs : null,
    isDeadLettered: 'isDelivered' in result && !result.isDelivered && result.retryInMs === null,
  });
  services.log.info('epos_event.attempted', {
    account_id: scope.accountId,
    environment: scope.environment,
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    kind: delivery.kind,
    attempt: delivery.attempts + 1,
    outcome: eventOutcome.outcome,
    ...('reason' in eventOutcome && { reason: eventOutcome.reason }),
    took_ms: tookMs,
    ...('restMs' in result ? { rest_ms: result.restMs } : { retry_in_ms: result.retryInMs }),
  });
  return result;
}

function toResult(
  services: EposDeliveryServices,
  delivery: EposDelivery,
  eventOutcome: EventOutcome,
): AttemptRecord | LaneRest {
  const { number, transport, ageMs } = delivery;
  if (eventOutcome.outcome === 'accepted') {
    return { number, isDelivered: true, status: readHttpStatus(eventOutcome), error: null, retryInMs: null };
  }
  const laneRest = { restMs: Math.ceil(EPOS_LOOK_AGAIN_MS * services.backoffScale) };
  if (eventOutcome.outcome === 'notForwarded') return laneRest;
  // An unreachable server counts as a failed attempt. An EPOS that opens its own socket has time to connect.
  if (eventOutcome.outcome === 'unreachable' && transport === 'ws') {
    return ageMs < EPOS_WAIT_MAX_MS
      ? laneRest
      : createFinalAttempt(delivery, `no socket was opened within a day: ${eventOutcome.reason}`);
  }
  const retryInMs = computeRetryDelay(services, delivery);
  return { number, isDelivered: false, status: readHttpStatus(eventOutcome), error: eventOutcome.reason, retryInMs };
}

/** An answer over a socket has no HTTP status. */
function readHttpStatus(eventOutcome: EventOutcome): number | null {
  return 'httpStatus' in eventOutcome && eventOutcome.httpStatus !== 0 ? eventOutcome.httpStatus : null;
}

function createFinalAttempt({ number }: EposDelivery, error: string): AttemptRecord {
  return { number, isDelivered: false, status: null, error, retryInMs: null };
}
