import type { Scope } from '@pos/core/identity';
import type { DataConnection, EposConnection, TablesConnection } from './epos-transport.js';

interface ConnectionEntry {
  readonly scope: Scope;
  readonly connection: EposConnection;
  /** Closes it with the code of its protocol, because a newer connection serves. */
  readonly closeReplaced: () => void;
  isEnding: boolean;
}

/** How long a replaced connection may answer its calls. */
const REPLACED_DRAIN_TIMEOUT_MS = 5_000;

/** The connections of EPOSes that this gateway holds. */
export class LocalEposConnections {
  readonly #entries = new Map<string, ConnectionEntry>();

  /** `onChange` is called when the connections of an account have changed. */
  constructor(private readonly onChange: (scope: Scope) => void) {}

  add(connection: EposConnection, scope: Scope, closeReplaced: () => void): void {
    this.#entries.set(connection.connectionId, { scope, connection, closeReplaced, isEnding: false });
  }

  /** The row of the connection is inserted: calls may be routed to it. */
  markRouted(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry !== undefined) this.onChange(entry.scope);
  }

  /** The connection, if it has the pay-at-table contract. */
  findTablesConnection(connectionId: string): TablesConnection | null {
    const connection = this.#entries.get(connectionId)?.connection;
    return connection?.contract === 'tables' ? connection : null;
  }

  /** The connection, if it has the EPOS Data API. */
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

  /** Ends a replaced connection once its calls are answered. */
  drainReplaced(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry === undefined || entry.isEnding) return;
    entry.isEnding = true;
    this.onChange(entry.scope);
    void entry.connection.drain(REPLACED_DRAIN_TIMEOUT_MS).then(entry.closeReplaced);
  }

  /** Refuses new calls on all connections, and waits for the answers to the others. */
  async drain(graceMs: number): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ connection }) => connection.drain(graceMs)));
  }
}
