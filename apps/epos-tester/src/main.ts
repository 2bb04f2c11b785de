import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'epos-tester',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startTester } = await import('./tester-server.js');
    const tester = await startTester(config, log);
    return {
      closeSteps: [{ name: 'epos-tester', stop: () => tester.close() }],
      startedFields: { url: tester.url },
    };
  },
});
