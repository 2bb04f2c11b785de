import { assert, required } from '@pos/core/assert';
import { Refusal } from '@pos/core/refusal';
import type { EntityManager } from 'typeorm';
import { allOf, rowsOf } from './answers.js';
import type { Borrowed } from './connection.js';
import { Drawing } from './drawing.js';
import { fuse, type Waiting } from './fused.js';
import { ScopedReader } from './scoped-reader.js';
import { isCertainlyRefused, isChangedMeanwhile, isDeadlock } from './sql-error.js';
import { type Statement, statement } from './statement.js';
import { requireScope } from './transaction-begin.js';
import type { Looking, TransactionOptions, Tx } from './transaction.js';
import { askTogether } from './wire.js';

/** What is done without locks: what is read for it, and how it is decided. */
export interface GuardedWork<Found, T> {
  readonly look: (looking: Looking) => Promise<Found>;
  readonly decide: (tx: Tx, found: Found) => Promise<T> | T;
  /** What was found by `look` a while ago, if it was; then it is not looked again. */
  readonly seen?: Found;
}

/** The work asked for something that only a transaction with locks has. */
class NeedsLocks extends Error {
  override readonly name = 'NeedsLocks';
}

const TIME = statement('guarded_time', `select date_trunc('milliseconds', clock_timestamp()) as database_now`);

/**
 * Reads, decides, and writes all of it by one statement, with no lock held between. What was read is proved by the writes:
 * each names the version it goes by, or a unique index refuses it. Null, and nothing was written: somebody changed it
 * meanwhile or waited for it as we for his, or the work needs more than that; it is to be done again under locks (ADR 0042).
 */
export async function guarded<Found, T>(
  borrowed: Borrowed,
  options: TransactionOptions,
  work: GuardedWork<Found, T>,
): Promise<{ readonly value: T } | null> {
  requireScope(options.scope);
  try {
    const { databaseNow, found } = await looked(borrowed, options, work);
    const tx = new GuardedTransaction(borrowed, options, databaseNow);
    const value = await work.decide(tx, found);
    const changes = tx.end();
    if (changes.length > 0) await write(borrowed, changes);
    tx.publish();
    return { value };
  } catch (error) {
    // One statement locks its rows in an order of its own, which may be another than that of work under locks.
    if (error instanceof NeedsLocks || isChangedMeanwhile(error) || isDeadlock(error)) return null;
    throw error;
  }
}

async function looked<Found, T>(
  { client }: Borrowed,
  { scope, secrets, heardTime }: TransactionOptions,
  work: GuardedWork<Found, T>,
): Promise<{ readonly databaseNow: Date; readonly found: Found }> {
  const heard = heardTime.now();
  const askedAtMs = heardTime.ask();
  const asked = heard === null ? askTogether(client, [{ statement: TIME }]) : [];
  const reader = new ScopedReader(client, scope, secrets);
  try {
    const looking = 'seen' in work ? Promise.resolve(work.seen) : work.look(reader);
    const [answers, found] = await bothOf(allOf(asked), looking);
    const [told] = rowsOf<{ database_now: Date }>(answers[0]);
    if (told !== undefined) heardTime.hear(told.database_now, askedAtMs);
    // What was heard before may have grown old while we looked: then it is what it was.
    const known = heardTime.now() ?? told?.database_now ?? heard;
    return { databaseNow: required(known, 'the time of the database'), found };
  } finally {
    await reader.close();
  }
}

/** Waits for both, so that nothing is under way behind a failure. */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === 'rejected') throw one.reason;
  if (other.status === 'rejected') throw other.reason;
  return [one.value, other.value];
}

/** The statement commits itself: without an answer nobody knows whether it did. */
async function write(borrowed: Borrowed, changes: readonly Waiting[]): Promise<void> {
  const fused = fuse(changes);
  if (fused === null) throw new NeedsLocks();
  borrowed.commitComing();
  const asked = askTogether(borrowed.client, [fused.question]);
  try {
    const [answer] = await allOf(asked);
    fused.tell(rowsOf(answer));
  } catch (error) {
    if (isCertainlyRefused(error)) throw error;
    borrowed.drop();
    const unknown = new Refusal('commit_unknown', 'the database did not say whether the change was stored');
    unknown.cause = error;
    throw unknown;
  }
}

/** Takes changes, and gives everything that is not a lock; asked for more it says that locks are needed. */
class GuardedTransaction extends Drawing implements Tx {
  override readonly locks = false;
  readonly #changes: Waiting[] = [];
  #isOpen = true;

  constructor(
    borrowed: Borrowed,
    options: TransactionOptions,
    readonly databaseNow: Date,
  ) {
    super(borrowed.client, options);
  }

  get now(): Date {
    throw new NeedsLocks();
  }

  get isClockStanding(): boolean {
    throw new NeedsLocks();
  }

  get manager(): EntityManager {
    throw new NeedsLocks();
  }

  override query<Row>(): Promise<Row[]> {
    return Promise.reject(new NeedsLocks());
  }

  later(asked: Statement, values: readonly unknown[], heard?: (rows: readonly unknown[]) => void): void {
    assert(this.#isOpen, `the work of ${asked.name} has ended`);
    this.#changes.push({ statement: asked, values, heard });
  }

  last(): void {
    throw new NeedsLocks();
  }

  settle(): Promise<void> {
    return Promise.reject(new NeedsLocks());
  }

  end(): readonly Waiting[] {
    this.#isOpen = false;
    return this.#changes;
  }
}
