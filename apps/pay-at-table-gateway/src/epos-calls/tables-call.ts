import type { Environment, Scope } from '@pos/core/identity/identity';
import type { EposRefused } from '@pos/core/acquirer/ports';
import type { EposCallHeaders, EposDataCallName, EposError } from '@pos/rest-contracts/epos-data/epos-data';
import type { SandboxFaults } from '@pos/grpc-contracts/gateway-internal';
import type * as contract from '@pos/grpc-contracts/tables-methods';

/** A call of the pay-at-table contract, whichever way it travels, and the answer of the EPOS to it. */
export type TablesCall = contract.TablesCall;
export type TablesAnswer = contract.TablesAnswer;
export type TablesCallName = contract.TablesCallName;

/** What a kind of call may do: how long, and whether it may be made again when nobody answers. */
export interface CallPolicy {
  readonly isRead: boolean;
  /** The share of the longest call limit that it gets. */
  readonly timeoutShare: number;
}

const READ_POLICY: CallPolicy = { isRead: true, timeoutShare: 2 / 3 };

/** The ten calls. A write is never made twice by the gateway itself. */
export const TABLES_CALLS = {
  listSessions: READ_POLICY,
  getSession: READ_POLICY,
  listTables: READ_POLICY,
  getTable: READ_POLICY,
  getBillItems: READ_POLICY,
  listBillItems: READ_POLICY,
  getFullBill: READ_POLICY,
  lockSession: { isRead: false, timeoutShare: 2 / 3 },
  unlockSession: { isRead: false, timeoutShare: 2 / 3 },
  recordPayment: { isRead: false, timeoutShare: 1 },
} as const satisfies Record<TablesCallName, CallPolicy>;

/** The right of a runner to record a payment, or to create an order: looked up in the database right before the call is written. */
export interface CallFence {
  readonly kind: 'table-payment' | 'order-placement';
  readonly subject: string;
  readonly fence: number;
}

/** One call that somebody wants made at the account's EPOS. */
export interface TablesCallRequest {
  readonly scope: Scope;
  readonly call: TablesCall;
  /** How long the caller waits, counted from now. */
  readonly waitMs: number;
  readonly fence: CallFence | null;
  /** Faults that the tester asks for; sandbox only. */
  readonly faults: SandboxFaults | null;
}

/** The ways that calls of the pay-at-table contract take to an EPOS; `orders`: put into calls of the EPOS Data API. */
export type TablesTransportKind = 'socket' | 'stream' | 'dialled' | 'orders';
/** The ways of the EPOS Data API. */
export type DataTransportKind = 'dataSocket' | 'rest';

export function isDataTransport(
  transport: TablesTransportKind | DataTransportKind | 'auto',
): transport is DataTransportKind {
  return transport === 'dataSocket' || transport === 'rest';
}

/** Why the EPOS knows nothing of a call. */
export type NotSentCause = 'noConnection' | 'fencedOff' | 'queueFull' | 'noRoute' | 'draining';

/** Ends that no EPOS has had a say in. `notSent` proves that it knows nothing of the call; of `noAnswer` nobody knows. */
export type CallFailure =
  | { readonly outcome: 'credentialsRefused'; readonly reason: string }
  | { readonly outcome: 'notSent'; readonly cause: NotSentCause; readonly reason: string }
  | NoAnswerFailure;
/** `isUnreadable`: something was answered that says nothing about what the EPOS did. */
export interface NoAnswerFailure {
  readonly outcome: 'noAnswer';
  readonly reason: string;
  readonly isUnreadable?: true;
}

/**
 * How a call ended. `credentialsRefused`: the EPOS was reached and wants other credentials, so it has done nothing.
 */
export type TablesOutcome = TablesReply | CallFailure;
/** What an EPOS has said itself. */
export type TablesReply = { readonly outcome: 'answered'; readonly answer: TablesAnswer } | EposRefused;

/** An outcome and the way that was taken; null when there was none. */
export interface TablesResult {
  readonly outcome: TablesOutcome;
  readonly transport: TablesTransportKind | null;
  readonly connectionId: string;
}

/** One call of the EPOS Data API that somebody wants made. */
export interface DataCallRequest extends Omit<TablesCallRequest, 'call'> {
  readonly name: EposDataCallName;
  /** The members of path and body together. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: EposCallHeaders;
}

/**
 * How a call of the EPOS Data API ended. The answer is JSON as it came; an `UnexpectedError` to a write leaves open what
 * was done. The status is 0 where the transport has none.
 */
export type DataOutcome = DataReply | CallFailure;
/** What an EPOS has said itself. */
export type DataReply =
  | { readonly outcome: 'answered'; readonly json: unknown; readonly httpStatus: number }
  | { readonly outcome: 'refused'; readonly error: EposError; readonly httpStatus: number };

/** An outcome and the way that was taken; null when there was none. */
export interface DataResult {
  readonly outcome: DataOutcome;
  readonly transport: DataTransportKind | null;
  readonly connectionId: string;
}

/** One way to one EPOS. Never rejects; the deadline is its own to keep. */
interface CallTransport<Kind, Request, Outcome> {
  readonly kind: Kind;
  /** Of an EPOS that has connected by itself; empty for one that is called. */
  readonly connectionId: string;
  call(request: Request, deadline: Deadline): Promise<Outcome>;
}
export type TablesTransport = CallTransport<TablesTransportKind, TablesCallRequest, TablesOutcome>;
export type DataTransport = CallTransport<DataTransportKind, DataCallRequest, DataOutcome>;

/** A connection that an EPOS has opened to this gateway. */
interface InboundConnection {
  /** The EPOS is at work on a call. */
  isBusy(): boolean;
  /** Takes no more calls. Resolves when those outstanding are answered, at the latest after the grace. */
  drain(graceMs: number): Promise<void>;
  /** The connection has ended: no call that is outstanding will be answered. */
  failPendingCalls(): void;
}
/** The pay-at-table contract as a connection speaks it. */
export interface TablesContract {
  readonly request: TablesCallRequest;
  readonly callName: TablesCallName;
  readonly reply: TablesReply;
}
/** One on which the pay-at-table contract is spoken. */
export interface TablesConnection extends InboundConnection, TablesTransport {
  readonly contract: 'tables';
}
/** One on which the EPOS Data API is spoken. */
export interface DataConnection extends InboundConnection, DataTransport {
  readonly contract: 'data';
}
export type EposConnection = TablesConnection | DataConnection;

/** A moment on the process's monotonic clock, and how long a call may take that is sent before it. */
export class Deadline {
  readonly #expiresAtMs: number;
  readonly #callTimeoutMs: number;

  private constructor(atMs: number, callMs = Number.POSITIVE_INFINITY) {
    this.#expiresAtMs = atMs;
    this.#callTimeoutMs = callMs;
  }

  static createAfter(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  getRemainingMs(): number {
    return Math.max(0, this.#expiresAtMs - performance.now());
  }

  /** The same moment, for a call that may take so long once it is sent: waiting for its turn is not counted (epos.md 8.1). */
  limitCall(ms: number): Deadline {
    return new Deadline(this.#expiresAtMs, ms);
  }

  /** Until when the answer is waited for of a call that is sent now. */
  startCall(): Deadline {
    return new Deadline(Math.min(this.#expiresAtMs, performance.now() + this.#callTimeoutMs));
  }
}

export function createNotSent(why: NotSentCause, reason: string): CallFailure {
  return { outcome: 'notSent', cause: why, reason };
}

export function createNoAnswer(reason: string): CallFailure {
  return { outcome: 'noAnswer', reason };
}

/** The EPOS has answered, and nothing can be read from it. */
export function createUnreadableAnswer(reason: string): CallFailure {
  return { outcome: 'noAnswer', reason, isUnreadable: true };
}

const TOO_MANY_REQUESTS = 429;

/**
 * How a call ended that an HTTP server in front of the EPOS answered instead of the EPOS: 429 says that it was not passed
 * on; after any other status the EPOS may have received it and may still do it.
 */
export function createProxyFailure(httpStatus: number): CallFailure {
  return httpStatus === TOO_MANY_REQUESTS
    ? createNotSent('queueFull', `HTTP status ${httpStatus}: too many requests for this EPOS`)
    : createNoAnswer(`HTTP status ${httpStatus}, and no answer of the EPOS`);
}

/** Whether an environment of the wire is one of ours. */
export function isEnvironment(text: string): text is Environment {
  return text === 'sandbox' || text === 'production';
}
