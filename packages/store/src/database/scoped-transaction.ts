import type { Partners } from '@pos/core/accounts';
import type { IdKind, IdOf } from '@pos/core/identity';
import { createId, formatUuid } from '@pos/core/ids';
import type { PooledConnection } from '@pos/postgres/connections';
import type { QueueableStatement, Statement } from '@pos/postgres/statements';
import {
  LocksRequiredError,
  type OpenTransaction,
  runOptimisticTransaction,
  runTransaction,
} from '@pos/postgres/transactions';
import { seal, type SealContext } from '../crypto/sealing.js';
import { getSealingKeys, ScopedReader } from './scoped-reader.js';
import type { DecisionReader, HintChannel, RaisedAlarm, TransactionOptions, Tx } from './transaction.js';
import { type ClockRow, lockClock, readTimes, requireScope, type TransactionTimes } from './transaction-begin.js';

/** Work without locks: its reads, and its decision. */
export interface OptimisticWork<Found, T> {
  readonly read: (pendingRead: DecisionReader) => Promise<Found>;
  readonly decide: (tx: Tx, found: Found) => Promise<T> | T;
  /** The result of an earlier `read`, if there is one; then `read` is not called. */
  readonly known?: Found;
}

/** Runs the work in a transaction of the scope, whose first lock is the clock's. */
export async function runScopedTransaction<T>(
  connection: PooledConnection,
  options: TransactionOptions,
  work: (tx: Tx) => Promise<T> | T,
): Promise<T> {
  const clock = lockClock(options.scope, options.clockLock);
  const { tx, result } = await runTransaction(connection, clock, async (transaction, rows: readonly ClockRow[]) => {
    const opened = new ScopedTransaction(transaction, options, readTimes(rows));
    return { tx: opened, result: await work(opened) };
  });
  tx.publishAfterCommit();
  return result;
}

/** Runs the work without locks; null, with nothing written, if it must be repeated under locks. */
export async function runOptimisticWork<Found, T>(
  connection: PooledConnection,
  options: TransactionOptions,
  work: OptimisticWork<Found, T>,
): Promise<{ readonly value: T } | null> {
  const { scope, secrets, databaseClock } = options;
  requireScope(scope);
  const outcome = await runOptimisticTransaction<Found, { readonly tx: ScopedTransaction; readonly value: T }>(
    connection,
    databaseClock,
    {
      ...work,
      read: (reader) => work.read(new ScopedReader(reader, scope, secrets)),
      decide: async (transaction, found, databaseNow) => {
        const tx = new ScopedTransaction(transaction, options, { databaseNow });
        return { tx, value: await work.decide(tx, found) };
      },
    },
  );
  if (outcome === null) return null;
  const { tx, value } = outcome.value;
  tx.publishAfterCommit();
  return { value };
}

/** A transaction of one scope: ids, secrets, the account's time, and the messages after the commit. */
class ScopedTransaction extends ScopedReader implements Tx {
  override readonly isLocking: boolean;
  readonly databaseNow: Date;
  readonly #transaction: OpenTransaction;
  readonly #options: TransactionOptions;
  readonly #times: { readonly databaseNow: Date } | TransactionTimes;
  readonly #hints: (readonly [HintChannel, string])[] = [];
  readonly #alarms: RaisedAlarm[] = [];

  /** Without the clock's lock only the database's time is given: asking for the account's requires locks. */
  constructor(
    transaction: OpenTransaction,
    options: TransactionOptions,
    times: { readonly databaseNow: Date } | TransactionTimes,
  ) {
    super(transaction, options.scope, options.secrets);
    this.#transaction = transaction;
    this.#options = options;
    this.#times = times;
    this.isLocking = transaction.isLocking;
    this.databaseNow = times.databaseNow;
  }

  get now(): Date {
    return this.#getTimes().now;
  }

  get isClockFrozen(): boolean {
    return this.#getTimes().isClockFrozen;
  }

  get partners(): Partners {
    return this.#options.partners;
  }

  enqueue(
    statement: QueueableStatement,
    values: readonly unknown[],
    onRows?: (rows: readonly unknown[]) => void,
  ): void {
    this.#transaction.enqueue(statement, values, onRows);
  }

  enqueueAtCommit(statement: Statement, values: readonly unknown[]): void {
    this.#transaction.enqueueAtCommit(statement, values);
  }

  commitWithoutFlush(): void {
    this.#transaction.commitWithoutFlush();
  }

  flush(): Promise<void> {
    return this.#transaction.flush();
  }

  async newId<K extends IdKind>(kind: K): Promise<IdOf<K>> {
    const { random } = this.#options;
    return createId(kind, this.scope.environment, await random.idBytes(this.scope, kind, this.databaseNow));
  }

  async newUuid(): Promise<string> {
    return formatUuid(await this.randomBytes('uuid', 16));
  }

  randomBytes(kind: string, length: number): Promise<Uint8Array> {
    return this.#options.random.bytes(this.scope, kind, length);
  }

  hint(channel: HintChannel, payload = ''): void {
    this.#hints.push([channel, payload]);
  }

  reportAlarm(alarm: RaisedAlarm): void {
    this.#alarms.push(alarm);
  }

  /** Sends the hints and reports the alarms. Call it after the commit. Never throws: the change is stored. */
  publishAfterCommit(): void {
    const { hint, reportAlarm } = this.#options;
    for (const [channel, payload] of this.#hints) hint(channel, payload);
    for (const alarm of this.#alarms) {
      try {
        reportAlarm(this.scope, alarm);
      } catch {
        // The row is the alarm; a log that fails must not make a stored change look like a failed one.
      }
    }
  }

  seal(context: SealContext, text: string): Buffer {
    return seal(getSealingKeys(this.secrets), { scope: this.scope, context }, text);
  }

  #getTimes(): TransactionTimes {
    if ('now' in this.#times) return this.#times;
    throw new LocksRequiredError();
  }
}
