import type { AccountId, Environment } from '@pos/core/identity';
import { readStoreSecrets, requiresVerifiedServers } from '@pos/service-kit/config';
import type { Database, Reader, Tx } from '@pos/store/database';
import { connectDatabase, type ConnectOptions } from '@pos/store/startup';
import type { z } from 'zod';
import { Config, MigrationConfig } from '../config/config.js';

const POOL_MAX = 4;
/** The longest statement of a command: a check of the backlog counts rows of large relations. */
const DEADLINE_MS = 30_000;
/** For commands that read or seal all rows. */
const LONG_DEADLINE_MS = 600_000;

/** Reads settings of the process by their schema; throws ConfigError. */
export type SettingsReader = <S extends z.ZodObject>(schema: S) => z.output<S>;

/** Opens and closes the database of a run. */
export interface DatabaseConnector {
  open(options: ConnectOptions): Promise<Database>;
  close(database: Database): Promise<void>;
}

const OWN_CONNECTIONS: DatabaseConnector = { open: connectDatabase, close: (database) => database.close() };

/** What the commands of one run share: the settings, and the database once a command needs it. */
export class AdminSession {
  #config: Config | null = null;
  #database: Promise<Database> | null = null;

  constructor(
    readonly env: Readonly<Record<string, string | undefined>>,
    private readonly readSettings: SettingsReader,
    /** Writes a line of progress, which is no part of the result. */
    readonly reportProgress: (line: string) => void,
    private readonly connector = OWN_CONNECTIONS,
  ) {}

  /** The settings; throws ConfigError. */
  get config(): Config {
    this.#config ??= this.readSettings(Config);
    return this.#config;
  }

  /** The settings of a migration, which needs the login of the owner and no secrets; throws ConfigError. */
  get migrationConfig(): MigrationConfig {
    return this.readSettings(MigrationConfig);
  }

  /** Opens the database at the first call. Throws StartFailure and WrongSetting. */
  openDatabase({
    isLong = false,
    isOwner = false,
    lockTimeoutMs,
  }: {
    readonly isLong?: boolean;
    readonly isOwner?: boolean;
    readonly lockTimeoutMs?: number;
  } = {}): Promise<Database> {
    this.#database ??= this.connector.open({
      url: (isOwner ? this.migrationConfig.DATABASE_OWNER_URL : this.config.DATABASE_URL).reveal(),
      applicationName: 'admin',
      poolMax: POOL_MAX,
      secrets: readStoreSecrets(this.config),
      requiresVerifiedServers: requiresVerifiedServers(this.config),
      deadlineMs: isLong ? LONG_DEADLINE_MS : DEADLINE_MS,
      ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
    });
    return this.#database;
  }

  /** Runs a change of an account in one transaction. */
  async transact<T>(target: AccountTarget, work: (tx: Tx) => Promise<T>): Promise<T> {
    return (await this.openDatabase()).transact(toScope(target), work);
  }

  /** Reads of an account. */
  async read<T>(target: AccountTarget, work: (reader: Reader) => Promise<T>): Promise<T> {
    return (await this.openDatabase()).read(toScope(target), work);
  }

  async close(): Promise<void> {
    const database = await this.#database?.catch(() => null);
    if (database) await this.connector.close(database);
  }
}

/** The account of a command and its environment, as the flags name them. */
interface AccountTarget {
  readonly account: AccountId;
  readonly environment?: Environment;
}

/** What belongs to an account in both environments is changed in production. */
function toScope({ account: accountId, environment = 'production' }: AccountTarget) {
  return { accountId, environment };
}
