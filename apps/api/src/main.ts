import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createLog } from '@pos/service-kit/telemetry/log';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { startApi } from './api-server.js';
import { Config } from './config/config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = createLog({ app: 'api', level: config.LOG_LEVEL });
  const api = await startApi(config, log);
  drainOnSignal({ log, steps: [{ name: 'api', stop: () => api.close() }] });
  log.info('process.started', { url: api.url });
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
