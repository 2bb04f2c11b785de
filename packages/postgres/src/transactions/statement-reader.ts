import { assert } from '@pos/core/refusals';
import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { PooledConnection } from '../connections/pooled-connection.js';
import { pipeline } from '../statements/pipeline.js';
import { getRows } from '../statements/query-results.js';
import type { Statement } from '../statements/statement.js';
import { runLabelledWork } from '../telemetry/typeorm-telemetry.js';

/** Reads on a borrowed connection; each statement sees what is committed when it starts. */
export class StatementReader {
  #isClosed = false;
  readonly #pending = new Set<Promise<unknown>>();

  protected readonly client: pg.Client;
  readonly #queryRunner: QueryRunner;

  constructor({ client, queryRunner }: PooledConnection) {
    this.client = client;
    this.#queryRunner = queryRunner;
  }

  /** Several queries that are sent together, by `Promise.all`, leave in one write. */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(!this.#isClosed, `the reading of ${statement.name} has ended`);
    const [result] = pipeline(this.client, [{ statement, values }]);
    if (result === undefined) return [];
    this.#pending.add(result);
    try {
      return getRows(await result);
    } finally {
      this.#pending.delete(result);
    }
  }

  /** Runs TypeORM on the same connection. The work must be awaited before the next query; the label names it in traces. */
  async runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    assert(!this.#isClosed, `the reading of ${label} has ended`);
    const result = runLabelledWork(this.#queryRunner, label, work);
    this.#pending.add(result);
    try {
      return await result;
    } finally {
      this.#pending.delete(result);
    }
  }

  /** Refuses further queries and waits for the running ones: another caller uses the connection next. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }
}

/** Lends a reader, and closes it when the work has ended. */
export async function runReads<T>(
  connection: PooledConnection,
  work: (reader: StatementReader) => Promise<T>,
): Promise<T> {
  const reader = new StatementReader(connection);
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}
