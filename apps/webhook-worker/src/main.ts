import { NestFactory } from '@nestjs/core';
import { readConfig } from '@pos/service-kit/config/config';
import { drainOnSignal, type DrainStep } from '@pos/service-kit/lifecycle/drain';
import { exitOnFailure } from '@pos/service-kit/lifecycle/failure-exit';
import { protectMemory } from '@pos/service-kit/lifecycle/memory-protection';
import { createLog } from '@pos/service-kit/telemetry/log';
import { AppModule } from './app-module.js';
import { Config } from './config/config.js';
import { HealthService } from './health-service.js';

try {
  const memory = protectMemory(process.env);
  const config = readConfig(Config, process.env);
  const log = createLog({ app: 'webhook-worker', level: config.LOG_LEVEL });
  // A signal that comes while the process waits for its database ends it, too.
  const steps: DrainStep[] = [];
  drainOnSignal({ log, steps });
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, log), {
    logger: false,
    abortOnError: false,
  });
  steps.push({ name: 'webhook-worker', stop: () => app.close() });
  log.info('process.started', { health: app.get(HealthService).url });
  memory.logCoreLimit(log);
} catch (error) {
  exitOnFailure(error);
}
