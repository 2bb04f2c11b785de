import { EPOS_ERRORS, type EposErrorCode, isEposErrorCode } from '@pos/core/epos-error';
import type { ConnectRequest, ConnectResponse, EposResult as WireResult } from '@pos/grpc-contracts/gateway';
import { TablesErrorCode, type TablesError } from '@pos/grpc-contracts/tables';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import type { Line } from '../connections/line.js';
import { OpenCalls } from '../connections/open-calls.js';
import { inTurn } from './record-fence.js';
import {
  type Deadline,
  type EposOutcome,
  type EposWish,
  noAnswer,
  notSent,
  type TablesConnection,
} from './tables-call.js';

/** An EPOS that speaks gRPC is asked so much at once. */
const PLACES = { atOnce: 16, waiting: 64 };

/**
 * The calls of one EPOS that has opened a stream: up to sixteen outstanding, answered in any order, the others wait. When
 * the stream breaks, each ends as "no answer" and none is made again.
 */
export class EposStream implements TablesConnection {
  readonly contract = 'tables';
  readonly way = 'stream';
  readonly #calls = new OpenCalls<EposWish['call']['$case'], EposOutcome>(PLACES);

  constructor(
    private readonly parts: {
      readonly connectionId: string;
      readonly line: Line<ConnectRequest, ConnectResponse>;
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
    const at = { database: this.parts.database, wish, deadline };
    return inTurn(this.#calls, at, () => this.#send(wish, deadline));
  }

  /** Takes the EPOS's answer to a call. One that nobody waits for any more, or that was given before, is dropped. */
  hear(result: WireResult): void {
    const { line, log, connectionId } = this.parts;
    const waiting = this.#calls.find(result.callId);
    if (waiting === null) {
      log.info('epos.answer_dropped', { connection_id: connectionId, call_id: result.callId });
      return;
    }
    const outcome = outcomeOf(result, waiting.kind);
    if (outcome.outcome === 'noAnswer') {
      const value = {
        id: result.callId.slice(0, ID_LENGTH_MAX),
        errorCode: TablesErrorCode.ERROR_PARSE_ERROR,
        errorReason: outcome.reason,
      };
      line.send({ message: { $case: 'errorNotification', value } });
    }
    waiting.settle(outcome);
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
      if (!this.parts.line.send({ message: { $case: 'call', value: { callId, request: call } } })) {
        // Refused by our own queue, so it never reached the wire.
        settle(notSent('noConnection', 'the connection was closed'));
      } else if (faults?.closeSocket === true) {
        this.parts.line.end();
      }
    });
  }
}

const ID_LENGTH_MAX = 100;
const REASON_LENGTH_MAX = 1_000;

/** Reads the EPOS's result; one that does not fit its call says nothing about what the EPOS did. */
function outcomeOf({ response }: WireResult, name: EposWish['call']['$case']): EposOutcome {
  if (response === undefined) return noAnswer('result.response: is missing');
  if (response.$case === 'error') return refusalOf(response.value);
  if (response.$case !== name) return noAnswer(`result.response: answers ${response.$case}, asked was ${name}`);
  return { outcome: 'answered', answer: response };
}

/** A refusal of an EPOS in our words; a code that is none is an internal error of the EPOS. */
export function refusalOf({ errorCode, errorReason }: TablesError): EposOutcome {
  const code: EposErrorCode = isEposErrorCode(errorCode) ? errorCode : 'ERROR_INTERNAL_POS_ERROR';
  const reason = errorReason === '' ? EPOS_ERRORS[code].meaning : errorReason.slice(0, REASON_LENGTH_MAX);
  return { outcome: 'refused', code, reason };
}
