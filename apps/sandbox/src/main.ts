import { runProcess } from '@pos/service-kit/lifecycle';
import { SandboxConfig } from './config/sandbox-config.js';

await runProcess({
  app: 'sandbox',
  schema: SandboxConfig,
  env: process.env,
  start: async (config, log) => {
    const { startSandbox } = await import('./sandbox.js');
    const sandbox = await startSandbox(config, log);
    return {
      closeSteps: [{ name: 'sandbox', stop: () => sandbox.close() }],
      startedFields: {
        control_url: sandbox.controlUrl,
        grpc_port: sandbox.grpcPort,
        accounts: sandbox.environment.listAccounts().length,
      },
    };
  },
});
