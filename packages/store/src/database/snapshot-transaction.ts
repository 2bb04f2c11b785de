import type { Scope } from '@pos/core/identity';
import { awaitAll } from '../postgres/query-results.js';
import type { PooledConnection } from '../postgres/pooled-connection.js';
import { rollBack } from './rollback.js';
import { ScopedReader } from './scoped-reader.js';
import type { SnapshotReader, StoreSecrets } from './transaction.js';
import { pipeline } from '../postgres/pipeline.js';

const BEGIN = { text: 'begin isolation level repeatable read read only' };
const COMMIT = { text: 'commit' };

class SnapshotTransaction extends ScopedReader implements SnapshotReader {
  readonly isSnapshot = true;
}

/** Runs reads in one read-only transaction. BEGIN leaves together with the first read. */
export async function runSnapshot<T>(
  connection: PooledConnection,
  { scope, secrets }: { readonly scope: Scope; readonly secrets: StoreSecrets },
  work: (snapshot: SnapshotReader) => Promise<T>,
): Promise<T> {
  const { client } = connection;
  const snapshot = new SnapshotTransaction(connection, scope, secrets);
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
