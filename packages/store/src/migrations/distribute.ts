import { StartFailure } from '@pos/core/refusals';
import type pg from 'pg';
import { DatabaseServers, RoutedClient } from '@pos/postgres/connections';

/**
 * Relations that every node has whole: gateways change rows of many accounts with one statement, a unique index spans
 * the merchant numbers of all accounts, and the lookup of a key reads the revision of the partners.
 */
export const REFERENCE_RELATIONS = ['connections', 'merchant_ids', 'partner_registry'] as const;
/** Relations that stay on the coordinator: none belongs to an account, and no statement joins them with others. */
export const COORDINATOR_RELATIONS = [
  'acquirers',
  'agreed_settings',
  'key_checks',
  'migrations',
  'operator_approvals',
  'operator_rules',
  'partners',
  'portal_memberships',
  'portal_password_history',
  'portal_sessions',
  'portal_sign_in_attempts',
  'portal_users',
  'schema_compatibility',
  'token_buckets',
] as const;
const DISTRIBUTION_COLUMN = 'account_id';
const CONNECT_TIMEOUT_MS = 10_000;

/** What a run of `distributeRelations` has changed. */
export interface Distribution {
  readonly distributed: readonly string[];
  readonly references: readonly string[];
}

/**
 * Distributes the migrated relations of a database over the nodes of its Citus cluster, by account. Run it as the owner
 * on the coordinator, after `migrate` and before the first account. Relations that are distributed already are left
 * as they are. Throws StartFailure when the database has no Citus, or rows.
 */
export async function distributeRelations(url: string): Promise<Distribution> {
  const servers = new DatabaseServers(url);
  const client = new RoutedClient({
    servers,
    application_name: 'distribute',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await requireCitus(client);
    const references = await listLocalRelations(client, REFERENCE_RELATIONS);
    const distributed = await listAccountRelations(client);
    await requireNoRows(client, distributed);
    await client.query('begin');
    // The triggers of the ledger look at rows of one account alone.
    await client.query('set local citus.enable_unsafe_triggers = on');
    for (const name of references) await client.query('select create_reference_table($1::regclass)', [name]);
    for (const name of distributed) {
      await client.query(`select create_distributed_table($1::regclass, $2, colocate_with => $3)`, [
        ...[name, DISTRIBUTION_COLUMN],
        name === distributed[0] ? 'default' : distributed[0],
      ]);
    }
    await client.query('commit');
    return { distributed, references };
  } finally {
    await client.end();
  }
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (rowCount === 0) {
    throw new StartFailure(
      'cannot distribute: the database has no extension citus; run "create extension citus" on a server that has it',
    );
  }
}

/** The relations of accounts that are not distributed yet: those that others refer to come first. */
async function listAccountRelations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `with recursive own as (
       select t.oid, t.oid::regclass::text as name from pg_class t join pg_attribute a on a.attrelid = t.oid
       where t.relkind = 'r' and t.relnamespace in ('public'::regnamespace, 'vault'::regnamespace)
         and a.attname = $1 and t.relname <> all ($2::text[])
         and not exists (select from pg_dist_partition p where p.logicalrelid = t.oid)
     ), level as (
       select oid, name, 0 as depth from own
       union
       select c.conrelid, own.name, level.depth + 1 from level
       join pg_constraint c on c.contype = 'f' and c.confrelid = level.oid and c.conrelid <> level.oid
       join own on own.oid = c.conrelid
     )
     select name from level group by name order by max(depth), name`,
    [DISTRIBUTION_COLUMN, [...REFERENCE_RELATIONS]],
  );
  return rows.map(({ name }) => name);
}

async function listLocalRelations(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name
     where not exists (select from pg_dist_partition where logicalrelid = name::regclass)`,
    [[...names]],
  );
  return rows.map(({ name }) => name);
}

async function requireNoRows(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) {
      throw new StartFailure(
        `cannot distribute: ${name} has rows already; distribute a new database, and restore into it`,
      );
    }
  }
}
