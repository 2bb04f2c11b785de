import type { Scope } from '@pos/core/identity/identity';
import type { DataConnection, EposConnection, TablesConnection } from '../epos-calls/tables-call.js';

interface ConnectionEntry {
  readonly scope: Scope;
  readonly connection: EposConnection;
  /** Ends it in the words of its protocol: a newer one serves. */
  readonly closeReplaced: () => void;
  isEnding: boolean;
}

/** An older connection has so long to answer what it was asked. */
const REPLACED_DRAIN_TIMEOUT_MS = 5_000;

/** The connections of EPOSes that this gateway holds. */
export class LocalEposConnections {
  readonly #entries = new Map<string, ConnectionEntry>();

  /** `onChange` is called when the connections of an account have changed. */
  constructor(private readonly onChange: (scope: Scope) => void) {}

  add(connection: EposConnection, scope: Scope, closeReplaced: () => void): void {
    this.#entries.set(connection.connectionId, { scope, connection, closeReplaced, isEnding: false });
  }

  /** The row of a connection is written: calls may be routed to it. */
  markRouted(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry !== undefined) this.onChange(entry.scope);
  }

  /** A connection on which the pay-at-table contract is spoken. */
  findTablesConnection(connectionId: string): TablesConnection | null {
    const connection = this.#entries.get(connectionId)?.connection;
    return connection?.contract === 'tables' ? connection : null;
  }

  /** A connection on which the EPOS Data API is spoken. */
  findDataConnection(connectionId: string): DataConnection | null {
    const connection = this.#entries.get(connectionId)?.connection;
    return connection?.contract === 'data' ? connection : null;
  }

  remove(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry === undefined) return;
    entry.connection.failPendingCalls();
    this.#entries.delete(connectionId);
    this.onChange(entry.scope);
  }

  /** A newer connection of the account serves: this one ends when its outstanding calls are answered. */
  drainReplaced(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry === undefined || entry.isEnding) return;
    entry.isEnding = true;
    this.onChange(entry.scope);
    void entry.connection.drain(REPLACED_DRAIN_TIMEOUT_MS).then(entry.closeReplaced);
  }

  /** The gateway is shutting down: no new calls, and a while for those that are outstanding. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ connection }) => connection.drain(graceMs)));
  }
}
