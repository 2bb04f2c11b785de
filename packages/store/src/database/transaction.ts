import type { Alarm } from '@pos/core/operators/alarm';
import type { IdKind, IdOf, Scope } from '@pos/core/identity/identity';
import type { Partners } from '@pos/core/accounts/partner-headers';
import type { EntityManager } from 'typeorm';
import type { RandomSource } from './random-source.js';
import type { DatabaseClock } from './database-clock.js';
import type { HintChannel } from '../postgres/notification-listener.js';
import type { SealContext } from '../crypto/sealing.js';
import type { Statement } from '../postgres/statement.js';
import type { ClockLock } from './transaction-begin.js';

/** What the service keeps secret from its own database. */
export interface StoreSecrets {
  /** 32 bytes; seals what must be read back. */
  readonly encryptionKey: Uint8Array;
  /** While the key is replaced: opens, and never seals. */
  readonly acceptedEncryptionKey?: Uint8Array | null;
  /** Keys the hashes of what must only be recognised. */
  readonly pepper: string | Uint8Array;
  /** While the pepper is replaced: what it has hashed is recognised, too. */
  readonly acceptedPepper?: string | Uint8Array | null;
}

/** Reads in one scope: named statements on one connection. */
export interface Reader {
  readonly scope: Scope;
  /** Several that are asked at once, by `Promise.all`, leave in one write. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** The text of bytes that were sealed for this place of the scope. */
  open(context: SealContext, bytes: Buffer): string;
  /** The keyed hash under which a key or client secret is stored. */
  hash(text: string): Buffer;
  /** All keyed hashes under which it may be stored: one, and while the pepper is replaced two, `hash` first. */
  hashes(text: string): readonly Buffer[];
}

/** Reads that all see the same moment: a change that is committed between two of them shows in neither. */
export interface SnapshotReader extends Reader {
  /** Tells it apart from readers whose statements each see what is committed when they start. */
  readonly isSnapshot: true;
}

/** Reads that a change is decided by. `locks`: rows may be, and then are, locked until it is made; otherwise its writes prove them. */
export interface DecisionReader extends Reader {
  readonly isLocking: boolean;
}

/** An open transaction of one scope. Whoever opened it commits it; it is useless afterwards. */
export interface Tx extends DecisionReader {
  /** Who asked for it, as it is stored with the rows that the request creates. */
  readonly partners: Partners;
  /** The database's clock when the transaction began, to the millisecond: leases, due times, deadlines. Never moved. */
  readonly databaseNow: Date;
  /** The account's time, to the millisecond: every business timestamp. In a sandbox it can be advanced. */
  readonly now: Date;
  /** A seeded sandbox: its time moves only when it is advanced or real time reaches a deadline. */
  readonly isClockFrozen: boolean;
  /**
   * Makes a change together with whatever is asked next, at the latest with the COMMIT, so that it costs no round trip of
   * its own. Its failure fails what is asked next, and undoes the transaction. `heard` gets its rows, when they are there.
   */
  enqueue(statement: Statement, values: readonly unknown[], onRows?: (rows: readonly unknown[]) => void): void;
  /**
   * Makes a change with the COMMIT, behind everything else. For a row that many transactions of an account change: it is
   * locked while the COMMIT lasts, and nothing of the account is locked after it.
   */
  enqueueAtCommit(statement: Statement, values: readonly unknown[]): void;
  /** Sends what waits. Only for who has to know here whether it failed. */
  flush(): Promise<void>;
  newId<K extends IdKind>(kind: K): Promise<IdOf<K>>;
  newUuid(): Promise<string>;
  /** Bytes nobody can guess; with a seed, the same ones for the same sequence of draws. */
  randomBytes(kind: string, length: number): Promise<Uint8Array>;
  /** Tells listeners to look, after the commit and only then. */
  hint(channel: HintChannel, payload?: string): void;
  /** Reports an alarm that this transaction has written, after the commit and only then. */
  reportAlarm(alarm: RaisedAlarm): void;
  /** Bytes that open at this place of the scope only. */
  seal(context: SealContext, text: string): Buffer;
  /** TypeORM inside this transaction. */
  readonly manager: EntityManager;
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
  /** For transactions that do not ask for the time themselves. */
  readonly databaseClock: DatabaseClock;
  readonly hint: (channel: HintChannel, payload: string) => void;
  readonly reportAlarm: AlarmReporter;
}
