import { assert } from '@pos/core/assert';
import { Refusal } from '@pos/core/refusal';
import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { allOf, rowsOf } from './answers.js';
import type { Borrowed } from './connection.js';
import { Drawing } from './drawing.js';
import type { Waiting } from './fused.js';
import { rollback } from './rollback.js';
import { isCertainlyUndone, sqlState } from './sql-error.js';
import type { Statement } from './statement.js';
import { begin, type Times } from './transaction-begin.js';
import type { TransactionOptions, Tx } from './transaction.js';
import { askTogether, type Question } from './wire.js';

/** Runs the work between BEGIN and COMMIT. A COMMIT without an answer is refused with `commit_unknown`. */
export async function inTransaction<T>(
  borrowed: Borrowed,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T> | T,
): Promise<T> {
  const { client, queryRunner } = borrowed;
  // BEGIN may have succeeded before what failed behind it, the clock's lock for one.
  const times = await begin(client, options.scope, options.clockLock).catch(async (error: unknown) => {
    await rollback(borrowed);
    throw error;
  });
  const transaction = new OpenTransaction(borrowed, options, times);
  let result: T;
  let unsent: readonly Waiting[] = [];
  try {
    markActive(queryRunner, true);
    result = await work(transaction);
    transaction.end();
    unsent = transaction.unsent();
  } catch (error) {
    transaction.end();
    await rollback(borrowed);
    throw error;
  } finally {
    markActive(queryRunner, false);
  }
  await commit(borrowed, unsent);
  transaction.publish();
  return result;
}

class OpenTransaction extends Drawing implements Tx {
  override readonly locks = true;
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockStanding: boolean;
  readonly manager: EntityManager;
  readonly #waiting: Waiting[] = [];
  readonly #last: Waiting[] = [];
  #failed: { readonly error: unknown } | null = null;
  #isOpen = true;

  constructor(borrowed: Borrowed, options: TransactionOptions, times: Times) {
    super(borrowed.client, options);
    this.manager = borrowed.queryRunner.manager;
    this.databaseNow = times.databaseNow;
    this.now = times.now;
    this.isClockStanding = times.isClockStanding;
  }

  override async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    return rowsOf<Row>((await this.#ask([{ statement, values }])).at(-1));
  }

  later(statement: Statement, values: readonly unknown[], heard?: (rows: readonly unknown[]) => void): void {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    this.#waiting.push({ statement, values, heard });
  }

  last(statement: Statement, values: readonly unknown[]): void {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    this.#last.push({ statement, values, heard: undefined });
  }

  async settle(): Promise<void> {
    await this.#ask([]);
  }

  /** Asks behind what waits. Of several that were asked at once each tells the first failure, which made the others fail. */
  async #ask(questions: readonly Question[]): Promise<pg.QueryResult[]> {
    const waiting = this.waiting();
    const asked = askTogether(this.client, [...waiting, ...questions]);
    for (const answer of asked) answer.catch((error: unknown) => (this.#failed ??= { error }));
    try {
      const answers = await allOf(asked);
      waiting.forEach(({ heard }, at) => heard?.(rowsOf(answers[at])));
      return answers;
    } catch (error) {
      throw this.#failed?.error ?? error;
    }
  }

  /** What has not been sent; whoever takes it sends it. */
  waiting(): readonly Waiting[] {
    return this.#waiting.splice(0);
  }

  /** What leaves with the COMMIT. */
  unsent(): readonly Waiting[] {
    return [...this.waiting(), ...this.#last];
  }

  end(): void {
    this.#isOpen = false;
  }
}

function hear(waiting: readonly Waiting[], settled: readonly PromiseSettledResult<pg.QueryResult>[]): void {
  waiting.forEach(({ heard }, at) => {
    const answer = settled[at];
    if (answer?.status === 'fulfilled') heard?.(rowsOf(answer.value));
  });
}

/** What still waits goes out with the COMMIT. A statement that failed has undone the transaction, whatever came of COMMIT. */
async function commit(borrowed: Borrowed, waiting: readonly Waiting[]): Promise<void> {
  const asked = await sentOrUndone(borrowed, [...waiting, { statement: COMMIT }]);
  const settled = await Promise.allSettled(asked);
  const failed = settled.findIndex(({ status }) => status === 'rejected');
  if (failed === -1) {
    hear(waiting, settled);
    const last = settled.at(-1);
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
    const isCommitted = last?.status === 'fulfilled' && last.value.command === 'COMMIT';
    assert(isCommitted, 'the work went on after a statement had failed, so nothing was stored');
    return;
  }
  const error: unknown = settled[failed]?.status === 'rejected' ? settled[failed].reason : undefined;
  const isAnswered = failed < waiting.length && sqlState(error) !== null;
  if (isAnswered || isCertainlyUndone(error)) throw error;
  borrowed.drop();
  const unknown = new Refusal('commit_unknown', 'the database did not say whether the change was stored');
  unknown.cause = error;
  throw unknown;
}

const COMMIT = { text: 'commit' };

async function sentOrUndone(borrowed: Borrowed, questions: readonly Question[]): Promise<Promise<pg.QueryResult>[]> {
  try {
    borrowed.commitComing();
    return askTogether(borrowed.client, questions);
  } catch (error) {
    await rollback(borrowed);
    throw error;
  }
}

/** TypeORM refuses locks outside what it takes for a transaction, and it did not begin this one. */
function markActive(queryRunner: QueryRunner, isActive: boolean): void {
  Object.assign(queryRunner, { isTransactionActive: isActive });
}
