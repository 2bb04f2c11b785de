import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule, DatabaseModule, DatabaseReadiness, PaymentsModule } from '@pos/nest-modules';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import { type Config, readDatabaseOptions, readPaymentSettings } from './config/config.js';
import { FrameModule } from './frame/frame-module.js';
import { InternalModule } from './internal/internal-module.js';
import { ClientPaymentsModule } from './payments/client-payments-module.js';
import { RequestChecksModule } from './request-checks/request-checks-module.js';
import { SetupsModule } from './setups/setups-module.js';
import { VaultModule } from './vault/vault-module.js';

/** The card vault: a module for each feature, on the database and the use cases that they share. */
@Module({
  imports: [
    ...[ApiKeysModule, VaultModule, InternalModule, FrameModule],
    ...[ClientPaymentsModule, SetupsModule, RequestChecksModule],
  ],
})
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({ app: 'card-vault', ready: [DatabaseReadiness] }),
        DatabaseModule.forRoot(readDatabaseOptions),
        PaymentsModule.forRoot((settings: Config) => ({ settings: readPaymentSettings(settings) })),
      ],
    };
  }
}
