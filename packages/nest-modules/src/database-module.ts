import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { ReadinessCheck } from '@pos/service-kit/http/health';
import { readStoreSecrets } from '@pos/service-kit/config/store-secrets';
import type { Secret } from '@pos/service-kit/config/secret';
import { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { awaitDatabase, type ConnectOptions } from '@pos/store/startup/database-startup';
import { listTokens, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';

/** The settings of the database, which every app names alike. */
type DatabaseConfig = Parameters<typeof readStoreSecrets>[0] & {
  readonly DATABASE_URL: Secret;
  readonly SEED?: string | undefined;
};

/** What an app decides about its connections. */
export interface DatabaseModuleOptions extends Pick<ConnectOptions, 'role'> {
  readonly applicationName: string;
  readonly poolMax: number;
}

/** The options of a database by the settings of an app. */
export function buildDatabaseOptions(config: DatabaseConfig, options: DatabaseModuleOptions): ConnectOptions {
  return {
    ...options,
    url: config.DATABASE_URL.reveal(),
    secrets: readStoreSecrets(config),
    ...(config.SEED !== undefined && { seed: config.SEED }),
  };
}

/** Ready means that the database answers. */
export class DatabaseReadiness implements ReadinessCheck {
  readonly name = 'database';

  constructor(private readonly database: Database) {}

  check(): Promise<void> {
    return this.database.checkReady();
  }
}

const QUEUES = [
  provide(TimerQueue, { database: Database }, ({ database }) => new TimerQueue(database)),
  provide(DatabaseReadiness, { database: Database }, ({ database }) => new DatabaseReadiness(database)),
];

/** The database and its queues. The start waits for the database; it closes after everything that uses it has stopped. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  static forRoot(readOptions: (config: never) => DatabaseModuleOptions): DynamicModule {
    const database = provide(Database, { config: CONFIG, log: LOG }, ({ config, log }) =>
      awaitDatabase(buildDatabaseOptions(config, readOptions(config)), log),
    );
    const providers = [database, ...QUEUES];
    return { module: DatabaseModule, providers, exports: listTokens(providers) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
