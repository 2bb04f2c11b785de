import type { Alarm } from '@pos/core/operators';
import type { IdKind, IdOf, Scope } from '@pos/core/identity';
import type { Partners } from '@pos/core/accounts';
import type { EntityManager } from 'typeorm';
import type { RandomSource } from './random-source.js';
import type { DatabaseClock } from '@pos/postgres/transactions';
import type { SealContext } from '../crypto/sealing.js';
import type { QueueableStatement, Statement } from '@pos/postgres/statements';
import type { ClockLock } from './transaction-begin.js';

/** The subject of a possible change. A hint can get lost, so listeners also poll. */
export type HintChannel = 'machines' | 'lanes' | 'timers' | 'journeys' | 'clock' | 'orders' | 'epos';

/** The secrets that protect data in the service's own database. */
export interface StoreSecrets {
  /** 32 bytes; seals data that must be read back. */
  readonly encryptionKey: Uint8Array;
  /** While the key is replaced: opens, and never seals. */
  readonly acceptedEncryptionKey?: Uint8Array | null;
  /** The key of the hashes of data that must only be recognised. */
  readonly pepper: string | Uint8Array;
  /** While the pepper is replaced: values that were hashed with it are recognised, too. */
  readonly acceptedPepper?: string | Uint8Array | null;
}

/** Reads in one scope: named statements on one connection. */
export interface Reader {
  readonly scope: Scope;
  /** Several queries that are sent together, by `Promise.all`, leave in one write. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs TypeORM on the reader's own connection, after everything that was sent or queued before. The work must be
   * awaited before the next query. Each of its statements is a round trip; for what is administered or listed (0071).
   * The label names them in traces, such as `typeorm_select_alarms`.
   */
  runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T>;
  /** The text of bytes that were sealed for this place of the scope. */
  open(context: SealContext, bytes: Buffer): string;
  /** The keyed hash under which a key or client secret is stored. */
  hash(text: string): Buffer;
  /** All keyed hashes under which it may be stored: one, and while the pepper is replaced two, `hash` first. */
  hashes(text: string): readonly Buffer[];
}

/** Reads that all see the same state: a change that is committed between two of them is visible in neither. */
export interface SnapshotReader extends Reader {
  /** Distinguishes it from readers whose statements each see what is committed when they start. */
  readonly isSnapshot: true;
}

/**
 * Reads on which a change depends. `isLocking`: they lock rows until the change is made; otherwise its writes prove
 * them.
 */
export interface DecisionReader extends Reader {
  readonly isLocking: boolean;
}

/** An open transaction of one scope. The code that opened it commits it; it cannot be used afterwards. */
export interface Tx extends DecisionReader {
  /** The partners of the request, as they are stored with the rows that it creates. */
  readonly partners: Partners;
  /** The database's clock when the transaction began, to the millisecond: leases, due times, deadlines. Never moved. */
  readonly databaseNow: Date;
  /** The account's time, to the millisecond: every business timestamp. In a sandbox it can be advanced. */
  readonly now: Date;
  /** A seeded sandbox: its time moves only when it is advanced or real time reaches a deadline. */
  readonly isClockFrozen: boolean;
  /**
   * Sends a change together with the next query, at the latest with the COMMIT, so that it costs no round trip of
   * its own. Its failure fails the next query, and undoes the transaction. `onRows` receives its rows when they
   * arrive.
   */
  enqueue(statement: QueueableStatement, values: readonly unknown[], onRows?: (rows: readonly unknown[]) => void): void;
  /**
   * Sends a change with the COMMIT, after everything else. For a row that many transactions of an account change: it
   * is locked only while the COMMIT lasts, and nothing of the account is locked after it.
   */
  enqueueAtCommit(statement: Statement, values: readonly unknown[]): void;
  /**
   * The COMMIT does not wait until its changes are on disk, nor for a standby. A failure of the database may undo
   * them, but none that was committed before them, and they are on disk as soon as a later COMMIT has waited. Only
   * for changes that a stored timer repeats (ADR 0117).
   */
  commitWithoutFlush(): void;
  /** Sends the queued changes. Only for callers that have to find out here whether one failed. */
  flush(): Promise<void>;
  newId<K extends IdKind>(kind: K): Promise<IdOf<K>>;
  newUuid(): Promise<string>;
  /** Bytes that cannot be guessed; with a seed, the same ones for the same sequence of draws. */
  randomBytes(kind: string, length: number): Promise<Uint8Array>;
  /** Notifies listeners after the commit, and only then. */
  hint(channel: HintChannel, payload?: string): void;
  /** Reports an alarm that this transaction has written, after the commit and only then. */
  reportAlarm(alarm: RaisedAlarm): void;
  /** Bytes that open at this place of the scope only. */
  seal(context: SealContext, text: string): Buffer;
}

/** An alarm whose row was written. */
export type RaisedAlarm = Omit<Alarm, 'answer'>;

/** Takes an alarm once its row is committed, once for each row. */
export type AlarmReporter = (scope: Scope, alarm: RaisedAlarm) => void;

/** What every transaction of a store needs beside its connection. */
export interface TransactionOptions {
  readonly scope: Scope;
  readonly partners: Partners;
  readonly secrets: StoreSecrets;
  readonly random: RandomSource;
  readonly clockLock: ClockLock;
  /** For transactions that do not query the time themselves. */
  readonly databaseClock: DatabaseClock;
  readonly hint: (channel: HintChannel, payload: string) => void;
  readonly reportAlarm: AlarmReporter;
}
