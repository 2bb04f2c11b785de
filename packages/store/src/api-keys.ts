import { assert } from '@pos/core/assert';
import { type ApiKeyId, type Environment, knownId, type Scope } from '@pos/core/identity';
import { knownPermissions, type Permission } from '@pos/core/permissions';
import { apiKeys, type ApiKeyRow } from './account-rows.js';
import type { SystemReader } from './database.js';
import { pepperIdOf } from './key-id.js';
import { statement } from './statement.js';
import { findRows, insertRow, updateRows } from './table.js';
import type { Reader, Tx } from './transaction.js';

/** A key as it is kept: never its text. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly prefix: string;
  readonly last4: string;
  readonly label: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Whose key a text is. */
export interface KeyOwner {
  readonly id: ApiKeyId;
  readonly scope: Scope;
  readonly permissions: ReadonlySet<Permission>;
  /** The account's own limit; null = the service's. */
  readonly ratePerSecond: number | null;
  /** The hash under which the key was found, while that is not the one that is written: see `touchApiKey`. */
  readonly outdatedHash: Buffer | null;
}

const BY_HASH = statement(
  'api_keys_by_hash',
  `select k.hash, k.account_id, k.environment, k.id, k.permissions, a.settings -> 'rateLimitPerSecond' as rate_per_second
   from api_keys k left join accounts a on a.account_id = k.account_id
   where k.hash = any ($1::bytea[]) and k.deleted_at is null`,
);

const EVER = statement('api_key_ever', 'select id from api_keys where hash = any ($1::bytea[]) limit 1');

const USED = statement(
  'api_key_used',
  `update api_keys set last_used_at = $4
   where account_id = $1 and environment = $2 and id = $3 and (last_used_at is null or last_used_at < $5)
   returning id`,
);
const REHASH = statement(
  'api_key_rehash',
  `update api_keys set hash = $5, pepper_id = $6
   where account_id = $1 and environment = $2 and id = $3 and hash = $4 returning id`,
);
const USED_EVERY_MS = 60_000;

/** Stores a key by its hash; the text is shown to its owner once and forgotten. */
export async function insertApiKey(
  tx: Tx,
  key: {
    readonly id: ApiKeyId;
    readonly text: string;
    readonly label: string;
    readonly permissions: readonly Permission[];
  },
): Promise<ApiKey> {
  const { id, text, label, permissions } = key;
  const row = {
    id,
    hash: tx.hash(text),
    pepper_id: pepperIdOf(tx),
    prefix: /^[a-z]+_[a-z]+_/.exec(text)?.[0] ?? '',
    last4: text.slice(-4),
    label,
    permissions: [...permissions],
    created_at: tx.now,
    deleted_at: null,
    last_used_at: null,
  };
  insertRow(tx, apiKeys, row);
  // A key that could not be stored must not be shown.
  await tx.settle();
  return fromRow(row);
}

/** Whether a key has ever had this text: one that was deleted does not come back. */
export async function hasEverBeen(reader: SystemReader, text: string): Promise<boolean> {
  return (await reader.query(EVER, [reader.hashes(text)])).length > 0;
}

/** Keeps others from making keys of the scope until the transaction ends, so that they can be counted. */
export async function lockApiKeys(tx: Tx): Promise<void> {
  await findRows(tx, apiKeys, { where: { deleted_at: null }, orderBy: 'id', isLocking: true });
}

/** Finds whose keys these are, over all accounts, by their keyed hashes; under each text that is one. A deleted key is nobody's. */
export async function findKeyOwners(reader: SystemReader, texts: readonly string[]): Promise<Map<string, KeyOwner>> {
  const byHash = new Map(texts.flatMap((text) => reader.hashes(text).map((hash) => [hash.toString('hex'), text])));
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const owners = new Map<string, KeyOwner>();
  for (const row of await reader.query<OwnerRow>(BY_HASH, [hashes])) {
    const text = byHash.get(row.hash.toString('hex'));
    assert(text !== undefined, 'a key was found by a hash that nobody asked for');
    owners.set(text, {
      id: knownId('apiKey', row.id),
      scope: { accountId: knownId('account', row.account_id), environment: row.environment },
      permissions: knownPermissions(row.permissions),
      ratePerSecond: row.rate_per_second,
      outdatedHash: row.hash.equals(reader.hash(text)) ? null : row.hash,
    });
  }
  return owners;
}

interface OwnerRow {
  readonly hash: Buffer;
  readonly account_id: string;
  readonly environment: Environment;
  readonly id: string;
  readonly permissions: string[];
  readonly rate_per_second: number | null;
}

/** The keys that work, newest first. */
export async function listApiKeys(reader: Reader): Promise<ApiKey[]> {
  const rows = await findRows(reader, apiKeys, { where: { deleted_at: null }, orderBy: 'created_at desc, id desc' });
  return rows.map(fromRow);
}

/** From the commit on the key opens nothing. False: there is no such key. */
export async function deleteApiKey(tx: Tx, id: ApiKeyId): Promise<boolean> {
  return (await updateRows(tx, apiKeys, { where: { id, deleted_at: null }, set: { deleted_at: tx.now } })) === 1;
}

/** Notes that the key was used, at most once a minute, and stores its hash under the new pepper while that is replaced. */
export async function touchApiKey(
  tx: Tx,
  { id, outdatedHash }: Pick<KeyOwner, 'id' | 'outdatedHash'>,
  text: string,
): Promise<void> {
  const place = [tx.scope.accountId, tx.scope.environment, id] as const;
  if (outdatedHash !== null) tx.later(REHASH, [...place, outdatedHash, tx.hash(text), pepperIdOf(tx)]);
  const before = new Date(tx.now.getTime() - USED_EVERY_MS);
  await tx.query(USED, [...place, tx.now, before]);
}

function fromRow(row: ApiKeyRow): ApiKey {
  return {
    id: knownId('apiKey', row.id),
    prefix: row.prefix,
    last4: row.last4,
    label: row.label,
    permissions: [...knownPermissions(row.permissions)],
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
