import type pg from 'pg';
import type { Socket } from 'node:net';
import { assert } from '@pos/core/refusals';
import { STATEMENT_VALUES_MAX } from './message-writer.js';
import { encodeParameter } from './parameter-encoding.js';
import { type BoundStatement, StatementBatch, type StatementResult } from './statement-batch.js';
import { trackRoundTrip } from '../telemetry/database-telemetry.js';
import type { Statement } from './statement.js';

/** A statement with its values, or a command without any. */
export type PipelinedStatement =
  | { readonly statement: Statement; readonly values?: readonly unknown[] }
  | { readonly statement: TransactionCommand };

/** BEGIN or COMMIT. It has no name: it is not prepared, and is answered for itself. */
interface TransactionCommand {
  readonly text: string;
  readonly name?: never;
}

/**
 * A member of pg's client that its types do not contain, but that every version had: the socket under the
 * connection.
 */
interface ClientInternals {
  readonly connection: { readonly stream: Pick<Socket, 'cork' | 'uncork' | 'destroy'> };
}

function getSocket(client: pg.Client): ClientInternals['connection']['stream'] {
  return (client as unknown as ClientInternals).connection.stream;
}

/**
 * Sends statements in the given order and returns their results in it. Everything that is sent on the client within
 * this tick leaves in one write, and is not awaited one by one. The statements between two commands succeed or fail
 * together: each of them has the error of the one that failed. Throws before anything is sent if a value cannot be
 * sent: the driver would omit its statement alone, and COMMIT after it would store the rest.
 */
export function pipeline(client: pg.Client, statements: readonly PipelinedStatement[]): Promise<StatementResult>[] {
  const groups = groupStatements(statements);
  const stream = getSocket(client);
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
  const answers = groups.flatMap((group) =>
    Array.isArray(group) ? sendBatch(client, group) : [client.query(group.text)],
  );
  trackRoundTrip(
    statements.map(({ statement }) => statement),
    answers,
  );
  return answers;
}

/** Each command, and the encoded statements between two of them. */
function groupStatements(statements: readonly PipelinedStatement[]): (TransactionCommand | BoundStatement[])[] {
  const groups: (TransactionCommand | BoundStatement[])[] = [];
  for (const each of statements) {
    if (each.statement.name === undefined) {
      groups.push(each.statement);
      continue;
    }
    const bound = bindStatement(each.statement, 'values' in each ? each.values : []);
    const last = groups.at(-1);
    if (Array.isArray(last)) last.push(bound);
    else groups.push([bound]);
  }
  return groups;
}

function bindStatement(statement: Statement, values: readonly unknown[] = []): BoundStatement {
  assert(values.length <= STATEMENT_VALUES_MAX, `${statement.name} has too many values`);
  return { statement, values: values.map(encodeParameter) };
}

function sendBatch(client: pg.Client, statements: readonly BoundStatement[]): Promise<StatementResult>[] {
  const { results } = client.query(new StatementBatch(client, statements));
  return statements.map((_, index) =>
    results.then(
      (answers) => answers[index] ?? { command: '', rows: [] },
      (error: unknown) => {
        // The stack of an answer ends in the socket; this one leads to the caller that waits.
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      },
    ),
  );
}

/** Ends the connection at once, including its running statements. */
export function destroyConnection(client: pg.Client): void {
  void client.end().catch(() => undefined);
  getSocket(client).destroy();
}
