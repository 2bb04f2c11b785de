import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import type { Scope } from '@pos/core/identity';
import {
  type CallRequest,
  type CallResponse,
  type Connection,
  EposServiceClient,
  type ListConnectionsResponse,
  NotSentReason,
  type SandboxFaults,
  type Transport,
  type UnreadableMember,
} from '@pos/grpc-contracts/gateway-internal';
import { limitAnswer, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import type { EposCallHeaders, EposDataCallName } from '@pos/rest-contracts/epos-data';
import { findCallerRefusal, type InternalChannel } from '@pos/service-kit/internal';

/** A call of the pay-at-table contract. */
export type TablesCall = Exclude<NonNullable<CallRequest['request']>, { $case: 'eposData' }>;
export type TablesCallName = TablesCall['$case'];
export type TablesAnswer = Exclude<
  NonNullable<CallResponse['response']>,
  { $case: 'tablesError' | 'eposData' | 'eposDataError' }
>;

/** How a call ended. `notSent`: the EPOS received nothing. `noAnswer`: the EPOS may have executed it. */
export type EposReply<A = TablesAnswer> =
  | { readonly outcome: 'answered'; readonly answer: A; readonly unreadable?: readonly UnreadableMember[] }
  | { readonly outcome: 'refused'; readonly code: string; readonly reason: string }
  | { readonly outcome: 'credentialsRefused' | 'notSent' | 'noAnswer' | 'unreadable'; readonly reason: string };

/** The answer of an EPOS to a call of the EPOS Data API, unparsed. The status is 0 where the transport has none. */
export interface DataAnswer {
  readonly json: unknown;
  readonly httpStatus: number;
}

/** Options of every call. */
interface EposCallOptions {
  readonly scope: Scope;
  readonly transport: Transport;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** A call of the pay-at-table contract. */
export interface EposCall extends EposCallOptions {
  readonly call: TablesCall;
}

/** A call of the EPOS Data API: the members of path and body together, and the faults that the gateway applies. */
export interface EposDataCall extends EposCallOptions {
  readonly name: EposDataCallName;
  readonly params: unknown;
  readonly headers: EposCallHeaders;
  readonly faults: Partial<SandboxFaults>;
}

type EposRequest = Pick<CallRequest, 'request' | 'sandboxFaults'>;

const CONNECT_LIMIT_MS = 2_000;
/** The gateway answers within its own limit. The grace prevents that our clock cuts off its answer. */
const ANSWER_GRACE_MS = 500;
const LIST_LIMIT_MS = 5_000;
const MESSAGE_BYTES_MAX = 5 * 1024 * 1024;

/**
 * Calls an EPOS through the gateways. When one cannot be reached or is closing, the next is called.
 */
export class EposDriver {
  readonly #clients: readonly EposServiceClient[];

  constructor(addresses: readonly string[], createChannel: (address: string) => InternalChannel) {
    this.#clients = addresses.map((address) => {
      const { credentials, options } = createChannel(address);
      return new EposServiceClient(address, credentials, {
        ...limitAnswer(INTERNAL_VALUES_MAX),
        ...options,
        'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
        'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
        // A call is made at most once: the library must not repeat a write.
        'grpc.enable_retries': 0,
        'grpc.keepalive_time_ms': 30_000,
        'grpc.initial_reconnect_backoff_ms': 200,
        'grpc.max_reconnect_backoff_ms': 2_000,
      });
    });
  }

  /** Calls the account's EPOS. Never rejects. */
  callTables(options: EposCall): Promise<EposReply> {
    const { call } = options;
    return this.#send(options, { request: call, sandboxFaults: undefined }, (response) => toReply(response, call));
  }

  /** Calls the account's EPOS over the EPOS Data API. Never rejects. */
  callData(options: EposDataCall): Promise<EposReply<DataAnswer>> {
    const { name, params, headers, faults } = options;
    const value = { name, paramsJson: Buffer.from(JSON.stringify(params)), headers: { ...headers } };
    const sandboxFaults = { wrongPassword: false, withholdAnswer: false, closeSocket: false, ...faults };
    const hasFaults = Object.keys(faults).length > 0;
    const request: EposRequest = {
      request: { $case: 'eposData', value },
      sandboxFaults: hasFaults ? sandboxFaults : undefined,
    };
    return this.#send(options, request, toDataReply);
  }

  async #send<A>(
    sending: EposCallOptions,
    request: EposRequest,
    read: (response: CallResponse) => EposReply<A>,
  ): Promise<EposReply<A>> {
    const endsAtMs = performance.now() + sending.deadlineMs;
    let last: EposReply<A> = { outcome: 'notSent', reason: 'no gateway can be reached' };
    for (const client of this.#clients) {
      const leftMs = endsAtMs - performance.now();
      if (leftMs < 1 || sending.signal.aborted) break;
      if (!(await isReady(client, Math.min(CONNECT_LIMIT_MS, leftMs)))) continue;
      const deadlineMs = Math.ceil(endsAtMs - performance.now());
      const response = await createEposCall(
        client,
        { ...sending, deadlineMs },
        { ...request, metadata: this.#metadata() },
      );
      if ('isElsewhere' in response) last = { outcome: 'notSent', reason: response.reason };
      else return 'outcome' in response ? response : read(response);
    }
    return last;
  }

  /** The EPOS connections of the account, newest first; rejects when no gateway answers. */
  async connections({ accountId, environment }: Scope): Promise<readonly Connection[]> {
    let failure: unknown = new Error('no gateway can be reached');
    for (const client of this.#clients) {
      if (!(await isReady(client, CONNECT_LIMIT_MS))) continue;
      try {
        return await new Promise((resolve, reject) => {
          const options = { deadline: new Date(Date.now() + LIST_LIMIT_MS) };
          const done = (error: ServiceError | null, answer: ListConnectionsResponse): void => {
            if (error === null) resolve(answer.connections);
            else reject(error);
          };
          client.listConnections({ accountId, environment }, this.#metadata(), options, done);
        });
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  close(): void {
    for (const client of this.#clients) client.close();
  }

  #metadata(): Metadata {
    const metadata = new Metadata();
    return metadata;
  }
}

interface ConnectedElsewhere {
  readonly isElsewhere: true;
  readonly reason: string;
}

type EposNoReply = Extract<
  EposReply,
  { readonly outcome: 'credentialsRefused' | 'notSent' | 'noAnswer' | 'unreadable' }
>;

function createEposCall(
  client: EposServiceClient,
  { scope, transport, deadlineMs, signal }: EposCallOptions,
  { metadata, ...message }: EposRequest & { readonly metadata: Metadata },
): Promise<CallResponse | EposNoReply | ConnectedElsewhere> {
  const request: CallRequest = {
    accountId: scope.accountId,
    environment: scope.environment,
    deadlineMsLeft: deadlineMs,
    target: undefined,
    recordFence: undefined,
    transport,
    ...message,
  };
  const options = { deadline: new Date(Date.now() + deadlineMs + ANSWER_GRACE_MS) };
  return new Promise((resolve) => {
    const running = client.call(request, metadata, options, (error: ServiceError | null, response: CallResponse) => {
      signal.removeEventListener('abort', cancel);
      resolve(error === null ? response : getFailure(error));
    });
    const cancel = (): void => {
      running.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
  });
}

function toReply({ response, unreadableMembers: unreadable }: CallResponse, call: TablesCall): EposReply {
  if (response === undefined) return { outcome: 'noAnswer', reason: 'the gateway gave an answer without content' };
  if (response.$case === 'tablesError') {
    return { outcome: 'refused', code: response.value.errorCode, reason: response.value.errorReason };
  }
  if (isTables(response) && response.$case === call.$case) return { outcome: 'answered', answer: response, unreadable };
  return { outcome: 'unreadable', reason: `the answer is one to ${response.$case}` };
}

function toDataReply({ response }: CallResponse): EposReply<DataAnswer> {
  if (response?.$case === 'eposDataError') {
    const { errorType, debugMessage } = response.value;
    return { outcome: 'refused', code: errorType, reason: debugMessage };
  }
  if (response?.$case !== 'eposData') return { outcome: 'noAnswer', reason: 'the answer is one to another call' };
  const { json, httpStatus } = response.value;
  const text = Buffer.from(json).toString();
  try {
    return { outcome: 'answered', answer: { json: text === '' ? null : (JSON.parse(text) as unknown), httpStatus } };
  } catch {
    return { outcome: 'noAnswer', reason: 'the gateway gave an answer that is no JSON' };
  }
}

function isTables(response: NonNullable<CallResponse['response']>): response is TablesAnswer {
  return response.$case !== 'tablesError' && response.$case !== 'eposData' && response.$case !== 'eposDataError';
}

function getFailure(error: ServiceError): EposNoReply | ConnectedElsewhere {
  const proof = findNotSent(error);
  if (proof?.reason === NotSentReason.NOT_SENT_REASON_DRAINING) return { isElsewhere: true, reason: proof.detail };
  if (proof !== null) return { outcome: 'notSent', reason: proof.detail };
  const refusal = findCallerRefusal(error);
  if (refusal !== null) return { outcome: 'notSent', reason: `the gateway refuses the tester: ${refusal}` };
  const reason = error.details === '' ? status[error.code] : error.details;
  return { outcome: FAILURE_OUTCOMES[error.code] ?? 'noAnswer', reason };
}

/** The result that a gateway reports for an EPOS that it has reached. */
const FAILURE_OUTCOMES: Partial<Record<status, EposNoReply['outcome']>> = {
  [status.PERMISSION_DENIED]: 'credentialsRefused',
  [status.DATA_LOSS]: 'unreadable',
};

function isReady(client: EposServiceClient, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.waitForReady(Date.now() + limitMs, (error) => {
      resolve(error === undefined);
    });
  });
}
