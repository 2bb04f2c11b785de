import { endOnWrongSetting, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { boot } from './boot.js';
import { Config } from './config.js';

try {
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'epos-tester', level: config.LOG_LEVEL });
  const tester = await boot(config, log);
  drainOnSignal({ log, steps: [{ name: 'epos-tester', stop: () => tester.close() }] });
  log.info('process.started', { url: tester.url });
} catch (error) {
  endOnWrongSetting(error);
}
