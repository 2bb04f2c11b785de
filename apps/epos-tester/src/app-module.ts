import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule, DatabaseModule, DatabaseReadiness, PortalAuthenticator } from '@pos/nest-modules';
import { MonitoringModule, SettingsModule } from '@pos/service-kit/nest';
import { readAgreedSettings } from '@pos/service-kit/config';
import type { Log } from '@pos/service-kit/telemetry';
import { Config } from './config/config.js';
import { TesterRequestChecks } from './request-checks/tester-request-checks.js';
import { RunsModule } from './runs/runs-module.js';

/** The EPOS tester. */
@Module({ imports: [ApiKeysModule, RunsModule], providers: [PortalAuthenticator, TesterRequestChecks] })
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    const { DATABASE_CONNECTIONS: poolMax } = config;
    const agreedSettings = readAgreedSettings(Config, config);
    const database = { applicationName: 'epos-tester', poolMax, agreedSettings };
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({ app: 'epos-tester', ready: [DatabaseReadiness] }),
        DatabaseModule.forRoot(() => database),
      ],
    };
  }
}
