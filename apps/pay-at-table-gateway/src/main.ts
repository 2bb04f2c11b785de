import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { bootGateway } from './boot.js';
import { Config } from './config/config.js';

try {
  const memory = protectMemory(process.env);
  const { urls, log, close } = await bootGateway(readConfig(Config, process.env));
  drainOnSignal({ log, steps: [{ name: 'pay-at-table-gateway', stop: close }] });
  log.info('process.started', urls);
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
