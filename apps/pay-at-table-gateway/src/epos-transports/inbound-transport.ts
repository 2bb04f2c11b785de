import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { randomUUID } from 'node:crypto';
import { type CallLimits, PendingCalls } from '../connections/pending-calls.js';
import { DroppedFrameLog } from './dropped-frames.js';
import { runInTurn } from './record-fence.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesCallRequest } from '../epos-calls/tables-call.js';
import { createBrokenCall, createNoAnswer, type CallFailure, createNotSent } from '../epos-calls/call-failure.js';

/** The parts of a transport over a connection that the EPOS has opened. */
export interface InboundTransportOptions<Line> {
  readonly connectionId: string;
  /** The account of the EPOS. */
  readonly scope: Scope;
  readonly connection: Line;
  readonly database: Pick<Database, 'read'>;
  readonly log: Log;
}

/** The messages of one contract: the call, the id that distinguishes it, and the answer of an EPOS. */
interface CallContract {
  readonly request: Pick<TablesCallRequest, 'scope' | 'fence' | 'faults'>;
  readonly callName: string;
  readonly reply: object;
}

/**
 * The calls on one connection that an EPOS has opened, in either contract. When it breaks, each ends as "no
 * answer" and none is made again.
 */
export abstract class InboundTransport<Line, C extends CallContract> {
  protected readonly calls: PendingCalls<C['callName'], C['reply'] | CallFailure>;
  protected readonly droppedFrames: DroppedFrameLog;

  protected constructor(
    protected readonly parts: InboundTransportOptions<Line>,
    limits: CallLimits,
  ) {
    this.calls = new PendingCalls(limits);
    this.droppedFrames = new DroppedFrameLog(parts.log, parts.connectionId);
  }

  get connectionId(): string {
    return this.parts.connectionId;
  }

  isBusy(): boolean {
    return this.calls.isBusy;
  }

  call(request: C['request'], deadline: Deadline): Promise<C['reply'] | CallFailure> {
    const { database } = this.parts;
    return runInTurn(this.calls, { database, callRequest: request, deadline }, () =>
      this.#sendCall(request, deadline.startCall()),
    );
  }

  drain(graceMs: number): Promise<void> {
    return this.calls.drain(graceMs);
  }

  failPendingCalls(): void {
    this.droppedFrames.flushCount();
    this.calls.settleAll(createBrokenCall('the connection broke'));
  }

  protected abstract getCallName(request: C['request']): C['callName'];
  /** What the call is about, such as its session. */
  protected getSubject(_request: C['request']): string {
    return '';
  }
  /** Sends a call. False: the send queue refused it, so nothing was sent. A failure: the call must not be sent. */
  protected abstract writeCall(callId: string, request: C['request']): boolean | C['reply'];
  /** Ends the connection, for a fault of the tester. */
  protected abstract terminate(): void;

  #sendCall(request: C['request'], deadline: Deadline): Promise<C['reply'] | CallFailure> {
    const callId = randomUUID();
    const pendingCall = {
      callName: this.getCallName(request),
      subject: this.getSubject(request),
      deadline,
      timeoutOutcome: createNoAnswer('no answer in time'),
    };
    return this.calls.awaitAnswer(callId, pendingCall, (settle) => {
      const written = this.writeCall(callId, request);
      if (typeof written === 'object') settle(written);
      else if (!written) settle(createNotSent('noConnection', 'the connection was closed'));
      else if (request.faults?.closeSocket === true) this.terminate();
    });
  }
}
