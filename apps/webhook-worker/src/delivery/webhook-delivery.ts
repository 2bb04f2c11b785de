import type { Scope } from '@pos/core/identity';
import {
  ANSWER_BYTES_MAX,
  computeNextAttemptAt,
  type DeliveryAttempt,
  isDeliveredBy,
  recordAnswer,
  type UnreachableReason,
} from '@pos/core/webhooks';
import { createDeliveryHeaders } from '@pos/core/webhook-signatures';
import type { FaultPoint } from '@pos/service-kit/lifecycle';
import { type EgressClient, NO_PUBLIC_ADDRESS } from '@pos/service-kit/egress';
import { observeAttempt } from '../monitoring/work-metrics.js';
import type { Log } from '@pos/service-kit/telemetry';
import type { AttemptRecord, ClaimedDelivery, PendingDelivery } from '@pos/store/queues';

/** The services that an attempt needs. */
export interface DeliveryServices {
  readonly egress: Pick<EgressClient, 'send'>;
  /** Whether receivers of sandboxes may be on loopback without TLS: for development. */
  readonly allowsLoopback: boolean;
  readonly log: Log;
  readonly fault: FaultPoint;
  /** The real time, for the receiver's check against replays. */
  readonly clock: () => Date;
  /** Between 0 and 1; with a seed, the same for the same delivery and attempt. */
  readonly jitter: (deliveryId: string, attempt: number) => number;
  /** Multiplies the waits between attempts. */
  readonly backoffScale: number;
}

/** A delivery, the limit of its attempt, and the account's time where its clock is stopped. */
interface DeliveryRequest {
  readonly delivery: ClaimedDelivery;
  readonly frozenAt: Date | null;
  readonly deadlineMs: number;
}

/**
 * Makes one attempt: signs the stored bytes with the secret active now and posts them. Returns the outcome and, after a
 * failure, the delay of the next attempt; stores nothing.
 */
export async function attemptDelivery(
  services: DeliveryServices,
  { scope, isReplay = false, ...request }: DeliveryRequest & { readonly scope: Scope; readonly isReplay?: boolean },
): Promise<AttemptRecord> {
  const { delivery } = request;
  const number = delivery.attempts + 1;
  services.fault('webhook.before-send');
  const startedAtMs = performance.now();
  const attempt = await postDelivery(services, { ...request, environment: scope.environment });
  services.fault('webhook.after-send');
  const retryInMs = attempt.outcome === 'delivered' ? null : computeRetryDelay(services, delivery);
  const timing = { startedAtMs, tookMs: attempt.tookMs };
  const record = { number: delivery.number, ...toAttemptResult(attempt), retryInMs, timing };
  const isDeadLettered = !record.isDelivered && retryInMs === null;
  observeAttempt('webhook', {
    ...{ outcome: attempt.outcome, number, tookMs: attempt.tookMs, isDeadLettered },
    delayMs: record.isDelivered && number === 1 && !isReplay ? delivery.recordedForMs + attempt.tookMs : null,
  });
  services.log.info('delivery.attempted', {
    account_id: scope.accountId,
    environment: scope.environment,
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    kind: delivery.kind,
    subscription_id: delivery.subscriptionId,
    attempt: number,
    outcome: attempt.outcome,
    http_status: record.status,
    reason: record.error,
    took_ms: attempt.tookMs,
    retry_in_ms: record.retryInMs,
    is_dead_lettered: isDeadLettered,
  });
  return record;
}

async function postDelivery(
  { egress, clock, allowsLoopback }: DeliveryServices,
  { delivery, frozenAt, deadlineMs, environment }: DeliveryRequest & Pick<Scope, 'environment'>,
): Promise<DeliveryAttempt> {
  const signatureInput = {
    secret: delivery.secret,
    eventId: delivery.eventId,
    deliveryId: delivery.id,
    attempt: delivery.attempts + 1,
    sentAt: frozenAt ?? clock(),
    body: delivery.body.toString('utf8'),
  };
  const answer = await egress.send({
    method: 'POST',
    url: delivery.url,
    headers: { ...createDeliveryHeaders(signatureInput), 'user-agent': 'pos-webhooks/1' },
    body: delivery.body,
    deadlineMs,
    answerBytesMax: ANSWER_BYTES_MAX,
    isBodyOptional: true,
    allowsLoopback: allowsLoopback && environment === 'sandbox',
  });
  const { tookMs } = answer;
  if (answer.outcome === 'unanswered') {
    return { outcome: 'unreachable', reason: answer.reason, cause: answer.cause, tookMs };
  }
  const { httpStatus, body } = answer;
  return { outcome: isDeliveredBy(httpStatus) ? 'delivered' : 'rejected', httpStatus, answer: body, tookMs };
}

/** The texts for the owner of the receiver. A private name has the same text as an unknown one, on purpose. */
const UNREACHABLE_TEXTS: Readonly<Record<UnreachableReason, string>> = {
  dns: NO_PUBLIC_ADDRESS,
  forbidden: 'The receiver is never called',
  refused: 'No connection to the receiver could be opened',
  reset: 'The connection broke before the receiver had answered',
  timeout: 'The receiver did not answer in time',
  tls: 'No trusted TLS connection to the receiver could be opened',
};

function describeFailure({ reason, cause }: Extract<DeliveryAttempt, { outcome: 'unreachable' }>): string {
  const text = UNREACHABLE_TEXTS[reason];
  return text.endsWith('.') ? text : `${text}${cause === null ? '' : `: ${cause}`}.`;
}

function toAttemptResult(attempt: DeliveryAttempt): Pick<AttemptRecord, 'isDelivered' | 'status' | 'error' | 'answer'> {
  switch (attempt.outcome) {
    case 'delivered':
      return { isDelivered: true, status: attempt.httpStatus, error: null, answer: recordAnswer(attempt.answer) };
    case 'rejected': {
      const { httpStatus: status } = attempt;
      return { isDelivered: false, status, error: `answered ${status}`, answer: recordAnswer(attempt.answer) };
    }
    case 'unreachable':
      return { isDelivered: false, status: null, error: describeFailure(attempt), answer: null };
  }
}

/** The delay before the next attempt of a delivery that has just failed; null after the last one. */
export function computeRetryDelay(
  services: Pick<DeliveryServices, 'clock' | 'jitter' | 'backoffScale'>,
  delivery: PendingDelivery,
): number | null {
  const attempts = delivery.attempts + 1;
  const failedAt = services.clock();
  const jitter = services.jitter(delivery.id, attempts);
  const retryAt = computeNextAttemptAt({ attempts, failedAt, jitter, scale: services.backoffScale });
  return retryAt === null ? null : retryAt.getTime() - failedAt.getTime();
}
