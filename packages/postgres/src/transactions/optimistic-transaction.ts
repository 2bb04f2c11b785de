import { assert, Refusal, requireValue } from '@pos/core/refusals';
import type { PooledConnection } from '../connections/pooled-connection.js';
import { combineStatements, type QueuedStatement } from '../statements/combined-statement.js';
import { pipeline } from '../statements/pipeline.js';
import { awaitAll, getRows } from '../statements/query-results.js';
import { isDeadlock, isStatementRejected, isVersionConflict } from '../statements/sql-errors.js';
import { defineStatement, type QueueableStatement } from '../statements/statement.js';
import type { DatabaseClock } from './database-clock.js';
import { COMMIT_WITHOUT_FLUSH, type OpenTransaction } from './open-transaction.js';
import { runReads, type StatementReader } from './statement-reader.js';

/** Work without locks: its reads, and its decision, which gets the time of the database. */
export interface OptimisticSteps<Found, T> {
  readonly read: (reader: StatementReader) => Promise<Found>;
  readonly decide: (transaction: OpenTransaction, found: Found, databaseNow: Date) => Promise<T> | T;
  /** The result of an earlier `read`, if there is one; then `read` is not called. */
  readonly known?: Found;
}

/** The work needs something that only a transaction with locks has. */
export class LocksRequiredError extends Error {
  override readonly name = 'NeedsLocks';
}

const DATABASE_TIME = defineStatement(
  'read_for_decision',
  `select date_trunc('milliseconds', clock_timestamp()) as database_now`,
);

/**
 * Reads, decides, and writes everything with one statement, without a lock in between. The writes prove what was
 * read: each names the version that it depends on, or a unique index refuses it. Returns null, with nothing written,
 * if another transaction changed the rows or caused a deadlock, or if the work needs more than this. The work is
 * then repeated under locks (ADR 0042).
 */
export async function runOptimisticTransaction<Found, T>(
  connection: PooledConnection,
  databaseClock: DatabaseClock,
  steps: OptimisticSteps<Found, T>,
): Promise<{ readonly value: T } | null> {
  try {
    const { databaseNow, found } = await readForDecision(connection, databaseClock, steps);
    const transaction = new OptimisticTransaction();
    const value = await steps.decide(transaction, found, databaseNow);
    const changes = transaction.takeChanges();
    if (changes.length > 0) await writeChanges(connection, changes, transaction.isFlushed);
    return { value };
  } catch (error) {
    // One statement locks its rows in its own order, which may differ from that of work under locks.
    if (error instanceof LocksRequiredError || isVersionConflict(error) || isDeadlock(error)) return null;
    throw error;
  }
}

async function readForDecision<Found, T>(
  connection: PooledConnection,
  databaseClock: DatabaseClock,
  steps: OptimisticSteps<Found, T>,
): Promise<{ readonly databaseNow: Date; readonly found: Found }> {
  const received = databaseClock.now();
  const requestedAtMs = databaseClock.readMonotonic();
  const asked = received === null ? pipeline(connection.client, [{ statement: DATABASE_TIME }]) : [];
  return runReads(connection, async (reader) => {
    const pendingRead = 'known' in steps ? Promise.resolve(steps.known) : steps.read(reader);
    const [results, found] = await awaitBoth(awaitAll(asked), pendingRead);
    const [timeRow] = getRows<{ database_now: Date }>(results[0]);
    if (timeRow !== undefined) databaseClock.receive(timeRow.database_now, requestedAtMs);
    // The time that was received before may have become too old during the reads: then it is used unchanged.
    const latest = databaseClock.now() ?? timeRow?.database_now ?? received;
    return { databaseNow: requireValue(latest, 'the time of the database'), found };
  });
}

/** Waits for both, so that nothing is still running after a failure. */
async function awaitBoth<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === 'rejected') throw one.reason;
  if (other.status === 'rejected') throw other.reason;
  return [one.value, other.value];
}

/** The batch commits itself: without an answer its result is unknown. */
async function writeChanges(
  connection: PooledConnection,
  changes: readonly QueuedStatement<QueueableStatement>[],
  isFlushed: boolean,
): Promise<void> {
  const combined = combineStatements(changes);
  if (combined === null) throw new LocksRequiredError();
  connection.markCommitting();
  const setting = isFlushed ? [] : [{ statement: COMMIT_WITHOUT_FLUSH }];
  const asked = pipeline(connection.client, [...setting, combined.statement]);
  try {
    const results = await awaitAll(asked);
    combined.deliverRows(getRows(results.at(-1)));
  } catch (error) {
    if (isStatementRejected(error)) throw error;
    connection.destroy();
    const unknown = new Refusal('commit_unknown', 'the database did not say whether the change was stored');
    unknown.cause = error;
    throw unknown;
  }
}

/** Takes changes and offers everything that needs no lock; anything else throws `LocksRequiredError`. */
class OptimisticTransaction implements OpenTransaction {
  readonly isLocking = false;
  readonly #changes: QueuedStatement<QueueableStatement>[] = [];
  #isOpen = true;
  #isFlushed = true;

  query<Row>(): Promise<Row[]> {
    return Promise.reject(new LocksRequiredError());
  }

  runWithManager<T>(): Promise<T> {
    return Promise.reject(new LocksRequiredError());
  }

  enqueue(
    statement: QueueableStatement,
    values: readonly unknown[],
    onRows?: (rows: readonly unknown[]) => void,
  ): void {
    assert(this.#isOpen, `the work of ${statement.name} has ended`);
    this.#changes.push({ statement, values, onRows });
  }

  enqueueAtCommit(): void {
    throw new LocksRequiredError();
  }

  commitWithoutFlush(): void {
    this.#isFlushed = false;
  }

  get isFlushed(): boolean {
    return this.#isFlushed;
  }

  flush(): Promise<void> {
    return Promise.reject(new LocksRequiredError());
  }

  takeChanges(): readonly QueuedStatement<QueueableStatement>[] {
    this.#isOpen = false;
    return this.#changes;
  }
}
