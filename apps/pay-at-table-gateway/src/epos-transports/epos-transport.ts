import type { Scope } from '@pos/core/identity';
import type { DataCallRequest, DataOutcome } from '../epos-calls/data-call.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesCallName, TablesCallRequest, TablesOutcome, TablesReply } from '../epos-calls/tables-call.js';
import type { DataTransportKind, TablesTransportKind } from '../epos-calls/transport-kinds.js';

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
/** A transport of the pay-at-table contract. */
export type TablesTransport = CallTransport<TablesTransportKind, TablesCallRequest, TablesOutcome>;
/** A transport of the EPOS Data API. */
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

/** A connection with either contract. */
export type EposConnection = TablesConnection | DataConnection;
