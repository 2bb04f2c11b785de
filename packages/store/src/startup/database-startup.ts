import { setTimeout as pause } from 'node:timers/promises';
import { types } from 'node:util';
import { Refusal } from '@pos/core/refusals/refusal';
import { StartFailure } from '@pos/core/refusals/start-failure';
import { WrongSetting } from '@pos/core/refusals/settings-error';
import type { Database, DatabaseOptions } from '../database/database.js';
import { openDatabase } from './postgres-database.js';
import { requireMigrations, requireRole } from './login-checks.js';
import { APP_ROLE, type VAULT_ROLE } from '../migrations/migrate.js';
import { toServiceUnavailable, findSqlState } from '../postgres/sql-errors.js';
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
}

/** Why the database cannot be used yet, with the code of the system or the server. */
interface ConnectFailure {
  readonly reason: 'not migrated' | 'away';
  readonly code: string | null;
}

const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 5_000;
/** Login refused, unknown role, no such database: waiting does not help, because the setting is wrong. */
const LOGIN_REJECTED = /^(28|3D000)/;
/** A relation, column or role is missing, or the grants: `migrate` has not run yet, or is running. */
const NOT_MIGRATED = /^(42P01|42703|42704|42501|3F000)$/;
/** The server has no TLS, or its certificate is not accepted. */
const TLS_FAILED = /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|EPROTO$)/;
const NO_TLS = 'The server does not support SSL connections';

/**
 * Opens the database, and waits while it is unreachable or not migrated. Writes one line for each of the two reasons
 * (`database.awaited`) and one when it is available (`database.reached`). Throws WrongSetting when `DATABASE_URL`
 * names a login, role, database or TLS that cannot work, and every error that is no outage. From then on each alarm
 * that the process raises is one line (`alarm.raised`).
 */
export async function awaitDatabase(options: ConnectOptions, log: ProcessLog): Promise<Database> {
  const target = parseTarget(options);
  const optionsWithReporter = { ...options, reportAlarm: createAlarmReporter(log) };
  const startedAtMs = performance.now();
  const loggedReasons = new Set<string>();
  for (let attempts = 1; ; attempts += 1) {
    const result = await tryOpen(optionsWithReporter);
    if (!('reason' in result)) {
      const waited_ms = Math.round(performance.now() - startedAtMs);
      if (attempts > 1) log.info('database.reached', { ...target, attempts, waited_ms });
      return result;
    }
    if (!loggedReasons.has(result.reason)) log.warn('database.awaited', { ...target, ...result });
    loggedReasons.add(result.reason);
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
  const result = await tryOpen(options);
  if (!('reason' in result)) return result;
  const { host, database } = parseTarget(options);
  const code = result.code === null ? '' : ` (${result.code})`;
  throw new StartFailure(
    result.reason === 'away'
      ? `cannot start: the database server ${host} does not answer${code}`
      : `cannot start: the database ${database} at ${host} is not migrated${code}`,
  );
}

async function tryOpen(options: ConnectOptions): Promise<Database | ConnectFailure> {
  let database: Database | null = null;
  try {
    database = await openDatabase(options);
    await requireMigrations(database.dataSource, options.role ?? APP_ROLE);
    return database;
  } catch (error) {
    await database?.close();
    return classifyFailure(error, options);
  }
}

/** Throws errors that waiting does not fix. */
async function classifyFailure(error: unknown, { url, role = APP_ROLE }: ConnectOptions): Promise<ConnectFailure> {
  const state = findSqlState(error);
  if (state !== null && LOGIN_REJECTED.test(state)) {
    throw createUrlError(
      `the server refuses the login, or does not have the database that it names (SQLSTATE ${state})`,
    );
  }
  const code = state ?? findSocketCode(error);
  if (isTlsFailure(error)) throw createUrlError(`no TLS connection to the server (${code ?? NO_TLS.toLowerCase()})`);
  if (state === '42501') await requireRole(url, role);
  if (state !== null && NOT_MIGRATED.test(state)) return { reason: 'not migrated', code };
  if (toServiceUnavailable(error) instanceof Refusal) return { reason: 'away', code };
  throw error;
}

function parseTarget({ url }: ConnectOptions): { readonly host: string; readonly database: string } {
  const { host, pathname } = new URL(url);
  return { host, database: pathname.slice(1) };
}

function createUrlError(problem: string): WrongSetting {
  return new WrongSetting([`DATABASE_URL: ${problem}`]);
}

function isTlsFailure(error: unknown): boolean {
  return types.isNativeError(error) && (error.message === NO_TLS || TLS_FAILED.test(findSocketCode(error) ?? ''));
}

function findSocketCode(error: unknown): string | null {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
