import { setTimeout as pause } from 'node:timers/promises';
import { types } from 'node:util';
import type { ConnectionOptions } from 'node:tls';
import { requireValue } from '@pos/core/refusals';
import pg from 'pg';
import { readTlsOptions } from './client-tls.js';
import { type ConnectionUrl, formatServer, parseConnectionUrl, type ServerAddress } from './connection-url.js';
import { readServerState, requireUsable, type ServerState } from './server-state.js';
import { findSqlState } from '../statements/sql-errors.js';

/** An open connection, and the server that it reaches. */
export interface ServerConnection {
  readonly server: ServerAddress | null;
  /** The timeline of the server when it was accepted; null before that, and where it is not shown. */
  readonly timeline: number | null;
  /** Closes the connection as soon as no work uses it. */
  retire(): void;
}

/** A search for the primary gives up a silent server after this time. */
const SEARCH_TIMEOUT_MS = 2_000;
/**
 * How long a search waits for the other servers once one accepts writes: a second one may be newer. A process that has
 * not seen a timeline cannot refuse a primary from before a fail-over, so it waits as long as a server may take.
 */
const SECOND_ANSWER_MS = { first: SEARCH_TIMEOUT_MS, later: 200 } as const;

/** A server that accepted a connection, and its state. */
interface Candidate {
  readonly server: ServerAddress;
  readonly state: ServerState;
}

/**
 * The servers of a `DATABASE_URL`: finds the one that accepts writes, and remembers it until a connection to it is
 * lost. Of several it takes the one with the newest timeline, and never one whose timeline is older than it has seen:
 * that is a primary from before a fail-over.
 */
export class DatabaseServers {
  readonly url: ConnectionUrl;
  readonly #connections = new Set<ServerConnection>();
  #current: ServerAddress | null;
  #search: Promise<ServerAddress> | null = null;
  #timeline = 0;
  /** A process that has chosen once has seen a timeline, unless the servers hide theirs. */
  #hasChosen = false;
  #tlsOptions: ConnectionOptions | null = null;

  constructor(url: ConnectionUrl | string) {
    this.url = typeof url === 'string' ? parseConnectionUrl(url) : url;
    this.#current = this.#only;
  }

  /** The newest timeline that this process has seen; zero before the first connection. */
  get timeline(): number {
    return this.#timeline;
  }

  /** The server to connect to. Throws what the servers answered when none accepts writes. */
  async findServer(): Promise<ServerAddress> {
    if (this.#current !== null) return this.#current;
    this.#search ??= this.#searchServers().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /**
   * Throws an error with SQLSTATE 25006 if the server must not be used, else remembers its timeline. A newer timeline
   * means that a standby was promoted: connections to the server that it has replaced are used for no new work.
   */
  acceptState(server: ServerAddress, state: ServerState): void {
    requireUsable(server, state, { attributes: this.url.sessionAttributes, timelineMin: this.#timeline });
    if (state.timeline === null || state.timeline <= this.#timeline) return;
    this.#timeline = state.timeline;
    for (const connection of this.#connections) {
      if (connection.timeline !== null && connection.timeline < state.timeline) connection.retire();
    }
  }

  /** The TLS options of the next connection, from the files as they are now; null for no TLS. */
  readTls(): ConnectionOptions | null {
    if (this.url.tls === null) return null;
    try {
      this.#tlsOptions = readTlsOptions(this.url.tls);
    } catch (error) {
      // A file that is just being replaced.
      if (this.#tlsOptions === null) throw error;
    }
    return this.#tlsOptions;
  }

  addConnection(connection: ServerConnection): void {
    this.#connections.add(connection);
  }

  removeConnection(connection: ServerConnection): void {
    this.#connections.delete(connection);
  }

  /** A connection to this server failed or ended by itself: the next connection searches for the primary. */
  reportLoss(server: ServerAddress): void {
    if (this.#current === server) this.#current = this.#only;
  }

  /** A server did not answer in time: the next connection searches for the primary. */
  reportSilence(): void {
    this.#current = this.#only;
  }

  /** The server has become read-only: no connection to it is used for new work. */
  reportReadOnly(server: ServerAddress): void {
    this.reportLoss(server);
    for (const connection of this.#connections) if (connection.server === server) connection.retire();
  }

  get #only(): ServerAddress | null {
    return this.url.servers.length === 1 ? (this.url.servers[0] ?? null) : null;
  }

  /** Asks all servers at once: one that does not answer delays a process by two seconds when it starts. */
  async #searchServers(): Promise<ServerAddress> {
    const errors: unknown[] = [];
    const candidates: Candidate[] = [];
    const attempts = this.url.servers.map(async (server) => {
      try {
        const state = await this.#probeServer(server);
        this.acceptState(server, state);
        candidates.push({ server, state });
        return null;
      } catch (error) {
        errors.push(error);
        throw error;
      }
    });
    const isOneFound = await Promise.any(attempts).then(
      () => true,
      () => false,
    );
    if (!isOneFound) throw chooseError(errors);
    // Without timelines no answer is better than the first one.
    const isFirst = !this.#hasChosen && candidates.some(({ state }) => state.timeline !== null);
    const othersMs = isFirst ? SECOND_ANSWER_MS.first : SECOND_ANSWER_MS.later;
    await Promise.race([Promise.allSettled(attempts), pause(othersMs, undefined, { ref: false })]);
    const newest = candidates.toSorted((one, other) => (other.state.timeline ?? 0) - (one.state.timeline ?? 0))[0];
    this.#current = requireValue(newest, 'a server').server;
    this.#hasChosen = true;
    return this.#current;
  }

  async #probeServer(server: ServerAddress): Promise<ServerState> {
    const client = new pg.Client({
      ...this.buildLogin(),
      ...server,
      application_name: 'search for the primary',
      ssl: this.readTls() ?? false,
      connectionTimeoutMillis: this.url.connectTimeoutMs ?? SEARCH_TIMEOUT_MS,
      query_timeout: SEARCH_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await readServerState(client);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** The login of every connection, without its server. */
  buildLogin(): pg.ClientConfig {
    const { user, password, database, serverOptions } = this.url;
    return {
      ...(user !== undefined && { user }),
      ...(password !== undefined && { password }),
      ...(database !== undefined && { database }),
      ...(serverOptions !== undefined && { options: serverOptions }),
    };
  }

  toString(): string {
    return this.url.servers.map(formatServer).join(',');
  }
}

/**
 * The most useful of the servers' errors: a wrong login or TLS needs a person, a read-only server says that one is
 * there, and an unreachable one says the least.
 */
function chooseError(errors: readonly unknown[]): unknown {
  const rank = (error: unknown): number => {
    const state = findSqlState(error);
    if (state !== null) return /^(28|3D000)/.test(state) ? 0 : 2;
    const code = types.isNativeError(error) && 'code' in error ? String(error.code) : '';
    return /^E(CONN|PIPE|TIME|NOT|AI_|HOST)/.test(code) ? 4 : 3;
  };
  return errors.toSorted((one, other) => rank(one) - rank(other))[0];
}
