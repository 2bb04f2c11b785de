import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { assert } from '@pos/core/refusals/assert';
import pg from 'pg';
import { isUniqueViolation, findSqlState } from '../postgres/sql-errors.js';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

/** The logins of the processes; the owner who migrates gives them their passwords. */
export interface RolePasswords {
  readonly appPassword: string;
  readonly vaultPassword: string;
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
] as const;
/** Rows that are kept unchanged for a while and then deleted. */
const IMMUTABLE_RELATIONS = ['events'] as const;
/** Written by migrations alone. */
const OWNER_RELATIONS = ['migrations'] as const;

/** The key of the advisory lock of migrators: any number that is not used elsewhere. */
const MIGRATION_LOCK = 6_900_061;
/** More than the databases of one server that migrate at once. */
const ROLE_ATTEMPTS_MAX = 100;

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

/**
 * Updates the schema and creates or updates the two logins. Run it as the owner of the database, with the right to
 * create roles. Safe to run again and from several processes at once; forward only. `folder` contains the migrations
 * of a release, by default those of this one.
 */
export async function migrate(url: string, passwords: RolePasswords, folder = FOLDER): Promise<void> {
  const guard = new pg.Client({ connectionString: url, application_name: 'migrate' });
  await guard.connect();
  try {
    // One migrator of a database at a time.
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await guard.query('begin');
    await runMigrations(url, folder);
    await putRole(guard, APP_ROLE, passwords.appPassword);
    await putRole(guard, VAULT_ROLE, passwords.vaultPassword);
    await guard.query(buildGrants());
    await retryOnConflict(guard, () => guard.query(`grant ${APP_ROLE} to ${VAULT_ROLE}`));
    await guard.query('commit');
  } finally {
    await guard.end();
  }
}

/** The migrations of the folder as TypeORM requires them: classes whose names end with thirteen digits. */
function loadMigrations(folder: string): (new () => MigrationInterface)[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => defineMigration(file, readFileSync(path.join(folder, file), 'utf8')));
}

/** The names that the migrations of this release have in the database. */
export function listMigrationNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .map(buildClassName);
}

function buildClassName(file: string): string {
  const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? [];
  assert(digits !== undefined && name !== undefined, `not the name of a migration: ${file}`);
  return `${name}_${digits.padStart(13, '0')}`;
}

function defineMigration(file: string, sql: string): new () => MigrationInterface {
  const className = buildClassName(file);
  return class implements MigrationInterface {
    readonly name = className;

    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(sql);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`${file} goes forward only`));
    }
  };
}

async function runMigrations(url: string, folder: string): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url,
    driver: pg,
    applicationName: 'migrate',
    poolSize: 1,
    installExtensions: false,
    logging: false,
    migrations: loadMigrations(folder),
    migrationsTransactionMode: 'each',
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** Roles belong to the server, not to the database, so another database's migration may have made them. */
async function putRole(client: pg.Client, role: string, password: string): Promise<void> {
  await retryOnConflict(client, async () => {
    const existing = await client.query('select from pg_roles where rolname = $1', [role]);
    const verb = existing.rowCount === 0 ? 'create' : 'alter';
    await client.query(`${verb} role ${role} login password ${client.escapeLiteral(password)}`);
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

function buildGrants(): string {
  const withoutDeleting = [...INSERT_ONLY_RELATIONS, ...OWNER_RELATIONS].join(', ');
  const withoutChanging = `${withoutDeleting}, ${IMMUTABLE_RELATIONS.join(', ')}`;
  return `
    revoke create on schema public from public;
    revoke all on schema vault from public, ${APP_ROLE};
    grant usage on schema public to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    revoke update, truncate on ${withoutChanging} from ${APP_ROLE};
    revoke delete on ${withoutDeleting} from ${APP_ROLE};
    revoke insert on ${OWNER_RELATIONS.join(', ')} from ${APP_ROLE};
    grant usage on schema vault to ${VAULT_ROLE};
    grant select, insert, update, delete on all tables in schema vault to ${VAULT_ROLE}`;
}

/** The address of the same database for another login. */
export function buildRoleUrl(ownerUrl: string, role: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  return url.href;
}
