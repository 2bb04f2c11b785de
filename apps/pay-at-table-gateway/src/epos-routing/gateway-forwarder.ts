import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { type CallRequest, type CallResponse, EposServiceClient } from '@pos/grpc-contracts/gateway-internal';
import { limitAnswer, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import { WrongSetting } from '@pos/core/refusals';
import { findCallerRefusal, type InternalChannel } from '@pos/service-kit/internal';
import type { Log } from '@pos/service-kit/telemetry';
import type { GatewayConnection } from '@pos/store/connections';
import { toTablesRefusal } from '../epos-transports/grpc-stream-transport.js';
import {
  toDataOutcome,
  isResponseToCall,
  toNotSentCause,
  presentDataForward,
  presentTablesForward,
} from '../epos-calls/epos-wire.js';
import type { DataTransport, TablesTransport } from '../epos-transports/epos-transport.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest } from '../epos-calls/tables-call.js';
import {
  createBrokenCall,
  createNoAnswer,
  createNotSent,
  type CallFailure,
  createUnreadableAnswer,
} from '../epos-calls/call-failure.js';

const GATEWAY_CONNECT_TIMEOUT_MS = 1_000;
const GATEWAYS_MAX = 100;
const FORWARD_MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const FORWARD_GRACE_MS = 500;

/** Forwards calls to the other gateways, by their internal addresses. */
export class GatewayForwarder {
  readonly #clients = new Map<string, EposServiceClient>();

  constructor(
    private readonly createChannel: (address: string) => InternalChannel,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** The transport to an EPOS that is connected to another gateway. */
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
    const client = this.#findClient(gatewayAddress);
    if (client === null)
      return createNotSent('noConnection', 'this gateway has no TLS settings to reach the other one');
    // The rows of a killed gateway stay valid for ten seconds. Without a connection nothing was sent to it.
    if (!(await waitForGateway(client, Math.min(GATEWAY_CONNECT_TIMEOUT_MS, deadline.getRemainingMs())))) {
      return createNotSent('noConnection', 'the gateway that holds the connection cannot be reached');
    }
    const deadlineMsLeft = Math.floor(deadline.getRemainingMs());
    if (deadlineMsLeft < 1) return createNotSent('queueFull', 'the deadline of the caller has passed');
    const metadata = new Metadata();
    // The other gateway answers within the deadline. The grace prevents that our clock cuts off its answer.
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

  /** Null for an address off loopback when this gateway cannot encrypt: its row was written under other settings. */
  #findClient(address: string): EposServiceClient | null {
    try {
      return this.#getClient(address);
    } catch (error) {
      if (!(error instanceof WrongSetting)) throw error;
      this.log.error('forward.plaintext_refused', { gateway: address, problems: error.problems });
      return null;
    }
  }

  #getClient(address: string): EposServiceClient {
    const existing = this.#clients.get(address);
    if (existing !== undefined) return existing;
    const [oldest] = this.#clients;
    if (this.#clients.size >= GATEWAYS_MAX && oldest !== undefined) {
      oldest[1].close();
      this.#clients.delete(oldest[0]);
    }
    const { credentials, options } = this.createChannel(address);
    const client = new EposServiceClient(address, credentials, {
      ...limitAnswer(INTERNAL_VALUES_MAX),
      ...options,
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

function toForwardedOutcome(
  { response, unreadableMembers: unreadable }: CallResponse,
  { call }: TablesCallRequest,
): TablesOutcome {
  if (response === undefined || !isResponseToCall(response, call))
    return createBrokenCall('the answer of the other gateway belongs to another call');
  if (response.$case === 'tablesError') return toTablesRefusal(response.value);
  return { outcome: 'answered', answer: response, ...(unreadable.length > 0 && { unreadable }) };
}

function toForwardFailure(error: ServiceError): CallFailure {
  const notSentTrailer = findNotSent(error);
  if (notSentTrailer !== null) return createNotSent(toNotSentCause(notSentTrailer.reason), notSentTrailer.detail);
  const refusal = findCallerRefusal(error);
  if (refusal !== null) return createNotSent('noConnection', `the other gateway refuses this one: ${refusal}`);
  if (error.code === status.DATA_LOSS) return createUnreadableAnswer(error.details);
  if (error.code === status.UNKNOWN) return createBrokenCall(error.details);
  const reason = `the other gateway ended with ${status[error.code]}`;
  return error.code === status.DEADLINE_EXCEEDED ? createNoAnswer(reason) : createBrokenCall(reason);
}

function waitForGateway(client: EposServiceClient, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + timeoutMs, (error) => {
      resolve(error === undefined);
    });
  });
}
