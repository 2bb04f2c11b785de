import { EPOS_ERRORS, type EposErrorCode, isEposErrorCode } from '@pos/core/epos-error';
import type { ConnectResponse, EposResult as WireResult } from '@pos/grpc-contracts/gateway';
import { TablesErrorCode, type TablesError } from '@pos/grpc-contracts/tables';
import type { TablesCallName } from '@pos/grpc-contracts/tables-methods';
import type { Line } from '../connections/line.js';
import { EposLine, type EposLineParts } from './epos-line.js';
import type { EposMessage, UnreadableResult } from './epos-message.js';
import {
  type EposOutcome,
  type EposWish,
  type TablesConnection,
  type TablesContract,
  type TablesSaid,
  unreadable,
} from './tables-call.js';

/** An EPOS that speaks gRPC is asked so much at once. */
const PLACES = { atOnce: 16, waiting: 64 };

/** The calls of one EPOS that has opened a stream: up to sixteen outstanding, answered in any order, the others wait. */
export class EposStream
  extends EposLine<Line<EposMessage, ConnectResponse>, TablesContract>
  implements TablesConnection
{
  readonly contract = 'tables';
  readonly way = 'stream';

  constructor(parts: EposLineParts<Line<EposMessage, ConnectResponse>>) {
    super(parts, PLACES);
  }

  /** Takes the EPOS's answer to a call. One that nobody waits for any more, or that was given before, is dropped. */
  hear(result: WireResult): void {
    this.#settle(result.callId, (asked) => outcomeOf(result, asked));
  }

  /** Takes an answer that could not be read: the EPOS is told, and its call ends. */
  mishear({ callId, reason }: UnreadableResult): void {
    this.#settle(callId, () => unreadable(reason));
  }

  protected kindOf({ call }: EposWish): TablesCallName {
    return call.$case;
  }

  protected write(callId: string, { call }: EposWish): boolean {
    return this.parts.line.send({ message: { $case: 'call', value: { callId, request: call } } });
  }

  protected cut(): void {
    this.parts.line.end();
  }

  #settle(callId: string, judge: (asked: TablesCallName) => EposOutcome): void {
    const waiting = this.calls.find(callId);
    const id = callId.slice(0, ID_LENGTH_MAX);
    if (waiting === null) {
      this.dropped.note('epos.answer_dropped', { call_id: id });
      return;
    }
    const outcome = judge(waiting.kind);
    if (outcome.outcome === 'noAnswer') {
      const value = { id, errorCode: TablesErrorCode.ERROR_PARSE_ERROR, errorReason: outcome.reason };
      this.parts.line.send({ message: { $case: 'errorNotification', value } });
    }
    waiting.settle(outcome);
  }
}

const ID_LENGTH_MAX = 100;
const REASON_LENGTH_MAX = 1_000;

/** Reads the EPOS's result; one that does not fit its call says nothing about what the EPOS did. */
function outcomeOf({ response }: WireResult, name: TablesCallName): EposOutcome {
  if (response === undefined) return unreadable('result.response: is missing');
  if (response.$case === 'error') return refusalOf(response.value);
  if (response.$case !== name) return unreadable(`result.response: answers ${response.$case}, asked was ${name}`);
  return { outcome: 'answered', answer: response };
}

/** A refusal of an EPOS in our words; a code that is none is an internal error of the EPOS. */
export function refusalOf({ errorCode, errorReason }: TablesError): TablesSaid {
  const code: EposErrorCode = isEposErrorCode(errorCode) ? errorCode : 'ERROR_INTERNAL_POS_ERROR';
  const reason = errorReason === '' ? EPOS_ERRORS[code].meaning : errorReason.slice(0, REASON_LENGTH_MAX);
  return { outcome: 'refused', code, reason };
}
