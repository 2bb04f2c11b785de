import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { NO_PARTNERS, type Partners, toStorablePartners } from '@pos/core/accounts';
import type { Scope } from '@pos/core/identity';
import { hashKey } from '@pos/core/ids';
import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import { assert, WrongSetting } from '@pos/core/refusals';
import {
  ConnectionPool,
  type DedicatedConnection,
  type NotificationCallback,
  type NotificationListener,
  type PooledConnection,
  type PoolUse,
} from '@pos/postgres/connections';
import { defineStatement, type Statement } from '@pos/postgres/statements';
import { DatabaseClock, runReads, runSnapshot } from '@pos/postgres/transactions';
import type { DataSource } from 'typeorm';
import { sealedPrefix } from '../crypto/sealing.js';
import { Database, type DatabaseOptions, type SystemReader } from '../database/database.js';
import { createSeededRandom, type RandomSource, SYSTEM_RANDOM } from '../database/random-source.js';
import { computeHashes, ScopedReader, ScopedSnapshot } from '../database/scoped-reader.js';
import { type OptimisticWork, runOptimisticWork, runScopedTransaction } from '../database/scoped-transaction.js';
import type { DecisionReader, HintChannel, SnapshotReader, TransactionOptions, Tx } from '../database/transaction.js';
import { TokenBuckets } from '../rate-limits/token-buckets.js';
import { ENTITIES } from './entities.js';
import { requireKnownKeys } from './key-checks.js';

const POOL_MAX = 10;
const DEADLINE_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
/**
 * After two lost heartbeats the third one still arrives in time. A call that waits for a token has continued before.
 */
const HEARTBEAT_TIMEOUT_MS = 3_000;
const NOW = defineStatement(
  'read_database_time',
  `select date_trunc('milliseconds', clock_timestamp()) as database_now`,
);

/** Connects, and fails if the database does not answer or is used with other keys. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, applicationName, secrets, seed, deadlineMs = DEADLINE_MS } = options;
  const pool = await ConnectionPool.open({
    ...{ url, applicationName, deadlineMs, entities: ENTITIES },
    connectionsMax: options.poolMax ?? POOL_MAX,
    lockTimeoutMs: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
  });
  try {
    await requireKnownKeys(pool.dataSource, { secrets, waitMs: deadlineMs });
    if (seed !== undefined) await refuseSeedInProduction(pool.dataSource);
  } catch (error) {
    await pool.close();
    throw error;
  }
  const tokenConnection = pool.openDedicated('limits', HEARTBEAT_TIMEOUT_MS);
  return new PostgresDatabase({
    ...options,
    pool,
    notifications: pool.openListener('signals'),
    heartbeat: pool.openDedicated('pulse', HEARTBEAT_TIMEOUT_MS),
    tokens: new TokenBuckets(tokenConnection, { pepper: secrets.pepper, app: applicationName }),
    random: seed === undefined ? SYSTEM_RANDOM : createSeededRandom(seed, pool.openDedicated('seed', deadlineMs)),
  });
}

/** Refuses a seed in production: ids and secrets from a seed can be predicted. */
async function refuseSeedInProduction(source: DataSource): Promise<void> {
  const found = await source.manager.query<unknown[]>(
    `select from api_keys where environment = 'production' and deleted_at is null limit 1`,
  );
  if (found.length > 0)
    throw new WrongSetting(['SEED: must not be set: this database has accounts with keys of production']);
}

interface DatabaseParts extends DatabaseOptions {
  readonly pool: ConnectionPool;
  readonly notifications: NotificationListener<HintChannel>;
  readonly heartbeat: DedicatedConnection;
  readonly tokens: TokenBuckets;
  readonly random: RandomSource;
}

type TransactionMode = Pick<TransactionOptions, 'scope' | 'clockLock' | 'partners'>;

/** A transaction of a database, and the transaction it runs in. */
interface TransactionContext {
  readonly database: Database;
  readonly outer: TransactionContext | undefined;
  isOver: boolean;
}

// One for all databases: before Node 24 every storage adds work to every promise of the process.
const transactionContext = new AsyncLocalStorage<TransactionContext>();

class PostgresDatabase extends Database {
  readonly dataSource: DataSource;
  readonly isSeeded: boolean;
  readonly sealedPrefix: Buffer;
  readonly #parts: DatabaseParts;
  readonly #databaseClock = new DatabaseClock();

  constructor(parts: DatabaseParts) {
    super();
    this.#parts = parts;
    this.dataSource = parts.pool.dataSource;
    this.isSeeded = parts.seed !== undefined;
    this.sealedPrefix = sealedPrefix(parts.secrets.encryptionKey);
  }

  transact<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T, partners: Partial<Partners> = NO_PARTNERS): Promise<T> {
    return this.#transact({ scope, clockLock: 'share', partners: toStorablePartners(partners) }, work);
  }

  transactExclusively<T>(scope: Scope, work: (tx: Tx) => Promise<T> | T): Promise<T> {
    return this.#transact({ scope, clockLock: 'update', partners: NO_PARTNERS }, work);
  }

  async read<T>(scope: Scope, work: (reader: DecisionReader) => Promise<T>): Promise<T> {
    const { pool, secrets } = this.#parts;
    this.#requireNotNested();
    return pool.withConnection((connection) =>
      runReads(connection, (reader) => work(new ScopedReader(reader, scope, secrets))),
    );
  }

  async readSnapshot<T>(scope: Scope, work: (snapshot: SnapshotReader) => Promise<T>): Promise<T> {
    const { pool, secrets } = this.#parts;
    this.#requireNotNested();
    return pool.withConnection((connection) =>
      runSnapshot(connection, (reader) => work(new ScopedSnapshot(reader, scope, secrets))),
    );
  }

  async readSystem<T>(work: (reader: SystemReader) => Promise<T>): Promise<T> {
    const { pool, secrets } = this.#parts;
    this.#requireNotNested();
    return pool.withConnection((connection) =>
      runReads(connection, (reader) =>
        work({
          query: (sqlStatement, values) => reader.query(sqlStatement, values),
          runWithManager: (label, managerWork) => reader.runWithManager(label, managerWork),
          hash: (text) => hashKey(secrets.pepper, text),
          hashes: (text) => computeHashes(secrets, text),
        }),
      ),
    );
  }

  executeHeartbeat<Row extends object>(sqlStatement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#parts.heartbeat.query<Row>(sqlStatement, values);
  }

  async executeBatch(sqlStatement: Statement, values: readonly unknown[]): Promise<void> {
    await this.#parts.pool.withConnection((connection) =>
      runReads(connection, (reader) => reader.query(sqlStatement, values)),
    );
  }

  takeTokens(requests: readonly TokenRequest[]): Promise<TokenGrant[]> {
    return this.#parts.tokens.take(requests);
  }

  listen(channel: HintChannel, listener: NotificationCallback): Promise<() => Promise<void>> {
    return this.#parts.notifications.listen(channel, listener);
  }

  hint(channel: HintChannel, payload: string): void {
    this.#parts.notifications.hint(channel, payload);
  }

  getPoolUse(): PoolUse {
    return this.#parts.pool.getUse();
  }

  async now(): Promise<Date> {
    const [row] = await this.readSystem((reader) => reader.query<{ database_now: Date }>(NOW, []));
    assert(row !== undefined, 'the database returned no time');
    return row.database_now;
  }

  async checkReady(): Promise<void> {
    await this.now();
  }

  close(): Promise<void> {
    return this.#parts.pool.close();
  }

  async transactOptimistically<Found, T>(scope: Scope, work: OptimisticWork<Found, T>): Promise<T> {
    const outcome = await this.#withTransaction(
      { scope, clockLock: 'share', partners: NO_PARTNERS },
      (pooledConnection, options, runInside) =>
        runOptimisticWork(pooledConnection, options, {
          ...work,
          read: (decisionReader) => runInside(() => work.read(decisionReader)),
          decide: (tx, found) => runInside(() => work.decide(tx, found)),
        }),
    );
    if (outcome !== null) return outcome.value;
    return this.transact(scope, async (tx) => work.decide(tx, await work.read(tx)));
  }

  #transact<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T> | T): Promise<T> {
    return this.#withTransaction(mode, (pooledConnection, options, runInside) =>
      runScopedTransaction(pooledConnection, options, (tx) => runInside(() => work(tx))),
    );
  }

  /** Lends a connection for a transaction; `within` runs code that must not use the database beside it. */
  async #withTransaction<T>(
    mode: TransactionMode,
    transaction: (
      pooledConnection: PooledConnection,
      options: TransactionOptions,
      runInside: <R>(work: () => R) => R,
    ) => Promise<T>,
  ): Promise<T> {
    const { pool, secrets, random, notifications, reportAlarm = () => undefined } = this.#parts;
    this.#requireNotNested();
    const context = { database: this, isOver: false, outer: transactionContext.getStore() };
    const hint: TransactionOptions['hint'] = (channel, payload) => notifications.hint(channel, payload);
    const options = { ...mode, secrets, random, hint, reportAlarm, databaseClock: this.#databaseClock };
    try {
      return await pool.withConnection((pooledConnection) =>
        transaction(pooledConnection, options, (work) => transactionContext.run(context, work)),
      );
    } finally {
      context.isOver = true;
    }
  }

  /**
   * Refuses nested use: a second connection inside a transaction would wait for the first one's locks, and a full
   * pool for itself, for ever.
   */
  #requireNotNested(): void {
    for (let context = transactionContext.getStore(); context !== undefined; context = context.outer) {
      assert(
        context.database !== this || context.isOver,
        'the database is asked inside a transaction: use the transaction',
      );
    }
  }
}
