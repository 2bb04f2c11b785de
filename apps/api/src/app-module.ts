import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule, DatabaseModule, DatabaseReadiness, PaymentsModule } from '@pos/nest-modules';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { ActivitiesModule } from './activities/activities-module.js';
import { AlarmsModule } from './operators/alarms-module.js';
import { ApiKeysAdminModule } from './api-keys/api-keys-admin-module.js';
import { BookingsModule } from './epos/bookings/bookings-module.js';
import { BrandingModule } from './branding/branding-module.js';
import { ChargesModule } from './charges/charges-module.js';
import { CustomersModule } from './customers/customers-module.js';
import { ApiDatabaseModule } from './database/api-database-module.js';
import { EposModule } from './epos/epos-module.js';
import { OrdersModule } from './orders/orders-module.js';
import { PayAtTableModule } from './pay-at-table/pay-at-table-module.js';
import { PaymentIntentsModule } from './payment-intents/payment-intents-module.js';
import { ReceiptsModule } from './receipts/receipts-module.js';
import { ReconciliationModule } from './operators/reconciliation-module.js';
import { RequestChecksModule } from './request-checks/request-checks-module.js';
import { SandboxModule } from './sandbox/sandbox-module.js';
import { SavedCardsModule } from './customers/saved-cards-module.js';
import { SetupIntentsModule } from './setup-intents/setup-intents-module.js';
import { TerminalsModule } from './terminals/terminals-module.js';
import { TransactionsModule } from './transactions/transactions-module.js';
import { WebhooksModule } from './webhooks/webhooks-module.js';
import { type Config, readDatabaseOptions, readPaymentSettings } from './config/config.js';

/** The public API: a module for each feature, on the database and the use cases that they share. */
@Module({
  imports: [
    ApiKeysModule,
    ActivitiesModule,
    AlarmsModule,
    ApiKeysAdminModule,
    BookingsModule,
    BrandingModule,
    ChargesModule,
    CustomersModule,
    ApiDatabaseModule,
    EposModule,
    OrdersModule,
    PayAtTableModule,
    PaymentIntentsModule,
    ReceiptsModule,
    ReconciliationModule,
    RequestChecksModule,
    SandboxModule,
    SavedCardsModule,
    SetupIntentsModule,
    TerminalsModule,
    TransactionsModule,
    WebhooksModule,
  ],
})
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({ app: 'api', ready: [DatabaseReadiness] }),
        DatabaseModule.forRoot(readDatabaseOptions),
        PaymentsModule.forRoot((settings: Config) => ({ settings: readPaymentSettings(settings) })),
      ],
    };
  }
}
