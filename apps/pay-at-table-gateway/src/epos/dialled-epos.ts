import { Metadata, status, type CallOptions, type ServiceError } from '@grpc/grpc-js';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { TablesServiceClient } from '@pos/grpc-contracts/tables';
import type { EposIntegration } from '@pos/store/epos-integrations';
import type { Database } from '@pos/store/database';
import type { EposChannels } from './epos-channels.js';
import { refusalOf } from './epos-stream.js';
import { findFenceObjection } from './record-fence.js';
import {
  type Deadline,
  type EposOutcome,
  type EposTransport,
  type EposWish,
  noAnswer,
  notSent,
  type TablesAnswer,
  type TablesCall,
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

  async call(wish: EposWish, deadline: Deadline): Promise<EposOutcome> {
    const { channels, database, integration } = this.parts;
    const reached = await channels.open(integration.url ?? '', {
      isSandbox: wish.scope.environment === 'sandbox',
      limitMs: Math.min(CONNECT_LIMIT_MS, deadline.leftMs()),
    });
    // Nothing is written before the connection stands, so a failure up to here is a proof.
    if ('reason' in reached) return notSent('noConnection', reached.reason);
    const objection = await findFenceObjection(database, wish, deadline);
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
        if (error !== null) resolve(failureOf(error));
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

function failureOf(error: ServiceError): EposOutcome {
  const refusal = findTablesError(error);
  if (refusal !== null) return refusalOf(refusal);
  if (error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED) {
    return { outcome: 'credentialsRefused', reason: 'the EPOS refuses the registered user name and password' };
  }
  if (error.code === status.UNIMPLEMENTED) {
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason: 'the EPOS does not know the call' };
  }
  if (error.code === status.DEADLINE_EXCEEDED) return noAnswer('no answer in time');
  return noAnswer(`the call ended with ${status[error.code]}`);
}

interface How {
  readonly metadata: Metadata;
  readonly options: CallOptions;
  readonly done: Done;
}

type Done = (...end: [error: ServiceError, answer: null] | [error: null, answer: TablesAnswer]) => void;

/** One generated method per call; the compiler sees to it that none is missing. */
function ask(client: TablesServiceClient, call: TablesCall, how: How): { cancel(): void } {
  const { metadata, options } = how;
  const then = heardBy(how.done);
  switch (call.$case) {
    case 'listSessions':
      return client.listSessions(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'listSessions', value })),
      );
    case 'getSession':
      return client.getSession(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'getSession', value })),
      );
    case 'listTables':
      return client.listTables(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'listTables', value })),
      );
    case 'getTable':
      return client.getTable(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'getTable', value })),
      );
    case 'getBillItems':
      return client.getBillItems(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'getBillItems', value })),
      );
    case 'listBillItems':
      return client.listBillItems(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'listBillItems', value })),
      );
    case 'getFullBill':
      return client.getFullBill(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'getFullBill', value })),
      );
    case 'lockSession':
    case 'unlockSession':
    case 'recordPayment':
      return change(client, call, how);
  }
}

type Change = Extract<TablesCall, { $case: 'lockSession' | 'unlockSession' | 'recordPayment' }>;

function change(client: TablesServiceClient, call: Change, { metadata, options, done }: How): { cancel(): void } {
  const then = heardBy(done);
  switch (call.$case) {
    case 'lockSession':
      return client.lockSession(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'lockSession', value })),
      );
    case 'unlockSession':
      return client.unlockSession(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'unlockSession', value })),
      );
    case 'recordPayment':
      return client.recordPayment(
        call.value,
        metadata,
        options,
        then((value) => ({ $case: 'recordPayment', value })),
      );
  }
}

/** The callback that a generated method takes, for the answer under its name. */
function heardBy(done: Done) {
  return <A>(wrap: (value: A) => TablesAnswer) =>
    (error: ServiceError | null, value: A): void => {
      if (error === null) done(null, wrap(value));
      else done(error, null);
    };
}
