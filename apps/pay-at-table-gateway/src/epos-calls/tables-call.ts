import type { Environment, Scope } from '@pos/core/identity';
import type { EposRefused } from '@pos/core/tables';
import type { EposCallHeaders, EposDataCallName, EposError } from '@pos/rest-contracts/epos-data';
import type { SandboxFaults } from '@pos/grpc-contracts/gateway-internal';
import type * as contract from '@pos/grpc-contracts/tables-methods';
import type { UnreadableMember } from './unreadable-members.js';

/** A call of the pay-at-table contract over any transport, and the answer of the EPOS. */
export type TablesCall = contract.TablesCall;
export type TablesAnswer = contract.TablesAnswer;
export type TablesCallName = contract.TablesCallName;

/** The limits of a kind of call: its time, and whether it is repeated after a missing answer. */
export interface CallPolicy {
  readonly isRead: boolean;
  /** Its share of the longest call limit. */
  readonly timeoutShare: number;
}

const READ_POLICY: CallPolicy = { isRead: true, timeoutShare: 2 / 3 };

/** The ten calls. The gateway never repeats a write. */
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

/** The proof that a runner may record a payment or create an order. The database checks it right before the call is sent. */
export interface CallFence {
  readonly kind: 'table-payment' | 'order-placement';
  readonly subject: string;
  readonly fence: number;
}

/** A requested call to the EPOS of an account. */
export interface TablesCallRequest {
  readonly scope: Scope;
  readonly call: TablesCall;
  /** The time of the caller, from now. */
  readonly waitMs: number;
  readonly fence: CallFence | null;
  /** Faults that the tester requests; sandbox only. */
  readonly faults: SandboxFaults | null;
}

/** The transports of the pay-at-table contract; `orders`: over calls of the EPOS Data API. */
export type TablesTransportKind = 'socket' | 'stream' | 'dialled' | 'orders';
/** The transports of the EPOS Data API. */
export type DataTransportKind = 'dataSocket' | 'rest';

export function isDataTransport(
  transport: TablesTransportKind | DataTransportKind | 'auto',
): transport is DataTransportKind {
  return transport === 'dataSocket' || transport === 'rest';
}

/** Why a call was not sent. */
export type NotSentCause = 'noConnection' | 'fencedOff' | 'queueFull' | 'noRoute' | 'draining';

/** Outcomes without an answer. `notSent` proves that the EPOS has not received the call; after `noAnswer` it may have executed it. */
export type CallFailure =
  | { readonly outcome: 'credentialsRefused'; readonly reason: string }
  | { readonly outcome: 'notSent'; readonly cause: NotSentCause; readonly reason: string }
  | NoAnswerFailure;
/**
 * `isUnreadable`: there was an answer, and it does not show what the EPOS has executed. `isEarly`: the call has failed
 * before its deadline, for example because the connection broke.
 */
export interface NoAnswerFailure {
  readonly outcome: 'noAnswer';
  readonly reason: string;
  readonly isUnreadable?: true;
  readonly isEarly?: true;
  /** The members that make it unreadable, where they are known. */
  readonly unreadable?: readonly UnreadableMember[];
}

/**
 * The outcome of a call. `credentialsRefused`: the EPOS refused the credentials, so it has executed nothing.
 */
export type TablesOutcome = TablesReply | CallFailure;
/** An outcome with an answer of the EPOS. */
export type TablesReply = TablesAnswered | EposRefused;
/** An answer, and the members of it that could not be read. */
export interface TablesAnswered {
  readonly outcome: 'answered';
  readonly answer: TablesAnswer;
  readonly unreadable?: readonly UnreadableMember[];
}

/** An outcome, and the transport that was used; null when there was none. */
export interface TablesResult {
  readonly outcome: TablesOutcome;
  readonly transport: TablesTransportKind | null;
  readonly connectionId: string;
}

/** A requested call of the EPOS Data API. */
export interface DataCallRequest extends Omit<TablesCallRequest, 'call'> {
  readonly name: EposDataCallName;
  /** The members of path and body together. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: EposCallHeaders;
}

/**
 * The outcome of a call of the EPOS Data API. The answer is the received JSON. After an `UnexpectedError` to a write the
 * EPOS may have executed it. The status is 0 where the transport has none.
 */
export type DataOutcome = DataReply | CallFailure;
/** An outcome with an answer of the EPOS. */
export type DataReply =
  | { readonly outcome: 'answered'; readonly json: unknown; readonly httpStatus: number }
  | { readonly outcome: 'refused'; readonly error: EposError; readonly httpStatus: number };

/** An outcome, and the transport that was used; null when there was none. */
export interface DataResult {
  readonly outcome: DataOutcome;
  readonly transport: DataTransportKind | null;
  readonly connectionId: string;
}

/** A transport to one EPOS. `call` never rejects, and ends by the deadline. */
export interface CallTransport<Kind, Request, Outcome> {
  readonly kind: Kind;
  /** The connection that the EPOS has opened; empty for an EPOS that is called. */
  readonly connectionId: string;
  call(request: Request, deadline: Deadline): Promise<Outcome>;
  /** Only of an address that is dialled: connects without sending anything. */
  readonly dialling?: {
    /** Names the registration in this process. */
    readonly healthKey: string;
    /** True: a call can be sent. */
    readonly probe: (scope: Scope) => Promise<boolean>;
  };
}
export type TablesTransport = CallTransport<TablesTransportKind, TablesCallRequest, TablesOutcome>;
export type DataTransport = CallTransport<DataTransportKind, DataCallRequest, DataOutcome>;

/** A connection that an EPOS has opened to this gateway. */
interface InboundConnection {
  /** Whether the EPOS works on a call. */
  isBusy(): boolean;
  /** Refuses new calls. Resolves when all calls are answered, at the latest after `graceMs`. */
  drain(graceMs: number): Promise<void>;
  /** Ends all unanswered calls, because the connection has ended. */
  failPendingCalls(): void;
}
/** The types of the pay-at-table contract on a connection. */
export interface TablesContract {
  readonly request: TablesCallRequest;
  readonly callName: TablesCallName;
  readonly reply: TablesReply;
}
/** A connection with the pay-at-table contract. */
export interface TablesConnection extends InboundConnection, TablesTransport {
  readonly contract: 'tables';
}
/** A connection with the EPOS Data API. */
export interface DataConnection extends InboundConnection, DataTransport {
  readonly contract: 'data';
}
export type EposConnection = TablesConnection | DataConnection;

/** A moment on the process's monotonic clock, and the time limit of a call that is sent before it. */
export class Deadline {
  readonly #expiresAtMs: number;
  readonly #callTimeoutMs: number;
  /** The longest wait for a connection before the call is sent. */
  readonly connectLimitMs: number;

  private constructor(atMs: number, { callMs = Number.POSITIVE_INFINITY, connectMs = Number.POSITIVE_INFINITY } = {}) {
    this.#expiresAtMs = atMs;
    this.#callTimeoutMs = callMs;
    this.connectLimitMs = connectMs;
  }

  static createAfter(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  getRemainingMs(): number {
    return Math.max(0, this.#expiresAtMs - performance.now());
  }

  /** The same moment with a time limit for the call itself, without its time in the queue. */
  limitCall(ms: number, connectMs = Number.POSITIVE_INFINITY): Deadline {
    return new Deadline(this.#expiresAtMs, { callMs: ms, connectMs });
  }

  /** The deadline of the answer to a call that is sent now. */
  startCall(): Deadline {
    const endsAtMs = Math.min(this.#expiresAtMs, performance.now() + this.#callTimeoutMs);
    return new Deadline(endsAtMs, { connectMs: this.connectLimitMs });
  }
}

export function createNotSent(why: NotSentCause, reason: string): CallFailure {
  return { outcome: 'notSent', cause: why, reason };
}

/** No answer came before the deadline. */
export function createNoAnswer(reason: string): CallFailure {
  return { outcome: 'noAnswer', reason };
}

/** The call ended before its deadline, and the EPOS may have executed it. */
export function createBrokenCall(reason: string): NoAnswerFailure {
  return { outcome: 'noAnswer', reason, isEarly: true };
}

/** The members that tell callers whether a call has failed before its deadline. */
export function describeEarlyEnd(outcome: CallFailure): { readonly isEarly?: true } {
  const isEarly = outcome.outcome === 'noAnswer' && (outcome.isEarly === true || outcome.isUnreadable === true);
  return isEarly ? { isEarly } : {};
}

/** The EPOS has sent an answer that cannot be read. */
export function createUnreadableAnswer(reason: string, unreadable?: readonly UnreadableMember[]): CallFailure {
  return { outcome: 'noAnswer', reason, isUnreadable: true, ...(unreadable !== undefined && { unreadable }) };
}

const TOO_MANY_REQUESTS = 429;

/**
 * The outcome of a call that an HTTP server in front of the EPOS answered. 429 means that the call was not forwarded. After
 * any other status the EPOS may have received it.
 */
export function createProxyFailure(httpStatus: number, { isPage = false } = {}): CallFailure {
  if (httpStatus === TOO_MANY_REQUESTS)
    return createNotSent('queueFull', `HTTP status ${httpStatus}: too many requests for this EPOS`);
  return createBrokenCall(isPage ? describePage(httpStatus) : `HTTP status ${httpStatus}, and no answer of the EPOS`);
}

/** Names an HTML page in place of an answer. EPOSes send none, so another server in front of the EPOS did. */
export function describePage(httpStatus: number): string {
  return `HTTP status ${httpStatus} with an HTML page: a proxy in front of the EPOS has answered`;
}

/** Whether the text is an environment. */
export function isEnvironment(text: string): text is Environment {
  return text === 'sandbox' || text === 'production';
}
