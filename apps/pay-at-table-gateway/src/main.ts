import { endOnWrongSetting, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { boot } from './boot.js';
import { Config } from './config.js';

try {
  const { urls, log, steps } = await boot(readConfig(Config, process.env));
  drainOnSignal({ log, steps });
  log.info('process.started', urls);
} catch (error) {
  endOnWrongSetting(error);
}
