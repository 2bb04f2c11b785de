import { assert, Refusal } from '@pos/core/refusals';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { PooledConnection } from '../connections/pooled-connection.js';
import type { QueuedStatement } from '../statements/combined-statement.js';
import { pipeline, type PipelinedStatement } from '../statements/pipeline.js';
import { awaitAll, getRows } from '../statements/query-results.js';
import { findSqlState, isCertainlyRolledBack } from '../statements/sql-errors.js';
import type { StatementResult } from '../statements/statement-batch.js';
import type { QueueableStatement, Statement } from '../statements/statement.js';
import { COMMIT_WITHOUT_FLUSH, type OpenTransaction } from './open-transaction.js';
import { rollBack } from './rollback.js';
import { StatementReader } from './statement-reader.js';

const BEGIN = { text: 'begin isolation level read committed' };

/**
 * Runs the work between BEGIN and COMMIT. The first statement leaves together with BEGIN, and the work receives its
 * rows; the time limits are the connection's. A COMMIT without an answer is refused with `commit_unknown`.
 */
export async function runTransaction<Row, T>(
  connection: PooledConnection,
  first: { readonly statement: Statement; readonly values: readonly unknown[] },
  work: (transaction: OpenTransaction, rows: readonly Row[]) => Promise<T> | T,
): Promise<T> {
  const { client, queryRunner } = connection;
  // BEGIN may have succeeded before the first statement failed.
  const begun = await awaitAll(pipeline(client, [{ statement: BEGIN }, first])).catch(async (error: unknown) => {
    await rollBack(connection);
    throw error;
  });
  const transaction = new LockingTransaction(connection);
  let result: T;
  let unsent: readonly QueuedStatement[] = [];
  try {
    markTransactionActive(queryRunner, true);
    result = await work(transaction, getRows<Row>(begun[1]));
    transaction.end();
    unsent = transaction.takeUnsent();
  } catch (error) {
    transaction.end();
    await rollBack(connection);
    throw error;
  } finally {
    markTransactionActive(queryRunner, false);
  }
  await commitTransaction(connection, unsent);
  return result;
}

class LockingTransaction extends StatementReader implements OpenTransaction {
  readonly isLocking = true;
  readonly #queued: QueuedStatement[] = [];
  readonly #queuedForCommit: QueuedStatement[] = [];
  #firstFailure: { readonly error: unknown } | null = null;
  #isOpen = true;

  override async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    return getRows<Row>((await this.#send([{ statement, values }])).at(-1));
  }

  /** The queued statements are sent first, as they are with a query. */
  override async runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    assert(this.#isOpen, `the transaction of ${label} has ended`);
    if (this.#queued.length > 0) await this.flush();
    try {
      return await super.runWithManager(label, work);
    } catch (error) {
      this.#firstFailure ??= { error };
      throw error;
    }
  }

  enqueue(
    statement: QueueableStatement,
    values: readonly unknown[],
    onRows?: (rows: readonly unknown[]) => void,
  ): void {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    this.#queued.push({ statement, values, onRows });
  }

  enqueueAtCommit(statement: Statement, values: readonly unknown[]): void {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    this.#queuedForCommit.push({ statement, values, onRows: undefined });
  }

  commitWithoutFlush(): void {
    this.enqueue(COMMIT_WITHOUT_FLUSH, []);
  }

  async flush(): Promise<void> {
    await this.#send([]);
  }

  /**
   * Sends statements after the queued ones. If several fail together, each returns the first failure, which caused
   * the others.
   */
  async #send(statements: readonly PipelinedStatement[]): Promise<StatementResult[]> {
    const waiting = this.takeQueued();
    const responses = pipeline(this.client, [...waiting, ...statements]);
    for (const response of responses) response.catch((error: unknown) => (this.#firstFailure ??= { error }));
    try {
      const results = await awaitAll(responses);
      waiting.forEach(({ onRows }, index) => onRows?.(getRows(results[index])));
      return results;
    } catch (error) {
      throw this.#firstFailure?.error ?? error;
    }
  }

  /** Returns the queued statements; the caller sends them. */
  takeQueued(): readonly QueuedStatement[] {
    return this.#queued.splice(0);
  }

  /** Returns the statements that are sent with the COMMIT. */
  takeUnsent(): readonly QueuedStatement[] {
    return [...this.takeQueued(), ...this.#queuedForCommit];
  }

  end(): void {
    this.#isOpen = false;
  }
}

function deliverRows(
  waiting: readonly QueuedStatement[],
  outcomes: readonly PromiseSettledResult<StatementResult>[],
): void {
  waiting.forEach(({ onRows }, index) => {
    const response = outcomes[index];
    if (response?.status === 'fulfilled') onRows?.(getRows(response.value));
  });
}

/**
 * Sends the queued statements with the COMMIT. A statement that failed has undone the transaction, regardless of the
 * answer to COMMIT.
 */
async function commitTransaction(connection: PooledConnection, waiting: readonly QueuedStatement[]): Promise<void> {
  const responses = await sendOrRollBack(connection, [...waiting, { statement: COMMIT }]);
  const outcomes = await Promise.allSettled(responses);
  const failed = outcomes.findIndex(({ status }) => status === 'rejected');
  if (failed === -1) {
    deliverRows(waiting, outcomes);
    const last = outcomes.at(-1);
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
    const isCommitted = last?.status === 'fulfilled' && last.value.command === 'COMMIT';
    assert(isCommitted, 'the work continued after a statement had failed, so nothing was stored');
    return;
  }
  const error: unknown = outcomes[failed]?.status === 'rejected' ? outcomes[failed].reason : undefined;
  const isAnswered = failed < waiting.length && findSqlState(error) !== null;
  if (isAnswered || isCertainlyRolledBack(error)) throw error;
  connection.destroy();
  const unknown = new Refusal('commit_unknown', 'the database did not say whether the change was stored');
  unknown.cause = error;
  throw unknown;
}

const COMMIT = { text: 'commit' };

async function sendOrRollBack(
  connection: PooledConnection,
  statements: readonly PipelinedStatement[],
): Promise<Promise<StatementResult>[]> {
  try {
    connection.markCommitting();
    return pipeline(connection.client, statements);
  } catch (error) {
    await rollBack(connection);
    throw error;
  }
}

/** TypeORM refuses locks outside of a transaction that it has begun itself, and it did not begin this one. */
function markTransactionActive(queryRunner: QueryRunner, isActive: boolean): void {
  Object.assign(queryRunner, { isTransactionActive: isActive });
}
