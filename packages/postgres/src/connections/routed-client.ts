import pg from 'pg';
import type { ServerAddress } from './connection-url.js';
import type { DatabaseServers, ServerConnection } from './database-servers.js';
import { READ_ONLY, readServerState } from './server-state.js';

/** How a connection is opened; `servers` gives its address, login and TLS. */
export interface RoutedClientConfig extends pg.ClientConfig {
  readonly servers: DatabaseServers;
}

/** The messages of the server that a client of the driver emits, in every version so far, and its types do not state. */
interface ClientInternals {
  readonly connection: {
    on(event: 'errorMessage', listener: (message: { readonly code?: string }) => void): void;
    on(
      event: 'parameterStatus',
      listener: (message: { readonly parameterName: string; readonly parameterValue: string }) => void,
    ): void;
    readonly stream: { destroy(): void };
  };
}

/** The parameters that a server reports by itself when it stops or starts to accept writes (PostgreSQL 14). */
const READ_ONLY_PARAMETERS = ['in_hot_standby', 'default_transaction_read_only'];

type ConnectCallback = (error?: Error) => void;

/**
 * A connection to the server that accepts writes. It checks the server when it opens, and leaves it when the server
 * becomes read-only: then every connection of this process to it ends as soon as its work has ended, and the next one
 * goes to the new primary.
 */
export class RoutedClient extends pg.Client implements ServerConnection {
  readonly #servers: DatabaseServers;
  #server: ServerAddress | null = null;
  #timeline: number | null = null;
  #isLent = false;
  #isRetired = false;
  #isClosing = false;

  constructor(config: RoutedClientConfig) {
    const { servers, ...rest } = config;
    super({ ...rest, ...servers.buildLogin(), ssl: servers.readTls() ?? false });
    this.#servers = servers;
    // Each loss also ends the connection; without a listener the error would end the process.
    this.on('error', () => undefined);
    this.once('end', () => {
      servers.removeConnection(this);
      if (!this.#isClosing) this.reportLoss();
    });
  }

  get server(): ServerAddress | null {
    return this.#server;
  }

  get timeline(): number | null {
    return this.#timeline;
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  override connect(): Promise<this>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<this> | void {
    const opening = this.#open();
    if (callback === undefined) return opening.then(() => this);
    opening.then(() => {
      callback();
    }, callback);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#isClosing = true;
    if (callback === undefined) return super.end();
    super.end(callback);
  }

  /** The server may be lost, although the connection did not say so: the next one searches for the primary. */
  reportLoss(): void {
    if (this.#server !== null) this.#servers.reportLoss(this.#server);
  }

  /** Work uses the connection from now on, or no more. */
  setLent(isLent: boolean): void {
    this.#isLent = isLent;
    if (!isLent && this.#isRetired) void this.end().catch(() => undefined);
  }

  retire(): void {
    this.#isRetired = true;
    if (this.#isLent) return;
    // A pool removes an idle connection at once when it reports an error.
    this.emit('error', new Error('the database server has become read-only'));
    if (!this.#isClosing) this.#connection.stream.destroy();
  }

  async #open(): Promise<void> {
    this.#server = await this.#servers.findServer();
    // The driver reads them when it connects.
    Object.assign(this, this.#server);
    this.#servers.addConnection(this);
    this.#connection.on('errorMessage', ({ code }) => {
      if (code === READ_ONLY) this.#reportReadOnly();
    });
    try {
      await super.connect();
      const state = await readServerState(this);
      this.#servers.acceptState(this.#server, state);
      this.#timeline = state.timeline;
    } catch (error) {
      this.reportLoss();
      void this.end().catch(() => undefined);
      throw error;
    }
    this.#connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      const isReadOnly = READ_ONLY_PARAMETERS.includes(parameterName) && parameterValue === 'on';
      if (isReadOnly && this.#servers.url.sessionAttributes === 'read-write') this.#reportReadOnly();
    });
  }

  #reportReadOnly(): void {
    if (this.#server !== null) this.#servers.reportReadOnly(this.#server);
  }

  get #connection(): ClientInternals['connection'] {
    return (this as unknown as ClientInternals).connection;
  }
}

/** A pool of such connections. It knows which of them work uses, so that the others can be closed at any time. */
export class RoutedPool extends pg.Pool {
  constructor(config: pg.PoolConfig & RoutedClientConfig) {
    // The pool passes its options to the constructor, which its types do not state.
    super({ ...config, Client: RoutedClient as unknown as new () => pg.ClientBase });
    this.on('acquire', (client) => (client as unknown as RoutedClient).setLent(true));
    this.on('release', (_error, client) => (client as unknown as RoutedClient).setLent(false));
  }
}

/** The driver for TypeORM: the usual one, with pools of routed connections. */
export const routedDriver: unknown = Object.create(pg, { Pool: { value: RoutedPool } });
