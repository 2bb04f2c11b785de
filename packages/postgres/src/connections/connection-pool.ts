import type pg from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { exactTypeParsers } from '../statements/exact-type-parsers.js';
import { StatementSubscriber } from '../telemetry/typeorm-telemetry.js';
import { DatabaseServers } from './database-servers.js';
import { DedicatedConnection } from './dedicated-connection.js';
import { NotificationListener } from './notification-listener.js';
import { PooledConnection } from './pooled-connection.js';
import { routedDriver, type RoutedClientConfig } from './routed-client.js';

/** How to reach a database, and the limits of its connections. */
export interface PoolOptions {
  /** A `DATABASE_URL`, which may name several servers. */
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly applicationName: string;
  readonly connectionsMax: number;
  /** The largest duration of work on a connection; then it is refused and its connection dropped. */
  readonly deadlineMs: number;
  /** How long a statement waits for another transaction's row lock. */
  readonly lockTimeoutMs: number;
  /** The relations that TypeORM reads and writes. */
  readonly entities: readonly EntitySchema[];
}

/** How many connections of a pool are lent and idle, and how much work waits for one. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The connections of a process to its database: those that it lends to work, and those of one purpose. */
export class ConnectionPool {
  readonly #dedicated: { close(): Promise<void> }[] = [];

  private constructor(
    readonly dataSource: DataSource,
    private readonly servers: DatabaseServers,
    private readonly options: PoolOptions,
  ) {}

  /** Connects, and fails if the database does not answer. */
  static async open(options: PoolOptions): Promise<ConnectionPool> {
    const { applicationName, connectionsMax, deadlineMs, lockTimeoutMs, entities } = options;
    const servers = new DatabaseServers(options.url);
    const dataSource = new DataSource({
      type: 'postgres',
      driver: routedDriver,
      applicationName,
      entities: [...entities],
      poolSize: connectionsMax,
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
        lock_timeout: Math.ceil(lockTimeoutMs),
      },
      // A connection that breaks while idle is replaced at the next request, so the error is not reported.
      poolErrorHandler: () => undefined,
    });
    await dataSource.initialize();
    dataSource.subscribers.push(new StatementSubscriber());
    return new ConnectionPool(dataSource, servers, options);
  }

  /** Lends a connection for the work. */
  withConnection<T>(work: (connection: PooledConnection) => Promise<T>): Promise<T> {
    return PooledConnection.withConnection(this.dataSource, this.options.deadlineMs, work);
  }

  /** Opens a connection that only its purpose uses; a statement without an answer within the limit is given up. */
  openDedicated(purpose: string, timeoutMs: number): DedicatedConnection {
    return this.#keep(new DedicatedConnection(this.#configure(purpose), timeoutMs));
  }

  /** Opens the connection for LISTEN and NOTIFY. */
  openListener<Channel extends string>(purpose: string): NotificationListener<Channel> {
    return this.#keep(new NotificationListener<Channel>(this.#configure(purpose)));
  }

  getUse(): PoolUse {
    // The types of TypeORM do not state it, but its driver holds the pool of pg.
    const { master } = this.dataSource.driver as unknown as { readonly master: pg.Pool };
    return { inUse: master.totalCount - master.idleCount, idle: master.idleCount, waiting: master.waitingCount };
  }

  async close(): Promise<void> {
    for (const each of this.#dedicated) await each.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  #configure(purpose: string): RoutedClientConfig {
    return {
      servers: this.servers,
      types: exactTypeParsers,
      connectionTimeoutMillis: this.options.deadlineMs,
      keepAlive: true,
      application_name: `${this.options.applicationName} ${purpose}`,
    };
  }

  #keep<Connection extends { close(): Promise<void> }>(connection: Connection): Connection {
    this.#dedicated.push(connection);
    return connection;
  }
}
