import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@pos/core/refusal';
import { WrongSetting } from '@pos/core/wrong-setting';
import { type Database, type DatabaseOptions, openDatabase } from './database.js';
import { asUnavailable, sqlState } from './sql-error.js';
import type { AlarmReport } from './transaction.js';

/** Where a process writes that it waits, and the alarms that it raises. */
interface ProcessLog {
  info(event: string, fields: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields: Readonly<Record<string, unknown>>): void;
  error(event: string, fields: Readonly<Record<string, unknown>>): void;
}

const PAUSE_FIRST_MS = 250;
const PAUSE_MAX_MS = 5_000;
/** Login refused, unknown role, no such database: waiting does not help, and the setting is to blame. */
const WRONG_LOGIN = /^(28|3D000)/;
/** A relation is missing, or the grants on it: `migrate` has not run yet, or runs just now. */
const NOT_MIGRATED = /^(42P01|42501|3F000)$/;

/**
 * Opens the database, and waits for it as long as it is away or not migrated. Writes one line for each of the two reasons
 * (`database.awaited`) and one when it is there (`database.reached`). Throws WrongSetting when `DATABASE_URL` names a
 * login or database that the server refuses, and every error that is no outage. From then on each alarm that the process
 * raises is one line (`alarm.raised`).
 */
export async function awaitDatabase(options: DatabaseOptions, log: ProcessLog): Promise<Database> {
  const { host, pathname } = new URL(options.url);
  const at = { host, database: pathname.slice(1) };
  const startedAtMs = performance.now();
  const written = new Set<string>();
  for (let attempts = 1; ; attempts += 1) {
    try {
      const database = await openDatabase({ ...options, reportAlarm: alarmLog(log) });
      const waited_ms = Math.round(performance.now() - startedAtMs);
      if (attempts > 1) log.info('database.reached', { ...at, attempts, waited_ms });
      return database;
    } catch (error) {
      const state = sqlState(error);
      if (state !== null && WRONG_LOGIN.test(state)) throw wrongLogin(state);
      const reason = waitReason(error, state);
      if (reason === null) throw error;
      if (!written.has(reason)) log.warn('database.awaited', { ...at, reason, code: state ?? socketCode(error) });
      written.add(reason);
      await pause(Math.min(PAUSE_FIRST_MS * 2 ** (attempts - 1), PAUSE_MAX_MS));
    }
  }
}

/** The facts of an alarm stay in its row: the line says which alarm it is, and nothing that an acquirer or machine wrote. */
function alarmLog(log: ProcessLog): AlarmReport {
  return ({ accountId, environment }, { id, kind, subject, occurrence }) => {
    log.error('alarm.raised', {
      ...{ account_id: accountId, environment, alarm_id: id, kind, subject },
      ...(occurrence !== '' && { occurrence }),
    });
  };
}

function waitReason(error: unknown, state: string | null): 'not migrated' | 'away' | null {
  if (state !== null && NOT_MIGRATED.test(state)) return 'not migrated';
  return asUnavailable(error) instanceof Refusal ? 'away' : null;
}

function wrongLogin(state: string): WrongSetting {
  return new WrongSetting([
    `DATABASE_URL: the server refuses the login, or does not have the database that it names (SQLSTATE ${state})`,
  ]);
}

function socketCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
