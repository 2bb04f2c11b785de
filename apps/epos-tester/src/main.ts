import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { createLog } from '@pos/service-kit/telemetry/log';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { startTester } from './tester-server.js';
import { Config } from './config/config.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = createLog({ app: 'epos-tester', level: config.LOG_LEVEL });
  const tester = await startTester(config, log);
  drainOnSignal({ log, steps: [{ name: 'epos-tester', stop: () => tester.close() }] });
  log.info('process.started', { url: tester.url });
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
