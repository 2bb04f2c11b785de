import { Defect } from '@pos/core/refusals';
import pg from 'pg';
import { type EncodedValue, MessageWriter } from './message-writer.js';
import { type PreparedStatement, PreparedStatements, type ResultColumn } from './prepared-statements.js';
import { findSqlState } from './sql-errors.js';
import type { Statement } from './statement.js';

/** The answer to one statement. */
export interface StatementResult {
  /** The command as the server names it, such as `COMMIT`. */
  readonly command: string;
  readonly rows: readonly unknown[];
}

/** A statement with encoded values. */
export interface BoundStatement {
  readonly statement: Statement;
  readonly values: readonly EncodedValue[];
}

interface SentStatement {
  readonly prepared: PreparedStatement;
  readonly isNew: boolean;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** The server has lost the statement, has another one of its name, or cannot run it after a change of the schema. */
const INVALID_PREPARATION = new Set(['26000', '42P05', '0A000']);
const COMMAND = /^[A-Za-z]+/;

/** A pipelining client accepts only subclasses of the driver's query; everything of it is replaced here. */
const DriverQuery = pg.Query as unknown as new (config: { readonly text: string }) => object;

/** Shared: a batch is written at once. */
const messages = new MessageWriter();

/**
 * Sends statements in one write with one Sync, and does not ask again for columns that the connection knows. Outside
 * of a transaction they are one: all are stored, or none. After a failure the server skips the rest.
 */
export class StatementBatch extends DriverQuery {
  /** Settles when the server is ready for the next query: a statement that commits itself has committed only then. */
  readonly results: Promise<readonly StatementResult[]>;
  readonly statements: readonly BoundStatement[];
  readonly #client: pg.Client;
  readonly #sent: SentStatement[] = [];
  readonly #finished: StatementResult[] = [];
  #prepared: PreparedStatements | null = null;
  #rows: unknown[] = [];
  #failure: { readonly error: unknown } | null = null;
  #resolve: (results: readonly StatementResult[]) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(client: pg.Client, statements: readonly BoundStatement[]) {
    super({ text: '' });
    this.#client = client;
    this.statements = statements;
    this.results = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Called by the driver to send the batch. */
  submit(connection: pg.Connection): void {
    this.#prepared = PreparedStatements.findOrCreate(connection);
    const bytes = this.#encodeMessages(this.#prepared);
    // As the driver does: the end of the connection fails the batch.
    if (connection.stream.writable) connection.stream.write(bytes);
  }

  handleRowDescription({ fields }: RowDescription): void {
    const prepared = this.#getCurrent();
    if (prepared !== null) prepared.columns = fields.map((field) => this.#createColumn(field));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(readRow(this.#getCurrent()?.columns ?? [], fields));
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const prepared = this.#getCurrent();
    if (prepared !== null) {
      prepared.isConfirmed = true;
      prepared.columns ??= [];
    }
    this.#finished.push({ command: COMMAND.exec(text)?.[0] ?? '', rows: this.#rows });
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  /** Also called when the connection ends. */
  handleError(error: unknown): void {
    const [failed, ...skipped] = this.#sent.slice(this.#finished.length);
    if (failed !== undefined) {
      const isInvalid = INVALID_PREPARATION.has(findSqlState(error) ?? '');
      if (isInvalid || !failed.prepared.isConfirmed) this.#prepared?.discard(failed.prepared);
    }
    for (const { prepared, isNew } of skipped) if (isNew) this.#prepared?.discard(prepared);
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) this.#reject(this.#failure.error);
    else if (this.#finished.length === this.statements.length) this.#resolve(this.#finished);
    else this.#reject(new Defect('the database did not answer every statement'));
  }

  /** Throws with nothing left behind: the next batch uses the same buffer, and belongs to another caller. */
  #encodeMessages(connection: PreparedStatements): Buffer {
    try {
      for (const bound of this.statements) this.#writeStatement(connection, bound);
      messages.writeSync();
      return messages.takeBytes();
    } catch (error) {
      messages.clear();
      for (const { prepared, isNew } of this.#sent) if (isNew) connection.discard(prepared);
      throw error;
    }
  }

  #writeStatement(connection: PreparedStatements, { statement, values }: BoundStatement): void {
    const known = connection.find(statement);
    const prepared = known ?? prepareStatement(connection, statement);
    this.#sent.push({ prepared, isNew: known === null });
    messages.writeBind(statement.name, values);
    if (prepared.columns === null) messages.writeDescribe();
    messages.writeExecute();
  }

  /** The statement that the server answers now. */
  #getCurrent(): PreparedStatement | null {
    return this.#sent[this.#finished.length]?.prepared ?? null;
  }

  #createColumn({ name, dataTypeID }: RowDescription['fields'][number]): ResultColumn {
    return { name, parse: this.#client.getTypeParser(dataTypeID) as ResultColumn['parse'] };
  }
}

function prepareStatement(connection: PreparedStatements, statement: Statement): PreparedStatement {
  const { prepared, mustClose } = connection.add(statement);
  if (mustClose) messages.writeClose(statement.name);
  messages.writeParse(statement.name, statement.text);
  return prepared;
}

function readRow(columns: readonly ResultColumn[], texts: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  columns.forEach(({ name, parse }, index) => {
    const text = texts[index] ?? null;
    row[name] = text === null ? null : parse(text);
  });
  return row;
}
