// Before an app is loaded: a bundle evaluates the decorators of Nest before the import of this beside them.
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '@pos/core/refusals';
import type { z } from 'zod';
import { readConfig } from '../config/config.js';
import { createLog, type Log, type LogFields } from '../telemetry/log.js';
import { readProductVersion } from '../telemetry/release.js';
import { drainOnSignal, type DrainStep } from './drain.js';
import { exitOnFailure } from './failure-exit.js';
import { isOutageError } from './outage.js';
import { protectMemory } from './memory-protection.js';
import { announceShutdown } from './process-shutdown.js';

/** The settings that every process has; some have no `RELEASE`. */
interface ProcessSettings {
  readonly LOG_LEVEL: string;
  readonly RELEASE?: string | undefined;
  /** The lame-duck time of apps with ports that others call. */
  readonly LAME_DUCK_MS?: number;
}

/** What a started process has open. */
export interface StartedProcess {
  /** In the order in which a signal closes them. */
  readonly closeSteps: readonly DrainStep[];
  /** For the log line `process.started`. */
  readonly startedFields: LogFields;
}

/** A process that serves until a signal ends it. */
export interface ProcessDefinition<Config extends ProcessSettings> {
  readonly app: string;
  readonly schema: z.ZodObject & z.ZodType<Config>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False only for an app whose memory needs no protection, because it holds no keys and no card numbers. */
  readonly hasSecrets?: boolean;
  /**
   * It imports the modules that serve. An import at the top of `main.ts` would load them before the process listens for
   * signals, which takes most of the start.
   */
  readonly start: (config: Config, log: Log) => Promise<StartedProcess>;
}

/**
 * Runs a process from its environment until SIGTERM or SIGINT, and exits with 0 after the drain. A signal during the
 * start also ends the process: the first process of a container would otherwise ignore it, because the kernel delivers
 * it only to a listener. A start that fails ends with the exit codes of `exitOnFailure`; a defect is thrown. A start during which the database
 * is lost is begun again, as one that did not reach it would wait.
 */
export async function runProcess<Config extends ProcessSettings>(definition: ProcessDefinition<Config>): Promise<void> {
  const { app, schema, env, hasSecrets = true, start } = definition;
  try {
    const memory = hasSecrets ? protectMemory(env) : null;
    const config: Config = readConfig(schema, env);
    const log = createLog({ app, level: config.LOG_LEVEL, release: readProductVersion(config) });
    const steps: DrainStep[] = [];
    drainOnSignal({ log, steps, lameDuck: { announce: announceShutdown, timeMs: config.LAME_DUCK_MS ?? 0 } });
    const { closeSteps, startedFields } = await startDespiteOutages(() => start(config, log), log);
    steps.push(...closeSteps);
    log.info('process.started', startedFields);
    memory?.logCoreLimit(log);
  } catch (error) {
    exitOnFailure(error);
  }
}

const START_PAUSE_MS = 500;

async function startDespiteOutages(start: () => Promise<StartedProcess>, log: Log): Promise<StartedProcess> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isOutage(error)) throw error;
      log.warn('process.start_interrupted', { error });
      await pause(START_PAUSE_MS);
    }
  }
}

function isOutage(error: unknown): boolean {
  return isOutageError(error) || (error instanceof Refusal && error.code === 'service_unavailable');
}
