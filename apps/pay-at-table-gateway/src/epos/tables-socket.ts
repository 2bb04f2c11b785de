import { toStorable } from '@pos/core/storable-text';
import { JsonEdgeError } from '@pos/grpc-contracts/json-edge';
import {
  readTablesFrame,
  refusalIn,
  type TablesFrame,
  writeErrorNotification,
  writeTablesCall,
} from '@pos/grpc-contracts/tables-frames';
import {
  readTablesAnswer,
  type TablesAnswer,
  type TablesCall,
  type TablesCallName,
} from '@pos/grpc-contracts/tables-methods';
import { EPOS_VALUES_MAX, findTextMember, hasMoreValuesThan } from '@pos/rest-contracts/json-size';
import type { SocketWriter } from '../connections/socket-line.js';
import { EposLine, type EposLineParts } from './epos-line.js';
import { refusalOf } from './epos-stream.js';
import {
  type EposWish,
  type TablesConnection,
  type TablesContract,
  type TablesSaid,
  unreadable,
} from './tables-call.js';

/** Some tills handle one request at a time; the others wait, at most half a minute. */
const PLACES = { atOnce: 1, waiting: 64, waitMs: 30_000 };
const ID_LENGTH_MAX = 100;

/** The calls of one EPOS that speaks the pay-at-table contract over a socket of its own: one at a time. */
export class TablesSocket extends EposLine<SocketWriter, TablesContract> implements TablesConnection {
  readonly contract = 'tables';
  readonly way = 'socket';

  constructor(parts: EposLineParts<SocketWriter>) {
    super(parts, PLACES);
  }

  /**
   * Takes a frame of the EPOS. One without a usable id that refuses something is about the one call that is out. A frame
   * with too many values ends its call at once: a repetition of the answer would be as large.
   */
  hear(text: string): void {
    const { line } = this.parts;
    if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) {
      this.#refuseLarge(findTextMember(text, 'id') ?? '');
      return;
    }
    const frame: TablesFrame = readTablesFrame(text);
    if (frame.is === 'unreadable') {
      this.dropped.note('epos.unreadable', { reason: frame.reason });
      line.send(writeErrorNotification(frame.id.slice(0, ID_LENGTH_MAX), frame.reason));
      return;
    }
    const refusal = refusalIn(frame.result);
    const waiting = this.calls.find(frame.id) ?? (refusal === null ? null : this.calls.only());
    if (waiting === null) {
      this.dropped.note('epos.answer_dropped', { call_id: frame.id.slice(0, ID_LENGTH_MAX) });
      return;
    }
    if (refusal !== null) {
      waiting.settle(refusalOf(refusal));
      return;
    }
    const answer = answerOf(waiting.kind, frame.result);
    if (typeof answer === 'string') {
      line.send(writeErrorNotification(frame.id.slice(0, ID_LENGTH_MAX), answer));
      waiting.settle(unreadable(answer));
    } else waiting.settle({ outcome: 'answered', answer });
  }

  #refuseLarge(id: string): void {
    const reason = `the message holds more than ${EPOS_VALUES_MAX} values`;
    this.dropped.note('epos.unreadable', { reason });
    this.parts.line.send(writeErrorNotification(id.slice(0, ID_LENGTH_MAX), reason));
    this.calls.find(id)?.settle(unreadable(reason));
  }

  protected kindOf({ call }: EposWish): TablesCallName {
    return call.$case;
  }

  protected write(callId: string, { call }: EposWish): boolean | TablesSaid {
    const frame = frameOf(callId, call);
    return typeof frame === 'string' ? this.parts.line.send(frame) : frame;
  }

  protected cut(): void {
    this.parts.line.cut();
  }
}

/** The frame of a call; a message that lacks something is refused here, before anything is sent. */
function frameOf(callId: string, call: TablesCall): string | TablesSaid {
  try {
    return writeTablesCall(callId, call);
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason: error.message };
  }
}

/** The answer to a call, or what is wrong with it: then it says nothing about what the EPOS did. */
function answerOf(name: TablesCallName, result: Readonly<Record<string, unknown>>): TablesAnswer | string {
  try {
    // The JSON codec refuses text that cannot be stored; over gRPC it is cleaned, and it must not depend on the transport.
    return readTablesAnswer(name, toStorable(result));
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return `result.${error.message}`;
  }
}
