import { setTimeout as pause } from 'node:timers/promises';
import { types } from 'node:util';
import { StartFailure } from '@pos/core/refusals';
import type pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { buildLoginUrl, DatabaseServers, RoutedClient, routedDriver } from '@pos/postgres/connections';
import { findSqlState, isDeadlock, isLockTimeout, isUniqueViolation } from '@pos/postgres/statements';
import { listMigrationNames, loadMigrations, MIGRATIONS_FOLDER } from './migration-files.js';
import { compareReleases, FIRST_RELEASE, OLDEST_RELEASE_ACCEPTED, RELEASE } from './release.js';

/**
 * The logins of the processes; the owner who migrates gives them their passwords. A login keeps its password where
 * none is given.
 */
export interface RolePasswords {
  readonly appPassword?: string | undefined;
  readonly vaultPassword?: string | undefined;
}

/** All apps but card-vault: everything outside schema vault, without changes of insert-only rows. */
export const APP_ROLE = 'service_app';
/** Card-vault: what the apps may, and schema vault. */
export const VAULT_ROLE = 'service_vault';

/** Rows that are evidence: no login of the service may change or delete them. */
export const INSERT_ONLY_RELATIONS = [
  'payment_events',
  'terminal_session_events',
  'ledger_entries',
  'ledger_postings',
  'refunds',
  'setup_events',
  'operator_calls',
  'settlement_files',
  'settlement_lines',
  'settlement_days',
  'audit_entries',
] as const;
/** Rows that are kept unchanged for a while and then deleted. */
const IMMUTABLE_RELATIONS = ['events', 'activities'] as const;
/** Written by migrations, and by triggers with the rights of the owner. */
const OWNER_RELATIONS = ['migrations', 'schema_compatibility', 'audit_chains'] as const;

/** The key of the advisory lock of migrators: any number that is not used elsewhere. */
const MIGRATION_LOCK = 6_900_061;
/** More than the databases of one server that migrate at once. */
const ROLE_ATTEMPTS_MAX = 100;
const LOCK_POLL_MS = 200;
/**
 * A change of a relation waits this long for the transactions that use it. Everybody who uses the relation after that
 * waits behind the change, so it is short, and the change is tried again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const LOCK_ATTEMPTS_MAX = 60;
const LOCK_PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** How `migrate` treats locks that others hold; tests shorten it. */
export interface MigrateOptions {
  /** The migrations to run; by default those of this release. */
  readonly folder?: string;
  readonly lockTimeoutMs?: number;
  readonly lockAttemptsMax?: number;
}

/**
 * Updates the schema and creates or updates the two logins. Run it as the owner of the database, with the right to
 * create roles. Safe to run again and from several processes at once; forward only. A migration that finds a relation
 * in use is undone and tried again, so that the service never waits longer than a second for it. Throws StartFailure
 * when the relation stays in use for minutes; the migrations before it remain.
 */
export async function migrate(url: string, passwords: RolePasswords, options: MigrateOptions = {}): Promise<void> {
  const servers = new DatabaseServers(url);
  const guard = new RoutedClient({
    servers,
    application_name: 'migrate',
    connectionTimeoutMillis: servers.url.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  });
  await guard.connect();
  try {
    await awaitMigrationLock(guard);
    await requireReleasedSchema(guard);
    await runMigrations(servers, options);
    await guard.query('begin');
    await putRole(guard, APP_ROLE, passwords.appPassword ?? null);
    await putRole(guard, VAULT_ROLE, passwords.vaultPassword ?? null);
    await guard.query(buildGrants(await listRelations(guard)));
    await storeCompatibility(guard);
    await retryOnConflict(guard, () => guard.query(`grant ${APP_ROLE} to ${VAULT_ROLE}`));
    await guard.query('commit');
  } finally {
    await guard.end();
  }
}

/**
 * One migrator of a database at a time. It polls: a statement that waits for the lock would be a transaction that a
 * concurrent index build of the other migrator waits for.
 */
async function awaitMigrationLock(guard: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await guard.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.taken === true) return;
    await pause(LOCK_POLL_MS);
  }
}

/** Throws StartFailure for a database of a build before the first release, whose migrations had other names. */
async function requireReleasedSchema(client: pg.Client): Promise<void> {
  if (!(await listRelations(client)).has('migrations')) return;
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const [first] = listMigrationNames();
  if (rows.length === 0 || rows.some(({ name }) => name === first)) return;
  throw new StartFailure(
    `cannot migrate: the database was made by a build before release ${FIRST_RELEASE}, from which no upgrade leads here; create a new database`,
  );
}

/** Stores that this release has migrated, for the processes that start later. The row of a newer release stays. */
async function storeCompatibility(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ release: string }>('select release from schema_compatibility');
  const [stored] = rows;
  if (stored !== undefined && compareReleases(stored.release, RELEASE) > 0) return;
  await client.query(
    `insert into schema_compatibility (id, release, oldest_release, migrated_at) values (1, $1, $2, clock_timestamp())
     on conflict (id) do update set release = excluded.release, oldest_release = excluded.oldest_release,
       migrated_at = excluded.migrated_at`,
    [RELEASE, OLDEST_RELEASE_ACCEPTED],
  );
}

async function listRelations(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

async function runMigrations(
  servers: DatabaseServers,
  { folder = MIGRATIONS_FOLDER, lockTimeoutMs = LOCK_TIMEOUT_MS, lockAttemptsMax = LOCK_ATTEMPTS_MAX }: MigrateOptions,
): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    driver: routedDriver,
    applicationName: 'migrate',
    poolSize: 1,
    installExtensions: false,
    logging: false,
    logger: SILENT,
    migrations: loadMigrations(folder),
    migrationsTransactionMode: 'each',
    extra: { servers, lock_timeout: lockTimeoutMs },
  });
  await source.initialize();
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await source.runMigrations();
        return;
      } catch (error) {
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
        if (attempt === lockAttemptsMax) {
          throw new StartFailure(
            'cannot migrate: transactions that stay open use a relation that has to change; end them and migrate again',
          );
        }
        await pause(LOCK_PAUSE_MS);
      }
    }
  } finally {
    await source.destroy();
  }
}

/** A failed attempt is thrown or repeated; TypeORM would print it as well. */
const SILENT: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/** Roles belong to the server, not to the database, so another database's migration may have made them. */
async function putRole(client: pg.Client, role: string, password: string | null): Promise<void> {
  await retryOnConflict(client, async () => {
    const existing = await client.query('select from pg_roles where rolname = $1', [role]);
    const verb = existing.rowCount === 0 ? 'create' : 'alter';
    const secret = password === null ? '' : ` password ${client.escapeLiteral(password)}`;
    if (verb === 'create' || password !== null) await client.query(`${verb} role ${role} login${secret}`);
  });
}

/**
 * Runs statements about roles inside the open transaction, and repeats them if a migrator of another database of the
 * server changed the same role at the same time. Advisory locks belong to one database, so they do not exclude it.
 */
async function retryOnConflict(client: pg.Client, change: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('savepoint roles');
    try {
      await change();
      return;
    } catch (error) {
      if (attempt === ROLE_ATTEMPTS_MAX || !isConcurrentChange(error)) throw error;
      await client.query('rollback to savepoint roles');
    }
  }
}

/** Whether another transaction creates or changes the same object at the same time. */
function isConcurrentChange(error: unknown): boolean {
  if (isUniqueViolation(error)) return true;
  const state = findSqlState(error);
  // The server has no code of its own for "tuple concurrently updated".
  if (state === 'XX000') return types.isNativeError(error) && error.message.startsWith('tuple concurrently ');
  return state === '42710' || state === '42P07';
}

/** The migrations of an earlier release, which tests of upgrades run, may lack some of the relations. */
function buildGrants(relations: ReadonlySet<string>): string {
  const ownerRelations = OWNER_RELATIONS.filter((name) => relations.has(name));
  const insertOnly = INSERT_ONLY_RELATIONS.filter((name) => relations.has(name));
  const withoutDeleting = [...insertOnly, ...ownerRelations].join(', ');
  const immutable = IMMUTABLE_RELATIONS.filter((name) => relations.has(name));
  const withoutChanging = [withoutDeleting, ...immutable].join(', ');
  return `
    revoke create on schema public from public;
    revoke all on schema vault from public, ${APP_ROLE};
    grant usage on schema public to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    revoke update, truncate on ${withoutChanging} from ${APP_ROLE};
    revoke delete on ${withoutDeleting} from ${APP_ROLE};
    revoke insert on ${ownerRelations.join(', ')} from ${APP_ROLE};
    grant usage on schema vault to ${VAULT_ROLE};
    grant select, insert, update, delete on all tables in schema vault to ${VAULT_ROLE}`;
}

/** The address of the same database for another login. */
export function buildRoleUrl(ownerUrl: string, role: string, password: string): string {
  return buildLoginUrl(ownerUrl, role, password);
}
