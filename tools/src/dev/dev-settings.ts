import path from 'node:path';
import { z } from 'zod';
import { REPOSITORY } from '../repository/repository.js';
import { WrongSetting } from '@pos/core/refusals';
import { hostPortListSetting } from '@pos/service-kit/config';
import { parseConnectionUrl } from '@pos/postgres/connections';
import { READY_MS_MAX } from './app-process.js';
import { type ChosenPorts, DEFAULT_PORTS, type PortName } from './ports.js';
import type { WorldOptions } from './world.js';

/** Settings of apps that a developer may give to `npm start`; every app that has the setting gets it. */
export const PASSED_SETTINGS = [
  'LOG_LEVEL',
  'SIGNATURE_WINDOW_MS',
  'LOCK_LEASE_MS',
  'RUNNER_LEASE_MS',
  'LANE_LEASE_MS',
  'EPOS_CALL_LIMIT_MS',
  'WEBHOOK_BACKOFF_SCALE',
  'INQUIRY_INTERVAL_MS',
  'RATE_LIMIT_PER_SECOND',
  'SIMULATOR_TIME_SCALE',
  'EPOS_STATE_DIR',
  'TLS_RELOAD_MS',
  'FAULT_POINT',
] as const;

/** The settings of `npm start` and `pnpm turbo dev` from the environment. */
export const DEV_SETTINGS = z.object({
  DATABASE_URL: z
    .string()
    .superRefine((url, context) => {
      const problem = findUrlProblem(url);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .optional()
    .describe(
      "The owner's login of a PostgreSQL server to use instead of the embedded one. Several hosts, separated by commas, are the servers of a fail-over.",
    ),
  DATA_DIR: z.string().default('.data').describe('Where rows, logs, keys and certificates are kept.'),
  SEED: z
    .string()
    .max(200)
    .optional()
    .describe('Makes keys, ids and the seeded world reproducible, in an empty folder.'),
  TLS: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether all connections of the apps are encrypted, with certificates that the start creates.'),
  WATCH: z.enum(['true', 'false']).default('true').describe('Whether saved files are compiled and run at once.'),
  PROGRAMS: z
    .enum(['modules', 'bundle'])
    .default('modules')
    .describe(
      'What the apps run: `modules`, which each start compiles, or the `bundle` that `pnpm turbo build` made last.',
    ),
  OPEN_BROWSER: z
    .enum(['true', 'false'])
    .default('true')
    .describe('Whether the page of the simulated restaurant is opened, where a person with a browser started it.'),
  START_TIMEOUT_MS: z.coerce
    .number({ error: 'is not a number of milliseconds' })
    .int({ error: 'is not a number of milliseconds' })
    .min(1_000, { error: 'is less than 1000' })
    .default(READY_MS_MAX)
    .describe('How long the start waits for each app to be ready. On a loaded machine set more.'),
  EGRESS_ALLOW: hostPortListSetting().describe("Receivers (`host:port`) that may be called besides the demo's own."),
  EGRESS_CA_FILE: z.string().optional().describe('PEM file of the certificate authority those receivers may use.'),
});

/** Why the apps cannot use the address; null if they can. It is read as they read it, with several hosts and parameters. */
function findUrlProblem(url: string): string | null {
  try {
    parseConnectionUrl(url);
    return null;
  } catch (error) {
    if (error instanceof WrongSetting) return error.problems.join(' ').replace('DATABASE_URL: ', '');
    throw error;
  }
}

/** The options of the world from the settings. Throws one sentence for an invalid setting. */
export function readWorldOptions(
  env: Readonly<Record<string, string | undefined>>,
): WorldOptions & { dataDir: string } {
  const given = findGivenSetting(env);
  const { DATABASE_URL, DATA_DIR, SEED, TLS, PROGRAMS, START_TIMEOUT_MS, EGRESS_ALLOW, EGRESS_CA_FILE } = read(given);
  const handedOn = Object.entries(given).filter(([name]) => PASSED_SETTINGS.some((each) => each === name));
  // A fault point may be armed only where the world cannot be mistaken for a real service.
  const isTest = given['NODE_ENV'] === 'test';
  return {
    dataDir: path.resolve(REPOSITORY, DATA_DIR),
    ports: readChosenPorts(given),
    seed: SEED,
    databaseUrl: DATABASE_URL,
    tls: TLS === 'true',
    programs: PROGRAMS,
    readyMsMax: START_TIMEOUT_MS,
    egress: { allow: EGRESS_ALLOW, caFile: EGRESS_CA_FILE ?? null },
    env: { '*': { ...Object.fromEntries(handedOn), ...(isTest ? { NODE_ENV: 'test' } : {}) } },
  };
}

/** Whether sources are watched. Throws like `readWorldOptions`. */
export function isWatching(env: Readonly<Record<string, string | undefined>>): boolean {
  return read(findGivenSetting(env)).WATCH === 'true';
}

/** An empty text counts as not set. */
function findGivenSetting(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).map(([name, text]): [string, string] => [name, text ?? '']);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

function read(given: Readonly<Record<string, string>>): z.output<typeof DEV_SETTINGS> {
  const reading = DEV_SETTINGS.safeParse(given);
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw new Error(`${String(issue?.path[0])} ${issue?.message ?? 'cannot be used'}.`);
}

function readChosenPorts(given: Readonly<Partial<Record<string, string>>>): ChosenPorts {
  const names = Object.keys(DEFAULT_PORTS) as PortName[];
  const chosen = names.flatMap((name): [PortName, number][] => {
    const { setting } = DEFAULT_PORTS[name];
    const text = given[setting];
    if (text === undefined) return [];
    if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65_535) {
      throw new Error(`${setting} is not a port from 1 to 65535.`);
    }
    return [[name, Number(text)]];
  });
  return Object.fromEntries(chosen);
}
