import type { Reader } from './transaction.js';

/** What a caller names an operation by. */
export interface KeyName {
  readonly method: string;
  /** The concrete path, ids filled in. */
  readonly path: string;
  readonly key: string;
}

/**
 * The columns that name a key, in the order of all its statements. Key and path are what the caller wrote, which may be a
 * card number: they are kept as keyed hashes, which are equal nowhere else (ADR 0037).
 */
export function placeOf(reader: Pick<Reader, 'scope' | 'hash'>, { method, path, key }: KeyName): string[] {
  const { accountId, environment } = reader.scope;
  return [accountId, environment, method, ...hiddenNames(reader, { method, path, key })];
}

/** Path and key as they are kept. */
export function hiddenNames(
  reader: Pick<Reader, 'scope' | 'hash'>,
  { method, path, key }: KeyName,
): [path: string, key: string] {
  const own = [reader.scope.accountId, reader.scope.environment, method, path];
  const hidden = (...words: readonly string[]): string => reader.hash(JSON.stringify(words)).toString('base64url');
  return [hidden('path', ...own), hidden('idempotency key', ...own, key)];
}
