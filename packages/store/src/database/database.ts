import type { Scope } from '@pos/core/identity/identity';
import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits/rate-limit';
import type { Partners } from '@pos/core/accounts/partner-headers';
import type { DataSource } from 'typeorm';
import type { HintChannel, NotificationCallback } from '../postgres/notification-listener.js';
import type { OptimisticWork } from './optimistic-transaction.js';
import type { Statement } from '../postgres/statement.js';
import type { AlarmReporter, DecisionReader, SnapshotReader, StoreSecrets, Tx } from './transaction.js';

export type { OptimisticWork } from './optimistic-transaction.js';
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
  /** How long a transaction or a group of reads may take in all; then it is refused and its connection dropped. */
  readonly deadlineMs?: number;
  /** Takes each alarm whose row is committed by this process. Processes log it (`awaitDatabase`). */
  readonly reportAlarm?: AlarmReporter;
  /** How long a statement waits for another transaction's row lock. */
  readonly lockTimeoutMs?: number;
}

/** Unscoped and unlocked reads: whose work is due, whose key is this. There is no writing here. */
export interface SystemReader {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  hash(text: string): Buffer;
  /** As of a scope's reader. */
  hashes(text: string): readonly Buffer[];
}

/** The database of a process. Every change goes through `transact`. A class, so that Nest can provide it by its type. */
export abstract class Database {
  /**
   * Runs the work in one transaction (READ COMMITTED) and commits it; whatever the work throws undoes all of it.
   * Refuses with `service_unavailable` when the database cannot serve, with `commit_unknown` when nobody knows whether
   * it stored the change. It never repeats the work, and may not be used inside itself.
   * The partners are stored with the rows that the work creates for a request.
   */
  abstract transact<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T, partners?: Partial<Partners>): Promise<T>;
  /**
   * As `transact`, for work whose every write proves what it goes by: a version, or a unique index. It is tried by one
   * statement without locks, on what was read before and at the time that was heard of the database's clock last; where
   * that is not enough it is done once more, under locks. So the work must do nothing but decide and write (ADR 0042).
   */
  abstract transactOptimistically<Found, T>(scope: Scope, work: OptimisticWork<Found, T>): Promise<T>;
  /** As `transact`, alone with the clock of the sandbox: no transaction of the scope runs beside it. For `clock.ts` only. */
  abstract transactExclusively<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T): Promise<T>;
  /** Reads without a transaction and without locks. Each statement sees what is committed when it starts. */
  abstract read<T>(scope: Scope, work: (reader: DecisionReader) => Promise<T>): Promise<T>;
  /**
   * Reads without locks in one repeatable-read transaction, so that all statements see the same moment. For answers and
   * alarms that are made of several statements. Costs one round trip more than `read`.
   */
  abstract readSnapshot<T>(scope: Scope, work: (snapshot: SnapshotReader) => Promise<T>): Promise<T>;
  abstract readSystem<T>(work: (reader: SystemReader) => Promise<T>): Promise<T>;
  /** A sign of life of this process: one statement over all accounts, which waits for nobody else's work. */
  abstract executeHeartbeat<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** Takes tokens from buckets that all processes of the app share, on a connection of its own. Only for `RateLimits`. */
  abstract takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]>;
  abstract listen(channel: HintChannel, listener: NotificationCallback): Promise<() => Promise<void>>;
  abstract hint(channel: HintChannel, payload: string): void;
  /** The database's clock. */
  abstract now(): Promise<Date>;
  /** Resolves when the database answers; refuses with `service_unavailable` otherwise. */
  abstract checkReady(): Promise<void>;
  abstract close(): Promise<void>;
  /** Whether ids are reproducible, and so whether new sandboxes stand still. */
  abstract readonly isSeeded: boolean;
  /** How all bytes begin that are sealed under the key that seals now. */
  abstract readonly sealedPrefix: Buffer;
  abstract readonly dataSource: DataSource;
}
