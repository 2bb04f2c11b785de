import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { type CallRequest, type CallResponse, EposServiceClient } from '@pos/grpc-contracts/gateway-internal';
import { limitAnswer, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import type { Secret } from '@pos/service-kit/config/secret';
import { currentTrace, formatTraceparent } from '@pos/service-kit/telemetry/trace';
import type { GatewayConnection } from '@pos/store/terminals/gateway-connections';
import { toTablesRefusal } from '../epos-transports/epos-stream.js';
import {
  toDataOutcome,
  isResponseToCall,
  toNotSentCause,
  presentDataForward,
  presentTablesForward,
} from '../epos-calls/epos-wire.js';
import {
  type DataTransport,
  type Deadline,
  type TablesOutcome,
  type TablesTransport,
  type TablesCallRequest,
  createNoAnswer,
  createNotSent,
  type CallFailure,
  createUnreadableAnswer,
} from '../epos-calls/tables-call.js';

const GATEWAY_CONNECT_TIMEOUT_MS = 1_000;
const GATEWAYS_MAX = 100;
const FORWARD_MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const FORWARD_GRACE_MS = 500;

/** The other gateways of the service, by their internal address. */
export class GatewayForwarder {
  readonly #clients = new Map<string, EposServiceClient>();

  constructor(private readonly internalKey: Secret | null) {}

  /** The way to an EPOS whose connection another gateway holds. */
  createTablesTransport(connection: GatewayConnection, kind: 'socket' | 'stream'): TablesTransport {
    return {
      kind,
      connectionId: connection.connectionId,
      call: async (callRequest, deadline) => {
        const answer = await this.#forwardCall(connection, presentTablesForward(callRequest, connection), deadline);
        return 'response' in answer ? toForwardedOutcome(answer, callRequest) : answer;
      },
    };
  }

  /** The same of the EPOS Data API. */
  createDataTransport(connection: GatewayConnection): DataTransport {
    return {
      kind: 'dataSocket',
      connectionId: connection.connectionId,
      call: async (callRequest, deadline) => {
        const answer = await this.#forwardCall(connection, presentDataForward(callRequest, connection), deadline);
        return 'response' in answer ? toDataOutcome(answer) : answer;
      },
    };
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  async #forwardCall(
    { gatewayAddress }: GatewayConnection,
    request: Omit<CallRequest, 'deadlineMsLeft'>,
    deadline: Deadline,
  ): Promise<CallResponse | CallFailure> {
    const client = this.#getClient(gatewayAddress);
    // A gateway that was killed still has live rows for ten seconds. Without a connection nothing was sent to it.
    if (!(await waitForGateway(client, Math.min(GATEWAY_CONNECT_TIMEOUT_MS, deadline.getRemainingMs())))) {
      return createNotSent('noConnection', 'the gateway that holds the connection cannot be reached');
    }
    const deadlineMsLeft = Math.floor(deadline.getRemainingMs());
    if (deadlineMsLeft < 1) return createNotSent('queueFull', 'the caller waits no longer');
    const metadata = new Metadata();
    if (this.internalKey !== null) metadata.set('authorization', `Basic ${this.internalKey.reveal()}`);
    const trace = currentTrace();
    if (trace !== null) metadata.set('traceparent', formatTraceparent(trace));
    // The other side answers in time by itself; a little longer, so that its answer is not cut off by our own clock.
    const options = { deadline: new Date(Date.now() + deadlineMsLeft + FORWARD_GRACE_MS) };
    return new Promise((resolve) => {
      client.call(
        { ...request, deadlineMsLeft },
        metadata,
        options,
        (error: ServiceError | null, response: CallResponse) => {
          resolve(error === null ? response : toForwardFailure(error));
        },
      );
    });
  }

  #getClient(address: string): EposServiceClient {
    const existing = this.#clients.get(address);
    if (existing !== undefined) return existing;
    const [oldest] = this.#clients;
    if (this.#clients.size >= GATEWAYS_MAX && oldest !== undefined) {
      oldest[1].close();
      this.#clients.delete(oldest[0]);
    }
    const client = new EposServiceClient(address, credentials.createInsecure(), {
      ...limitAnswer(INTERNAL_VALUES_MAX),
      'grpc.max_receive_message_length': FORWARD_MESSAGE_BYTES_MAX,
      'grpc.max_send_message_length': FORWARD_MESSAGE_BYTES_MAX,
      'grpc.enable_retries': 0,
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 5_000,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1_000,
    });
    this.#clients.set(address, client);
    return client;
  }
}

function toForwardedOutcome({ response }: CallResponse, { call }: TablesCallRequest): TablesOutcome {
  if (response === undefined || !isResponseToCall(response, call))
    return createNoAnswer('the other gateway answered something else');
  return response.$case === 'tablesError' ? toTablesRefusal(response.value) : { outcome: 'answered', answer: response };
}

function toForwardFailure(error: ServiceError): CallFailure {
  const notSentTrailer = findNotSent(error);
  if (notSentTrailer !== null) return createNotSent(toNotSentCause(notSentTrailer.reason), notSentTrailer.detail);
  if (error.code === status.DATA_LOSS) return createUnreadableAnswer(error.details);
  return createNoAnswer(`the other gateway ended with ${status[error.code]}`);
}

function waitForGateway(client: EposServiceClient, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + timeoutMs, (error) => {
      resolve(error === undefined);
    });
  });
}
