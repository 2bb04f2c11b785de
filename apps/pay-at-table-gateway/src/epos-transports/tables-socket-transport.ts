import { toStorable } from '@pos/core/refusals';
import { JsonEdgeError } from '@pos/grpc-contracts/json-edge';
import {
  readTablesFrame,
  findRefusal,
  type TablesFrame,
  writeErrorNotification,
  writeTablesCall,
} from '@pos/grpc-contracts/tables-frames';
import { readTablesAnswerLeniently, type TablesReading } from '@pos/grpc-contracts/tables-answer-reading';
import { readTablesAnswer, type TablesCall, type TablesCallName } from '@pos/grpc-contracts/tables-methods';
import { EPOS_VALUES_MAX, findTextMember, hasMoreValuesThan } from '@pos/rest-contracts/shapes';
import type { Scope } from '@pos/core/identity';
import { UTC } from '@pos/core/time';
import { parseRestaurantTime } from '../epos-calls/restaurant-zone.js';
import type { SocketWriter } from '../connections/socket-connection.js';
import { removeByteOrderMark } from './answer-text.js';
import { InboundTransport, type InboundTransportOptions } from './inbound-transport.js';
import { toTablesRefusal } from './grpc-stream-transport.js';
import type { TablesCallRequest, TablesReply } from '../epos-calls/tables-call.js';
import type { TablesConnection, TablesContract } from './epos-transport.js';
import { createUnreadableAnswer } from '../epos-calls/call-failure.js';

/** Some EPOSes handle one request at a time; further calls wait for at most 30 s. */
const TABLES_SOCKET_LIMITS = { runningMax: 1, queuedMax: 64, queueTimeoutMs: 30_000 };
const FRAME_ID_LENGTH_MAX = 100;

/** The calls of one EPOS over its socket of the pay-at-table contract, one at a time. */
export class TablesSocketTransport extends InboundTransport<SocketWriter, TablesContract> implements TablesConnection {
  readonly contract = 'tables';
  readonly kind = 'socket';

  #zone = UTC;

  constructor(parts: InboundTransportOptions<SocketWriter>) {
    super(parts, TABLES_SOCKET_LIMITS);
  }

  /** Sets the zone of times that the EPOS sends without an offset; UTC before. */
  useZone(zone: string): void {
    this.#zone = zone;
  }

  /**
   * Handles a frame of the EPOS. A refusal without a usable id belongs to the only unanswered call. A frame with too many
   * values, or without a result, ends its call at once: it is the answer, and the answer to a repeat would be the same.
   */
  receiveFrame(frameText: string): void {
    const text = removeByteOrderMark(frameText);
    const { connection, scope } = this.parts;
    if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) {
      this.#refuseLargeFrame(findTextMember(text, 'id') ?? '');
      return;
    }
    const frame: TablesFrame = readTablesFrame(text);
    if (frame.is === 'unreadable') {
      this.droppedFrames.logDropped('epos.unreadable', { reason: frame.reason });
      connection.send(writeErrorNotification(frame.id.slice(0, FRAME_ID_LENGTH_MAX), frame.reason));
      this.calls.findCall(frame.id)?.settle(createUnreadableAnswer(frame.reason));
      return;
    }
    const refusal = findRefusal(frame.result);
    const pendingCall = this.calls.findCall(frame.id) ?? (refusal === null ? null : this.calls.findOnlyCall());
    if (pendingCall === null) {
      this.droppedFrames.logDropped('epos.answer_dropped', { call_id: frame.id.slice(0, FRAME_ID_LENGTH_MAX) });
      return;
    }
    if (refusal !== null) {
      pendingCall.settle(toTablesRefusal(refusal));
      return;
    }
    const reading = decodeAnswer(pendingCall, frame.result, { scope, zone: this.#zone });
    if (typeof reading === 'string') {
      connection.send(writeErrorNotification(frame.id.slice(0, FRAME_ID_LENGTH_MAX), reading));
      pendingCall.settle(createUnreadableAnswer(reading));
    } else pendingCall.settle({ outcome: 'answered', ...reading });
  }

  #refuseLargeFrame(id: string): void {
    const reason = `the message holds more than ${EPOS_VALUES_MAX} values`;
    this.droppedFrames.logDropped('epos.unreadable', { reason });
    this.parts.connection.send(writeErrorNotification(id.slice(0, FRAME_ID_LENGTH_MAX), reason));
    this.calls.findCall(id)?.settle(createUnreadableAnswer(reason));
  }

  protected getCallName({ call }: TablesCallRequest): TablesCallName {
    return call.$case;
  }

  protected override getSubject({ call: { value } }: TablesCallRequest): string {
    return 'sessionId' in value ? value.sessionId : '';
  }

  protected writeCall(callId: string, { call }: TablesCallRequest): boolean | TablesReply {
    const frame = encodeCall(callId, call);
    return typeof frame === 'string' ? this.parts.connection.send(frame) : frame;
  }

  protected terminate(): void {
    this.parts.connection.terminate();
  }
}

/** The frame of a call; an incomplete message is refused before anything is sent. */
function encodeCall(callId: string, call: TablesCall): string | TablesReply {
  try {
    return writeTablesCall(callId, call);
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return { outcome: 'refused', code: 'ERROR_PARSE_ERROR', reason: error.message };
  }
}

/** In the sandbox, where EPOSes are developed, the first member that breaks the contract is named although it was read. */
function withDeviation(
  reading: TablesReading,
  callName: TablesCallName,
  result: Readonly<Record<string, unknown>>,
): TablesReading {
  try {
    readTablesAnswer(callName, result);
    return reading;
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    if (reading.unreadable.length > 0) return reading;
    const { path: member, problem } = error;
    return { ...reading, unreadable: [{ element: '', member, problem, isSkipped: false }] };
  }
}

/** The answer to a call, or its violation, which does not show what the EPOS has executed. */
function decodeAnswer(
  { callName, subject }: { readonly callName: TablesCallName; readonly subject: string },
  result: Readonly<Record<string, unknown>>,
  { scope, zone }: { readonly scope: Scope; readonly zone: string },
): TablesReading | string {
  try {
    // The JSON codec refuses text that cannot be stored; over gRPC it is cleaned, and it must not depend on the transport.
    const storable = toStorable(result);
    const reading = readTablesAnswerLeniently(callName, storable, {
      sessionId: subject,
      now: new Date(),
      parseLocalTime: (text) => parseRestaurantTime(zone, text),
    });
    return scope.environment === 'sandbox' ? withDeviation(reading, callName, storable) : reading;
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return `result.${error.message}`;
  }
}
