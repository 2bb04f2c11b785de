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
import { isCertainlyUndone } from './sql-error.js';
import type { Statement } from './statement.js';

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
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { client, queryRunner } = borrowed;
  const transaction = new OpenTransaction(borrowed, options, await begin(client, options));
  let result: T;
  try {
    markActive(queryRunner, true);
    result = await work(transaction);
    transaction.end();
  } catch (error) {
    transaction.end();
    await rollback(borrowed);
    throw error;
  } finally {
    markActive(queryRunner, false);
  }
  await commit(borrowed);
  for (const [channel, payload] of transaction.hints) options.hint(channel, payload);
  return result;
}

/** A read-only view of one scope on a borrowed connection; each statement sees what is committed when it starts. */
export class ScopedReader implements Reader {
  constructor(
    protected readonly client: pg.Client,
    readonly scope: Scope,
    protected readonly secrets: StoreSecrets,
  ) {}

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.client.query<Row & pg.QueryResultRow>({ ...statement, values: [...values] });
    return rows;
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
  #isOpen = true;

  constructor(borrowed: Borrowed, options: TransactionOptions, times: Times) {
    super(borrowed.client, options.scope, options.secrets);
    this.#draws = options.draws;
    this.manager = borrowed.queryRunner.manager;
    this.databaseNow = times.databaseNow;
    this.now = times.now;
    this.isClockStanding = times.isClockStanding;
  }

  override query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(this.#isOpen, `the transaction of ${statement.name} has ended`);
    return super.query(statement, values);
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

interface Times {
  readonly databaseNow: Date;
  readonly now: Date;
  readonly isClockStanding: boolean;
}

/**
 * BEGIN, the time limits, the account's clock and the database's, in one round trip. The clock row comes first of all
 * locks; the database's time is read after it, because an advance may have made us wait.
 */
async function begin(client: pg.Client, options: TransactionOptions): Promise<Times> {
  const { scope, statementMs, lockMs, clockLock } = options;
  // The text is built, not parameterised, because parameters do not go with several statements: so it is proved first.
  assert(isId('account', scope.accountId), `not an account id: ${scope.accountId}`);
  assert(ENVIRONMENTS.includes(scope.environment), 'not an environment');
  const answers: unknown = await client.query(
    `begin isolation level read committed;
     set local statement_timeout = ${Math.ceil(statementMs)};
     set local idle_in_transaction_session_timeout = ${Math.ceil(statementMs)};
     set local lock_timeout = ${Math.ceil(lockMs)};
     select offset_ms, standing_at from sandbox_clocks
       where account_id = '${scope.accountId}' and environment = '${scope.environment}' for ${clockLock};
     select date_trunc('milliseconds', clock_timestamp()) as database_now`,
  );
  const [clock] = rowsOf<ClockRow>(answers, 4);
  const [time] = rowsOf<{ database_now: Date }>(answers, 5);
  assert(time !== undefined, 'the database told no time');
  const { database_now: databaseNow } = time;
  const standingAt = clock?.standing_at ?? null;
  const now = standingAt ?? new Date(databaseNow.getTime() + (clock?.offset_ms ?? 0));
  return { databaseNow, now, isClockStanding: standingAt !== null };
}

/** pg types one result; for several statements it returns a list of them. */
function rowsOf<Row>(answers: unknown, index: number): Row[] {
  assert(Array.isArray(answers), 'several statements give several results');
  const results = answers as readonly { readonly rows: Row[] }[];
  return results[index]?.rows ?? [];
}

async function rollback(borrowed: Borrowed): Promise<void> {
  if (borrowed.isExpired) return;
  // A connection whose rollback failed may still hold the transaction: it must not serve another caller.
  await borrowed.client.query('rollback').catch(() => borrowed.drop());
}

async function commit(borrowed: Borrowed): Promise<void> {
  let command: string;
  borrowed.commitComing();
  try {
    ({ command } = await borrowed.client.query('commit'));
  } catch (error) {
    if (isCertainlyUndone(error)) throw error;
    borrowed.drop();
    const unknown = new Refusal('commit_unknown', 'the database did not say whether the change was stored');
    unknown.cause = error;
    throw unknown;
  }
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
  assert(command === 'COMMIT', 'the work went on after a statement had failed, so nothing was stored');
}

/** TypeORM refuses locks outside what it takes for a transaction, and it did not begin this one. */
function markActive(queryRunner: QueryRunner, isActive: boolean): void {
  Object.assign(queryRunner, { isTransactionActive: isActive });
}
