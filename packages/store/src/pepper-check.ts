import { assert } from '@pos/core/assert';
import { hashKey, isSameHash } from '@pos/core/ids';
import { WrongSetting } from '@pos/core/wrong-setting';
import type { DataSource, EntityManager } from 'typeorm';
import type { StoreSecrets } from './transaction.js';

const CHECKED = 'the check value of KEY_PEPPER';

interface Pepper {
  readonly pepper: StoreSecrets['pepper'];
  /** How long the first process waits for what others have under way. */
  readonly waitMs: number;
}

/**
 * Fails with WrongSetting for another KEY_PEPPER than the database was first opened with: every API key would be unknown, and the repeat of
 * a refund another refund. The first to open it decides, and ends by that what processes of releases before migration
 * 0030 begin under idempotency keys (ADR 0037).
 */
export async function requirePepper(source: DataSource, { pepper, waitMs }: Pepper): Promise<void> {
  const hash = hashKey(pepper, CHECKED);
  const stored = (await storedHash(source.manager)) ?? (await storeFirst(source, hash, waitMs));
  if (isSameHash(stored, hash)) return;
  throw new WrongSetting([
    'KEY_PEPPER: is not the one that this database was first opened with; by another no API key, client secret or idempotency key is recognised (docs/operations.md, The pepper)',
  ]);
}

/** Behind all that is under way: once the row can be seen, nothing more is stored under a key in clear. */
async function storeFirst(source: DataSource, hash: Buffer, waitMs: number): Promise<Buffer> {
  const stored = await source.transaction(async (manager) => {
    await manager.query(`set local lock_timeout = ${Math.ceil(waitMs)}`);
    await manager.query('lock table idempotency_keys in share row exclusive mode');
    await manager.query('insert into pepper_checks (hash) values ($1) on conflict do nothing', [hash]);
    return storedHash(manager);
  });
  assert(stored !== null, 'the check value of KEY_PEPPER was not stored');
  return stored;
}

async function storedHash(manager: EntityManager): Promise<Buffer | null> {
  const rows = await manager.query<{ hash: Buffer }[]>('select hash from pepper_checks');
  return rows[0]?.hash ?? null;
}
