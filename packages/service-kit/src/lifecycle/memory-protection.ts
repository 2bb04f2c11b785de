import { readFileSync, writeFileSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { ConfigError } from '../config/config.js';
import type { Log } from '../telemetry/log.js';

/** The environment and the options of a process. */
interface ProcessOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
}

/** The memory protection of this process. */
export interface MemoryProtection {
  /** Logs one line (`process.core_limit`) when the system would still write a core file, which contains no memory. */
  readonly logCoreLimit: (log: Log) => void;
}

/** Options of node that write memory, keys or the environment to a file, or that let others read memory. */
const REFUSED_OPTIONS = [
  /^--abort-on-uncaught-exception$/,
  /^--inspect(-.+)?$/,
  /^--debug-port$/,
  /^--heapsnapshot-(signal|near-heap-limit)$/,
  /^--(cpu|heap)-prof$/,
  /^--tls-keylog$/,
];
/** Report options write the environment, and so every secret, unless the next option excludes it. */
const REPORT_OPTIONS = /^--report-(on-fatalerror|on-signal|uncaught-exception)$/;
const EXCLUDE_ENVIRONMENT_OPTION = '--report-exclude-env';

const CORE_FILTER_FILE = '/proc/self/coredump_filter';
const LIMITS_FILE = '/proc/self/limits';

/**
 * Keeps the memory of this process out of files and from debuggers. Call it before a secret is read. On Linux a core
 * file then contains no memory; threads and child processes inherit that. In production it throws `ConfigError` for an
 * option that writes or opens memory, for an open debugger, and where the core file filter cannot be set; and SIGUSR1
 * no longer opens the debugger.
 */
export function protectMemory(env: ProcessOptions['env']): MemoryProtection {
  const isFiltered = process.platform !== 'linux' || disableCoreMemory();
  // The default of every app's NODE_ENV.
  const isInProduction = (env['NODE_ENV']?.trim() || 'production') === 'production';
  if (isInProduction) {
    process.on('SIGUSR1', () => undefined);
    const problems = findForbiddenOptions({ env, execArgv: process.execArgv });
    if (problems.length === 0 && inspectorUrl() !== undefined) problems.push('NODE_OPTIONS: the debugger is open');
    if (!isFiltered)
      problems.push(`${CORE_FILTER_FILE}: cannot be set to 0, and a core file would hold card numbers and keys`);
    if (problems.length > 0) throw new ConfigError(problems);
  }
  return {
    logCoreLimit: (log) => {
      const limit = readCoreLimit();
      if (limit === null || limit === '0') return;
      log[isInProduction ? 'warn' : 'info']('process.core_limit', { limit, is_memory_left_out: isFiltered });
    },
  };
}

/** A problem for each option that must not be set in production, whether given to node or in `NODE_OPTIONS`. */
export function findForbiddenOptions({ env, execArgv }: ProcessOptions): string[] {
  const fromEnv = (env['NODE_OPTIONS'] ?? '').replaceAll(/["\\]/g, '').split(/\s+/);
  const sources = { 'node options': execArgv, NODE_OPTIONS: fromEnv };
  const all = [...execArgv, ...fromEnv].map(getOptionName);
  const excludesEnvironment = all.includes(EXCLUDE_ENVIRONMENT_OPTION);
  const isRefused = (name: string): boolean =>
    REFUSED_OPTIONS.some((refused) => refused.test(name)) || (REPORT_OPTIONS.test(name) && !excludesEnvironment);
  return Object.entries(sources).flatMap(([source, given]) =>
    [...new Set(given.map(getOptionName))]
      .filter(isRefused)
      .map((name) => `${source}: ${name} must not be set in production: it shows or writes memory`),
  );
}

/** The name of an option as node reads it: underscores count as hyphens. */
function getOptionName(option: string): string {
  return (option.split('=')[0] ?? '').replaceAll('_', '-');
}

/** Excludes every kind of memory from core files; returns whether the system accepted it. */
function disableCoreMemory(): boolean {
  try {
    writeFileSync(CORE_FILTER_FILE, '0');
    return Number.parseInt(readFileSync(CORE_FILTER_FILE, 'utf8'), 16) === 0;
  } catch {
    return false;
  }
}

/** The system's limit on the size of core files, or null where it cannot be read. */
function readCoreLimit(): string | null {
  try {
    return /^Max core file size\s+(\S+)/m.exec(readFileSync(LIMITS_FILE, 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}
