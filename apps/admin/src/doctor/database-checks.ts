import type { Database } from '@pos/store/database';
import { describeTarget, parseConnectionUrl } from '@pos/postgres/connections';
import { NOT_SET } from '@pos/service-kit/config';
import {
  type AgreedSetting,
  listAgreedSettings,
  listReplacedKeys,
  readServerFacts,
  type RefusedStart,
  type ServerFacts,
} from '@pos/store/startup';
import { type DoctorFinding, note, ok, problem } from './finding.js';

const CLOCK_DIFFERENCE_MS_MAX = 2_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(:\d+)?$/;

/** Checks the server and the login of a database that opens: role, TLS, clock, keys and agreed settings. */
export async function checkDatabase(
  database: Database,
  {
    url,
    readClock,
    agreedSettings,
    isTlsByNetwork,
  }: {
    readonly url: string;
    /** Whether the operator says that the network encrypts the connection. */
    readonly isTlsByNetwork: boolean;
    readonly readClock: () => Date;
    readonly agreedSettings: Readonly<Record<string, string>>;
  },
): Promise<DoctorFinding[]> {
  const sentAt = readClock();
  const state = await database.readSystem(readServerFacts);
  const receivedAt = readClock();
  const { host } = describeTarget(parseConnectionUrl(url));
  return [
    ok('database', `PostgreSQL ${state.version} at ${host}, as ${state.login}; the schema works with this release`),
    ...checkLogin(state, host),
    ...(state.isEncrypted || LOOPBACK.test(host) ? [] : [describePlaintext(host, isTlsByNetwork)]),
    checkClock(state.databaseNow, { sentAt, receivedAt }),
    ...(await checkKeys(database)),
    ...(await checkAgreedSettings(database, agreedSettings)),
  ];
}

function checkLogin({ login, isPrivileged, isReadOnly }: ServerFacts, host: string): DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  if (isPrivileged) {
    const message = `the login ${login} owns the database or is a superuser, so insert-only relations are not protected`;
    findings.push(problem('database login', message, 'use service_app in DATABASE_URL'));
  }
  if (isReadOnly) {
    const message = `${host} is a standby and accepts no writes`;
    findings.push(problem('database', message, 'let DATABASE_URL name the primary'));
  }
  return findings;
}

function describePlaintext(host: string, isTlsByNetwork: boolean): DoctorFinding {
  const message = `the connection to ${host} is not encrypted`;
  return isTlsByNetwork
    ? note('database TLS', `${message} by this process`, 'make sure that the network encrypts and verifies it')
    : problem('database TLS', message, 'add sslmode=verify-full to DATABASE_URL');
}

/** The difference is between the database's time and the span in which it was read. */
export function checkClock(
  databaseNow: Date,
  { sentAt, receivedAt }: { readonly sentAt: Date; readonly receivedAt: Date },
): DoctorFinding {
  const aheadMs = databaseNow.getTime() - receivedAt.getTime();
  const behindMs = sentAt.getTime() - databaseNow.getTime();
  const differenceMs = Math.max(0, aheadMs, behindMs);
  if (differenceMs <= CLOCK_DIFFERENCE_MS_MAX) return ok('clock', 'the clocks of this machine and the database agree');
  const message = `the database is ${Math.round(differenceMs / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine`;
  return problem('clock', message, 'synchronise both machines with NTP');
}

async function checkKeys(database: Database): Promise<DoctorFinding[]> {
  const replaced = await database.readSystem(listReplacedKeys);
  return replaced.map(({ purpose, since }) =>
    note(
      'keys',
      `${purpose} is being replaced since ${since.toISOString()}`,
      'finish it: docs/operate/replace-keys.md',
    ),
  );
}

/** `own` are the settings of this command, which should be those of the apps. */
async function checkAgreedSettings(
  database: Database,
  own: Readonly<Record<string, string>>,
): Promise<DoctorFinding[]> {
  const settings = await database.readSystem(listAgreedSettings);
  const findings = settings.flatMap((setting) => [
    ...describeChange(setting),
    ...setting.refused.map((start) => describeRefusedStart(setting, start)),
    ...compareOwnValue(setting, own[setting.name]),
  ]);
  return findings.length > 0 ? findings : [ok('settings', `the apps agree on ${settings.length} settings`)];
}

function describeChange({ name, value, nextValue }: AgreedSetting): DoctorFinding[] {
  if (nextValue === null) return [];
  const message = `${name} is being changed from ${value} to ${nextValue}`;
  return [note('settings', message, 'when all processes have it, run agreed-settings finish')];
}

function describeRefusedStart(setting: AgreedSetting, { app, value, at }: RefusedStart): DoctorFinding {
  const message = `${app} did not start at ${at.toISOString()}: its ${setting.name} is ${value}, and ${describeValues(setting)} at the other processes (${setting.app} was the first)`;
  return problem('settings', message, 'set the same value there, or see docs/operate/agreed-settings.md');
}

/** What this command leaves out is not compared: an app may have it. */
function compareOwnValue(setting: AgreedSetting, own: string | undefined): DoctorFinding[] {
  const { name, value, nextValue } = setting;
  if (own === undefined || own === NOT_SET || own === value || own === nextValue) return [];
  const message = `${name} is ${own} for this command, and ${describeValues(setting)} at the apps`;
  return [problem('settings', message, 'run doctor with the settings of the apps')];
}

function describeValues({ value, nextValue }: AgreedSetting): string {
  return nextValue === null ? value : `${value} or ${nextValue}`;
}
