import { readAnswerFrame, writeCallFrame } from '@pos/rest-contracts/epos-data';
import { EPOS_VALUES_MAX, findTextMember, hasMoreValuesThan } from '@pos/rest-contracts/shapes';
import type { SocketWriter } from '../connections/socket-connection.js';
import { removeByteOrderMark } from './answer-text.js';
import { InboundTransport, type InboundTransportOptions } from './inbound-transport.js';
import type { DataConnection } from './epos-transport.js';
import type { DataReply, DataCallRequest } from '../epos-calls/data-call.js';
import { createUnreadableAnswer } from '../epos-calls/call-failure.js';

const DATA_SOCKET_LIMITS = { runningMax: 16, queuedMax: 64 };

/** The calls of one EPOS over its socket of the EPOS Data API: up to sixteen at once, answered in any order. */
export class DataSocketTransport
  extends InboundTransport<
    SocketWriter,
    { request: DataCallRequest; callName: DataCallRequest['name']; reply: DataReply }
  >
  implements DataConnection
{
  readonly contract = 'data';
  readonly kind = 'dataSocket';

  constructor(parts: InboundTransportOptions<SocketWriter>) {
    super(parts, DATA_SOCKET_LIMITS);
  }

  /** Handles a frame of the EPOS. Unreadable frames, and answers to unknown calls, are dropped: the call ends at its time limit. */
  receiveFrame(frameText: string): void {
    const text = removeByteOrderMark(frameText);
    if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) {
      this.#refuseLargeFrame(findTextMember(text, 'id') ?? '');
      return;
    }
    const answer = readAnswerFrame(text);
    const pendingCall = answer === null ? null : this.calls.findCall(answer.id);
    if (answer === null || pendingCall === null) {
      this.droppedFrames.logDropped('epos.answer_dropped', { is_readable: answer !== null });
      return;
    }
    const { httpStatus } = NO_STATUS;
    if (answer.outcome === 'result') pendingCall.settle({ outcome: 'answered', json: answer.json, httpStatus });
    else if (answer.outcome === 'error') pendingCall.settle({ outcome: 'refused', error: answer.error, httpStatus });
    else pendingCall.settle(createUnreadableAnswer('the message has no result'));
  }

  /** The answer to a repeat would be as large, so the call ends at once. */
  #refuseLargeFrame(id: string): void {
    this.droppedFrames.logDropped('epos.answer_dropped', { is_readable: false });
    this.calls.findCall(id)?.settle(createUnreadableAnswer(`the message holds more than ${EPOS_VALUES_MAX} values`));
  }

  protected getCallName({ name }: DataCallRequest): DataCallRequest['name'] {
    return name;
  }

  protected writeCall(callId: string, { name, params, headers }: DataCallRequest): boolean {
    return this.parts.connection.send(writeCallFrame(callId, { name, params, headers }));
  }

  protected terminate(): void {
    this.parts.connection.terminate();
  }
}

/** A socket has none. */
const NO_STATUS = { httpStatus: 0 };
