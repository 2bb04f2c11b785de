import type { EntityManager } from 'typeorm';
import { defineSeparateChange, type QueueableStatement, type Statement } from '../statements/statement.js';

/** An open transaction. The code that opened it commits it; it cannot be used afterwards. */
export interface OpenTransaction {
  /** Whether its reads lock rows until the changes are made; otherwise the writes prove what was read. */
  readonly isLocking: boolean;
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /**
   * Sends a change together with the next query, at the latest with the COMMIT. Its failure fails the next query, and
   * undoes the transaction. `onRows` receives its rows when they arrive.
   */
  enqueue(statement: QueueableStatement, values: readonly unknown[], onRows?: (rows: readonly unknown[]) => void): void;
  /** Sends a change with the COMMIT, after everything else, so that its row is locked only while the COMMIT lasts. */
  enqueueAtCommit(statement: Statement, values: readonly unknown[]): void;
  /** The COMMIT does not wait until its changes are on disk, nor for a standby. */
  commitWithoutFlush(): void;
  /** Sends the queued changes. */
  flush(): Promise<void>;
}

/** Applies to the running transaction alone. It has no row, so it is no change. */
export const COMMIT_WITHOUT_FLUSH = defineSeparateChange(
  'commit_without_flush',
  `select set_config('synchronous_commit', 'off', true)`,
);
