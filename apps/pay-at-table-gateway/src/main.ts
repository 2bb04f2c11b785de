import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { boot } from './boot.js';
import { Config } from './config.js';

const { urls, log, steps } = await boot(settings());
drainOnSignal({ log, steps });
log.info('process.started', urls);

function settings(): Config {
  try {
    return readConfig(Config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
