import { EPOS_ERRORS, type EposErrorCode, isEposErrorCode } from '@pos/core/tables';
import type { ConnectResponse, EposResult as WireResult } from '@pos/grpc-contracts/gateway';
import { TablesErrorCode, type TablesError } from '@pos/grpc-contracts/tables';
import type { TablesCallName } from '@pos/grpc-contracts/tables-methods';
import type { StreamConnection } from '../connections/stream-connection.js';
import { InboundTransport, type InboundTransportOptions } from './inbound-transport.js';
import type { EposMessage, UnreadableResult } from './epos-message.js';
import type { TablesOutcome, TablesCallRequest, TablesReply } from '../epos-calls/tables-call.js';
import type { TablesConnection, TablesContract } from './epos-transport.js';
import { createUnreadableAnswer } from '../epos-calls/call-failure.js';

/** The limits of calls on one stream. */
const STREAM_LIMITS = { runningMax: 16, queuedMax: 64 };

/** The calls of one EPOS over its stream: up to sixteen at once, answered in any order; further calls wait. */
export class GrpcStreamTransport
  extends InboundTransport<StreamConnection<EposMessage, ConnectResponse>, TablesContract>
  implements TablesConnection
{
  readonly contract = 'tables';
  readonly kind = 'stream';

  constructor(parts: InboundTransportOptions<StreamConnection<EposMessage, ConnectResponse>>) {
    super(parts, STREAM_LIMITS);
  }

  /** Handles the answer to a call. An answer to an ended or unknown call is dropped. */
  receiveResult(result: WireResult): void {
    this.#completeCall(result.callId, (callName) => decodeResult(result, callName));
  }

  /** Handles an answer that cannot be read: the EPOS receives an error, and its call ends. */
  receiveUnreadable({ callId, reason }: UnreadableResult): void {
    this.#completeCall(callId, () => createUnreadableAnswer(reason));
  }

  protected getCallName({ call }: TablesCallRequest): TablesCallName {
    return call.$case;
  }

  protected writeCall(callId: string, { call }: TablesCallRequest): boolean {
    return this.parts.connection.send({ message: { $case: 'call', value: { callId, request: call } } });
  }

  protected terminate(): void {
    this.parts.connection.end();
  }

  #completeCall(callId: string, decode: (callName: TablesCallName) => TablesOutcome): void {
    const pendingCall = this.calls.findCall(callId);
    const id = callId.slice(0, STREAM_CALL_ID_LENGTH_MAX);
    if (pendingCall === null) {
      this.droppedFrames.logDropped('epos.answer_dropped', { call_id: id });
      return;
    }
    const outcome = decode(pendingCall.callName);
    if (outcome.outcome === 'noAnswer') {
      const value = { id, errorCode: TablesErrorCode.ERROR_PARSE_ERROR, errorReason: outcome.reason };
      this.parts.connection.send({ message: { $case: 'errorNotification', value } });
    }
    pendingCall.settle(outcome);
  }
}

const STREAM_CALL_ID_LENGTH_MAX = 100;
const STREAM_REASON_LENGTH_MAX = 1_000;

/** Decodes a result. A result of another call does not show what the EPOS has executed. */
function decodeResult({ response }: WireResult, name: TablesCallName): TablesOutcome {
  if (response === undefined) return createUnreadableAnswer('result.response: is missing');
  if (response.$case === 'error') return toTablesRefusal(response.value);
  if (response.$case !== name)
    return createUnreadableAnswer(`result.response: answers ${response.$case}, but the call was ${name}`);
  return { outcome: 'answered', answer: response };
}

/** Decodes a refusal; an unknown code is an internal error of the EPOS. */
export function toTablesRefusal({ errorCode, errorReason }: TablesError): TablesReply {
  const code: EposErrorCode = isEposErrorCode(errorCode) ? errorCode : 'ERROR_INTERNAL_POS_ERROR';
  const reason = errorReason === '' ? EPOS_ERRORS[code].meaning : errorReason.slice(0, STREAM_REASON_LENGTH_MAX);
  return { outcome: 'refused', code, reason };
}
