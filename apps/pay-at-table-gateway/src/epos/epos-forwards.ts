import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { type CallRequest, type CallResponse, EposServiceClient } from '@pos/grpc-contracts/gateway-internal';
import { answersWithin, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import type { Secret } from '@pos/service-kit/secret';
import { currentTrace, traceparentOf } from '@pos/service-kit/trace';
import type { GatewayConnection } from '@pos/store/connections';
import { refusalOf } from './epos-stream.js';
import { dataOutcomeOf, fits, notSentWord, presentDataForward, presentForward } from './epos-wire.js';
import {
  type DataTransport,
  type Deadline,
  type EposOutcome,
  type EposTransport,
  type EposWish,
  noAnswer,
  notSent,
  type NoOutcome,
  unreadable,
} from './tables-call.js';

const CONNECT_LIMIT_MS = 1_000;
const GATEWAYS_MAX = 100;
const MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const ANSWER_GRACE_MS = 500;

/** The other gateways of the service, by their internal address. */
export class EposForwards {
  readonly #clients = new Map<string, EposServiceClient>();

  constructor(private readonly internalKey: Secret | null) {}

  /** The way to an EPOS whose connection another gateway holds. */
  to(connection: GatewayConnection, way: 'socket' | 'stream'): EposTransport {
    return {
      way,
      connectionId: connection.connectionId,
      call: async (wish, deadline) => {
        const answer = await this.#forward(connection, presentForward(wish, connection), deadline);
        return 'response' in answer ? answerOf(answer, wish) : answer;
      },
    };
  }

  /** The same of the EPOS Data API. */
  toData(connection: GatewayConnection): DataTransport {
    return {
      way: 'dataSocket',
      connectionId: connection.connectionId,
      call: async (wish, deadline) => {
        const answer = await this.#forward(connection, presentDataForward(wish, connection), deadline);
        return 'response' in answer ? dataOutcomeOf(answer) : answer;
      },
    };
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  async #forward(
    { gatewayAddress }: GatewayConnection,
    request: Omit<CallRequest, 'deadlineMsLeft'>,
    deadline: Deadline,
  ): Promise<CallResponse | NoOutcome> {
    const client = this.#client(gatewayAddress);
    // A gateway that was killed still has live rows for ten seconds. Without a connection nothing was sent to it.
    if (!(await isReady(client, Math.min(CONNECT_LIMIT_MS, deadline.leftMs())))) {
      return notSent('noConnection', 'the gateway that holds the connection cannot be reached');
    }
    const deadlineMsLeft = Math.floor(deadline.leftMs());
    if (deadlineMsLeft < 1) return notSent('queueFull', 'the caller waits no longer');
    const metadata = new Metadata();
    if (this.internalKey !== null) metadata.set('authorization', `Basic ${this.internalKey.reveal()}`);
    const trace = currentTrace();
    if (trace !== null) metadata.set('traceparent', traceparentOf(trace));
    // The other side answers in time by itself; a little longer, so that its answer is not cut off by our own clock.
    const options = { deadline: new Date(Date.now() + deadlineMsLeft + ANSWER_GRACE_MS) };
    return new Promise((resolve) => {
      client.call(
        { ...request, deadlineMsLeft },
        metadata,
        options,
        (error: ServiceError | null, response: CallResponse) => {
          resolve(error === null ? response : failureOf(error));
        },
      );
    });
  }

  #client(address: string): EposServiceClient {
    const known = this.#clients.get(address);
    if (known !== undefined) return known;
    const [oldest] = this.#clients;
    if (this.#clients.size >= GATEWAYS_MAX && oldest !== undefined) {
      oldest[1].close();
      this.#clients.delete(oldest[0]);
    }
    const client = new EposServiceClient(address, credentials.createInsecure(), {
      ...answersWithin(INTERNAL_VALUES_MAX),
      'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
      'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
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

function answerOf({ response }: CallResponse, { call }: EposWish): EposOutcome {
  if (response === undefined || !fits(response, call)) return noAnswer('the other gateway answered something else');
  return response.$case === 'tablesError' ? refusalOf(response.value) : { outcome: 'answered', answer: response };
}

function failureOf(error: ServiceError): NoOutcome {
  const proof = findNotSent(error);
  if (proof !== null) return notSent(notSentWord(proof.reason), proof.detail);
  if (error.code === status.DATA_LOSS) return unreadable(error.details);
  return noAnswer(`the other gateway ended with ${status[error.code]}`);
}

function isReady(client: EposServiceClient, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + limitMs, (error) => {
      resolve(error === undefined);
    });
  });
}
