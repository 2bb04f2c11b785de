import { NestFactory } from '@nestjs/core';
import { MonitoringModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { AppModule } from './app-module.js';
import type { Config } from './config/config.js';

/** A running worker. */
interface WebhookWorker {
  /** The address of its health, where it has one. */
  readonly health: string | undefined;
  readonly close: () => Promise<void>;
}

/** Starts the worker; resolves when it has its database. */
export async function startWorker(config: Config, log: Log): Promise<WebhookWorker> {
  const app = await NestFactory.createApplicationContext(AppModule.forRoot(config, log), {
    logger: false,
    abortOnError: false,
  });
  return { health: app.get(MonitoringModule).urls.at(-1), close: () => app.close() };
}
