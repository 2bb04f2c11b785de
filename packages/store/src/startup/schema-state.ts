import { StartFailure } from '@pos/core/refusals';
import { listMigrations } from '../migrations/migration-files.js';
import { compareReleases, RELEASE } from '../migrations/release.js';
import { DatabaseServers, RoutedClient } from '@pos/postgres/connections';
import { findSqlState } from '@pos/postgres/statements';

/** What a database has for a process of this release. */
export type SchemaState =
  /** It was never migrated. */
  | { readonly kind: 'none' }
  /** It lacks migrations of this release, named by their files. */
  | { readonly kind: 'older'; readonly missing: readonly string[] }
  /** Its migrations have removed what this release needs. */
  | { readonly kind: 'newer'; readonly release: string; readonly oldestRelease: string }
  /** The login cannot read it. */
  | { readonly kind: 'unreadable' }
  /** It works with this release; `release` is the one that migrated last, if it is stored. */
  | { readonly kind: 'current'; readonly release: string | null };

type RunQuery = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** Reads the state of the schema by plain queries, which work on any schema. */
export async function readSchemaState(query: RunQuery): Promise<SchemaState> {
  try {
    return await inspectSchema(query);
  } catch (error) {
    if (findSqlState(error) === INSUFFICIENT_PRIVILEGE) return { kind: 'unreadable' };
    throw error;
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

async function inspectSchema(query: RunQuery): Promise<SchemaState> {
  if (!(await hasRelation(query, 'migrations'))) return { kind: 'none' };
  const done = new Set((await query('select name from migrations')).map(({ name }) => name));
  if (done.size === 0) return { kind: 'none' };
  const [stored] = (await hasRelation(query, 'schema_compatibility'))
    ? await query('select release, oldest_release from schema_compatibility')
    : [];
  const release = stored === undefined ? null : String(stored['release']);
  const oldestRelease = stored === undefined ? null : String(stored['oldest_release']);
  if (release !== null && oldestRelease !== null && compareReleases(RELEASE, oldestRelease) < 0) {
    return { kind: 'newer', release, oldestRelease };
  }
  const missing = listMigrations().filter(({ name }) => !done.has(name));
  return missing.length > 0
    ? { kind: 'older', missing: missing.map(({ file }) => file) }
    : { kind: 'current', release };
}

async function hasRelation(query: RunQuery, name: string): Promise<boolean> {
  const [row] = await query(`select to_regclass('public.${name}') is not null as is_there`);
  return row?.['is_there'] === true;
}

/** The same by a connection of its own, for a login that may not be able to open the database. */
export async function readSchemaStateAt(url: string): Promise<SchemaState> {
  const client = new RoutedClient({ servers: new DatabaseServers(url), application_name: 'schema check' });
  await client.connect();
  try {
    return await readSchemaState(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows);
  } finally {
    await client.end();
  }
}

/** Throws StartFailure, with one sentence, unless the schema works with this release. */
export function requireCompatibleSchema(state: SchemaState, place: string): void {
  const problem = describeSchemaProblem(state, place);
  if (problem !== null) throw new StartFailure(`cannot start: ${problem}`);
}

/** The sentence about a schema that does not work with this release, and what to do; null for one that works. */
export function describeSchemaProblem(state: SchemaState, place: string): string | null {
  switch (state.kind) {
    case 'none':
      return `${place} has no schema: run pos-admin migrate`;
    case 'older':
      return `${place} is older than release ${RELEASE} (it lacks ${state.missing.join(', ')}): run pos-admin migrate`;
    case 'newer':
      return `${place} was migrated by release ${state.release} and needs release ${state.oldestRelease} or newer, and this is release ${RELEASE}`;
    case 'unreadable':
      return `the login may not read the schema of ${place}: run pos-admin migrate, which grants it`;
    case 'current':
      return null;
  }
}
