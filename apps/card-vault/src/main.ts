import { readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { exitOnFailure } from '@pos/service-kit/end-on-failure';
import { createLog } from '@pos/service-kit/log';
import { protectMemory } from '@pos/service-kit/memory-protection';
import { startVault } from './boot.js';
import { Config } from './config.js';

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
