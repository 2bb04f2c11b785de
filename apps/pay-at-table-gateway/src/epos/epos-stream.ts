import { EPOS_ERRORS, type EposErrorCode, isEposErrorCode } from '@pos/core/epos-error';
import type { ConnectRequest, ConnectResponse, EposResult as WireResult } from '@pos/grpc-contracts/gateway';
import { TablesErrorCode, type TablesError } from '@pos/grpc-contracts/tables';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import type { Line } from '../connections/line.js';
import { findFenceObjection } from './record-fence.js';
import {
  type Deadline,
  type EposOutcome,
  type EposTransport,
  type EposWish,
  noAnswer,
  notSent,
} from './tables-call.js';

const OUTSTANDING_MAX = 16;
const QUEUE_MAX = 64;

interface Outstanding {
  readonly name: EposWish['call']['$case'];
  readonly settle: (outcome: EposOutcome) => void;
}

/**
 * The calls of one EPOS that has opened a stream: up to sixteen outstanding, answered in any order, the others wait. When
 * the stream breaks, each ends as "no answer" and none is made again.
 */
export class EposStream implements EposTransport {
  readonly way = 'stream';
  readonly #outstanding = new Map<string, Outstanding>();
  readonly #queue: ((isTurn: boolean) => void)[] = [];
  #running = 0;
  #isRetired = false;
  #whenIdle: (() => void) | null = null;

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

  /** The EPOS is at work on a call. */
  isBusy(): boolean {
    return this.#outstanding.size > 0;
  }

  async call(wish: EposWish, deadline: Deadline): Promise<EposOutcome> {
    if (!this.#isServing()) return notSent('noConnection', 'the connection is closing');
    if (!(await this.#turn(deadline))) {
      return this.#isServing()
        ? notSent('queueFull', 'too many calls wait for this EPOS')
        : notSent('noConnection', 'the connection was closed');
    }
    try {
      const objection = await findFenceObjection(this.parts.database, wish, deadline);
      if (objection !== null) return objection;
      if (!this.#isServing()) return notSent('noConnection', 'the connection was closed');
      if (deadline.leftMs() === 0) return notSent('queueFull', 'the caller waits no longer');
      return await this.#send(wish, deadline);
    } finally {
      this.#next();
    }
  }

  /** Takes the EPOS's answer to a call. One that nobody waits for any more, or that was given before, is dropped. */
  hear(result: WireResult): void {
    const { line, log, connectionId } = this.parts;
    const waiting = this.#outstanding.get(result.callId);
    if (waiting === undefined) {
      log.info('epos.answer_dropped', { connection_id: connectionId, call_id: result.callId });
      return;
    }
    const outcome = outcomeOf(result, waiting.name);
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

  /** Takes no more calls. Resolves when those outstanding are answered, at the latest after the grace. */
  async retire(graceMs: number): Promise<void> {
    this.#isRetired = true;
    this.#refuseQueue();
    if (this.#outstanding.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      timer = setTimeout(resolve, graceMs);
    });
    clearTimeout(timer);
  }

  /** The stream has ended. */
  broken(): void {
    this.#isRetired = true;
    this.#refuseQueue();
    for (const { settle } of [...this.#outstanding.values()]) settle(noAnswer('the connection broke'));
  }

  #isServing(): boolean {
    return !this.#isRetired && this.parts.line.isOpen;
  }

  #send({ call, faults }: EposWish, deadline: Deadline): Promise<EposOutcome> {
    const callId = randomUUID();
    return new Promise((resolve) => {
      const settle = (outcome: EposOutcome): void => {
        clearTimeout(timer);
        if (this.#outstanding.delete(callId)) resolve(outcome);
        if (this.#outstanding.size === 0) this.#whenIdle?.();
      };
      const timer = setTimeout(() => {
        settle(noAnswer('no answer in time'));
      }, deadline.leftMs());
      const isWithheld = faults?.withholdAnswer === true;
      this.#outstanding.set(callId, {
        name: call.$case,
        settle: isWithheld ? () => settle(noAnswer('the answer was withheld, as asked')) : settle,
      });
      if (!this.parts.line.send({ message: { $case: 'call', value: { callId, request: call } } })) {
        // Refused by our own queue, so it never reached the wire.
        settle(notSent('noConnection', 'the connection was closed'));
      } else if (faults?.closeSocket === true) {
        this.parts.line.end();
      }
    });
  }

  /** Waits for one of the sixteen places; false when it was not to be had. */
  async #turn(deadline: Deadline): Promise<boolean> {
    if (this.#running < OUTSTANDING_MAX) {
      this.#running += 1;
      return true;
    }
    if (this.#queue.length >= QUEUE_MAX) return false;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        resolve(false);
      }, deadline.leftMs());
      const turn = (isTurn: boolean): void => {
        clearTimeout(timer);
        resolve(isTurn);
      };
      this.#queue.push(turn);
    });
  }

  /** Hands the place on to the call that has waited longest. */
  #next(): void {
    const turn = this.#queue.shift();
    if (turn === undefined) this.#running -= 1;
    else turn(true);
  }

  #refuseQueue(): void {
    for (const turn of this.#queue.splice(0)) turn(false);
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
