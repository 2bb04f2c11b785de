import type { Scope } from '@pos/core/identity';
import { hashKey } from '@pos/core/ids';
import type { Statement } from '@pos/postgres/statements';
import type { OpenTransaction, StatementReader } from '@pos/postgres/transactions';
import type { EntityManager } from 'typeorm';
import { open, type SealContext, type SealingKeys } from '../crypto/sealing.js';
import type { DecisionReader, SnapshotReader, StoreSecrets } from './transaction.js';

/** A view of one scope, on a reader or a transaction of a borrowed connection. */
export class ScopedReader implements DecisionReader {
  readonly isLocking: boolean = false;

  constructor(
    private readonly statements: Pick<StatementReader | OpenTransaction, 'query' | 'runWithManager'>,
    readonly scope: Scope,
    protected readonly secrets: StoreSecrets,
  ) {}

  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.statements.query<Row>(statement, values);
  }

  runWithManager<T>(label: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.statements.runWithManager(label, work);
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

/** A view whose reads all see the same state. */
export class ScopedSnapshot extends ScopedReader implements SnapshotReader {
  readonly isSnapshot = true;
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
