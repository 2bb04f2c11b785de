import { readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { endOnFailure } from '@pos/service-kit/end-on-failure';
import { openLog } from '@pos/service-kit/log';
import { bootCheckout } from './boot.js';
import { Config } from './config.js';

try {
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'checkout', level: config.LOG_LEVEL });
  const checkout = await bootCheckout(config, log);
  drainOnSignal({ log, steps: [{ name: 'checkout', stop: () => checkout.close() }] });
  log.info('process.started', { url: checkout.url });
} catch (error) {
  endOnFailure(error);
}
