import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'portal',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startPortal } = await import('./portal-server.js');
    const portal = await startPortal(config, log);
    return {
      closeSteps: [{ name: 'portal', stop: () => portal.close() }],
      startedFields: { url: portal.url },
    };
  },
});
