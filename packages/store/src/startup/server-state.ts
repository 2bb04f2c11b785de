import type { SystemReader } from '../database/database.js';
import { defineStatement } from '@pos/postgres/statements';

/** The server of a connection, and its login. */
export interface ServerFacts {
  readonly version: string;
  readonly login: string;
  /** The login owns the database or may do everything: processes need neither. */
  readonly isPrivileged: boolean;
  readonly isEncrypted: boolean;
  readonly isReadOnly: boolean;
  readonly databaseNow: Date;
}

const STATE = defineStatement(
  'read_server_facts',
  `select current_setting('server_version') as version, current_user::text as login,
     (select rolsuper from pg_roles where rolname = current_user)
       or exists (select from pg_database where datname = current_database() and datdba = current_user::regrole)
       as "isPrivileged",
     coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
     pg_is_in_recovery() as "isReadOnly",
     clock_timestamp() as "databaseNow"`,
);

export async function readServerFacts(reader: SystemReader): Promise<ServerFacts> {
  const [row] = await reader.query<ServerFacts>(STATE, []);
  if (row === undefined) throw new Error('the server returned no state');
  return row;
}

const PREVIOUS_KEYS = defineStatement(
  'list_replaced_keys',
  `select purpose, changed_at as since from key_checks where state = 'Previous' order by purpose`,
);

/** The keys that are being replaced, and since when. */
export function listReplacedKeys(
  reader: SystemReader,
): Promise<readonly { readonly purpose: string; readonly since: Date }[]> {
  return reader.query(PREVIOUS_KEYS, []);
}
