import { assert } from '@pos/core/refusals';
import {
  type ApiKeyId,
  type Environment,
  parseKnownId,
  parsePermissions,
  type Permission,
  type Scope,
} from '@pos/core/identity';
import { apiKeys, type ApiKeyRow } from '../relations/account-relations.js';
import type { SystemReader } from '../database/database.js';
import { computePepperId } from '../crypto/key-ids.js';
import { defineChange, defineStatement, sql } from '@pos/postgres/statements';
import { insertScopedRow, ROW_LOCK, selectRows, updateScopedRows } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

/** A key as it is stored: never its text. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly prefix: string;
  readonly last4: string;
  readonly label: string;
  readonly permissions: readonly Permission[];
  /** Unknown members of requests that move money are refused. */
  readonly isStrict: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The owner of a key. */
export interface ApiKeyOwner {
  readonly id: ApiKeyId;
  readonly scope: Scope;
  readonly permissions: ReadonlySet<Permission>;
  readonly isStrict: boolean;
  /** The account's own limit; null = the service's. */
  readonly ratePerSecond: number | null;
  /** The hash under which the key was found, if it is not the one that is written now: see `recordApiKeyUse`. */
  readonly outdatedHash: Buffer | null;
  /** The revision of the registered partners when the key was looked up. */
  readonly partnersRevision: number;
}

const BY_HASH = defineStatement(
  'find_api_key_owners',
  `select k.hash, k.account_id, k.environment, k.id, k.permissions, k.strict, a.settings -> 'rateLimitPerSecond' as rate_per_second,
     (select revision from partner_registry) as partners_revision
   from api_keys k left join accounts a on a.account_id = k.account_id
   where k.hash = any ($1::bytea[]) and k.deleted_at is null and a.status is distinct from 'Disabled'`,
);

const ISSUED = defineStatement('was_api_key_issued', 'select id from api_keys where hash = any ($1::bytea[]) limit 1');

const RECORD_USE = defineStatement(
  'record_api_key_use',
  `update api_keys set last_used_at = $4
   where account_id = $1 and environment = $2 and id = $3 and (last_used_at is null or last_used_at < $5)
   returning id`,
);
const REHASH = defineChange(
  'rehash_api_key',
  sql.update('api_keys')`set hash = ${5}, pepper_id = ${6}
   where account_id = ${1} and environment = ${2} and id = ${3} and hash = ${4} returning id`,
);
const USE_RECORD_INTERVAL_MS = 60_000;

/** Stores a key by its hash; the text is shown to its owner once and not stored. */
export async function insertApiKey(
  tx: Tx,
  key: {
    readonly id: ApiKeyId;
    readonly text: string;
    readonly label: string;
    readonly permissions: readonly Permission[];
    /** True when left out. */
    readonly isStrict?: boolean;
  },
): Promise<ApiKey> {
  const { id, text, label, permissions, isStrict = true } = key;
  const row = {
    id,
    hash: tx.hash(text),
    pepper_id: computePepperId(tx),
    prefix: /^[a-z]+_[a-z]+_/.exec(text)?.[0] ?? '',
    last4: text.slice(-4),
    label,
    permissions: [...permissions],
    strict: isStrict,
    created_at: tx.now,
    deleted_at: null,
    last_used_at: null,
  };
  // A key that could not be stored must not be shown.
  await insertScopedRow(tx, apiKeys, row);
  return fromRow(row);
}

/** Whether a key has ever had this text: a deleted one does not become valid again. */
export async function wasApiKeyIssued(reader: SystemReader, text: string): Promise<boolean> {
  return (await reader.query(ISSUED, [reader.hashes(text)])).length > 0;
}

/** Prevents that keys of the scope are created until the transaction ends, so that they can be counted. */
export async function lockApiKeys(tx: Tx): Promise<void> {
  await selectRows(tx, apiKeys, (select) =>
    select.andWhere('row.deleted_at is null').orderBy('row.id').setLock(ROW_LOCK),
  );
}

/**
 * Finds the owners of keys over all accounts, by their keyed hashes; the result has an entry for each text that is a
 * key. A deleted key, and a key of a disabled account, have no owner.
 */
export async function findApiKeyOwners(
  reader: SystemReader,
  texts: readonly string[],
): Promise<Map<string, ApiKeyOwner>> {
  const byHash = new Map(texts.flatMap((text) => reader.hashes(text).map((hash) => [hash.toString('hex'), text])));
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const owners = new Map<string, ApiKeyOwner>();
  for (const row of await reader.query<OwnerRow>(BY_HASH, [hashes])) {
    const text = byHash.get(row.hash.toString('hex'));
    assert(text !== undefined, 'a key was found by a hash that was not requested');
    owners.set(text, {
      id: parseKnownId('apiKey', row.id),
      scope: { accountId: parseKnownId('account', row.account_id), environment: row.environment },
      permissions: parsePermissions(row.permissions),
      isStrict: row.strict,
      ratePerSecond: row.rate_per_second,
      outdatedHash: row.hash.equals(reader.hash(text)) ? null : row.hash,
      partnersRevision: row.partners_revision,
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
  readonly strict: boolean;
  readonly rate_per_second: number | null;
  readonly partners_revision: number;
}

/** The valid keys, newest first. */
export async function listApiKeys(reader: Reader): Promise<ApiKey[]> {
  const rows = await selectRows(reader, apiKeys, (select) =>
    select.andWhere('row.deleted_at is null').orderBy('row.created_at', 'DESC').addOrderBy('row.id', 'DESC'),
  );
  return rows.map(fromRow);
}

/** Decides about unknown members of the key's requests from the commit on. False: there is no such key. */
export async function updateApiKey(tx: Tx, id: ApiKeyId, { isStrict }: Pick<ApiKey, 'isStrict'>): Promise<boolean> {
  const change = { where: { id, deleted_at: null }, set: { strict: isStrict } };
  return (await updateScopedRows(tx, apiKeys, change)) === 1;
}

/** From the commit on, the key is invalid. False: there is no such key. */
export async function deleteApiKey(tx: Tx, id: ApiKeyId): Promise<boolean> {
  return (await updateScopedRows(tx, apiKeys, { where: { id, deleted_at: null }, set: { deleted_at: tx.now } })) === 1;
}

/** Stores that the key was used, at most once a minute, and its hash under the new pepper while that is replaced. */
export async function recordApiKeyUse(
  tx: Tx,
  { id, outdatedHash }: Pick<ApiKeyOwner, 'id' | 'outdatedHash'>,
  text: string,
): Promise<void> {
  const keyValues = [tx.scope.accountId, tx.scope.environment, id] as const;
  if (outdatedHash !== null) tx.enqueue(REHASH, [...keyValues, outdatedHash, tx.hash(text), computePepperId(tx)]);
  const before = new Date(tx.now.getTime() - USE_RECORD_INTERVAL_MS);
  await tx.query(RECORD_USE, [...keyValues, tx.now, before]);
}

function fromRow(row: ApiKeyRow): ApiKey {
  return {
    id: parseKnownId('apiKey', row.id),
    prefix: row.prefix,
    last4: row.last4,
    label: row.label,
    permissions: [...parsePermissions(row.permissions)],
    isStrict: row.strict,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
