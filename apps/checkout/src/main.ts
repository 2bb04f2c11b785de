import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createLog } from '@pos/service-kit/telemetry/log';
import { startCheckout } from './boot.js';
import { Config } from './config.js';

try {
  const config = readConfig(Config, process.env);
  const log = createLog({ app: 'checkout', level: config.LOG_LEVEL });
  const checkout = await startCheckout(config, log);
  drainOnSignal({ log, steps: [{ name: 'checkout', stop: () => checkout.close() }] });
  log.info('process.started', { url: checkout.url });
} catch (error) {
  exitOnFailure(error);
}
