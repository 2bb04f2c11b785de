import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/log';
import {
  type GatewayConnection,
  deleteEndedConnections,
  insertConnection,
  recordConnectionActivity,
} from '@pos/store/connections';
import type { Database } from '@pos/store/database';
import {
  closeConnections,
  findConnectionStates,
  renewConnections,
  type ConnectionState,
} from '@pos/store/held-connections';
import { setImmediate as endOfTurn } from 'node:timers/promises';

/** What a held connection is told about itself. */
export interface Socket {
  /** A newer one of the same kind and key serves from now on. */
  replaced(): void;
  /** Its row is gone: nobody routes to it any more. */
  lost(): void;
}

/** A connection that this gateway holds. */
export interface HeldConnection {
  readonly scope: Scope;
  readonly connection: GatewayConnection;
  readonly socket: Socket;
}

const BEAT_MS = 3_000;
/** So many rows are one statement: a gateway with thousands of sockets locks none of them for long. */
const ROWS_AT_ONCE_MAX = 1_000;
const SEEN_EVERY_MS = 10_000;
/** Longer than anybody asks when a machine was seen last. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The open streams of this gateway and their rows. A row counts while it is renewed, every 3 s, by one statement for all
 * accounts (ADR 0041). The newest connection of a kind and key serves; the others are told, whichever gateway holds the
 * newest.
 */
export class ConnectionRegistry {
  readonly #held = new Map<string, HeldConnection>();
  readonly #byScope = new Map<string, Set<HeldConnection>>();
  readonly #seenAtMs = new Map<string, { readonly atMs: number; readonly inUse: boolean }>();
  /** Ended, and their rows not yet closed. */
  readonly #closing = new Map<string, HeldConnection>();
  readonly #sweeps = new Set<Promise<void>>();
  #nextSweep: Promise<void> | null = null;
  /** TIDs of connections that were opened just now, here or elsewhere. */
  readonly #hinted = new Set<string>();
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;
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
    this.#timer = setInterval(() => void this.beat(), BEAT_MS);
    // A machine that has gone to another gateway is seen at once; the beat is what makes it certain.
    this.#unlisten = await this.parts.database.listen('machines', (tid) => {
      this.#hinted.add(tid);
      this.#looking ??= this.#lookWhileHinted();
    });
  }

  /** Writes the row of a stream that was opened just now. Older ones of this gateway are told before this resolves. */
  async open(
    scope: Scope,
    wish: Pick<GatewayConnection, 'connectionId' | 'kind' | 'key' | 'inUse'>,
    socket: Socket,
  ): Promise<HeldConnection> {
    const { database, gatewayId } = this.parts;
    const connection = await database.transact(scope, async (tx) => {
      await deleteEndedConnections(tx, new Date(tx.databaseNow.getTime() - KEPT_MS));
      return insertConnection(tx, { ...wish, gatewayId, gatewayAddress: this.parts.gatewayAddress() });
    });
    const held: HeldConnection = { scope, connection, socket };
    this.#add(held);
    const rivals = this.#of(scope).filter(
      ({ connection: other }) => other.kind === wish.kind && other.key === wish.key && other !== connection,
    );
    // Two may be opened at once, and the epochs say which was the later; it need not be the one that came back last.
    for (const { connection: other, socket: theirs } of rivals) {
      (other.epoch < connection.epoch ? theirs : socket).replaced();
    }
    return held;
  }

  /** Notes a sign of life of the other side. Written at most every 10 s, or when it says something new of itself. Never rejects. */
  async saw({ scope, connection }: HeldConnection, inUse: boolean): Promise<void> {
    const { connectionId, kind, key } = connection;
    const last = this.#seenAtMs.get(connectionId);
    if (last?.inUse === inUse && performance.now() - last.atMs < SEEN_EVERY_MS) return;
    this.#seenAtMs.set(connectionId, { atMs: performance.now(), inUse });
    try {
      await this.parts.database.transact(scope, (tx) =>
        recordConnectionActivity(tx, { connectionId, kind, key, inUse }),
      );
    } catch (error) {
      // The next heartbeat says it again.
      this.#seenAtMs.delete(connectionId);
      this.parts.log.warn('connection.sign_of_life_failed', { connection_id: connectionId, error });
    }
  }

  /** The stream is over. Never rejects: a row that could not be closed stops counting by itself. */
  async close(held: HeldConnection): Promise<void> {
    const { connectionId } = held.connection;
    if (!this.#remove(connectionId)) return;
    this.#closing.set(connectionId, held);
    await this.#sweepNext();
  }

  /** Renews every row and tells the connections that no longer serve. One at a time; never rejects. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
    return this.#beating;
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#unlisten?.();
    await Promise.all([this.#beating, this.#looking]);
    await Promise.all([...this.#held.values()].map((held) => this.close(held)));
    // Those that ended by themselves a moment ago.
    await Promise.all(this.#sweeps);
  }

  async #beat(): Promise<void> {
    if (this.#closing.size > 0) await this.#sweepNext();
    for (const held of partsOf([...this.#held.values()])) await this.#renew(held);
  }

  /** All that end in one turn of the process are closed by one statement: a network that breaks ends thousands. */
  #sweepNext(): Promise<void> {
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
    for (const held of partsOf(closing)) {
      try {
        const left = await closeConnections(this.parts.database, { gatewayId: this.parts.gatewayId, held });
        // With the next beat.
        for (const each of left) this.#closing.set(each.connection.connectionId, each);
      } catch (error) {
        this.parts.log.warn('connection.close_failed', { connections: held.length, error });
      }
    }
  }

  async #renew(held: readonly HeldConnection[]): Promise<void> {
    try {
      const { database, gatewayId } = this.parts;
      this.#tell(held, await renewConnections(database, { gatewayId, held }));
    } catch (error) {
      // Nothing is lost yet: the rows last for two more beats.
      this.parts.log.warn('connection.renewal_failed', { connections: held.length, error });
    }
  }

  /** One look at a time, however many hints come: many accounts have machines of the same TID. Never rejects. */
  async #lookWhileHinted(): Promise<void> {
    while (this.#hinted.size > 0) {
      await endOfTurn();
      const hinted = new Set(this.#hinted);
      this.#hinted.clear();
      const held = [...this.#held.values()].filter(({ connection: { key } }) => key !== '' && hinted.has(key));
      for (const part of partsOf(held)) await this.#look(part);
    }
    this.#looking = null;
  }

  async #look(held: readonly HeldConnection[]): Promise<void> {
    try {
      const { database, gatewayId } = this.parts;
      this.#tell(held, await findConnectionStates(database, { gatewayId, held }));
    } catch (error) {
      this.parts.log.warn('connection.look_failed', { connections: held.length, error });
    }
  }

  #tell(held: readonly HeldConnection[], standings: ReadonlyMap<string, ConnectionState>): void {
    for (const { connection, socket } of held) {
      // One that its own stream has closed meanwhile is neither lost nor replaced.
      if (!this.#held.has(connection.connectionId)) continue;
      const standing = standings.get(connection.connectionId);
      if (standing === 'gone') socket.lost();
      if (standing === 'replaced') socket.replaced();
    }
  }

  #add(held: HeldConnection): void {
    const { connectionId, inUse } = held.connection;
    this.#held.set(connectionId, held);
    this.#seenAtMs.set(connectionId, { atMs: performance.now(), inUse });
    const name = nameOf(held.scope);
    const mine = this.#byScope.get(name) ?? new Set();
    this.#byScope.set(name, mine.add(held));
  }

  #remove(connectionId: string): boolean {
    const held = this.#held.get(connectionId);
    if (held === undefined) return false;
    this.#held.delete(connectionId);
    this.#seenAtMs.delete(connectionId);
    const name = nameOf(held.scope);
    const mine = this.#byScope.get(name);
    mine?.delete(held);
    if (mine?.size === 0) this.#byScope.delete(name);
    return true;
  }

  #of(scope: Scope): HeldConnection[] {
    return [...(this.#byScope.get(nameOf(scope)) ?? [])];
  }
}

function nameOf({ accountId, environment }: Scope): string {
  return `${accountId}/${environment}`;
}

function partsOf(held: readonly HeldConnection[]): HeldConnection[][] {
  const count = Math.ceil(held.length / ROWS_AT_ONCE_MAX);
  return Array.from({ length: count }, (_, part) => held.slice(part * ROWS_AT_ONCE_MAX, (part + 1) * ROWS_AT_ONCE_MAX));
}
