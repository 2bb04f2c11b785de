import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import { EposServiceClient, type HandleEventResponse, NotSentReason } from '@pos/grpc-contracts/gateway-internal';
import { limitAnswer, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import { findCallerRefusal, type InternalChannel } from '@pos/service-kit/internal';

/**
 * The outcome of sending an event. `unreachable`: the gateway could not reach the EPOS. `notForwarded`: no gateway accepted
 * the event, so the EPOS has no part in the failure.
 */
export type EventOutcome =
  | { readonly outcome: 'accepted'; readonly httpStatus: number }
  | { readonly outcome: 'refused'; readonly httpStatus: number; readonly reason: string }
  | { readonly outcome: 'unanswered' | 'unreachable' | 'notForwarded'; readonly reason: string };

/** A stored event for the EPOS of an account. */
export interface EposEventRequest {
  readonly scope: Scope;
  readonly body: Buffer;
  readonly deadlineMs: number;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** The gateway keeps the deadline itself. This grace keeps our own deadline from cutting off its answer. */
const ANSWER_GRACE_MS = 500;

/**
 * Sends events through the gateways, which hold all connections to EPOSes. Tries the next gateway when one cannot take
 * it.
 */
export class EposGatewayClient {
  readonly #clients: readonly EposServiceClient[];

  constructor(addresses: readonly string[], createChannel: (address: string) => InternalChannel) {
    this.#clients = addresses.map((address) => {
      const { credentials, options } = createChannel(address);
      return new EposServiceClient(address, credentials, {
        ...limitAnswer(INTERNAL_VALUES_MAX),
        ...options,
        'grpc.enable_retries': 0,
        'grpc.keepalive_time_ms': 30_000,
        'grpc.initial_reconnect_backoff_ms': 200,
        'grpc.max_reconnect_backoff_ms': 2_000,
      });
    });
  }

  /** Sends an event to the account's EPOS. Never rejects. */
  async sendEvent({ scope, body, deadlineMs }: EposEventRequest): Promise<EventOutcome> {
    const endsAtMs = performance.now() + deadlineMs;
    let lastOutcome: EventOutcome = { outcome: 'notForwarded', reason: 'no gateway can be reached' };
    for (const client of this.#clients) {
      const leftMs = endsAtMs - performance.now();
      if (leftMs < 1) break;
      if (!(await waitUntilReady(client, Math.min(CONNECT_TIMEOUT_MS, leftMs)))) continue;
      const eventOutcome = await this.#sendEventTo(client, {
        scope,
        body,
        deadlineMs: Math.ceil(endsAtMs - performance.now()),
      });
      if (eventOutcome.outcome !== 'notForwarded') return eventOutcome;
      lastOutcome = eventOutcome;
    }
    return lastOutcome;
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  #sendEventTo(client: EposServiceClient, { scope, body, deadlineMs }: EposEventRequest): Promise<EventOutcome> {
    const { accountId, environment } = scope;
    const request = { accountId, environment, eventJson: body, deadlineMsLeft: deadlineMs, target: undefined };
    const options = { deadline: new Date(Date.now() + deadlineMs + ANSWER_GRACE_MS) };
    return new Promise((resolve) => {
      client.handleEvent(
        request,
        buildMetadata(),
        options,
        (error: ServiceError | null, answer: HandleEventResponse) => {
          resolve(error === null ? toOutcome(answer) : toFailureOutcome(error));
        },
      );
    });
  }
}

function buildMetadata(): Metadata {
  const metadata = new Metadata();
  return metadata;
}

function toOutcome({ handled }: HandleEventResponse): EventOutcome {
  if (handled === undefined) return { outcome: 'unanswered', reason: 'the gateway gave an answer without content' };
  const { accepted, httpStatus, detail } = handled;
  return accepted ? { outcome: 'accepted', httpStatus } : { outcome: 'refused', httpStatus, reason: detail };
}

/** The reasons of the gateway itself not to send. */
const GATEWAY_REASONS: ReadonlySet<NotSentReason> = new Set([
  NotSentReason.NOT_SENT_REASON_DRAINING,
  NotSentReason.NOT_SENT_REASON_QUEUE_FULL,
]);

function toFailureOutcome(error: ServiceError): EventOutcome {
  const notSent = findNotSent(error);
  if (notSent !== null) {
    return { outcome: GATEWAY_REASONS.has(notSent.reason) ? 'notForwarded' : 'unreachable', reason: notSent.detail };
  }
  const reason = error.details === '' ? status[error.code] : error.details;
  // A refused caller is an error of our configuration, not of the EPOS.
  return { outcome: findCallerRefusal(error) === null ? 'unanswered' : 'notForwarded', reason };
}

function waitUntilReady(client: EposServiceClient, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + limitMs, (error) => {
      resolve(error === undefined);
    });
  });
}
