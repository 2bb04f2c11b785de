import { WrongSetting } from '@pos/core/refusals';
import type { DataSource } from 'typeorm';
import { VAULT_ROLE } from '../migrations/migrate.js';
import { DatabaseServers, RoutedClient } from '@pos/postgres/connections';

/** Fails with SQLSTATE 42501 when the login cannot read what the role may. */
export async function requireRoleGrants(source: DataSource, role: string): Promise<void> {
  if (role === VAULT_ROLE) await source.manager.query('select from vault.card_numbers limit 0');
}

/** Throws WrongSetting when the role exists and the login is not a member of it. */
export async function requireRole(url: string, role: string): Promise<void> {
  const client = new RoutedClient({ servers: new DatabaseServers(url), application_name: 'login check' });
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
