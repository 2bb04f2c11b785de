import { COMPLETE_CAPABILITIES } from '@pos/core/acquirer';
import { storeDeclaration } from '@pos/store/repositories';
import { randomBytes, randomUUID } from 'node:crypto';
import type { OperatingSystemIdentity } from '@pos/core/administration';
import { isId } from '@pos/core/identity';
import { readConfig } from '@pos/service-kit/config';
import type { Database } from '@pos/store/database';
import { connectDatabase, type ConnectOptions } from '@pos/store/startup';
import { createTestDatabase, TEST_SECRETS, type TestDatabase } from '@pos/store/testing';
import { runCommand } from '../command/application.js';
import type { DatabaseConnector } from '../command/admin-session.js';
import { CATALOG } from '../commands/all-commands.js';

/** How a command has ended, and what it has written. */
export interface CommandRun {
  readonly exitCode: number;
  readonly output: string;
  readonly error: string;
}

/** The operator's command on a database of its own. */
export interface CommandEnvironment {
  readonly testDatabase: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the command with these words. */
  run(
    words: readonly string[],
    env?: Readonly<Record<string, string>>,
    operatingSystem?: OperatingSystemIdentity,
  ): Promise<CommandRun>;
  /** Runs a command that must succeed, with `--json`, and returns its data. */
  runJson<T>(words: readonly string[]): Promise<T>;
  /** Runs a query as the owner of the database. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A new account of this test. */
  createAccount(): Promise<string>;
  close(): Promise<void>;
}

/** Who runs a command of a test that names nobody. */
const OPERATING_SYSTEM: OperatingSystemIdentity = { login: 1_000, numbers: [1_000] };
export const REASON = ['--reason', 'a test'] as const;

/**
 * With `sharesDatabase`, all runs use one open database, because opening it is most of the work of a short command. The
 * checks of a start are then made once, so tests of them open their own.
 */
export async function createCommandEnvironment({ sharesDatabase = false } = {}): Promise<CommandEnvironment> {
  const shared = new SharedDatabases();
  const testDatabase = await createTestDatabase();
  const owner = await testDatabase.open({ url: testDatabase.ownerUrl });
  const env = {
    DATABASE_URL: testDatabase.url,
    DATABASE_OWNER_URL: testDatabase.ownerUrl,
    ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
    KEY_PEPPER: TEST_SECRETS.pepper,
    NODE_ENV: 'test',
  };
  const run: CommandEnvironment['run'] = async (words, more = {}, operatingSystem = OPERATING_SYSTEM) => {
    let [output, error] = ['', ''];
    const settings = { ...env, ...more };
    const exitCode = await runCommand(CATALOG, words, {
      env: settings,
      operatingSystem,
      ...(sharesDatabase && { connector: shared }),
      readSettings: (schema) => readConfig(schema, settings),
      writeOutput: (text) => (output += text),
      writeError: (text) => (error += text),
    });
    return { exitCode, output, error };
  };
  const runJson = async <T>(words: readonly string[]): Promise<T> => {
    const { exitCode, output, error } = await run([...words, '--json']);
    if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${error}${output}`);
    return JSON.parse(output) as T;
  };
  return {
    ...{ testDatabase, env, run, runJson },
    query: (sql, values = []) => owner.dataSource.query(sql, [...values]),
    async createAccount() {
      const merchantId = randomBytes(5).toString('hex');
      const words = ['--name', 'test', '--trading-name', 'Test Kitchen', '--merchant-id', merchantId, ...REASON];
      const { id } = await runJson<{ id: string }>(['account', 'create', ...words]);
      if (!isId('account', id)) throw new Error(`not an account: ${id}`);
      return id;
    },
    async close() {
      await shared.closeAll();
      await testDatabase.close();
    },
  };
}

/** Databases that stay open between the runs, one for each set of options. */
class SharedDatabases implements DatabaseConnector {
  readonly #opened = new Map<string, Promise<Database>>();

  open(options: ConnectOptions): Promise<Database> {
    const key = JSON.stringify(options);
    const opened = this.#opened.get(key) ?? connectDatabase(options);
    this.#opened.set(key, opened);
    return opened;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async closeAll(): Promise<void> {
    for (const opened of this.#opened.values()) await (await opened.catch(() => null))?.close();
  }
}

/** Stores the declaration of the default acquirer of production, as a process does at its start. */
export async function declareAcquirer({ testDatabase }: CommandEnvironment): Promise<void> {
  await storeDeclaration(testDatabase.database, {
    ...{ environment: 'production', name: 'default' },
    capabilities: COMPLETE_CAPABILITIES,
  });
}

/** An open difference between the books of an account. Returns its id. */
export async function createDifference(environment: CommandEnvironment, account: string): Promise<string> {
  const id = randomUUID();
  await environment.query(
    `insert into reconciliation_differences (account_id, environment, id, kind, reference, says, happened_at, state,
       first_seen_at, last_seen_at)
     values ($1, 'production', $2, 'NotAskedFor', $2, 'booked without a call', now(), 'Open', now(), now())`,
    [account, id],
  );
  return id;
}
