import { createHash } from 'node:crypto';
import { formatScope, type Scope } from '@pos/core/identity';
import { type CallOptions, type ClientUnaryCall, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { TablesServiceClient } from '@pos/grpc-contracts/tables';
import type { EposIntegration } from '@pos/store/repositories';
import type { Database } from '@pos/store/database';
import type { EposChannelPool } from './epos-channel-pool.js';
import { isHtmlType } from './answer-text.js';
import { toTablesRefusal } from './grpc-stream-transport.js';
import { findFenceObjection, findRegistrationObjection } from './record-fence.js';
import {
  type TablesAnswer,
  tablesAnswer,
  TABLES_METHODS,
  type TablesCallName,
  type TablesCallOf,
  type TablesRequests,
  type TablesResponses,
} from '@pos/grpc-contracts/tables-methods';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesOutcome, TablesCallRequest } from '../epos-calls/tables-call.js';
import type { TablesTransport } from './epos-transport.js';
import {
  createBrokenCall,
  createNoAnswer,
  createNotSent,
  createProxyFailure,
  createUnreadableAnswer,
  describePage,
} from '../epos-calls/call-failure.js';

const DIAL_TIMEOUT_MS = 5_000;
/** A probe delays no caller, so it takes the time that a call without another route would take. */
const PROBE_LIMITS = { connectLimitMs: Number.POSITIVE_INFINITY, getRemainingMs: () => DIAL_TIMEOUT_MS };

/** An EPOS that serves TablesService itself and is dialled at its registered address. */
export class DialledGrpcTransport implements TablesTransport {
  readonly kind = 'dialled';
  readonly connectionId = '';
  readonly dialling: NonNullable<TablesTransport['dialling']>;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly channels: EposChannelPool;
      readonly integration: EposIntegration;
    },
  ) {
    const { url, username, password } = parts.integration;
    // Another address or another password is another registration, about which nothing is known.
    const registration = createHash('sha256')
      .update(JSON.stringify([url, username, password]))
      .digest('base64');
    this.dialling = {
      healthKey: registration,
      probe: async (scope) => !('outcome' in (await this.#openChannel(scope, PROBE_LIMITS).opening)),
    };
  }

  async call(callRequest: TablesCallRequest, callerDeadline: Deadline): Promise<TablesOutcome> {
    const deadline = callerDeadline.startCall();
    const { database, integration } = this.parts;
    const { confirm, opening } = this.#openChannel(callRequest.scope, deadline);
    const channel = await opening;
    // Nothing is written before the connection is open, so a failure up to here proves that nothing was sent.
    if ('outcome' in channel) return channel;
    const objection =
      channel.hasWaited && callRequest.fence === null
        ? await confirm()
        : await findFenceObjection(callRequest, { database, deadline, integration });
    if (objection !== null) return objection;
    if (deadline.getRemainingMs() === 0) return createNotSent('queueFull', 'the deadline of the caller has passed');
    return this.#sendCall(channel.client, callRequest, deadline);
  }

  #openChannel(scope: Scope, limits: Pick<Deadline, 'connectLimitMs' | 'getRemainingMs'>) {
    const { channels, database, integration } = this.parts;
    const confirm = () => findRegistrationObjection({ scope }, { database, integration });
    const opening = channels.openChannel(integration.url ?? '', {
      user: formatScope(scope),
      isSandbox: scope.environment === 'sandbox',
      limitMs: Math.min(DIAL_TIMEOUT_MS, limits.getRemainingMs()),
      impatientMs: limits.connectLimitMs,
      confirm,
    });
    return { confirm, opening };
  }

  #sendCall(
    client: TablesServiceClient,
    { call, faults }: TablesCallRequest,
    deadline: Deadline,
  ): Promise<TablesOutcome> {
    const metadata = new Metadata();
    metadata.set('authorization', this.#buildAuthorization(faults?.wrongPassword === true));
    const options: CallOptions = { deadline: new Date(Date.now() + deadline.getRemainingMs()) };
    return new Promise((resolve) => {
      let isPage = false;
      const done: CallCallback = (error, answer) => {
        if (error === null) resolve({ outcome: 'answered', answer });
        else {
          const hasPage = isPage || hasHtmlType(error.metadata);
          resolve(
            classifyGrpcError(error, {
              call: call.$case,
              isPage: hasPage,
              isLate: deadline.getRemainingMs() < LATE_MARGIN_MS,
            }),
          );
        }
      };
      const clientCall = invokeMethod(client, call, { metadata, options, done });
      clientCall.on('metadata', (headers) => (isPage = hasHtmlType(headers)));
      if (faults?.closeSocket === true) clientCall.cancel();
    });
  }

  #buildAuthorization(isWrong: boolean): string {
    const { username, password } = this.parts.integration;
    const text = `${username ?? ''}:${isWrong ? 'wrong' : ''}${password ?? ''}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  }
}

/** The message of grpc-js for an answer without a gRPC status, which an HTTP server in front of the EPOS has sent. */
const HTTP_STATUS = /^Received HTTP status code (\d{3})$/;

/** The messages of grpc-js for an answer that is no message of the contract, or is longer than 4 MiB. */
const UNREADABLE_ANSWER = /^(Response message parsing error|Received message larger than max)/;

const HTTP_OK = 200;
/** The library's timer may be this much ahead of our clock. */
const LATE_MARGIN_MS = 50;

/** Whether an HTTP server has declared its answer as an HTML page. */
function hasHtmlType(metadata: Metadata | undefined): boolean {
  return metadata?.get('content-type').some((type) => isHtmlType(String(type))) === true;
}

/** The outcome of a failed call: only an answer of the EPOS itself is a refusal (ADR 0056). */
function classifyGrpcError(
  error: ServiceError,
  { call, isPage, isLate }: { readonly call: TablesCallName; readonly isPage: boolean; readonly isLate: boolean },
): TablesOutcome {
  const refusal = findTablesError(error);
  if (refusal !== null) return toTablesRefusal(refusal);
  const httpStatus = Number(HTTP_STATUS.exec(error.details)?.[1] ?? 0);
  if (error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED) {
    const reason = 'the EPOS refuses the registered user name and password';
    return { outcome: 'credentialsRefused', reason: isPage && httpStatus !== 0 ? describePage(httpStatus) : reason };
  }
  if (httpStatus !== 0) return createProxyFailure(httpStatus, { isPage });
  if (isPage) return createUnreadableAnswer(describePage(HTTP_OK));
  if (error.code === status.UNIMPLEMENTED) {
    const reason = `the EPOS does not implement ${TABLES_METHODS[call].name}`;
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason, isUnimplemented: true };
  }
  if (UNREADABLE_ANSWER.test(error.details)) return createUnreadableAnswer(error.details);
  // The EPOS may answer with this status itself, long before our deadline.
  if (error.code === status.DEADLINE_EXCEEDED && isLate) return createNoAnswer('no answer in time');
  return createBrokenCall(`the call ended with ${status[error.code]}`);
}

interface CallArguments {
  readonly metadata: Metadata;
  readonly options: CallOptions;
  readonly done: CallCallback;
}

type CallCallback = (
  ...callbackArguments: [error: ServiceError, answer: null] | [error: null, answer: TablesAnswer]
) => void;

/** The generated methods, each with the messages of its call. */
type TablesClientMethods = {
  readonly [K in TablesCallName]: (
    request: TablesRequests[K],
    metadata: Metadata,
    options: CallOptions,
    done: (error: ServiceError | null, answer: TablesResponses[K]) => void,
  ) => ClientUnaryCall;
};

function invokeMethod<K extends TablesCallName>(
  methods: TablesClientMethods,
  call: TablesCallOf<K>,
  callArguments: CallArguments,
): ClientUnaryCall {
  const { metadata, options, done } = callArguments;
  const { $case: name, value } = call;
  return methods[name](value, metadata, options, (error, answer) => {
    if (error === null) done(null, tablesAnswer(name, answer));
    else done(error, null);
  });
}
