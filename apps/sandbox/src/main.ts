import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createLog } from '@pos/service-kit/telemetry/log';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { startSandbox } from './sandbox.js';
import { SandboxConfig } from './config/sandbox-config.js';

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
