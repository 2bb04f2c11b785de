import { setTimeout as pause } from 'node:timers/promises';
import { types } from 'node:util';
import { Refusal, StartFailure } from '@pos/core/refusals';
import type { Database, DatabaseOptions } from '../database/database.js';
import { openDatabase } from './postgres-database.js';
import { type OwnSettings, requireAgreedSettings } from './agreed-settings.js';
import { requireRole, requireRoleGrants } from './login-checks.js';
import { readSchemaState, readSchemaStateAt, requireCompatibleSchema } from './schema-state.js';
import { APP_ROLE, type VAULT_ROLE } from '../migrations/migrate.js';
import { createUrlError, describeTarget, parseConnectionUrl, requireVerifiedServers } from '@pos/postgres/connections';
import { toServiceUnavailable, findSqlState } from '@pos/postgres/statements';
import type { AlarmReporter } from '../database/transaction.js';

/** The log in which a process reports that it waits, and the alarms that it raises. */
interface ProcessLog {
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  error(event: string, fields: Readonly<Record<string, unknown>>): void;
}

/** How a process opens its database. */
export interface ConnectOptions extends DatabaseOptions {
  /** The role that the login must have; `service_app` when left out. */
  readonly role?: typeof APP_ROLE | typeof VAULT_ROLE;
  /** The settings of the process that all processes of the database must agree on. */
  readonly agreedSettings?: OwnSettings['settings'];
  /** Whether servers on other machines must be verified by certificate and name. */
  readonly requiresVerifiedServers?: boolean;
}

/** The database does not answer, with the code of the system or the server. */
interface ConnectFailure {
  readonly reason: 'away';
  readonly code: string | null;
}

const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 5_000;
/** Login refused, unknown role, no such database: waiting does not help, because the setting is wrong. */
const LOGIN_REJECTED = /^(28|3D000)/;
/** A relation, column or role is missing, or the grants. */
const SCHEMA_DIFFERS = /^(42P01|42703|42704|42501|3F000)$/;
/** The server has no TLS, or its certificate is not accepted. */
const TLS_FAILED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|EPROTO$)/;
const NO_TLS = 'The server does not support SSL connections';

/**
 * Opens the database, and waits while it is unreachable. Writes one line when it waits (`database.awaited`) and one
 * when it is available (`database.reached`). Throws StartFailure when the schema does not work with this release,
 * WrongSetting when `DATABASE_URL` names a login, role, database or TLS that cannot work or when an agreed setting
 * differs, and every error that is no outage. From then on each alarm that the process raises is one line
 * (`alarm.raised`).
 */
export async function awaitDatabase(options: ConnectOptions, log: ProcessLog): Promise<Database> {
  const target = parseTarget(options);
  const optionsWithReporter = { ...options, reportAlarm: createAlarmReporter(log) };
  const startedAtMs = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    const result = await tryOpen(optionsWithReporter);
    if (!('reason' in result)) {
      const waited_ms = Math.round(performance.now() - startedAtMs);
      if (attempts > 1) log.info('database.reached', { ...target, attempts, waited_ms });
      return result;
    }
    if (attempts === 1) log.warn('database.awaited', { ...target, ...result });
    await pause(Math.min(PAUSE_FIRST_MS * 2 ** (attempts - 1), PAUSE_MAX_MS));
  }
}

/** The facts of an alarm stay in its row: the line contains its identity, and no text of an acquirer or machine. */
function createAlarmReporter(log: ProcessLog): AlarmReporter {
  return ({ accountId, environment }, { id, kind, subject, occurrence }) => {
    log.error('alarm.raised', {
      ...{ account_id: accountId, environment, alarm_id: id, kind, subject },
      ...(occurrence !== '' && { occurrence }),
    });
  };
}

/** Opens the database for a command: as `awaitDatabase`, but throws StartFailure instead of waiting. */
export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const { host } = parseTarget(options);
  const result = await tryOpen(options);
  if (!('reason' in result)) return result;
  const code = result.code === null ? '' : ` (${result.code})`;
  throw new StartFailure(`cannot start: the database server ${host} does not answer${code}`);
}

async function tryOpen(options: ConnectOptions): Promise<Database | ConnectFailure> {
  let database: Database | null = null;
  try {
    database = await openDatabase(options);
    await requireUsableDatabase(database, options);
    return database;
  } catch (error) {
    await database?.close();
    return classifyFailure(error, options);
  }
}

async function requireUsableDatabase({ dataSource }: Database, options: ConnectOptions): Promise<void> {
  const query = (sql: string) => dataSource.manager.query<Record<string, unknown>[]>(sql);
  requireCompatibleSchema(await readSchemaState(query), describePlace(options));
  await requireRoleGrants(dataSource, options.role ?? APP_ROLE);
  const { applicationName: app, agreedSettings: settings = {} } = options;
  await requireAgreedSettings(dataSource, { app, settings });
}

/** Throws errors that waiting does not fix. */
async function classifyFailure(error: unknown, options: ConnectOptions): Promise<ConnectFailure> {
  const { url, role = APP_ROLE } = options;
  const state = findSqlState(error);
  if (state !== null && LOGIN_REJECTED.test(state)) {
    throw createUrlError(
      `the server refuses the login, or does not have the database that it names (SQLSTATE ${state})`,
    );
  }
  const code = state ?? findSocketCode(error);
  if (isTlsFailure(error)) throw createUrlError(`no TLS connection to the server (${code ?? NO_TLS.toLowerCase()})`);
  if (state === '42501') await requireRole(url, role);
  if (state !== null && SCHEMA_DIFFERS.test(state)) {
    requireCompatibleSchema(await readSchemaStateAt(url), describePlace(options));
    // The relations are there, and the login may not use one of them.
    if (state === '42501') requireCompatibleSchema({ kind: 'unreadable' }, describePlace(options));
  }
  if (toServiceUnavailable(error) instanceof Refusal) return { reason: 'away', code };
  throw error;
}

function parseTarget({ url, requiresVerifiedServers = false }: ConnectOptions): ReturnType<typeof describeTarget> {
  const parsed = parseConnectionUrl(url);
  if (requiresVerifiedServers) requireVerifiedServers(parsed);
  return describeTarget(parsed);
}

function describePlace(options: ConnectOptions): string {
  const { host, database } = parseTarget(options);
  return `the database ${database} at ${host}`;
}

function isTlsFailure(error: unknown): boolean {
  return types.isNativeError(error) && (error.message === NO_TLS || TLS_FAILED.test(findSocketCode(error) ?? ''));
}

function findSocketCode(error: unknown): string | null {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
