import type { EposErrorCode } from '@pos/core/epos-error';
import type { Environment, Scope } from '@pos/core/identity';
import type { CallRequest, CallResponse, SandboxFaults } from '@pos/grpc-contracts/gateway-internal';

/** A call of the pay-at-table contract, whichever way it travels. */
export type TablesCall = NonNullable<CallRequest['request']>;
export type TablesCallName = TablesCall['$case'];
/** The answer of the EPOS to it. */
export type TablesAnswer = Exclude<NonNullable<CallResponse['response']>, { $case: 'tablesError' }>;

/** What a kind of call may do: how long, and whether it may be made again when nobody answers. */
export interface CallRule {
  readonly isRead: boolean;
  /** The share of the longest call limit that it gets. */
  readonly limitShare: number;
}

const read: CallRule = { isRead: true, limitShare: 2 / 3 };

/** The ten calls. A write is never made twice by the gateway itself. */
export const TABLES_CALLS = {
  listSessions: read,
  getSession: read,
  listTables: read,
  getTable: read,
  getBillItems: read,
  listBillItems: read,
  getFullBill: read,
  lockSession: { isRead: false, limitShare: 2 / 3 },
  unlockSession: { isRead: false, limitShare: 2 / 3 },
  recordPayment: { isRead: false, limitShare: 1 },
} as const satisfies Record<TablesCallName, CallRule>;

/** The right of a runner to record a payment: looked up in the database right before the call is written. */
export interface PaymentFence {
  readonly paymentId: string;
  readonly fence: number;
}

/** One call that somebody wants made at the account's EPOS. */
export interface EposWish {
  readonly scope: Scope;
  readonly call: TablesCall;
  /** How long the caller waits, counted from now. */
  readonly waitMs: number;
  readonly fence: PaymentFence | null;
  /** Faults that the tester asks for; sandbox only. */
  readonly faults: SandboxFaults | null;
}

/** The ways to an EPOS that exist today. */
export type EposWay = 'dialled' | 'stream';

/** Why the EPOS knows nothing of a call. */
export type NotSentWhy = 'noConnection' | 'fencedOff' | 'queueFull' | 'noRoute' | 'draining';

/**
 * How a call ended. `notSent` is a proof that the EPOS knows nothing of it; of `noAnswer` nobody knows.
 * `credentialsRefused`: the EPOS was reached and wants other credentials, so it has done nothing.
 */
export type EposOutcome =
  | { readonly outcome: 'answered'; readonly answer: TablesAnswer }
  | { readonly outcome: 'refused'; readonly code: EposErrorCode; readonly reason: string }
  | { readonly outcome: 'credentialsRefused'; readonly reason: string }
  | { readonly outcome: 'notSent'; readonly why: NotSentWhy; readonly reason: string }
  | { readonly outcome: 'noAnswer'; readonly reason: string };

/** An outcome and the way that was taken; null when there was none. */
export interface EposResult {
  readonly outcome: EposOutcome;
  readonly way: EposWay | null;
  readonly connectionId: string;
}

/** One way to one EPOS. Never rejects; the deadline is its own to keep. */
export interface EposTransport {
  readonly way: EposWay;
  /** Of an EPOS that has connected by itself; empty for one that is dialled. */
  readonly connectionId: string;
  call(wish: EposWish, deadline: Deadline): Promise<EposOutcome>;
}

/** A moment on the process's monotonic clock. */
export class Deadline {
  readonly #atMs: number;

  private constructor(atMs: number) {
    this.#atMs = atMs;
  }

  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  leftMs(): number {
    return Math.max(0, this.#atMs - performance.now());
  }

  /** The earlier of this one and that many milliseconds from now. */
  atMost(ms: number): Deadline {
    return new Deadline(Math.min(this.#atMs, performance.now() + ms));
  }
}

export function notSent(why: NotSentWhy, reason: string): EposOutcome {
  return { outcome: 'notSent', why, reason };
}

export function noAnswer(reason: string): EposOutcome {
  return { outcome: 'noAnswer', reason };
}

/** Whether an environment of the wire is one of ours. */
export function isEnvironment(text: string): text is Environment {
  return text === 'sandbox' || text === 'production';
}
