import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule, DatabaseReadiness } from '@pos/nest-modules';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { AccountSettingsController } from './account-settings/account-settings-controller.js';
import { AdministrationModule } from './administration/administration-module.js';
import { type Config, readDatabaseOptions } from './config/config.js';
import { DeliveryPageRoute } from './deliveries/delivery-page-route.js';
import { PortalEventStream } from './events/event-stream.js';
import { ApiForwarder } from './forwarding/api-forwarder.js';
import { ApiSender } from './forwarding/api-sender.js';
import { OverviewController } from './overview/overview-controller.js';
import { PaymentViewsController } from './payment-views/payment-views-controller.js';
import { SecondPersonController } from './second-person/second-person-controller.js';
import { SecondPersonRequests } from './forwarding/second-person-requests.js';
import { SimulatorClient } from './simulator/simulator-client.js';
import { SimulatorController } from './simulator/simulator-controller.js';
import { SecondFactorsModule } from './second-factors/second-factors-module.js';
import { SessionsModule } from './sessions/sessions-module.js';
import { TestClockController } from './test-clock/test-clock-controller.js';

/** The server of the portal: sessions of its users, and their requests of the public API. */
@Module({
  imports: [AdministrationModule, SecondFactorsModule, SessionsModule],
  providers: [ApiForwarder, ApiSender, DeliveryPageRoute, PortalEventStream, SecondPersonRequests, SimulatorClient],
  controllers: [
    AccountSettingsController,
    OverviewController,
    PaymentViewsController,
    SecondPersonController,
    SimulatorController,
    TestClockController,
  ],
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
