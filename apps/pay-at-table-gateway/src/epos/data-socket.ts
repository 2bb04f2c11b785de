import { readAnswerFrame, writeCallFrame } from '@pos/rest-contracts/epos-data-frames';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { OpenCalls } from '../connections/open-calls.js';
import type { SocketLine } from '../connections/socket-line.js';
import { inTurn } from './record-fence.js';
import {
  type DataConnection,
  type DataOutcome,
  type DataWish,
  type Deadline,
  noAnswer,
  notSent,
} from './tables-call.js';

const PLACES = { atOnce: 16, waiting: 64 };

/** The calls of one EPOS that serves the EPOS Data API over a socket of its own: up to sixteen at once, in any order. */
export class DataSocket implements DataConnection {
  readonly contract = 'data';
  readonly way = 'dataSocket';
  readonly #calls = new OpenCalls<DataWish['name'], DataOutcome>(PLACES);

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

  call(wish: DataWish, deadline: Deadline): Promise<DataOutcome> {
    const { database } = this.parts;
    return inTurn(this.#calls, { database, wish, deadline }, () => this.#send(wish, deadline));
  }

  /** Takes a frame of the EPOS. What cannot be read, and what nobody waits for, is dropped: its call runs into its time limit. */
  hear(text: string): void {
    const answer = readAnswerFrame(text);
    const waiting = answer === null ? null : this.#calls.find(answer.id);
    if (answer === null || waiting === null) {
      this.parts.log.info('epos.answer_dropped', { connection_id: this.connectionId, is_readable: answer !== null });
      return;
    }
    const { httpStatus } = NO_STATUS;
    if (answer.outcome === 'result') waiting.settle({ outcome: 'answered', json: answer.json, httpStatus });
    else waiting.settle({ outcome: 'refused', error: answer.error, httpStatus });
  }

  retire(graceMs: number): Promise<void> {
    return this.#calls.retire(graceMs);
  }

  broken(): void {
    this.#calls.break(noAnswer('the connection broke'));
  }

  #send({ name, params, headers, faults }: DataWish, deadline: Deadline): Promise<DataOutcome> {
    const callId = randomUUID();
    const waiting = { kind: name, deadline, late: noAnswer('no answer in time') };
    return this.#calls.await(callId, waiting, (settle) => {
      if (!this.parts.line.send(writeCallFrame(callId, { name, params, headers }))) {
        settle(notSent('noConnection', 'the connection was closed'));
      } else if (faults?.closeSocket === true) this.parts.line.cut();
    });
  }
}

/** A socket has none. */
const NO_STATUS = { httpStatus: 0 };
