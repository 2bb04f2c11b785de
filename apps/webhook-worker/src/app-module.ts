import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, DatabaseReadiness, PaymentsModule } from '@pos/nest-modules';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { type Config, readDatabaseOptions, readPaymentSettings } from './config/config.js';
import { DeliveryModule } from './delivery/delivery-module.js';
import { ServiceStateModule } from './monitoring/service-state-module.js';
import { TimersModule } from './timers/timers-module.js';
import { WorkerService } from './worker-service.js';

/** The webhook worker: deliveries, timers and mails. */
@Module({ imports: [DeliveryModule, ServiceStateModule, TimersModule], providers: [WorkerService] })
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({
          app: 'webhook-worker',
          ready: [DatabaseReadiness],
          ownPort: { port: config.HTTP_PORT, host: config.HOST },
        }),
        DatabaseModule.forRoot(readDatabaseOptions),
        PaymentsModule.forRoot((settings: Config) => ({
          settings: readPaymentSettings(settings),
          circuitPauseMs: settings.INQUIRY_INTERVAL_MS,
        })),
      ],
    };
  }
}
