import type { Database } from '@pos/store/database/database';
import { openDatabase } from '@pos/store/startup/postgres-database';
import { startPostgres } from '@pos/dev-database/embedded-postgres';
import { APP_ROLE, migrate, buildRoleUrl } from '@pos/store/migrations/migrate';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BenchOptions } from '../test-bench/bench.js';

/** A database for one run of the command. */
export interface ReferenceRestaurant extends Pick<BenchOptions, 'database' | 'databaseUrl' | 'secrets'> {
  readonly close: () => Promise<void>;
}

const SECRET_BYTES = 32;
const CONNECTIONS_MAX = 16;
/** The user that runs PostgreSQL instead of root needs access to the folder. */
const PASSABLE = 0o755;

/**
 * Starts a PostgreSQL that is deleted with everything in it when the command ends, however it ends. Throws one sentence
 * when it cannot.
 */
export async function openHouse(): Promise<ReferenceRestaurant> {
  const folder = await mkdtemp(path.join(tmpdir(), 'epos-tester-'));
  await chmod(folder, PASSABLE);
  const postgres = await startPostgres({ dataDir: folder, durable: false, afterExit: 'remove' });
  try {
    const [appPassword, vaultPassword] = [secretText(), secretText()];
    await migrate(postgres.url, { appPassword, vaultPassword });
    const databaseUrl = buildRoleUrl(postgres.url, APP_ROLE, appPassword);
    const secrets = { encryptionKey: randomBytes(SECRET_BYTES), pepper: secretText() };
    const options = { url: databaseUrl, applicationName: 'epos-tester', poolMax: CONNECTIONS_MAX, secrets };
    const database: Database = await openDatabase(options);
    const close = async (): Promise<void> => {
      await database.close();
      await postgres.remove();
    };
    return { database, databaseUrl, secrets, close };
  } catch (error) {
    await postgres.remove();
    throw error;
  }
}

function secretText(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}
