import { assert } from '@pos/core/assert';
import type { IdKind, IdOf, Scope } from '@pos/core/identity';
import { ENVIRONMENTS, isId } from '@pos/core/identity';
import { newId, uuidFrom } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusal';
import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import type { Borrowed } from './connection.js';
import type { Draws } from './draws.js';
import { hashKey } from '@pos/core/ids';
import { open, seal } from './sealing.js';
import type { HintChannel } from './signals.js';
import { isCertainlyUndone, sqlState } from './sql-error.js';
import { type Statement, statement } from './statement.js';
import { askTogether, type Question } from './wire.js';

/** What the service keeps secret from its own database. */
export interface StoreSecrets {
  /** 32 bytes; seals what must be read back. */
  readonly encryptionKey: Uint8Array;
  /** Keys the hashes of what must only be recognised. */
  readonly pepper: string | Uint8Array;
}

/** Reads in one scope: named statements on one connection. */
export interface Reader {
  readonly scope: Scope;
  /** Several that are asked at once, by `Promise.all`, leave in one write. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** The text of bytes sealed in this scope. */
  open(bytes: Buffer): string;
  /** The keyed hash under which a key or client secret is stored. */
  hash(text: string): Buffer;
}

/** An open transaction of one scope. Whoever opened it commits it; it is useless afterwards. */
export interface Tx extends Reader {
  /** The database's clock when the transaction began, to the millisecond: leases, due times, deadlines. Never moved. */
  readonly databaseNow: Date;
  /** The account's time, to the millisecond: every business timestamp. In a sandbox it can be advanced. */
  readonly now: Date;
  /** A seeded sandbox: its time moves only when it is advanced or real time reaches a deadline. */
  readonly isClockStanding: boolean;
  /**
   * Makes a change together with whatever is asked next, at the latest with the COMMIT, so that it costs no round trip of
   * its own. Its failure fails what is asked next, and undoes the transaction. `heard` gets its rows, when they are there.
   */
  later(statement: Statement, values: readonly unknown[], heard?: (rows: readonly unknown[]) => void): void;
  /**
   * Makes a change with the COMMIT, behind everything else. For a row that many transactions of an account change: it is
   * locked while the COMMIT lasts, and nothing of the account is locked after it.
   */
  last(statement: Statement, values: readonly unknown[]): void;
  /** Sends what waits. Only for who has to know here whether it failed. */
  settle(): Promise<void>;
  newId<K extends IdKind>(kind: K): Promise<IdOf<K>>;
  newUuid(): Promise<string>;
  /** Bytes nobody can guess; with a seed, the same ones for the same sequence of draws. */
  draw(kind: string, length: number): Promise<Uint8Array>;
  /** Tells listeners to look, after the commit and only then. */
  hint(channel: HintChannel, payload?: string): void;
  seal(text: string): Buffer;
  /** TypeORM inside this transaction. */
  readonly manager: EntityManager;
}

interface ClockRow {
  readonly offset_ms: number;
  readonly standing_at: Date | null;
}

/** What every transaction of a store needs beside its connection. */
export interface TransactionOptions {
  readonly scope: Scope;
  readonly secrets: StoreSecrets;
  readonly draws: Draws;
  readonly statementMs: number;
  readonly lockMs: number;
  /** Everybody shares the clock; who moves it has it alone. */
  readonly clockLock: 'share' | 'update';
  readonly hint: (channel: HintChannel, payload: string) => void;
}

/** Runs the work between BEGIN and COMMIT. A COMMIT without an answer is refused with `commit_unknown`. */
export async function inTransaction<T>(
  borrowed: Borrowed,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T> | T,
): Promise<T> {
  const { client, queryRunner } = borrowed;
  // BEGIN may have succeeded before what failed behind it, the clock's lock for one.
  const times = await begin(client, options).catch(async (error: unknown) => {
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
  for (const [channel, payload] of transaction.hints) options.hint(channel, payload);
  return result;
}

/** A read-only view of one scope on a borrowed connection; each statement sees what is committed when it starts. */
export class ScopedReader implements Reader {
  #isOver = false;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    protected readonly client: pg.Client,
    readonly scope: Scope,
    protected readonly secrets: StoreSecrets,
  ) {}

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(!this.#isOver, `the reading of ${statement.name} has ended`);
    const [answer] = askTogether(this.client, [{ statement, values }]);
    if (answer === undefined) return [];
    this.#underWay.add(answer);
    try {
      return rowsOf(await answer);
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /** Lets nothing more be asked, and what is under way end: the connection is somebody else's next. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#underWay);
  }

  open(bytes: Buffer): string {
    return open(this.secrets.encryptionKey, this.scope, bytes);
  }

  hash(text: string): Buffer {
    return hashKey(this.secrets.pepper, text);
  }
}

class OpenTransaction extends ScopedReader implements Tx {
  readonly hints: (readonly [HintChannel, string])[] = [];
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockStanding: boolean;
  readonly manager: EntityManager;
  readonly #draws: Draws;
  readonly #waiting: Waiting[] = [];
  readonly #last: Waiting[] = [];
  #failed: { readonly error: unknown } | null = null;
  #isOpen = true;

  constructor(borrowed: Borrowed, options: TransactionOptions, times: Times) {
    super(borrowed.client, options.scope, options.secrets);
    this.#draws = options.draws;
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

  async newId<K extends IdKind>(kind: K): Promise<IdOf<K>> {
    return newId(kind, this.scope.environment, await this.#draws.idBytes(this.scope, kind, this.databaseNow));
  }

  async newUuid(): Promise<string> {
    return uuidFrom(await this.draw('uuid', 16));
  }

  draw(kind: string, length: number): Promise<Uint8Array> {
    return this.#draws.bytes(this.scope, kind, length);
  }

  hint(channel: HintChannel, payload = ''): void {
    this.hints.push([channel, payload]);
  }

  seal(text: string): Buffer {
    return seal(this.secrets.encryptionKey, this.scope, text);
  }

  end(): void {
    this.#isOpen = false;
  }
}

interface Waiting {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly heard: ((rows: readonly unknown[]) => void) | undefined;
}

function hear(waiting: readonly Waiting[], settled: readonly PromiseSettledResult<pg.QueryResult>[]): void {
  waiting.forEach(({ heard }, at) => {
    const answer = settled[at];
    if (answer?.status === 'fulfilled') heard?.(rowsOf(answer.value));
  });
}

interface Times {
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockStanding: boolean;
}

const CLOCKS = {
  share: clockStatement('share'),
  update: clockStatement('update'),
};
const TIME = statement('transaction_time', `select date_trunc('milliseconds', clock_timestamp()) as database_now`);

function clockStatement(strength: TransactionOptions['clockLock']): Statement {
  return statement(
    `transaction_clock_${strength}`,
    `select offset_ms, standing_at from sandbox_clocks where account_id = $1 and environment = $2 for ${strength}`,
  );
}

/**
 * BEGIN, the time limits, the account's clock and the database's, in one round trip. The clock row comes first of all
 * locks; the database's time is read after it, because an advance may have made us wait.
 */
async function begin(client: pg.Client, options: TransactionOptions): Promise<Times> {
  const { scope, statementMs, lockMs, clockLock } = options;
  assert(isId('account', scope.accountId), `not an account id: ${scope.accountId}`);
  assert(ENVIRONMENTS.includes(scope.environment), 'not an environment');
  const text = `begin isolation level read committed;
     set local statement_timeout = ${Math.ceil(statementMs)};
     set local idle_in_transaction_session_timeout = ${Math.ceil(statementMs)};
     set local lock_timeout = ${Math.ceil(lockMs)}`;
  const [, clocks, times] = await allOf(
    askTogether(client, [
      { statement: { text } },
      { statement: CLOCKS[clockLock], values: [scope.accountId, scope.environment] },
      { statement: TIME },
    ]),
  );
  const [clock] = rowsOf<ClockRow>(clocks);
  const [time] = rowsOf<{ database_now: Date }>(times);
  assert(time !== undefined, 'the database told no time');
  const { database_now: databaseNow } = time;
  const standingAt = clock?.standing_at ?? null;
  const now = standingAt ?? new Date(databaseNow.getTime() + (clock?.offset_ms ?? 0));
  return { databaseNow, now, isClockStanding: standingAt !== null };
}

/** Waits for all, so that nothing is under way behind a failure, and throws the first one. */
async function allOf(answers: readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const settled = await Promise.allSettled(answers);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** The rows of an answer, typed by who wrote the statement. */
export function rowsOf<Row>(answer: pg.QueryResult | undefined): Row[] {
  return (answer?.rows ?? []) as Row[];
}

async function rollback(borrowed: Borrowed): Promise<void> {
  if (borrowed.isExpired) return;
  // A connection whose rollback failed may still hold the transaction: it must not serve another caller.
  await borrowed.client.query('rollback').catch(() => borrowed.drop());
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
