import { ConfigError, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { bootApi } from './boot.js';
import { Config } from './config.js';

const config = settings();
const log = openLog({ app: 'api', level: config.LOG_LEVEL });
const api = await bootApi(config, log);
drainOnSignal({ log, steps: [{ name: 'api', stop: () => api.close() }] });
log.info('process.started', { url: api.url });

function settings(): Config {
  try {
    return readConfig(Config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
