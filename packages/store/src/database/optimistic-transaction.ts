import { assert, Refusal, requireValue } from '@pos/core/refusals';
import { awaitAll, getRows } from '../postgres/query-results.js';
import type { PooledConnection } from '../postgres/pooled-connection.js';
import { BaseTransaction } from './base-transaction.js';
import { combineStatements, type QueuedStatement } from '../postgres/combined-statement.js';
import { ScopedReader } from './scoped-reader.js';
import { isStatementRejected, isVersionConflict, isDeadlock } from '../postgres/sql-errors.js';
import { type Statement, defineStatement } from '../postgres/statement.js';
import { COMMIT_WITHOUT_FLUSH, requireScope } from './transaction-begin.js';
import type { DecisionReader, TransactionOptions, Tx } from './transaction.js';
import { pipeline } from '../postgres/pipeline.js';

/** Work without locks: its reads, and its decision. */
export interface OptimisticWork<Found, T> {
  readonly read: (pendingRead: DecisionReader) => Promise<Found>;
  readonly decide: (tx: Tx, found: Found) => Promise<T> | T;
  /** The result of an earlier `read`, if there is one; then `read` is not called. */
  readonly known?: Found;
}

/** The work needs something that only a transaction with locks has. */
class LocksRequiredError extends Error {
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
  options: TransactionOptions,
  work: OptimisticWork<Found, T>,
): Promise<{ readonly value: T } | null> {
  requireScope(options.scope);
  try {
    const { databaseNow, found } = await readForDecision(connection, options, work);
    const tx = new OptimisticTransaction(connection, options, databaseNow);
    const value = await work.decide(tx, found);
    const changes = tx.takeChanges();
    if (changes.length > 0) await writeChanges(connection, changes, tx.isFlushed);
    tx.publishAfterCommit();
    return { value };
  } catch (error) {
    // One statement locks its rows in its own order, which may differ from that of work under locks.
    if (error instanceof LocksRequiredError || isVersionConflict(error) || isDeadlock(error)) return null;
    throw error;
  }
}

async function readForDecision<Found, T>(
  connection: PooledConnection,
  { scope, secrets, databaseClock }: TransactionOptions,
  work: OptimisticWork<Found, T>,
): Promise<{ readonly databaseNow: Date; readonly found: Found }> {
  const { client } = connection;
  const received = databaseClock.now();
  const requestedAtMs = databaseClock.readMonotonic();
  const asked = received === null ? pipeline(client, [{ statement: DATABASE_TIME }]) : [];
  const reader = new ScopedReader(connection, scope, secrets);
  try {
    const pendingRead = 'known' in work ? Promise.resolve(work.known) : work.read(reader);
    const [results, found] = await awaitBoth(awaitAll(asked), pendingRead);
    const [timeRow] = getRows<{ database_now: Date }>(results[0]);
    if (timeRow !== undefined) databaseClock.receive(timeRow.database_now, requestedAtMs);
    // The time that was received before may have become too old during the reads: then it is used unchanged.
    const latest = databaseClock.now() ?? timeRow?.database_now ?? received;
    return { databaseNow: requireValue(latest, 'the time of the database'), found };
  } finally {
    await reader.close();
  }
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
  changes: readonly QueuedStatement[],
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
class OptimisticTransaction extends BaseTransaction implements Tx {
  override readonly isLocking = false;
  readonly #changes: QueuedStatement[] = [];
  #isOpen = true;
  #isFlushed = true;

  constructor(
    connection: PooledConnection,
    options: TransactionOptions,
    readonly databaseNow: Date,
  ) {
    super(connection, options);
  }

  get now(): Date {
    throw new LocksRequiredError();
  }

  get isClockFrozen(): boolean {
    throw new LocksRequiredError();
  }

  override query<Row>(): Promise<Row[]> {
    return Promise.reject(new LocksRequiredError());
  }

  override runWithManager<T>(): Promise<T> {
    return Promise.reject(new LocksRequiredError());
  }

  enqueue(asked: Statement, values: readonly unknown[], received?: (rows: readonly unknown[]) => void): void {
    assert(this.#isOpen, `the work of ${asked.name} has ended`);
    this.#changes.push({ statement: asked, values, onRows: received });
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

  takeChanges(): readonly QueuedStatement[] {
    this.#isOpen = false;
    return this.#changes;
  }
}
