import type { IdKind, IdOf } from '@pos/core/identity';
import { createId, formatUuid } from '@pos/core/ids';
import type { Partners } from '@pos/core/accounts';
import type { PooledConnection } from '../postgres/pooled-connection.js';
import { ScopedReader, getSealingKeys } from './scoped-reader.js';
import { seal, type SealContext } from '../crypto/sealing.js';
import type { HintChannel } from '../postgres/notification-listener.js';
import type { RaisedAlarm, TransactionOptions } from './transaction.js';

/** The common part of all transactions beside their statements: ids, secrets, and the messages after the commit. */
export abstract class BaseTransaction extends ScopedReader {
  readonly #hints: (readonly [HintChannel, string])[] = [];
  readonly #alarms: RaisedAlarm[] = [];
  abstract readonly databaseNow: Date;
  readonly #options: TransactionOptions;

  constructor(connection: PooledConnection, options: TransactionOptions) {
    super(connection, options.scope, options.secrets);
    this.#options = options;
  }

  get partners(): Partners {
    return this.#options.partners;
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
}
