import { readAnswerFrame, writeCallFrame } from '@pos/rest-contracts/epos-data-frames';
import { EPOS_VALUES_MAX, findTextMember, hasMoreValuesThan } from '@pos/rest-contracts/json-size';
import type { SocketWriter } from '../connections/socket-line.js';
import { EposLine, type EposLineParts } from './epos-line.js';
import { type DataConnection, type DataSaid, type DataWish, unreadable } from './tables-call.js';

const PLACES = { atOnce: 16, waiting: 64 };

/** The calls of one EPOS that serves the EPOS Data API over a socket of its own: up to sixteen at once, in any order. */
export class DataSocket
  extends EposLine<SocketWriter, { wish: DataWish; kind: DataWish['name']; said: DataSaid }>
  implements DataConnection
{
  readonly contract = 'data';
  readonly way = 'dataSocket';

  constructor(parts: EposLineParts<SocketWriter>) {
    super(parts, PLACES);
  }

  /** Takes a frame of the EPOS. What cannot be read, and what nobody waits for, is dropped: its call runs into its time limit. */
  hear(text: string): void {
    if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) {
      this.#refuseLarge(findTextMember(text, 'id') ?? '');
      return;
    }
    const answer = readAnswerFrame(text);
    const waiting = answer === null ? null : this.calls.find(answer.id);
    if (answer === null || waiting === null) {
      this.dropped.note('epos.answer_dropped', { is_readable: answer !== null });
      return;
    }
    const { httpStatus } = NO_STATUS;
    if (answer.outcome === 'result') waiting.settle({ outcome: 'answered', json: answer.json, httpStatus });
    else waiting.settle({ outcome: 'refused', error: answer.error, httpStatus });
  }

  /** A repetition of the answer would be as large, so its call ends at once. */
  #refuseLarge(id: string): void {
    this.dropped.note('epos.answer_dropped', { is_readable: false });
    this.calls.find(id)?.settle(unreadable(`the message holds more than ${EPOS_VALUES_MAX} values`));
  }

  protected kindOf({ name }: DataWish): DataWish['name'] {
    return name;
  }

  protected write(callId: string, { name, params, headers }: DataWish): boolean {
    return this.parts.line.send(writeCallFrame(callId, { name, params, headers }));
  }

  protected cut(): void {
    this.parts.line.cut();
  }
}

/** A socket has none. */
const NO_STATUS = { httpStatus: 0 };
