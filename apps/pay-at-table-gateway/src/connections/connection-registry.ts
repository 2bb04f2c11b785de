import { formatScope, type Scope } from '@pos/core/identity/identity';
import type { Log } from '@pos/service-kit/telemetry/log';
import {
  type GatewayConnection,
  deleteEndedConnections,
  insertConnection,
  recordConnectionActivity,
} from '@pos/store/terminals/gateway-connections';
import type { Database } from '@pos/store/database/database';
import {
  closeConnections,
  findConnectionStates,
  renewConnections,
  type ConnectionState,
} from '@pos/store/terminals/connection-renewal';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What the registry notifies a connection of. */
export interface ConnectionListener {
  /** A newer one of the same kind and key serves from now on. */
  onReplaced(): void;
  /** Its row is gone: nobody routes to it any more. */
  onLost(): void;
}

/** A connection that this gateway holds. */
export interface LocalConnection {
  readonly scope: Scope;
  readonly connection: GatewayConnection;
  readonly listener: ConnectionListener;
}

const RENEWAL_INTERVAL_MS = 3_000;
/** So many rows are one statement: a gateway with thousands of sockets locks none of them for long. */
const BATCH_SIZE_MAX = 1_000;
const ACTIVITY_INTERVAL_MS = 10_000;
/** Longer than anybody asks when a machine was seen last. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The open streams of this gateway and their rows. A row counts while it is renewed, every 3 s, by one statement for all
 * accounts (ADR 0041). The newest connection of a kind and key serves; the others are notified, whichever gateway holds the
 * newest.
 */
export class ConnectionRegistry {
  readonly #connections = new Map<string, LocalConnection>();
  readonly #byScope = new Map<string, Set<LocalConnection>>();
  readonly #lastActivity = new Map<string, { readonly atMs: number; readonly inUse: boolean }>();
  /** Ended, and their rows not yet closed. */
  readonly #closing = new Map<string, LocalConnection>();
  readonly #sweeps = new Set<Promise<void>>();
  #nextSweep: Promise<void> | null = null;
  /** TIDs of connections that were opened just now, here or elsewhere. */
  readonly #hintedTids = new Set<string>();
  #hintCheck: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #renewal: Promise<void> | null = null;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly gatewayId: string;
      /** The internal address under which the other gateways reach this one; known once the port is open. */
      readonly gatewayAddress: () => string;
      readonly log: Log;
    },
  ) {}

  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.renewAll(), RENEWAL_INTERVAL_MS);
    // A machine that has gone to another gateway is seen at once; the beat is what makes it certain.
    this.#unlisten = await this.parts.database.listen('machines', (tid) => {
      this.#hintedTids.add(tid);
      this.#hintCheck ??= this.#checkHinted();
    });
  }

  /** Writes the row of a stream that was just opened. Older ones of this gateway are notified before this resolves. */
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
    // Two may be opened at once. The epochs decide which is the newer; its write need not return last.
    for (const { connection: other, listener: otherListener } of rivals) {
      (other.epoch < connection.epoch ? otherListener : listener).onReplaced();
    }
    return held;
  }

  /** Notes a sign of life of the other side. Written at most every 10 s, or when it says something new of itself. Never rejects. */
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
      // The next heartbeat says it again.
      this.#lastActivity.delete(connectionId);
      this.parts.log.warn('connection.sign_of_life_failed', { connection_id: connectionId, error });
    }
  }

  /** The stream is over. Never rejects: a row that could not be closed stops counting by itself. */
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
    // Those that ended by themselves a moment ago.
    await Promise.all(this.#sweeps);
  }

  async #renewBatches(): Promise<void> {
    if (this.#closing.size > 0) await this.#scheduleSweep();
    for (const held of splitBatches([...this.#connections.values()])) await this.#renewBatch(held);
  }

  /** All that end in one turn of the process are closed by one statement: a network that breaks ends thousands. */
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
        // With the next beat.
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
      // Nothing is lost yet: the rows last for two more beats.
      this.parts.log.warn('connection.renewal_failed', { connections: held.length, error });
    }
  }

  /** One look at a time, however many hints come: many accounts have machines of the same TID. Never rejects. */
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
      this.parts.log.warn('connection.look_failed', { connections: held.length, error });
    }
  }

  #notifyListeners(held: readonly LocalConnection[], states: ReadonlyMap<string, ConnectionState>): void {
    for (const { connection, listener } of held) {
      // One that its own stream has closed meanwhile is neither lost nor replaced.
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
