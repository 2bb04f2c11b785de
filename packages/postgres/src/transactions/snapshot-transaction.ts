import type { PooledConnection } from '../connections/pooled-connection.js';
import { pipeline } from '../statements/pipeline.js';
import { awaitAll } from '../statements/query-results.js';
import { rollBack } from './rollback.js';
import { StatementReader } from './statement-reader.js';

const BEGIN = { text: 'begin isolation level repeatable read read only' };
const COMMIT = { text: 'commit' };

/** Runs reads in one read-only transaction, so that all see the same state. BEGIN leaves together with the first read. */
export async function runSnapshot<T>(
  connection: PooledConnection,
  work: (snapshot: StatementReader) => Promise<T>,
): Promise<T> {
  const { client } = connection;
  const snapshot = new StatementReader(connection);
  try {
    const beginning = awaitAll(pipeline(client, [{ statement: BEGIN }]));
    // The reads after a BEGIN that failed may fail first; its own failure is reported below.
    beginning.catch(() => undefined);
    const result = await awaitWork(beginning, work(snapshot));
    await snapshot.close();
    await awaitAll(pipeline(client, [{ statement: COMMIT }]));
    return result;
  } catch (error) {
    await snapshot.close();
    await rollBack(connection);
    throw error;
  }
}

/** The result of the work; the failure of BEGIN comes before any failure of the work. */
async function awaitWork<T>(beginning: Promise<unknown>, work: Promise<T>): Promise<T> {
  const [began, worked] = await Promise.allSettled([beginning, work]);
  if (began.status === 'rejected') throw began.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}
