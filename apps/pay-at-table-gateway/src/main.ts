import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'pay-at-table-gateway',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { bootGateway } = await import('./boot.js');
    const { urls, close } = await bootGateway(config, { log });
    return { closeSteps: [{ name: 'pay-at-table-gateway', stop: close }], startedFields: { ...urls } };
  },
});
