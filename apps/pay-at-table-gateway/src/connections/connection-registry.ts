import { formatScope, type Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import {
  closeConnections,
  type ConnectionKind,
  type ConnectionState,
  deleteEndedConnections,
  findConnectionStates,
  type GatewayConnection,
  insertConnection,
  recordConnectionActivity,
  renewConnections,
} from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** The notifications of the registry to a connection. */
export interface ConnectionListener {
  /** A newer connection of the same kind and key serves from now on. */
  onReplaced(): void;
  /** The row of the connection is deleted: no gateway routes to it any more. */
  onLost(): void;
}

/** A connection that this gateway holds. */
export interface LocalConnection {
  readonly scope: Scope;
  readonly connection: GatewayConnection;
  readonly listener: ConnectionListener;
}

const RENEWAL_INTERVAL_MS = 3_000;
/** The number of rows per statement: a gateway with thousands of sockets must lock no row for long. */
const BATCH_SIZE_MAX = 1_000;
const ACTIVITY_INTERVAL_MS = 10_000;
/** The retention of ended connections, for the last activity of machines. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The open streams of this gateway and their rows. A row counts while it is renewed, every 3 s, by one statement for all
 * accounts (ADR 0041). The newest connection of a kind and key serves; the others are notified, also when another gateway
 * holds the newest.
 */
export class ConnectionRegistry {
  readonly #connections = new Map<string, LocalConnection>();
  readonly #byScope = new Map<string, Set<LocalConnection>>();
  readonly #lastActivity = new Map<string, { readonly atMs: number; readonly inUse: boolean }>();
  /** Connections that have ended, and whose rows are not closed yet. */
  readonly #closing = new Map<string, LocalConnection>();
  readonly #sweeps = new Set<Promise<void>>();
  #nextSweep: Promise<void> | null = null;
  /** TIDs of connections that were just opened at any gateway. */
  readonly #hintedTids = new Set<string>();
  #hintCheck: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #renewal: Promise<void> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly gatewayId: string;
      /** Returns the internal address of this gateway. Throws before the port is open. */
      readonly gatewayAddress: () => string;
      readonly log: Log;
    },
  ) {}

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.renewAll(), RENEWAL_INTERVAL_MS);
    // Detects at once that a machine has connected to another gateway. Without a hint the next renewal detects it.
    this.#unlisten = await this.parts.database.listen('machines', (tid) => {
      this.#hintedTids.add(tid);
      this.#hintCheck ??= this.#checkHinted();
    });
  }

  /** The open streams of each kind. */
  countByKind(): ReadonlyMap<ConnectionKind, number> {
    const counts = new Map<ConnectionKind, number>();
    for (const { connection } of this.#connections.values())
      counts.set(connection.kind, (counts.get(connection.kind) ?? 0) + 1);
    return counts;
  }

  /** Inserts the row of a new connection. Older connections of this gateway are notified before this resolves. */
  async open(
    scope: Scope,
    request: Pick<GatewayConnection, 'connectionId' | 'kind' | 'key' | 'inUse'>,
    listener: ConnectionListener,
  ): Promise<LocalConnection> {
    const { database, gatewayId } = this.parts;
    const connection = await database.transact(scope, async (tx) => {
      await deleteEndedConnections(tx, new Date(tx.databaseNow.getTime() - RETENTION_MS));
      return insertConnection(tx, { ...request, gatewayId, gatewayAddress: this.parts.gatewayAddress() });
    });
    const held: LocalConnection = { scope, connection, listener };
    this.#add(held);
    const rivals = this.#listByScope(scope).filter(
      ({ connection: other }) => other.kind === request.kind && other.key === request.key && other !== connection,
    );
    // Two connections may open at once. Their epochs decide which is newer, in any order of the two writes.
    for (const { connection: other, listener: otherListener } of rivals) {
      (other.epoch < connection.epoch ? otherListener : listener).onReplaced();
    }
    return held;
  }

  /** Records activity of the other side: at most every 10 s, or when `inUse` changes. Never rejects. */
  async recordActivity({ scope, connection }: LocalConnection, inUse: boolean): Promise<void> {
    const { connectionId, kind, key } = connection;
    const lastActivity = this.#lastActivity.get(connectionId);
    if (lastActivity?.inUse === inUse && performance.now() - lastActivity.atMs < ACTIVITY_INTERVAL_MS) return;
    this.#lastActivity.set(connectionId, { atMs: performance.now(), inUse });
    try {
      await this.parts.database.transact(scope, (tx) =>
        recordConnectionActivity(tx, { connectionId, kind, key, inUse }),
      );
    } catch (error) {
      // The next heartbeat repeats it.
      this.#lastActivity.delete(connectionId);
      this.parts.log.warn('connection.activity_failed', { connection_id: connectionId, error });
    }
  }

  /** Closes the row of an ended connection. Never rejects: a row that could not be closed expires. */
  async close(held: LocalConnection): Promise<void> {
    const { connectionId } = held.connection;
    if (!this.#remove(connectionId)) return;
    this.#closing.set(connectionId, held);
    await this.#scheduleSweep();
  }

  /** Renews every row and notifies the connections that no longer serve. One at a time; never rejects. */
  renewAll(): Promise<void> {
    this.#renewal ??= this.#renewBatches().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#unlisten?.();
    await Promise.all([this.#renewal, this.#hintCheck]);
    await Promise.all([...this.#connections.values()].map((held) => this.close(held)));
    // Sweeps of connections that have just ended.
    await Promise.all(this.#sweeps);
  }

  async #renewBatches(): Promise<void> {
    if (this.#closing.size > 0) await this.#scheduleSweep();
    for (const held of splitBatches([...this.#connections.values()])) await this.#renewBatch(held);
  }

  /** Closes all connections that end in one turn of the event loop by one statement: a network failure ends thousands. */
  #scheduleSweep(): Promise<void> {
    if (this.#nextSweep !== null) return this.#nextSweep;
    const sweep = this.#sweep().finally(() => this.#sweeps.delete(sweep));
    this.#sweeps.add(sweep);
    this.#nextSweep = sweep;
    return sweep;
  }

  async #sweep(): Promise<void> {
    await endOfTurn();
    this.#nextSweep = null;
    const closing = [...this.#closing.values()];
    this.#closing.clear();
    for (const held of splitBatches(closing)) {
      try {
        const unclosed = await closeConnections(this.parts.database, { gatewayId: this.parts.gatewayId, held });
        // They are closed with the next renewal.
        for (const each of unclosed) this.#closing.set(each.connection.connectionId, each);
      } catch (error) {
        this.parts.log.warn('connection.close_failed', { connections: held.length, error });
      }
    }
  }

  async #renewBatch(held: readonly LocalConnection[]): Promise<void> {
    try {
      const { database, gatewayId } = this.parts;
      this.#notifyListeners(held, await renewConnections(database, { gatewayId, held }));
    } catch (error) {
      // The rows stay valid for two more renewals.
      this.parts.log.warn('connection.renewal_failed', { connections: held.length, error });
    }
  }

  /** Runs one check at a time for any number of hints: many accounts have machines of the same TID. Never rejects. */
  async #checkHinted(): Promise<void> {
    while (this.#hintedTids.size > 0) {
      await endOfTurn();
      const hinted = new Set(this.#hintedTids);
      this.#hintedTids.clear();
      const held = [...this.#connections.values()].filter(({ connection: { key } }) => key !== '' && hinted.has(key));
      for (const part of splitBatches(held)) await this.#checkStates(part);
    }
    this.#hintCheck = null;
  }

  async #checkStates(held: readonly LocalConnection[]): Promise<void> {
    try {
      const { database, gatewayId } = this.parts;
      this.#notifyListeners(held, await findConnectionStates(database, { gatewayId, held }));
    } catch (error) {
      this.parts.log.warn('connection.poll_failed', { connections: held.length, error });
    }
  }

  #notifyListeners(held: readonly LocalConnection[], states: ReadonlyMap<string, ConnectionState>): void {
    for (const { connection, listener } of held) {
      // A connection that was closed in the meantime is neither lost nor replaced.
      if (!this.#connections.has(connection.connectionId)) continue;
      const state = states.get(connection.connectionId);
      if (state === 'gone') listener.onLost();
      if (state === 'replaced') listener.onReplaced();
    }
  }

  #add(held: LocalConnection): void {
    const { connectionId, inUse } = held.connection;
    this.#connections.set(connectionId, held);
    this.#lastActivity.set(connectionId, { atMs: performance.now(), inUse });
    const name = formatScope(held.scope);
    const scopeConnections = this.#byScope.get(name) ?? new Set();
    this.#byScope.set(name, scopeConnections.add(held));
  }

  #remove(connectionId: string): boolean {
    const held = this.#connections.get(connectionId);
    if (held === undefined) return false;
    this.#connections.delete(connectionId);
    this.#lastActivity.delete(connectionId);
    const name = formatScope(held.scope);
    const scopeConnections = this.#byScope.get(name);
    scopeConnections?.delete(held);
    if (scopeConnections?.size === 0) this.#byScope.delete(name);
    return true;
  }

  #listByScope(scope: Scope): LocalConnection[] {
    return [...(this.#byScope.get(formatScope(scope)) ?? [])];
  }
}

function splitBatches(held: readonly LocalConnection[]): LocalConnection[][] {
  const count = Math.ceil(held.length / BATCH_SIZE_MAX);
  return Array.from({ length: count }, (_, part) => held.slice(part * BATCH_SIZE_MAX, (part + 1) * BATCH_SIZE_MAX));
}
