import { endOnWrongSetting, readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { openLog } from '@pos/service-kit/log';
import { bootVault } from './boot.js';
import { Config } from './config.js';

try {
  const config = readConfig(Config, process.env);
  const log = openLog({ app: 'card-vault', level: config.LOG_LEVEL });
  const vault = await bootVault(config, log);
  drainOnSignal({ log, steps: [{ name: 'card-vault', stop: () => vault.close() }] });
  log.info('process.started', { url: vault.url, internal_grpc: vault.internalGrpc });
} catch (error) {
  endOnWrongSetting(error);
}
