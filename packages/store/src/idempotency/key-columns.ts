import { requireValue } from '@pos/core/refusals';
import type { SealContext } from '../crypto/sealing.js';
import type { Reader } from '../database/transaction.js';

/** What a caller names an operation by. */
export interface IdempotencyKeyName {
  readonly method: string;
  /** The concrete path, ids filled in. */
  readonly path: string;
  readonly key: string;
}

/** What makes two requests the same one. */
export interface Idempotency extends IdempotencyKeyName {
  /** The body as canonical JSON: parsed, members sorted. */
  readonly fingerprintInput: string;
  /** How long the answer is kept; 30 days unless said. */
  readonly retentionMs?: number;
}

type HashingReader = Pick<Reader, 'scope' | 'hash'>;
type MultiHashingReader = Pick<Reader, 'scope' | 'hashes'>;

/**
 * The columns that name a key, in the order of all its statements. Key and path are what the caller wrote, which may be a
 * card number: they are kept as keyed hashes, which are equal nowhere else (ADR 0037).
 */
export function buildKeyColumns(reader: HashingReader, { method, path, key }: IdempotencyKeyName): string[] {
  const { accountId, environment } = reader.scope;
  return [accountId, environment, method, ...hashKeyName(reader, { method, path, key })];
}

/** The columns under each pepper, the one that is written first. */
export function buildKeyColumnsPerPepper(reader: MultiHashingReader, name: IdempotencyKeyName): string[][] {
  const { scope } = reader;
  return reader.hashes('').map((_, index) => {
    const hash = (text: string): Buffer => requireValue(reader.hashes(text)[index], 'a hash under each pepper');
    return buildKeyColumns({ scope, hash }, name);
  });
}

/** Path and key as they are kept. */
function hashKeyName(reader: HashingReader, { method, path, key }: IdempotencyKeyName): [path: string, key: string] {
  const own = [reader.scope.accountId, reader.scope.environment, method, path];
  const hashText = (...parts: readonly string[]): string => reader.hash(JSON.stringify(parts)).toString('base64url');
  return [hashText('path', ...own), hashText('idempotency key', ...own, key)];
}

/** Where the answer of a key is sealed, by the columns that name the key. */
export function answerContext([, , ...names]: readonly string[]): SealContext {
  return { relation: 'idempotency_keys', column: 'answer_ciphertext', row: names.join('/') };
}
