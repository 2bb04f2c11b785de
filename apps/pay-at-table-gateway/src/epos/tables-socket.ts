import { JsonEdgeError } from '@pos/grpc-contracts/json-edge';
import {
  readTablesFrame,
  readTablesResult,
  refusalIn,
  writeErrorNotification,
  writeTablesCall,
} from '@pos/grpc-contracts/tables-frames';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { OpenCalls } from '../connections/open-calls.js';
import type { SocketLine } from '../connections/socket-line.js';
import { refusalOf } from './epos-stream.js';
import { inTurn } from './record-fence.js';
import {
  type Deadline,
  type EposOutcome,
  type EposWish,
  noAnswer,
  notSent,
  type TablesAnswer,
  type TablesCall,
  type TablesCallName,
  type TablesConnection,
} from './tables-call.js';

/** Some tills handle one request at a time; the others wait, at most half a minute. */
const PLACES = { atOnce: 1, waiting: 64, waitMs: 30_000 };
const ID_LENGTH_MAX = 100;

/** The calls of one EPOS that speaks the pay-at-table contract over a socket of its own: one at a time. */
export class TablesSocket implements TablesConnection {
  readonly contract = 'tables';
  readonly way = 'socket';
  readonly #calls = new OpenCalls<TablesCallName, EposOutcome>(PLACES);

  constructor(
    private readonly parts: {
      readonly connectionId: string;
      readonly line: SocketLine;
      readonly database: Database;
      readonly log: Log;
    },
  ) {}

  get connectionId(): string {
    return this.parts.connectionId;
  }

  isBusy(): boolean {
    return this.#calls.isBusy;
  }

  call(wish: EposWish, deadline: Deadline): Promise<EposOutcome> {
    const { database } = this.parts;
    return inTurn(this.#calls, { database, wish, deadline }, () => this.#send(wish, deadline));
  }

  /** Takes a frame of the EPOS. One without a usable id that refuses something is about the one call that is out. */
  hear(text: string): void {
    const { line, log, connectionId } = this.parts;
    const frame = readTablesFrame(text);
    if (frame.is === 'unreadable') {
      log.info('epos.unreadable', { connection_id: connectionId, reason: frame.reason });
      line.send(writeErrorNotification(frame.id.slice(0, ID_LENGTH_MAX), frame.reason));
      return;
    }
    const refusal = refusalIn(frame.result);
    const waiting = this.#calls.find(frame.id) ?? (refusal === null ? null : this.#calls.only());
    if (waiting === null) {
      log.info('epos.answer_dropped', { connection_id: connectionId, call_id: frame.id.slice(0, ID_LENGTH_MAX) });
      return;
    }
    if (refusal !== null) {
      waiting.settle(refusalOf(refusal));
      return;
    }
    const answer = answerOf(waiting.kind, frame.result);
    if (typeof answer === 'string') {
      line.send(writeErrorNotification(frame.id.slice(0, ID_LENGTH_MAX), answer));
      waiting.settle(noAnswer(answer));
    } else waiting.settle({ outcome: 'answered', answer });
  }

  retire(graceMs: number): Promise<void> {
    return this.#calls.retire(graceMs);
  }

  broken(): void {
    this.#calls.break(noAnswer('the connection broke'));
  }

  #send({ call, faults }: EposWish, deadline: Deadline): Promise<EposOutcome> {
    const callId = randomUUID();
    const waiting = { kind: call.$case, deadline, late: noAnswer('no answer in time') };
    return this.#calls.await(callId, waiting, (settle) => {
      const frame = frameOf(callId, call);
      if (typeof frame !== 'string') settle(frame);
      else if (!this.parts.line.send(frame)) settle(notSent('noConnection', 'the connection was closed'));
      else if (faults?.closeSocket === true) this.parts.line.cut();
    });
  }
}

/** The frame of a call; a message that lacks something is refused here, before anything is sent. */
function frameOf(callId: string, call: TablesCall): string | EposOutcome {
  try {
    return writeCall(callId, call);
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason: error.message };
  }
}

/** One method per call; the compiler sees to it that none is missing. */
function writeCall(callId: string, call: TablesCall): string {
  switch (call.$case) {
    case 'listSessions':
      return writeTablesCall(callId, 'ListSessions', call.value);
    case 'getSession':
      return writeTablesCall(callId, 'GetSession', call.value);
    case 'listTables':
      return writeTablesCall(callId, 'ListTables', call.value);
    case 'getTable':
      return writeTablesCall(callId, 'GetTable', call.value);
    case 'getBillItems':
      return writeTablesCall(callId, 'GetBillItems', call.value);
    case 'listBillItems':
      return writeTablesCall(callId, 'ListBillItems', call.value);
    case 'getFullBill':
      return writeTablesCall(callId, 'GetFullBill', call.value);
    case 'lockSession':
      return writeTablesCall(callId, 'LockSession', call.value);
    case 'unlockSession':
      return writeTablesCall(callId, 'UnlockSession', call.value);
    case 'recordPayment':
      return writeTablesCall(callId, 'RecordPayment', call.value);
  }
}

/** The answer to a call, or what is wrong with it: then it says nothing about what the EPOS did. */
function answerOf(name: TablesCallName, result: Readonly<Record<string, unknown>>): TablesAnswer | string {
  try {
    return readAnswer(name, result);
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return `result.${error.message}`;
  }
}

function readAnswer(name: TablesCallName, result: Readonly<Record<string, unknown>>): TablesAnswer {
  switch (name) {
    case 'listSessions':
      return { $case: name, value: readTablesResult('ListSessions', result) };
    case 'getSession':
      return { $case: name, value: readTablesResult('GetSession', result) };
    case 'listTables':
      return { $case: name, value: readTablesResult('ListTables', result) };
    case 'getTable':
      return { $case: name, value: readTablesResult('GetTable', result) };
    case 'getBillItems':
      return { $case: name, value: readTablesResult('GetBillItems', result) };
    case 'listBillItems':
      return { $case: name, value: readTablesResult('ListBillItems', result) };
    case 'getFullBill':
      return { $case: name, value: readTablesResult('GetFullBill', result) };
    case 'lockSession':
      return { $case: name, value: readTablesResult('LockSession', result) };
    case 'unlockSession':
      return { $case: name, value: readTablesResult('UnlockSession', result) };
    case 'recordPayment':
      return { $case: name, value: readTablesResult('RecordPayment', result) };
  }
}
