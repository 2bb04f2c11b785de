import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { bootGateway } from './boot.js';
import { Config } from './config.js';

try {
  const memory = protectMemory(process.env);
  const { urls, log, drainSteps } = await bootGateway(readConfig(Config, process.env));
  drainOnSignal({ log, steps: drainSteps });
  log.info('process.started', urls);
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
