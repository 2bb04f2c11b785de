import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createLog } from '@pos/service-kit/telemetry/log';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { startVault } from './vault-server.js';
import { Config } from './config/config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = createLog({ app: 'card-vault', level: config.LOG_LEVEL });
  const vault = await startVault(config, log);
  drainOnSignal({ log, steps: [{ name: 'card-vault', stop: () => vault.close() }] });
  log.info('process.started', { url: vault.url, internal_grpc: vault.internalGrpc });
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
