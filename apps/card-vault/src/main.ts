import { runProcess } from '@pos/service-kit/lifecycle';
import { Config } from './config/config.js';

await runProcess({
  app: 'card-vault',
  schema: Config,
  env: process.env,
  start: async (config, log) => {
    const { startVault } = await import('./vault-server.js');
    const vault = await startVault(config, log);
    return {
      closeSteps: [{ name: 'card-vault', stop: () => vault.close() }],
      startedFields: { url: vault.url, internal_grpc: vault.internalGrpc },
    };
  },
});
