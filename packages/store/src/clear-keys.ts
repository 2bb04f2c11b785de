import type { Scope } from '@pos/core/identity';
import type { DataSource } from 'typeorm';
import type { Database } from './database.js';
import { hiddenNames, type KeyName, placeOf } from './key-place.js';
import { statement } from './statement.js';
import type { Tx } from './transaction.js';

/** Databases in which this process has once seen no key in clear: there can be none again (`requirePepper`). */
const cleared = new WeakSet<DataSource>();

const ANY = statement('clear_keys_any', 'select 1 from idempotency_keys where not is_keyed limit 1');

const ADOPT = statement(
  'clear_keys_adopt',
  `update idempotency_keys set path = $4, key = $5, is_keyed = true
   where account_id = $1 and environment = $2 and method = $3 and path = $6 and key = $7 and not is_keyed
   returning key`,
);

/**
 * Makes the row that a release before migration 0030 stored under this key one of ours, should there be one. The caller's
 * text is sent to the database only while there is any such row.
 */
export async function adoptClearKey(tx: Tx, name: KeyName): Promise<void> {
  const source = tx.manager.dataSource;
  if (cleared.has(source)) return;
  if ((await tx.query(ANY, [])).length === 0) {
    cleared.add(source);
    return;
  }
  await tx.query(ADOPT, [...placeOf(tx, name), name.path, name.key]);
}

const BATCH_MAX = 500;

const SCOPES = statement(
  'clear_keys_scopes',
  `select account_id as "accountId", environment from idempotency_keys where not is_keyed
   group by account_id, environment limit 100`,
);

/** Where a row lies stands for its text, which is not sent back. */
const BATCH = statement(
  'clear_keys_batch',
  `select ctid::text as place, method, path, key from idempotency_keys
   where account_id = $1 and environment = $2 and not is_keyed limit ${BATCH_MAX} for update skip locked`,
);

const HIDE = statement(
  'clear_keys_hide',
  `update idempotency_keys k set path = hidden.path, key = hidden.key, is_keyed = true
   from unnest($1::tid[], $2::text[], $3::text[]) as hidden (place, path, key)
   where k.ctid = hidden.place
   returning k.key`,
);

/**
 * Hashes some of the path and key texts that releases before migration 0030 have stored, of every account that has any.
 * Rows that a request holds are left for the next time. True: some were hashed, and there may be more.
 */
export async function hideClearKeys(database: Database): Promise<boolean> {
  const scopes = await database.system((reader) => reader.query<Scope>(SCOPES, []));
  let hidden = 0;
  for (const scope of scopes) hidden += await database.transact(scope, hideBatch);
  return hidden > 0;
}

async function hideBatch(tx: Tx): Promise<number> {
  const { accountId, environment } = tx.scope;
  const rows = await tx.query<KeyName & { readonly place: string }>(BATCH, [accountId, environment]);
  const names = rows.map((row) => hiddenNames(tx, row));
  const columns = [rows.map(({ place }) => place), names.map(([path]) => path), names.map(([, key]) => key)];
  return (await tx.query(HIDE, columns)).length;
}
