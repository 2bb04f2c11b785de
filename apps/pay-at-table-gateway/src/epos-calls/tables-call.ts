import type { Scope } from '@pos/core/identity';
import type { EposRefused } from '@pos/core/tables';
import type { SandboxFaults } from '@pos/grpc-contracts/gateway-internal';
import type * as contract from '@pos/grpc-contracts/tables-methods';
import type { CallFailure } from './call-failure.js';
import type { TablesTransportKind } from './transport-kinds.js';
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

/** The outcome of a call. */
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
