import { readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { endOnFailure } from '@pos/service-kit/end-on-failure';
import { openLog } from '@pos/service-kit/log';
import { protectMemory } from '@pos/service-kit/memory-protection';
import { bootApi } from './boot.js';
import { Config } from './config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'api', level: config.LOG_LEVEL });
  const api = await bootApi(config, log);
  drainOnSignal({ log, steps: [{ name: 'api', stop: () => api.close() }] });
  log.info('process.started', { url: api.url });
  memory.logLimit(log);
} catch (error) {
  endOnFailure(error);
}
