import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@pos/store/database';
import { defineStatement } from '@pos/postgres/statements';

const BLOCKED = defineStatement(
  'blocked_transactions',
  `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

/** Resolves once a transaction of this database waits for a lock of another one; rejects when none does within 10 s. */
export async function waitUntilBlocked(database: Database): Promise<void> {
  for (let checks = 0; checks < 1_000; checks += 1) {
    if ((await database.readSystem((reader) => reader.query(BLOCKED, []))).length > 0) return;
    await pause(10);
  }
  throw new Error('no transaction waits for a lock');
}

/** A promise that its holder resolves. */
interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function createDeferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
