import { required } from '@pos/core/assert';
import type { SealedPlace } from './sealing.js';
import type { Reader } from './transaction.js';

/** What a caller names an operation by. */
export interface KeyName {
  readonly method: string;
  /** The concrete path, ids filled in. */
  readonly path: string;
  readonly key: string;
}

type Hashing = Pick<Reader, 'scope' | 'hash'>;
type HashingAll = Pick<Reader, 'scope' | 'hashes'>;

/**
 * The columns that name a key, in the order of all its statements. Key and path are what the caller wrote, which may be a
 * card number: they are kept as keyed hashes, which are equal nowhere else (ADR 0037).
 */
export function placeOf(reader: Hashing, { method, path, key }: KeyName): string[] {
  const { accountId, environment } = reader.scope;
  return [accountId, environment, method, ...hiddenNames(reader, { method, path, key })];
}

/** The columns under each pepper, the one that is written first. */
export function placesOf(reader: HashingAll, name: KeyName): string[][] {
  const { scope } = reader;
  return reader.hashes('').map((_, at) => {
    const hash = (text: string): Buffer => required(reader.hashes(text)[at], 'a hash under each pepper');
    return placeOf({ scope, hash }, name);
  });
}

/** Path and key as they are kept. */
function hiddenNames(reader: Hashing, { method, path, key }: KeyName): [path: string, key: string] {
  const own = [reader.scope.accountId, reader.scope.environment, method, path];
  const hidden = (...words: readonly string[]): string => reader.hash(JSON.stringify(words)).toString('base64url');
  return [hidden('path', ...own), hidden('idempotency key', ...own, key)];
}

/** Where the answer of a key is sealed, by the columns that name the key. */
export function answerPlace([, , ...names]: readonly string[]): SealedPlace {
  return { relation: 'idempotency_keys', column: 'answer_ciphertext', row: names.join('/') };
}
