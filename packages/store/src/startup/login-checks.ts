import { WrongSetting } from '@pos/core/refusals/settings-error';
import pg from 'pg';
import { type DataSource, QueryFailedError } from 'typeorm';
import { listMigrationNames, VAULT_ROLE } from '../migrations/migrate.js';

const UNDEFINED_TABLE = '42P01';

/**
 * Fails like a missing relation when a migration of this release has not run, and with SQLSTATE 42501 when the login
 * cannot read what the role may. A database that is newer than the release is accepted: an update of the service
 * migrates first.
 */
export async function requireMigrations(source: DataSource, role: string): Promise<void> {
  const rows = await source.manager.query<{ name: string }[]>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  const missing = listMigrationNames().filter((name) => !done.has(name));
  if (missing.length > 0) {
    const cause = Object.assign(new Error(`missing migrations: ${missing.join(', ')}`), { code: UNDEFINED_TABLE });
    throw new QueryFailedError('migrations', [], cause);
  }
  if (role === VAULT_ROLE) await source.manager.query('select from vault.card_numbers limit 0');
}

/** Throws WrongSetting when the role exists and the login is not a member of it. */
export async function requireRole(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'login check' });
  try {
    await client.connect();
    const found = await client.query<{ isMember: boolean }>(
      `select pg_has_role(oid, 'usage') as "isMember" from pg_roles where rolname = $1`,
      [role],
    );
    if (found.rows[0]?.isMember !== false) return;
  } finally {
    await client.end();
  }
  throw new WrongSetting([`DATABASE_URL: the login is not the role ${role}, and not a member of it`]);
}
