import { assert } from '@pos/core/refusals';
import type { Statement } from './statement.js';

/** A column of a result, and how its text becomes a value. */
export interface ResultColumn {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/**
 * A statement that was prepared once. Its columns cannot change: the server refuses to run it when a change of the
 * schema would change them.
 */
export interface PreparedStatement {
  readonly statement: Statement;
  /** Null until the server has described them; empty for a statement without rows. */
  columns: readonly ResultColumn[] | null;
  /** The server has run it, so it is prepared there. */
  isConfirmed: boolean;
}

/** The statements that one connection has prepared or is about to. */
export class PreparedStatements {
  static readonly #ofConnections = new WeakMap<object, PreparedStatements>();

  readonly #statements = new Map<string, PreparedStatement>();
  readonly #discarded = new Set<string>();

  static findOrCreate(connection: object): PreparedStatements {
    let found = this.#ofConnections.get(connection);
    if (found === undefined) {
      found = new PreparedStatements();
      this.#ofConnections.set(connection, found);
    }
    return found;
  }

  /** The statement if it is prepared, or null. */
  find(statement: Statement): PreparedStatement | null {
    const found = this.#statements.get(statement.name);
    if (found === undefined) return null;
    assert(found.statement.text === statement.text, `two statements are named ${statement.name}`);
    return found;
  }

  /** Records that the statement is being prepared. `mustClose`: the server may still have one of that name. */
  add(statement: Statement): { readonly prepared: PreparedStatement; readonly mustClose: boolean } {
    const prepared: PreparedStatement = { statement, columns: null, isConfirmed: false };
    this.#statements.set(statement.name, prepared);
    return { prepared, mustClose: this.#discarded.delete(statement.name) };
  }

  /** The next use prepares the statement again. */
  discard(prepared: PreparedStatement): void {
    const { name } = prepared.statement;
    if (this.#statements.get(name) !== prepared) return;
    this.#statements.delete(name);
    this.#discarded.add(name);
  }
}
