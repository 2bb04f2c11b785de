import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { defineStatement } from '@pos/postgres/statements';
import { openPlainPool } from '../bench/load/plain-pool.js';
import { Stage } from '../e2e/stage.js';
import { Monitor } from './monitor.js';

/** The real service on a database of its own, and a monitor that scrapes it. */
export class AlertStage {
  private constructor(
    readonly stage: Stage,
    readonly monitor: Monitor,
    private readonly folder: string,
    private postgres: EmbeddedPostgres,
  ) {}

  static async open(startedAtMs: number): Promise<AlertStage> {
    // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
    const folder = await mkdtemp('/var/tmp/pos-alerts-');
    chmodSync(folder, 0o755);
    const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false, afterExit: 'stop' });
    const stage = await Stage.open({ databaseUrl: postgres.url, env: { '*': { HEALTH_PORT: '0' } } });
    return new AlertStage(stage, new Monitor([...stage.world.apps], startedAtMs), folder, postgres);
  }

  /** Runs a statement as the owner of the database, which reads the rows of all accounts. */
  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const pool = openPlainPool(this.postgres.url, 1);
    try {
      return (await pool.withConnection((owner) => owner.query(defineStatement('alert', text), values))) as Row[];
    } finally {
      await pool.close();
    }
  }

  /** Holds the row locks that a statement takes, until the returned function is called. */
  async lock(text: string): Promise<() => Promise<void>> {
    const pool = openPlainPool(this.postgres.url, 1);
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      held = pool.withConnection(async (owner) => {
        await owner.query('begin');
        await owner.query(text);
        resolve();
        await isReleased;
        await owner.query('rollback');
      });
      held.catch(reject);
    });
    return async () => {
      release();
      await held;
      await pool.close();
    };
  }

  async stopDatabase(): Promise<void> {
    await this.postgres.stop();
  }

  /** On the same port, so that every process finds it again. */
  async startDatabase(): Promise<void> {
    const { port } = this.postgres;
    this.postgres = await startPostgres({
      dataDir: path.join(this.folder, 'postgres'),
      durable: false,
      afterExit: 'stop',
      port,
    });
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.postgres.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}
