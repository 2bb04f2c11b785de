import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type ActivityRecorder, NO_ACTIVITY_LOG } from '@pos/core/activities';
import type { ReadinessCheck } from '@pos/service-kit/http';
import { readStoreSecrets, requiresVerifiedServers, type Secret } from '@pos/service-kit/config';
import { ActivityLog } from '@pos/store/activities';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import { awaitDatabase, type ConnectOptions } from '@pos/store/startup';
import { CONFIG, defineToken, listTokens, LOG, provide, type ValueToken } from '@pos/service-kit/nest';
import { observeActivityLog } from './activity-telemetry.js';
import { observeDatabase } from './database-telemetry.js';

/** The settings of the database, which every app names alike. */
type DatabaseConfig = Parameters<typeof readStoreSecrets>[0] & {
  /** Absent where the app has no activity log. */
  readonly ACTIVITY_RETENTION_DAYS?: number;
  readonly DATABASE_URL: Secret;
  readonly DATABASE_TLS_BY_NETWORK?: boolean;
  readonly NODE_ENV?: string;
  readonly SEED?: string | undefined;
};

/** What an app decides about its connections. */
export interface DatabaseModuleOptions extends Pick<ConnectOptions, 'role' | 'agreedSettings'> {
  readonly applicationName: string;
  readonly poolMax: number;
}

/** The options of a database by the settings of an app. */
export function buildDatabaseOptions(config: DatabaseConfig, options: DatabaseModuleOptions): ConnectOptions {
  return {
    ...options,
    url: config.DATABASE_URL.reveal(),
    requiresVerifiedServers: requiresVerifiedServers(config),
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

const POOL_MAX = defineToken<number>('POOL_MAX');

/** The activity log of the process; null where it has none, or where it is switched off. */
const ACTIVITY_LOG = defineToken<ActivityLog | null>('ACTIVITY_LOG');
/** Takes what the process does for its accounts; does nothing where there is no activity log. */
export const ACTIVITIES: ValueToken<ActivityRecorder> = defineToken('ACTIVITIES');

const ACTIVITY_PROVIDERS = [
  provide(ACTIVITY_LOG, { database: Database, config: CONFIG, log: LOG }, ({ database, config, log }) => {
    const { ACTIVITY_RETENTION_DAYS: days = 0 }: DatabaseConfig = config;
    return days === 0 ? null : new ActivityLog(database, observeActivityLog(log));
  }),
  provide(ACTIVITIES, { log: ACTIVITY_LOG }, ({ log }) => log ?? NO_ACTIVITY_LOG),
];

const QUEUES = [
  provide(TimerQueue, { database: Database }, ({ database }) => new TimerQueue(database)),
  provide(DatabaseReadiness, { database: Database }, ({ database }) => new DatabaseReadiness(database)),
];

/** The database and its queues. The start waits for the database; it closes after everything that uses it has stopped. */
@Global()
@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  readonly #stopObserving: () => void;

  constructor(
    private readonly database: Database,
    @Inject(POOL_MAX) poolMax: number,
    @Inject(ACTIVITY_LOG) private readonly activityLog: ActivityLog | null,
  ) {
    this.#stopObserving = observeDatabase(database, poolMax);
  }

  static forRoot(readOptions: (config: never) => DatabaseModuleOptions): DynamicModule {
    const database = provide(Database, { config: CONFIG, log: LOG }, ({ config, log }) =>
      awaitDatabase(buildDatabaseOptions(config, readOptions(config)), log),
    );
    const poolMax = provide(POOL_MAX, { config: CONFIG }, ({ config }) => readOptions(config).poolMax);
    const providers = [database, ...QUEUES, ...ACTIVITY_PROVIDERS];
    return { module: DatabaseModule, providers: [...providers, poolMax], exports: listTokens(providers) };
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopObserving();
    await this.activityLog?.stop();
    await this.database.close();
  }
}
