import { randomUUID } from 'node:crypto';
import { type AuditedChange, SYSTEM_SCOPE } from '@pos/core/administration';
import { DatabaseServers, RoutedClient } from '@pos/postgres/connections';

/**
 * Stores a migration in the audit log, as the owner: migrations create the log, so their entry comes after them. A
 * migration that changed nothing is stored too, because it grants rights and may set passwords.
 */
export async function recordMigration(
  url: string,
  { actor, reason, operatingSystemUser }: AuditedChange,
  { release, applied }: { readonly release: string; readonly applied: readonly string[] },
): Promise<void> {
  const client = new RoutedClient({ servers: new DatabaseServers(url), application_name: 'migrate' });
  await client.connect();
  try {
    await client.query(
      `insert into audit_entries (account_id, environment, id, actor, action, subject, reason, state_after, operating_system_user,
         created_at)
       values ($1, $2, $3, $4, 'Migrate', $5, $6, $7, $8, date_trunc('milliseconds', clock_timestamp()))`,
      [
        ...[SYSTEM_SCOPE.accountId, SYSTEM_SCOPE.environment, randomUUID(), actor, release, reason],
        ...[JSON.stringify({ applied }), operatingSystemUser ?? null],
      ],
    );
  } finally {
    await client.end();
  }
}
