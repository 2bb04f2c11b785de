import { type RoutedClientConfig, RoutedPool } from './routed-client.js';
import { findSqlState, toServiceUnavailable } from './sql-errors.js';
import type { Statement } from './statement.js';

/**
 * Heartbeats of a process, over all accounts. They have their own connection: a process counts as lost when its
 * heartbeats are late, and this must not happen just because much work waits for the pool (ADR 0041).
 */
export class HeartbeatConnection {
  readonly #pool: RoutedPool;

  /**
   * Connects at the first query. A statement without an answer within the limit is given up, and its connection with
   * it.
   */
  constructor(
    private readonly connection: RoutedClientConfig,
    timeoutMs: number,
  ) {
    const limits = { query_timeout: timeoutMs, statement_timeout: timeoutMs };
    // The connection stays open between two heartbeats: a new one would wait behind all other new connections.
    this.#pool = new RoutedPool({ ...connection, ...limits, max: 1, idleTimeoutMillis: 0 });
    // A connection that breaks while idle is replaced by the next statement.
    this.#pool.on('error', () => undefined);
  }

  /** Runs one statement and commits it; refuses with `service_unavailable` when the database cannot serve. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>({ ...statement, values: [...values] })).rows;
    } catch (error) {
      // A server that is cut off says nothing.
      if (findSqlState(error) === null) this.connection.servers.reportSilence();
      throw toServiceUnavailable(error);
    }
  }

  async close(): Promise<void> {
    // A database may be closed twice.
    if (!this.#pool.ending) await this.#pool.end();
  }
}
