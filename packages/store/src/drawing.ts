import type { IdKind, IdOf } from '@pos/core/identity';
import { newId, uuidFrom } from '@pos/core/ids';
import type { Partners } from '@pos/core/partners';
import type pg from 'pg';
import { ScopedReader, sealingKeysOf } from './scoped-reader.js';
import { seal, type SealedPlace } from './sealing.js';
import type { HintChannel } from './signals.js';
import type { TransactionOptions } from './transaction.js';

/** What every kind of transaction gives beside its statements: ids, secrets, and hints for after its commit. */
export abstract class Drawing extends ScopedReader {
  readonly hints: (readonly [HintChannel, string])[] = [];
  abstract readonly databaseNow: Date;
  readonly #options: TransactionOptions;

  constructor(client: pg.Client, options: TransactionOptions) {
    super(client, options.scope, options.secrets);
    this.#options = options;
  }

  get partners(): Partners {
    return this.#options.partners;
  }

  async newId<K extends IdKind>(kind: K): Promise<IdOf<K>> {
    const { draws } = this.#options;
    return newId(kind, this.scope.environment, await draws.idBytes(this.scope, kind, this.databaseNow));
  }

  async newUuid(): Promise<string> {
    return uuidFrom(await this.draw('uuid', 16));
  }

  draw(kind: string, length: number): Promise<Uint8Array> {
    return this.#options.draws.bytes(this.scope, kind, length);
  }

  hint(channel: HintChannel, payload = ''): void {
    this.hints.push([channel, payload]);
  }

  seal(place: SealedPlace, text: string): Buffer {
    return seal(sealingKeysOf(this.secrets), { scope: this.scope, place }, text);
  }
}
