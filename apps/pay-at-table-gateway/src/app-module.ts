import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule } from '@pos/nest-modules/api-keys-module';
import { DatabaseModule } from '@pos/nest-modules/database-module';
import { PaymentsModule } from '@pos/nest-modules/payments-module';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { GrpcServer } from '@pos/service-kit/grpc/grpc-server';
import type { FaultPoint } from '@pos/service-kit/lifecycle/fault-point';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG, SettingsModule } from '@pos/service-kit/nest/settings-module';
import type { Log } from '@pos/service-kit/telemetry/log';
import { type Config, readPaymentSettings } from './config/config.js';
import { ConnectionsModule } from './modules/connections-module.js';
import { EposConnectionsModule } from './modules/epos-connections-module.js';
import { EposModule } from './modules/epos-module.js';
import { GatewayLifecycle } from './modules/gateway-lifecycle.js';
import { MachinesModule } from './modules/machines-module.js';
import { TablesModule } from './modules/tables-module.js';
import { GatewayRequestChecks } from './request-checks.js';
import { buildReflectionOptions, PUBLIC_SERVICES } from './wire.js';

const DATABASE_CONNECTIONS_MAX = 20;
const STREAMS_CLOSE_TIMEOUT_MS = 5_000;

const PUBLIC_PORT = provide(
  GrpcServer,
  { config: CONFIG, keys: ApiKeyAuthenticator, log: LOG },
  ({ config, keys, log }) => {
    const { HOST: host, GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress, NODE_ENV }: Config = config;
    return new GrpcServer({
      ...{ host, port, services: PUBLIC_SERVICES, log },
      connections: { perAddress, log },
      authenticate: (text, address) => keys.authenticate(text, address),
      closeTimeoutMs: STREAMS_CLOSE_TIMEOUT_MS,
      ...buildReflectionOptions(NODE_ENV),
    });
  },
);

/** The pay-at-table gateway: card machines, EPOSes and payments at tables. */
@Module({
  imports: [ApiKeysModule, ConnectionsModule, EposModule, EposConnectionsModule, MachinesModule, TablesModule],
  providers: [PUBLIC_PORT, GatewayLifecycle, GatewayRequestChecks],
})
export class AppModule {
  static forRoot(config: Config, { log, fault }: { readonly log: Log; readonly fault: FaultPoint }): DynamicModule {
    const database = { applicationName: 'pay-at-table-gateway', poolMax: DATABASE_CONNECTIONS_MAX };
    const settings = { ...readPaymentSettings(config), fault };
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        DatabaseModule.forRoot(() => database),
        PaymentsModule.forRoot(() => ({ settings, circuitPauseMs: settings.inquiryIntervalMs })),
      ],
    };
  }
}
