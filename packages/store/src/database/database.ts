import type { Scope } from '@pos/core/identity';
import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import type { Partners } from '@pos/core/accounts';
import type { DataSource, EntityManager } from 'typeorm';
import type { NotificationCallback, PoolUse } from '@pos/postgres/connections';
import type { OptimisticWork } from './scoped-transaction.js';
import type { Statement } from '@pos/postgres/statements';
import type { AlarmReporter, DecisionReader, HintChannel, SnapshotReader, StoreSecrets, Tx } from './transaction.js';

export type { DecisionReader, Reader, SnapshotReader, Tx } from './transaction.js';

/** How to reach the database. */
export interface DatabaseOptions {
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly applicationName: string;
  readonly poolMax?: number;
  readonly secrets: StoreSecrets;
  /** Makes ids and secrets reproducible. Never set in production. */
  readonly seed?: string;
  /** The largest duration of a transaction or a group of reads; then it is refused and its connection dropped. */
  readonly deadlineMs?: number;
  /** Takes each alarm whose row is committed by this process. Processes log it (`awaitDatabase`). */
  readonly reportAlarm?: AlarmReporter;
  /** How long a statement waits for another transaction's row lock. */
  readonly lockTimeoutMs?: number;
}

/**
 * Reads without scope and locks, such as which account has due work or which account a key belongs to. There are no
 * writes.
 */
export interface SystemReader {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** As of a scope's reader. */
  runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T>;
  hash(text: string): Buffer;
  /** As of a scope's reader. */
  hashes(text: string): readonly Buffer[];
}

/** The database of a process. Every change goes through `transact`. A class, so that Nest can provide it by its type. */
export abstract class Database {
  /**
   * Runs the work in one transaction (READ COMMITTED) and commits it; any error of the work undoes all of it.
   * Refuses with `service_unavailable` when the database cannot serve, and with `commit_unknown` when the result of
   * COMMIT is unknown. It never repeats the work, and may not be used inside itself. The partners are stored with
   * the rows that the work creates for a request.
   */
  abstract transact<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T, partners?: Partial<Partners>): Promise<T>;
  /**
   * As `transact`, for work whose every write is proved by a version or a unique index. It is tried with one
   * statement without locks, on rows that were read before and with the last received database time. Where that is
   * not enough, the work is repeated once under locks, so it must do nothing but decide and write (ADR 0042).
   */
  abstract transactOptimistically<Found, T>(scope: Scope, work: OptimisticWork<Found, T>): Promise<T>;
  /**
   * As `transact`, with an exclusive lock on the sandbox's clock: no transaction of the scope runs beside it. For
   * `sandbox-clock.ts` only.
   */
  abstract transactExclusively<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T): Promise<T>;
  /** Reads without a transaction and without locks. Each statement sees what is committed when it starts. */
  abstract read<T>(scope: Scope, work: (reader: DecisionReader) => Promise<T>): Promise<T>;
  /**
   * Reads without locks in one repeatable-read transaction, so that all statements see the same state. For answers
   * and alarms that need several statements. Costs one round trip more than `read`.
   */
  abstract readSnapshot<T>(scope: Scope, work: (snapshot: SnapshotReader) => Promise<T>): Promise<T>;
  abstract readSystem<T>(work: (reader: SystemReader) => Promise<T>): Promise<T>;
  /** Executes a heartbeat of this process: one statement over all accounts, which waits for no other work. */
  abstract executeHeartbeat<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Executes a change of rows of several accounts that no business decision depends on: one statement, which commits
   * alone. For the activity log only.
   */
  abstract executeBatch(statement: Statement, values: readonly unknown[]): Promise<void>;
  /**
   * Takes tokens from buckets that all processes of the app share, on its own connection. Only for
   * `SharedRateLimiter`.
   */
  abstract takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]>;
  abstract listen(channel: HintChannel, listener: NotificationCallback): Promise<() => Promise<void>>;
  abstract hint(channel: HintChannel, payload: string): void;
  /** The connections of this process's pool. */
  abstract getPoolUse(): PoolUse;
  /** The database's clock. */
  abstract now(): Promise<Date>;
  /** Resolves when the database answers; refuses with `service_unavailable` otherwise. */
  abstract checkReady(): Promise<void>;
  abstract close(): Promise<void>;
  /** Whether ids are reproducible, and so whether the clocks of new sandboxes are frozen. */
  abstract readonly isSeeded: boolean;
  /** The first bytes of all data that is sealed under the current sealing key. */
  abstract readonly sealedPrefix: Buffer;
  abstract readonly dataSource: DataSource;
}
