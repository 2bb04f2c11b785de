import { openDatabase } from '@pos/store/startup';
import { APP_ROLE, migrate, buildRoleUrl } from '@pos/store/migrations';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startProgram } from '../test-bench/child-program.js';
import type { BenchOptions } from '../test-bench/test-bench.js';

/** The database of one run of the command, with its keys. */
export interface TemporaryDatabase extends Pick<BenchOptions, 'database' | 'databaseUrl' | 'secrets'> {
  /** Closes the database and deletes it. */
  readonly close: () => Promise<void>;
}

/** Like the gateway, the server is a program of the repository and no dependency of this app. */
const SERVER = fileURLToPath(new URL('../../../../packages/dev-database/dist/temporary-server.js', import.meta.url));
const ServerReady = z.object({ url: z.string() });
const SECRET_BYTES = 32;
const CONNECTIONS_MAX = 16;

/** Starts a PostgreSQL server that is deleted when this process ends, and migrates its database. */
export async function openTemporaryDatabase(): Promise<TemporaryDatabase> {
  if (!existsSync(SERVER)) throw new Error('PostgreSQL is not built: pnpm turbo run build --filter=@pos/dev-database');
  const server = await startProgram({
    ...{ name: 'PostgreSQL', command: [SERVER, 'epos-tester'], ready: ServerReady },
  });
  try {
    const { url } = server.ready;
    const [appPassword, vaultPassword] = [createSecretText(), createSecretText()];
    await migrate(url, { appPassword, vaultPassword });
    const databaseUrl = buildRoleUrl(url, APP_ROLE, appPassword);
    const secrets = { encryptionKey: randomBytes(SECRET_BYTES), pepper: createSecretText() };
    const options = { url: databaseUrl, applicationName: 'epos-tester', poolMax: CONNECTIONS_MAX, secrets };
    const database = await openDatabase(options);
    const close = async (): Promise<void> => {
      await database.close();
      await server.end();
    };
    return { database, databaseUrl, secrets, close };
  } catch (error) {
    await server.end();
    throw error;
  }
}

function createSecretText(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}
