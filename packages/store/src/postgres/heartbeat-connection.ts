import pg from 'pg';
import { toServiceUnavailable } from './sql-errors.js';
import type { Statement } from './statement.js';

/**
 * Signs of life of a process, over all accounts. They have one connection of their own: a process counts as dead when they
 * come late, and it is when most work waits for the pool that nobody may take it for dead (ADR 0041).
 */
export class HeartbeatConnection {
  readonly #pool: pg.Pool;

  /** Connects when it is first asked. A statement that has no answer within the limit is given up, and its connection with it. */
  constructor(connection: pg.PoolConfig, timeoutMs: number) {
    const limits = { query_timeout: timeoutMs, statement_timeout: timeoutMs };
    // Not let go between two signs: whoever connects again for each of them waits behind all who connect.
    this.#pool = new pg.Pool({ ...connection, ...limits, max: 1, idleTimeoutMillis: 0 });
    // A connection that breaks while idle is replaced by the next statement.
    this.#pool.on('error', () => undefined);
  }

  /** Runs one statement and commits it; refuses with `service_unavailable` when the database cannot serve. */
  async query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.#pool.query<Row>({ ...statement, values: [...values] })).rows;
    } catch (error) {
      throw toServiceUnavailable(error);
    }
  }

  async close(): Promise<void> {
    // A database may be closed twice.
    if (!this.#pool.ending) await this.#pool.end();
  }
}
