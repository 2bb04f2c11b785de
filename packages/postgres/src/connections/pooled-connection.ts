import { Refusal } from '@pos/core/refusals';
import type pg from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { findServerFailure, toServiceUnavailable, isConnectionUnusable } from '../statements/sql-errors.js';
import { countServerFailure } from '../telemetry/database-telemetry.js';
import { destroyConnection } from '../statements/pipeline.js';
import { RoutedClient } from './routed-client.js';

/** A connection borrowed for one piece of work, with the work's own deadline. */
export class PooledConnection {
  #isExpired = false;
  #isCommitting = false;

  private constructor(
    readonly queryRunner: QueryRunner,
    readonly client: pg.Client,
  ) {}

  /** The deadline has passed and the connection is closed: no later answer of the database arrives. */
  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** COMMIT is sent next: from now on a deadline leaves open whether the change was stored. */
  markCommitting(): void {
    this.#isCommitting = true;
  }

  /**
   * Lends a connection for the work. When the deadline passes first, the connection is dropped, never reused, and
   * the work is refused, no matter what it waits for: with `commit_unknown` once its COMMIT was sent, else with
   * `service_unavailable`.
   */
  static async withConnection<T>(
    source: DataSource,
    deadlineMs: number,
    work: (connection: PooledConnection) => Promise<T>,
  ): Promise<T> {
    const queryRunner = source.createQueryRunner();
    const client = await connectClient(queryRunner);
    const connection = new PooledConnection(queryRunner, client);
    let timer: NodeJS.Timeout | undefined;
    const expiry = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        connection.#isExpired = true;
        if (client instanceof RoutedClient) client.reportLoss();
        connection.destroy();
        const code = connection.#isCommitting ? 'commit_unknown' : 'service_unavailable';
        reject(new Refusal(code, `the database did not finish within ${deadlineMs} ms`));
      }, deadlineMs);
    });
    try {
      return await Promise.race([work(connection), expiry]);
    } catch (error) {
      if (isConnectionUnusable(error)) connection.destroy();
      const failure = findServerFailure(error);
      if (failure !== null) countServerFailure(failure);
      throw toServiceUnavailable(error);
    } finally {
      clearTimeout(timer);
      await queryRunner.release();
    }
  }

  /** Closes the connection; the pool does not get it back. */
  destroy(): void {
    destroyConnection(this.client);
  }
}

async function connectClient(queryRunner: QueryRunner): Promise<pg.Client> {
  try {
    // The types of TypeORM do not state it, but the lent connection is the driver's own client.
    return (await queryRunner.connect()) as pg.Client;
  } catch (error) {
    throw toServiceUnavailable(error);
  }
}
