import { endOnWrongSetting, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { bootApi } from './boot.js';
import { Config } from './config.js';

try {
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'api', level: config.LOG_LEVEL });
  const api = await bootApi(config, log);
  drainOnSignal({ log, steps: [{ name: 'api', stop: () => api.close() }] });
  log.info('process.started', { url: api.url });
} catch (error) {
  endOnWrongSetting(error);
}
