import { createRequire } from 'node:module';
import type pg from 'pg';
import type { Socket } from 'node:net';
import type { Statement } from './statement.js';

/** A statement with its values, or a command without any. */
export interface PipelinedStatement {
  readonly statement: Statement | { readonly text: string };
  readonly values?: readonly unknown[];
}

/** What pg does not say of its client, but has had for all its life: the socket under the connection. */
interface ClientInternals {
  readonly connection: { readonly stream: Pick<Socket, 'cork' | 'uncork' | 'destroy'> };
}

function getSocket(client: pg.Client): ClientInternals['connection']['stream'] {
  return (client as unknown as ClientInternals).connection.stream;
}

/** What pg makes of a value when it sends it; it throws for what cannot be sent. */
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => unknown;
};

/**
 * Asks in the given order and answers in it; everything that is asked of the client within this tick leaves in one write,
 * and is not waited for one by one. After a failure in a transaction those behind it fail too. Throws, and nothing was
 * sent, when a value cannot be: the driver would leave out its statement alone, and COMMIT behind it would store the rest.
 */
export function pipeline(client: pg.Client, statements: readonly PipelinedStatement[]): Promise<pg.QueryResult>[] {
  const prepared = statements.map(({ statement, values = [] }) => ({
    statement,
    values: values.map((value) => prepareValue(value)),
  }));
  const stream = getSocket(client);
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
  return prepared.map(({ statement, values }) =>
    client.query(values.length === 0 && !('name' in statement) ? statement.text : { ...statement, values }),
  );
}

/** Ends the connection at once, whatever is under way on it. */
export function destroyConnection(client: pg.Client): void {
  void client.end().catch(() => undefined);
  getSocket(client).destroy();
}
