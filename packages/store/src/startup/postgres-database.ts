import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { assert, WrongSetting } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import type { TokenGrant, TokenRequest } from '@pos/core/rate-limits';
import { hashKey } from '@pos/core/ids';
import { NO_PARTNERS, type Partners, toStorablePartners } from '@pos/core/accounts';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { PooledConnection } from '../postgres/pooled-connection.js';
import { type RandomSource, SYSTEM_RANDOM, createSeededRandom } from '../database/random-source.js';
import { ENTITIES } from './entities.js';
import { exactTypeParsers } from '../postgres/exact-type-parsers.js';
import { pipeline } from '../postgres/pipeline.js';
import { getRows } from '../postgres/query-results.js';
import { runOptimisticTransaction, type OptimisticWork } from '../database/optimistic-transaction.js';
import { sealedPrefix } from '../crypto/sealing.js';
import { computeHashes, ScopedReader } from '../database/scoped-reader.js';
import { requireKnownKeys } from './key-checks.js';
import { DatabaseClock } from '../database/database-clock.js';
import { DatabaseServers } from '../postgres/database-servers.js';
import { HeartbeatConnection } from '../postgres/heartbeat-connection.js';
import { routedDriver } from '../postgres/routed-client.js';
import {
  type HintChannel,
  type NotificationCallback,
  NotificationListener,
} from '../postgres/notification-listener.js';
import { runSnapshot } from '../database/snapshot-transaction.js';
import { type Statement, defineStatement } from '../postgres/statement.js';
import { runTransaction } from '../database/locking-transaction.js';
import { runLabelledWork, StatementSubscriber } from '../postgres/typeorm-telemetry.js';
import { TokenBuckets } from '../rate-limits/token-buckets.js';
import { Database, type DatabaseOptions, type PoolUse, type SystemReader } from '../database/database.js';
import type { DecisionReader, SnapshotReader, TransactionOptions, Tx } from '../database/transaction.js';

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
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const servers = new DatabaseServers(options.url);
  const dataSource = new DataSource({
    type: 'postgres',
    driver: routedDriver,
    applicationName: options.applicationName,
    entities: [...ENTITIES],
    poolSize: options.poolMax ?? POOL_MAX,
    connectTimeoutMS: deadlineMs,
    installExtensions: false,
    logging: false,
    extra: {
      servers,
      types: exactTypeParsers,
      keepAlive: true,
      pipeline: true,
      // Settings of the connection, so that a transaction need not repeat them.
      statement_timeout: Math.ceil(deadlineMs),
      idle_in_transaction_session_timeout: Math.ceil(deadlineMs),
      lock_timeout: Math.ceil(options.lockTimeoutMs ?? LOCK_TIMEOUT_MS),
    },
    // A connection that breaks while idle is replaced at the next request, so the error is not reported.
    poolErrorHandler: () => undefined,
  });
  await dataSource.initialize();
  dataSource.subscribers.push(new StatementSubscriber());
  try {
    await requireKnownKeys(dataSource, { secrets: options.secrets, waitMs: deadlineMs });
    if (options.seed !== undefined) await refuseSeedInProduction(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
  const connection = { servers, types: exactTypeParsers, connectionTimeoutMillis: deadlineMs, keepAlive: true };
  const notifications = new NotificationListener({
    ...connection,
    application_name: `${options.applicationName} signals`,
  });
  const random = options.seed === undefined ? SYSTEM_RANDOM : createSeededRandom(options.seed, connection);
  const pulse = new HeartbeatConnection(
    { ...connection, application_name: `${options.applicationName} pulse` },
    HEARTBEAT_TIMEOUT_MS,
  );
  const tokenConnection = new HeartbeatConnection(
    { ...connection, application_name: `${options.applicationName} limits` },
    HEARTBEAT_TIMEOUT_MS,
  );
  const tokens = new TokenBuckets(tokenConnection, { pepper: options.secrets.pepper, app: options.applicationName });
  return new PostgresDatabase({ ...options, deadlineMs, dataSource, notifications, heartbeat: pulse, tokens, random });
}

/** Refuses a seed in production: ids and secrets from a seed can be predicted. */
async function refuseSeedInProduction(source: DataSource): Promise<void> {
  const found = await source.manager.query<unknown[]>(
    `select from api_keys where environment = 'production' and deleted_at is null limit 1`,
  );
  if (found.length > 0)
    throw new WrongSetting(['SEED: must not be set: this database has accounts with keys of production']);
}

/** The types of TypeORM do not state it, but its driver holds the pool of pg. */
function getPool(source: DataSource): pg.Pool {
  return (source.driver as unknown as { readonly master: pg.Pool }).master;
}

interface DatabaseParts extends DatabaseOptions {
  readonly deadlineMs: number;
  readonly dataSource: DataSource;
  readonly notifications: NotificationListener;
  readonly heartbeat: HeartbeatConnection;
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
    this.dataSource = parts.dataSource;
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
    const { deadlineMs, secrets } = this.#parts;
    this.#requireNotNested();
    return PooledConnection.withConnection(this.dataSource, deadlineMs, async (connection) => {
      const reader = new ScopedReader(connection, scope, secrets);
      try {
        return await work(reader);
      } finally {
        await reader.close();
      }
    });
  }

  async readSnapshot<T>(scope: Scope, work: (snapshot: SnapshotReader) => Promise<T>): Promise<T> {
    const { deadlineMs, secrets } = this.#parts;
    this.#requireNotNested();
    return PooledConnection.withConnection(this.dataSource, deadlineMs, (pooledConnection) =>
      runSnapshot(pooledConnection, { scope, secrets }, work),
    );
  }

  async readSystem<T>(work: (reader: SystemReader) => Promise<T>): Promise<T> {
    const { deadlineMs, secrets } = this.#parts;
    this.#requireNotNested();
    return PooledConnection.withConnection(this.dataSource, deadlineMs, ({ client, queryRunner }) =>
      work({
        query: async <Row>(sqlStatement: Statement, values: readonly unknown[]): Promise<Row[]> => {
          const [result] = pipeline(client, [{ statement: sqlStatement, values }]);
          return getRows<Row>(await result);
        },
        runWithManager: (label, managerWork) => runLabelledWork(queryRunner, label, managerWork),
        hash: (text) => hashKey(secrets.pepper, text),
        hashes: (text) => computeHashes(secrets, text),
      }),
    );
  }

  executeHeartbeat<Row extends object>(sqlStatement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.#parts.heartbeat.query<Row>(sqlStatement, values);
  }

  async executeBatch(sqlStatement: Statement, values: readonly unknown[]): Promise<void> {
    await PooledConnection.withConnection(this.dataSource, this.#parts.deadlineMs, async ({ client }) => {
      const [result] = pipeline(client, [{ statement: sqlStatement, values }]);
      await result;
    });
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
    const { totalCount, idleCount, waitingCount } = getPool(this.dataSource);
    return { inUse: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async now(): Promise<Date> {
    const [row] = await this.readSystem((reader) => reader.query<{ database_now: Date }>(NOW, []));
    assert(row !== undefined, 'the database returned no time');
    return row.database_now;
  }

  async checkReady(): Promise<void> {
    await this.now();
  }

  async close(): Promise<void> {
    await this.#parts.notifications.close();
    await this.#parts.heartbeat.close();
    await this.#parts.tokens.close();
    await this.#parts.random.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  async transactOptimistically<Found, T>(scope: Scope, work: OptimisticWork<Found, T>): Promise<T> {
    const outcome = await this.#withTransaction(
      { scope, clockLock: 'share', partners: NO_PARTNERS },
      (pooledConnection, options, runInside) =>
        runOptimisticTransaction(pooledConnection, options, {
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
      runTransaction(pooledConnection, options, (tx) => runInside(() => work(tx))),
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
    const { deadlineMs, secrets, random, notifications, reportAlarm = () => undefined } = this.#parts;
    this.#requireNotNested();
    const context = { database: this, isOver: false, outer: transactionContext.getStore() };
    const hint: TransactionOptions['hint'] = (channel, payload) => notifications.hint(channel, payload);
    const options = { ...mode, secrets, random, hint, reportAlarm, databaseClock: this.#databaseClock };
    try {
      return await PooledConnection.withConnection(this.dataSource, deadlineMs, (pooledConnection) =>
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
