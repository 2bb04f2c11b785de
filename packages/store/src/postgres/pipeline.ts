import type pg from 'pg';
import type { Socket } from 'node:net';
import { encodeParameter } from './parameter-encoding.js';
import { trackRoundTrip } from './store-telemetry.js';
import type { Statement } from './statement.js';

/** A statement with its values, or a command without any. */
export interface PipelinedStatement {
  readonly statement: Statement | { readonly text: string };
  readonly values?: readonly unknown[];
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
 * this tick leaves in one write, and is not awaited one by one. After a failure in a transaction the later
 * statements fail too. Throws before anything is sent if a value cannot be sent: the driver would omit its statement
 * alone, and COMMIT after it would store the rest.
 */
export function pipeline(client: pg.Client, statements: readonly PipelinedStatement[]): Promise<pg.QueryResult>[] {
  const prepared = statements.map(({ statement, values = [] }) => ({
    statement,
    values: values.map((value) => encodeParameter(value)),
  }));
  const stream = getSocket(client);
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
  const answers = prepared.map(({ statement, values }) =>
    client.query(values.length === 0 && !('name' in statement) ? statement.text : { ...statement, values }),
  );
  trackRoundTrip(
    prepared.map(({ statement }) => statement),
    answers,
  );
  return answers;
}

/** Ends the connection at once, including its running statements. */
export function destroyConnection(client: pg.Client): void {
  void client.end().catch(() => undefined);
  getSocket(client).destroy();
}
