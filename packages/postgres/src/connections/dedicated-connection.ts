import { findSqlState, toServiceUnavailable } from '../statements/sql-errors.js';
import type { Statement } from '../statements/statement.js';
import { type RoutedClientConfig, RoutedPool } from './routed-client.js';

/**
 * A connection for one purpose, such as heartbeats: its statements do not wait for those of the pool. A process whose
 * heartbeats are late counts as lost, and much other work must not cause this.
 */
export class DedicatedConnection {
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
    // The connection stays open between two statements: a new one would wait behind all other new connections.
    this.#pool = new RoutedPool({ ...connection, ...limits, max: 1, idleTimeoutMillis: 0 });
    // A connection that breaks while idle is replaced by the next statement.
    this.#pool.on('error', () => undefined);
  }

  /** Runs one statement and commits it; refuses with `service_unavailable` when the database cannot serve. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      const { name, text } = statement;
      return (await this.#pool.query<Row>({ name, text, values: [...values] })).rows;
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
