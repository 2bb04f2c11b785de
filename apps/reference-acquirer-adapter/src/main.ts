import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config.js';

await runProcess({
  app: 'reference-acquirer-adapter',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startAdapter } = await import('./adapter.js');
    return startAdapter(config, log);
  },
});
