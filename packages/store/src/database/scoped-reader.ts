import { assert } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import { hashKey } from '@pos/core/ids';
import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { getRows } from '../postgres/query-results.js';
import { open, type SealContext, type SealingKeys } from '../crypto/sealing.js';
import type { PooledConnection } from '../postgres/pooled-connection.js';
import type { Statement } from '../postgres/statement.js';
import type { DecisionReader, StoreSecrets } from './transaction.js';
import { pipeline } from '../postgres/pipeline.js';
import { runLabelledWork } from '../postgres/typeorm-telemetry.js';

/** A read-only view of one scope on a borrowed connection; each statement sees what is committed when it starts. */
export class ScopedReader implements DecisionReader {
  readonly isLocking: boolean = false;
  #isClosed = false;
  readonly #pending = new Set<Promise<unknown>>();

  protected readonly client: pg.Client;
  readonly #queryRunner: QueryRunner;

  constructor(
    { client, queryRunner }: PooledConnection,
    readonly scope: Scope,
    protected readonly secrets: StoreSecrets,
  ) {
    this.client = client;
    this.#queryRunner = queryRunner;
  }

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    assert(!this.#isClosed, `the reading of ${statement.name} has ended`);
    const [result] = pipeline(this.client, [{ statement, values }]);
    if (result === undefined) return [];
    this.#pending.add(result);
    try {
      return getRows(await result);
    } finally {
      this.#pending.delete(result);
    }
  }

  async runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    assert(!this.#isClosed, `the reading of ${label} has ended`);
    const result = runLabelledWork(this.#queryRunner, label, work);
    this.#pending.add(result);
    try {
      return await result;
    } finally {
      this.#pending.delete(result);
    }
  }

  /** Refuses further queries and waits for the running ones: another caller uses the connection next. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#pending);
  }

  open(context: SealContext, bytes: Buffer): string {
    return open(getSealingKeys(this.secrets), { scope: this.scope, context }, bytes);
  }

  hash(text: string): Buffer {
    return hashKey(this.secrets.pepper, text);
  }

  hashes(text: string): readonly Buffer[] {
    return computeHashes(this.secrets, text);
  }
}

/** The keys that open, first the one that seals. */
export function getSealingKeys({ encryptionKey, acceptedEncryptionKey = null }: StoreSecrets): SealingKeys {
  return acceptedEncryptionKey === null ? [encryptionKey] : [encryptionKey, acceptedEncryptionKey];
}

/** The keyed hashes of a text under each pepper, first the one that is written. */
export function computeHashes({ pepper, acceptedPepper = null }: StoreSecrets, text: string): readonly Buffer[] {
  const hash = hashKey(pepper, text);
  return acceptedPepper === null ? [hash] : [hash, hashKey(acceptedPepper, text)];
}
