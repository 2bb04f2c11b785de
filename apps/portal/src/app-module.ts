import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, DatabaseReadiness } from '@pos/nest-modules/database-module';
import { MonitoringModule } from '@pos/service-kit/nest/monitoring-module';
import { SettingsModule } from '@pos/service-kit/nest/settings-module';
import type { Log } from '@pos/service-kit/telemetry/log';
import { type Config, readDatabaseOptions } from './config/config.js';
import { DeliveryPageRoute } from './deliveries/delivery-page-route.js';
import { EventStream } from './events/event-stream.js';
import { ApiForwarder } from './forwarding/api-forwarder.js';
import { OverviewController } from './overview/overview-controller.js';
import { SessionsModule } from './sessions/sessions-module.js';

/** The server of the portal: sessions of its users, and their requests of the public API. */
@Module({
  imports: [SessionsModule],
  providers: [ApiForwarder, DeliveryPageRoute, EventStream],
  controllers: [OverviewController],
})
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({ app: 'portal', ready: [DatabaseReadiness] }),
        DatabaseModule.forRoot(readDatabaseOptions),
      ],
    };
  }
}
