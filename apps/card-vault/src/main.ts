import { readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { endOnFailure } from '@pos/service-kit/end-on-failure';
import { openLog } from '@pos/service-kit/log';
import { protectMemory } from '@pos/service-kit/memory-protection';
import { bootVault } from './boot.js';
import { Config } from './config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'card-vault', level: config.LOG_LEVEL });
  const vault = await bootVault(config, log);
  drainOnSignal({ log, steps: [{ name: 'card-vault', stop: () => vault.close() }] });
  log.info('process.started', { url: vault.url, internal_grpc: vault.internalGrpc });
  memory.logLimit(log);
} catch (error) {
  endOnFailure(error);
}
