import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'webhook-worker',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startWorker } = await import('./webhook-worker.js');
    const worker = await startWorker(config, log);
    return {
      closeSteps: [{ name: 'webhook-worker', stop: () => worker.close() }],
      startedFields: { health: worker.health },
    };
  },
});
