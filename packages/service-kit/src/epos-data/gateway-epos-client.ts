import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  type CallRequest,
  type CallResponse,
  EposServiceClient,
  NotSentReason,
  Transport,
} from '@pos/grpc-contracts/gateway-internal';
import { INTERNAL_VALUES_MAX, limitAnswer } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import { EposError } from '@pos/rest-contracts/epos-data';
import { findCallerRefusal } from '../internal/caller-refusal.js';
import type { InternalChannel } from '../internal/internal-identity.js';
import type { EposDataCall, EposDataCaller, EposDataReply } from './epos-data-caller.js';

const CONNECT_LIMIT_MS = 2_000;
/** The gateway answers within its own limit. The grace prevents that our clock cuts off its answer. */
const ANSWER_GRACE_MS = 500;
const MESSAGE_BYTES_MAX = 5 * 1024 * 1024;

/** Calls EPOSes through the gateways, which hold all connections to them. Tries the next gateway when one is closing. */
export class GatewayEposClient implements EposDataCaller {
  readonly #clients: readonly EposServiceClient[];

  constructor(addresses: readonly string[], createChannel: (address: string) => InternalChannel) {
    this.#clients = addresses.map((address) => {
      const { credentials, options } = createChannel(address);
      return new EposServiceClient(address, credentials, {
        ...limitAnswer(INTERNAL_VALUES_MAX),
        ...options,
        'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
        'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
        // A call is made at most once: the library must not repeat a change.
        'grpc.enable_retries': 0,
        'grpc.keepalive_time_ms': 30_000,
        'grpc.initial_reconnect_backoff_ms': 200,
        'grpc.max_reconnect_backoff_ms': 2_000,
      });
    });
  }

  async callEpos(call: EposDataCall): Promise<EposDataReply> {
    const endsAtMs = performance.now() + call.waitMs;
    let last: EposDataReply = { outcome: 'notSent', reason: 'no gateway can be reached' };
    for (const client of this.#clients) {
      const leftMs = endsAtMs - performance.now();
      if (leftMs < 1) break;
      if (!(await isReady(client, Math.min(CONNECT_LIMIT_MS, leftMs)))) continue;
      const answer = await sendCall(client, call, Math.max(1, Math.ceil(endsAtMs - performance.now())));
      if (!('isElsewhere' in answer)) return answer;
      last = { outcome: 'notSent', reason: answer.reason };
    }
    return last;
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }
}

/** The gateway is closing: another one may make the call. */
interface ConnectedElsewhere {
  readonly isElsewhere: true;
  readonly reason: string;
}

function sendCall(
  client: EposServiceClient,
  { scope, name, params, headers }: EposDataCall,
  deadlineMs: number,
): Promise<EposDataReply | ConnectedElsewhere> {
  const value = { name, paramsJson: Buffer.from(JSON.stringify(params)), headers: { ...headers } };
  const request: CallRequest = {
    ...{ accountId: scope.accountId, environment: scope.environment, deadlineMsLeft: deadlineMs },
    ...{ target: undefined, recordFence: undefined, sandboxFaults: undefined },
    transport: Transport.TRANSPORT_UNSPECIFIED,
    request: { $case: 'eposData', value },
  };
  const options = { deadline: new Date(Date.now() + deadlineMs + ANSWER_GRACE_MS) };
  return new Promise((resolve) => {
    client.call(request, new Metadata(), options, (error: ServiceError | null, response: CallResponse) => {
      resolve(error === null ? toReply(response) : toFailure(error));
    });
  });
}

function toReply({ response }: CallResponse): EposDataReply {
  if (response?.$case === 'eposDataError') {
    const { errorType, debugMessage } = response.value;
    const error = EposError.shape.errorType.safeParse(errorType);
    if (!error.success) return { outcome: 'noAnswer', reason: 'the gateway gave an unknown error' };
    return { outcome: 'refused', error: { errorType: error.data, debugMessage } };
  }
  if (response?.$case !== 'eposData') return { outcome: 'noAnswer', reason: 'the answer is one to another call' };
  const text = Buffer.from(response.value.json).toString();
  try {
    return { outcome: 'answered', json: text === '' ? null : (JSON.parse(text) as unknown) };
  } catch {
    return { outcome: 'noAnswer', reason: 'the gateway gave an answer that is no JSON' };
  }
}

function toFailure(error: ServiceError): EposDataReply | ConnectedElsewhere {
  const proof = findNotSent(error);
  if (proof?.reason === NotSentReason.NOT_SENT_REASON_DRAINING) return { isElsewhere: true, reason: proof.detail };
  if (proof !== null) return { outcome: 'notSent', reason: proof.detail };
  const refusal = findCallerRefusal(error);
  if (refusal !== null) return { outcome: 'notSent', reason: 'the gateway does not accept calls of this process' };
  const reason = error.details === '' ? status[error.code] : error.details;
  // The EPOS refused the credentials, so it has executed nothing.
  return { outcome: error.code === status.PERMISSION_DENIED ? 'notSent' : 'noAnswer', reason };
}

function isReady(client: EposServiceClient, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + limitMs, (error) => {
      resolve(error === undefined);
    });
  });
}
