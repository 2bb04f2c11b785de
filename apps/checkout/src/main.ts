import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config.js';

await runProcess({
  app: 'checkout',
  schema: Config,
  env: process.env,
  hasSecrets: false,
  start: async (config, log) => {
    const { startCheckout } = await import('./boot.js');
    const checkout = await startCheckout(config, log);
    return {
      closeSteps: [{ name: 'checkout', stop: () => checkout.close() }],
      startedFields: { url: checkout.url },
    };
  },
});
