import type { Scope } from '@pos/core/identity';
import { allOf } from './answers.js';
import type { Borrowed } from './connection.js';
import { rollback } from './rollback.js';
import { ScopedReader } from './scoped-reader.js';
import type { SnapshotReader, StoreSecrets } from './transaction.js';
import { askTogether } from './wire.js';

const BEGIN = { text: 'begin isolation level repeatable read read only' };
const COMMIT = { text: 'commit' };

class OpenSnapshot extends ScopedReader implements SnapshotReader {
  readonly isSnapshot = true;
}

/** Runs reads in one read-only transaction. BEGIN leaves together with the first read. */
export async function inSnapshot<T>(
  borrowed: Borrowed,
  { scope, secrets }: { readonly scope: Scope; readonly secrets: StoreSecrets },
  work: (snapshot: SnapshotReader) => Promise<T>,
): Promise<T> {
  const { client } = borrowed;
  const snapshot = new OpenSnapshot(client, scope, secrets);
  try {
    const begun = allOf(askTogether(client, [{ statement: BEGIN }]));
    // The reads behind a BEGIN that failed may fail first; its own failure is reported below.
    begun.catch(() => undefined);
    const result = await begunWith(begun, work(snapshot));
    await snapshot.close();
    await allOf(askTogether(client, [{ statement: COMMIT }]));
    return result;
  } catch (error) {
    await snapshot.close();
    await rollback(borrowed);
    throw error;
  }
}

/** The result of the work; the failure of BEGIN comes before any failure of the work. */
async function begunWith<T>(begun: Promise<unknown>, work: Promise<T>): Promise<T> {
  const [began, worked] = await Promise.allSettled([begun, work]);
  if (began.status === 'rejected') throw began.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}
