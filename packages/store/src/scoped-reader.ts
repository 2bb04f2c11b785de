import { assert } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import { hashKey } from '@pos/core/ids';
import type pg from 'pg';
import { rowsOf } from './answers.js';
import { open, type SealedPlace, type SealingKeys } from './sealing.js';
import type { Statement } from './statement.js';
import type { Looking, StoreSecrets } from './transaction.js';
import { askTogether } from './wire.js';

/** A read-only view of one scope on a borrowed connection; each statement sees what is committed when it starts. */
export class ScopedReader implements Looking {
  readonly locks: boolean = false;
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

  open(place: SealedPlace, bytes: Buffer): string {
    return open(sealingKeysOf(this.secrets), { scope: this.scope, place }, bytes);
  }

  hash(text: string): Buffer {
    return hashKey(this.secrets.pepper, text);
  }

  hashes(text: string): readonly Buffer[] {
    return hashesOf(this.secrets, text);
  }
}

/** The keys that open, the one that seals first. */
export function sealingKeysOf({ encryptionKey, acceptedEncryptionKey = null }: StoreSecrets): SealingKeys {
  return acceptedEncryptionKey === null ? [encryptionKey] : [encryptionKey, acceptedEncryptionKey];
}

/** The keyed hashes of a text under each pepper, the one that is written first. */
export function hashesOf({ pepper, acceptedPepper = null }: StoreSecrets, text: string): readonly Buffer[] {
  const hash = hashKey(pepper, text);
  return acceptedPepper === null ? [hash] : [hash, hashKey(acceptedPepper, text)];
}
