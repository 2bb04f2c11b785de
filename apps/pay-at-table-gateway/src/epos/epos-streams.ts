import type { Scope } from '@pos/core/identity';
import type { DataConnection, EposConnection, TablesConnection } from './tables-call.js';

interface Serving {
  readonly scope: Scope;
  readonly connection: EposConnection;
  /** Ends it in the words of its protocol: a newer one serves. */
  readonly endReplaced: () => void;
  isEnding: boolean;
}

/** An older connection has so long to answer what it was asked. */
const REPLACED_GRACE_MS = 5_000;

/** The connections of EPOSes that this gateway holds. */
export class EposStreams {
  /** Hears that the connections of an account are others now than they were. */
  onChange: (scope: Scope) => void = () => undefined;
  readonly #held = new Map<string, Serving>();

  add(connection: EposConnection, scope: Scope, endReplaced: () => void): void {
    this.#held.set(connection.connectionId, { scope, connection, endReplaced, isEnding: false });
  }

  /** The row of a connection is written: calls may be routed to it. */
  routed(connectionId: string): void {
    const serving = this.#held.get(connectionId);
    if (serving !== undefined) this.onChange(serving.scope);
  }

  /** A connection on which the pay-at-table contract is spoken. */
  findTables(connectionId: string): TablesConnection | null {
    const connection = this.#held.get(connectionId)?.connection;
    return connection?.contract === 'tables' ? connection : null;
  }

  /** A connection on which the EPOS Data API is spoken. */
  findData(connectionId: string): DataConnection | null {
    const connection = this.#held.get(connectionId)?.connection;
    return connection?.contract === 'data' ? connection : null;
  }

  remove(connectionId: string): void {
    const serving = this.#held.get(connectionId);
    if (serving === undefined) return;
    serving.connection.broken();
    this.#held.delete(connectionId);
    this.onChange(serving.scope);
  }

  /** A newer connection of the account serves: this one ends when its outstanding calls are answered. */
  replaced(connectionId: string): void {
    const serving = this.#held.get(connectionId);
    if (serving === undefined || serving.isEnding) return;
    serving.isEnding = true;
    this.onChange(serving.scope);
    void serving.connection.retire(REPLACED_GRACE_MS).then(serving.endReplaced);
  }

  /** The gateway is shutting down: no new calls, and a while for those that are outstanding. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ connection }) => connection.retire(graceMs)));
  }
}
