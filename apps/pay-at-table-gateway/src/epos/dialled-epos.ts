import { Metadata, status, type CallOptions, type ServiceError } from '@grpc/grpc-js';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { TablesServiceClient } from '@pos/grpc-contracts/tables';
import type { EposIntegration } from '@pos/store/epos-integrations';
import type { Database } from '@pos/store/database';
import type { EposChannels } from './epos-channels.js';
import { refusalOf } from './epos-stream.js';
import { nameOf } from './epos-routes.js';
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
import {
  type Deadline,
  type EposOutcome,
  type EposTransport,
  type EposWish,
  noAnswer,
  notSent,
  proxyOutcome,
  unreadable,
} from './tables-call.js';

const CONNECT_LIMIT_MS = 5_000;

/** An EPOS that serves TablesService itself and is dialled at its registered address. */
export class DialledEpos implements EposTransport {
  readonly way = 'dialled';
  readonly connectionId = '';

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly channels: EposChannels;
      readonly integration: EposIntegration;
    },
  ) {}

  async call(wish: EposWish, until: Deadline): Promise<EposOutcome> {
    const deadline = until.whenSent();
    const { channels, database, integration } = this.parts;
    const confirm = () => findRegistrationObjection(wish, { database, integration });
    const reached = await channels.open(integration.url ?? '', {
      user: nameOf(wish.scope),
      isSandbox: wish.scope.environment === 'sandbox',
      limitMs: Math.min(CONNECT_LIMIT_MS, deadline.leftMs()),
      confirm,
    });
    // Nothing is written before the connection stands, so a failure up to here is a proof.
    if ('outcome' in reached) return reached;
    const objection =
      reached.hasWaited && wish.fence === null
        ? await confirm()
        : await findFenceObjection(wish, { database, deadline, integration });
    if (objection !== null) return objection;
    if (deadline.leftMs() === 0) return notSent('queueFull', 'the caller waits no longer');
    return this.#ask(reached.client, wish, deadline);
  }

  #ask(client: TablesServiceClient, { call, faults }: EposWish, deadline: Deadline): Promise<EposOutcome> {
    const metadata = new Metadata();
    metadata.set('authorization', this.#credentials(faults?.wrongPassword === true));
    const options: CallOptions = { deadline: new Date(Date.now() + deadline.leftMs()) };
    return new Promise((resolve) => {
      const done: Done = (error, answer) => {
        if (error !== null) resolve(failureOf(error, call.$case));
        else resolve({ outcome: 'answered', answer });
      };
      const asked = ask(client, call, { metadata, options, done });
      if (faults?.closeSocket === true) asked.cancel();
    });
  }

  #credentials(isWrong: boolean): string {
    const { username, password } = this.parts.integration;
    const text = `${username ?? ''}:${isWrong ? 'wrong' : ''}${password ?? ''}`;
    return `Basic ${Buffer.from(text).toString('base64')}`;
  }
}

/** What grpc-js says of an answer without a gRPC status: not the EPOS has answered, but an HTTP server in front of it. */
const HTTP_STATUS = /^Received HTTP status code (\d{3})$/;

/** What grpc-js says of an answer that is no message of the contract, or one of more than 4 MiB. */
const UNREADABLE = /^(Response message parsing error|Received message larger than max)/;

/** Judges a call that did not succeed: only what the EPOS has said itself is a refusal (ADR 0056). */
function failureOf(error: ServiceError, call: TablesCallName): EposOutcome {
  const refusal = findTablesError(error);
  if (refusal !== null) return refusalOf(refusal);
  if (error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED) {
    return { outcome: 'credentialsRefused', reason: 'the EPOS refuses the registered user name and password' };
  }
  const httpStatus = Number(HTTP_STATUS.exec(error.details)?.[1] ?? 0);
  if (httpStatus !== 0) return proxyOutcome(httpStatus);
  if (error.code === status.UNIMPLEMENTED) {
    const reason = `the EPOS does not implement ${TABLES_METHODS[call].name}`;
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason, isUnimplemented: true };
  }
  if (UNREADABLE.test(error.details)) return unreadable(error.details);
  if (error.code === status.DEADLINE_EXCEEDED) return noAnswer('no answer in time');
  return noAnswer(`the call ended with ${status[error.code]}`);
}

interface How {
  readonly metadata: Metadata;
  readonly options: CallOptions;
  readonly done: Done;
}

type Done = (...end: [error: ServiceError, answer: null] | [error: null, answer: TablesAnswer]) => void;

/** The generated methods, each with the messages of its call. */
type Methods = {
  readonly [K in TablesCallName]: (
    request: TablesRequests[K],
    metadata: Metadata,
    options: CallOptions,
    done: (error: ServiceError | null, answer: TablesResponses[K]) => void,
  ) => { cancel(): void };
};

function ask<K extends TablesCallName>(methods: Methods, call: TablesCallOf<K>, how: How): { cancel(): void } {
  const { metadata, options, done } = how;
  const { $case: name, value } = call;
  return methods[name](value, metadata, options, (error, answer) => {
    if (error === null) done(null, tablesAnswer(name, answer));
    else done(error, null);
  });
}
