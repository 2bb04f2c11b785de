import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { boot } from './boot.js';
import { Config } from './config.js';

const config = settings();
const log = openLog({ app: 'epos-tester', level: config.LOG_LEVEL });
const tester = await boot(config, log);
drainOnSignal({ log, steps: [{ name: 'epos-tester', stop: () => tester.close() }] });
log.info('process.started', { url: tester.url });

function settings(): Config {
  try {
    return readConfig(Config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
