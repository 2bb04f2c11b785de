import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config.js';

await runProcess({
  app: 'processor-simulator',
  schema: Config,
  env: process.env,
  start: async (config) => {
    const { startProcessor } = await import('./processor-server.js');
    const processor = await startProcessor({
      ...{ port: config.HTTP_PORT, webhookUrl: config.WEBHOOK_URL ?? null, decisionDelayMs: config.DECISION_DELAY_MS },
      now: () => new Date(performance.timeOrigin + performance.now()),
    });
    return {
      closeSteps: [{ name: 'processor', stop: () => processor.close() }],
      startedFields: { url: processor.url },
    };
  },
});
