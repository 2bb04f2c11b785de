import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '@pos/nest-modules/database-module';
import { PaymentsModule } from '@pos/nest-modules/payments-module';
import { SettingsModule } from '@pos/service-kit/nest/settings-module';
import type { Log } from '@pos/service-kit/telemetry/log';
import { type Config, readPaymentSettings } from './config/config.js';
import { DeliveryModule } from './delivery/delivery-module.js';
import { HealthService } from './health-service.js';
import { TimersModule } from './timers/timers-module.js';
import { WorkerService } from './worker-service.js';

const DATABASE_CONNECTIONS_MAX = 16;

/** The webhook worker: deliveries, timers and mails. */
@Module({ imports: [DeliveryModule, TimersModule], providers: [WorkerService, HealthService] })
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    const database = { applicationName: 'webhook-worker', poolMax: DATABASE_CONNECTIONS_MAX };
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        DatabaseModule.forRoot(() => database),
        PaymentsModule.forRoot((settings: Config) => ({
          settings: readPaymentSettings(settings),
          circuitPauseMs: settings.INQUIRY_INTERVAL_MS,
        })),
      ],
    };
  }
}
