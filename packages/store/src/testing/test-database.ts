import { randomBytes } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import pg from 'pg';
import type { Database, DatabaseOptions } from '../database/database.js';
import { openDatabase } from '../startup/postgres-database.js';
import { APP_ROLE, buildRoleUrl, migrate } from '../migrations/migrate.js';

/** The server of the test run as the jest setup describes it; read from the environment of the test process. */
export interface TestServer {
  /** The owner's login on database `postgres`. */
  readonly ownerUrl: string;
  readonly template: string;
  readonly appPassword: string;
  readonly vaultPassword: string;
}

/** The variable in which the setup stores it for the workers of jest, which are separate processes. */
export const TEST_SERVER_VARIABLE = 'POS_TEST_SERVER';

/** Secrets of tests: the same ones in every process of a test. */
export const TEST_SECRETS = { encryptionKey: Buffer.alloc(32, 7), pepper: 'a pepper for tests' } as const;

/**
 * Each connection is a process of the server, which plans all its statements itself: 0.1 s of processor time. A test
 * that needs more at once says how many.
 */
const TEST_CONNECTIONS = 4;

/** A migrated database of one test file. */
export interface TestDatabase {
  /** The address for the login that apps use; a test may start processes with it. */
  readonly url: string;
  readonly ownerUrl: string;
  readonly database: Database;
  /** Another client of the same database, as another process would have one. */
  open(options?: Partial<DatabaseOptions>): Promise<Database>;
  close(): Promise<void>;
}

/** Clones the migrated template: one per test file, in its `beforeAll`; `close` it in `afterAll`. */
export async function createTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<TestDatabase> {
  const server = readTestServer();
  return openTestDatabase(server, await createDatabase(server, server.template), options);
}

/** As `createTestDatabase`, with the schema that the migrations of a folder make. */
export async function createDatabaseOfRelease(folder: string): Promise<TestDatabase> {
  const server = readTestServer();
  const name = await createDatabase(server, 'template0');
  await migrate(buildOwnerUrl(server, name), server, { folder });
  return openTestDatabase(server, name, {});
}

async function createDatabase(server: TestServer, template: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Copied, and not logged page by page: the log is kept and searched, and the template is searched by itself.
  await executeAsOwner(server, `create database ${name} template ${template} strategy file_copy`);
  return name;
}

function buildOwnerUrl(server: TestServer, name: string): string {
  const databaseUrl = new URL(server.ownerUrl);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.href;
}

async function openTestDatabase(
  server: TestServer,
  name: string,
  options: Partial<DatabaseOptions>,
): Promise<TestDatabase> {
  const ownerUrl = buildOwnerUrl(server, name);
  const url = buildRoleUrl(ownerUrl, APP_ROLE, server.appPassword);
  const opened: Database[] = [];
  const open = async (more: Partial<DatabaseOptions> = {}): Promise<Database> => {
    const database = await openDatabase({
      ...{ url, applicationName: 'test', secrets: TEST_SECRETS, poolMax: TEST_CONNECTIONS },
      ...options,
      ...more,
    });
    opened.push(database);
    return database;
  };
  return {
    url,
    ownerUrl,
    database: await open(),
    open,
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      await executeAsOwner(server, `drop database if exists ${name} with (force)`);
    },
  };
}

export function readTestServer(): TestServer {
  const variable = process.env[TEST_SERVER_VARIABLE];
  if (variable === undefined) {
    throw new Error(
      'There is no test database: name @pos/store/testing/jest-setup as `services` in the jest options of this package.json.',
    );
  }
  return JSON.parse(variable) as TestServer;
}

/** A scope that no other test uses. */
export function createTestScope(environment: Scope['environment'] = 'sandbox'): Scope {
  return { accountId: createId('account', environment, randomBytes(16)), environment };
}

/** The owner's connection of this process, which all its test files use. While idle it does not keep the process running. */
let ownerConnection: pg.Pool | null = null;

async function executeAsOwner({ ownerUrl }: TestServer, sql: string): Promise<void> {
  ownerConnection ??= openOwnerConnection(ownerUrl);
  await ownerConnection.query(sql);
}

function openOwnerConnection(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server of the run may end before this process.
  pool.on('error', () => undefined);
  return pool;
}
