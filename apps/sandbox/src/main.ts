import { readConfig } from '@pos/service-kit/config';
import { drainOnSignal } from '@pos/service-kit/drain';
import { exitOnFailure } from '@pos/service-kit/end-on-failure';
import { createLog } from '@pos/service-kit/log';
import { protectMemory } from '@pos/service-kit/memory-protection';
import { startSandbox } from './sandbox.js';
import { SandboxConfig } from './sandbox-config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(SandboxConfig, process.env);
  const log = createLog({ app: 'sandbox', level: config.LOG_LEVEL });
  const sandbox = await startSandbox(config, log);
  drainOnSignal({ log, steps: [{ name: 'sandbox', stop: () => sandbox.close() }] });
  log.info('process.ready', {
    control_url: sandbox.controlUrl,
    grpc_port: sandbox.grpcPort,
    accounts: sandbox.environment.listAccounts().length,
  });
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
