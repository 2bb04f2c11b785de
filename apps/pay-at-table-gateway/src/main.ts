import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { boot } from './boot.js';
import { Config } from './config.js';

try {
  const { urls, log, steps } = await boot(readConfig(Config, process.env));
  drainOnSignal({ log, steps });
  log.info('process.started', urls);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
