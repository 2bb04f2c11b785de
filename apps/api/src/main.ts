import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'api',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startApi } = await import('./api-server.js');
    const api = await startApi(config, log);
    return {
      closeSteps: [{ name: 'api', stop: () => api.close() }],
      startedFields: { url: api.url },
    };
  },
});
