import 'reflect-metadata';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeysModule, DatabaseModule, DatabaseReadiness, PaymentsModule } from '@pos/nest-modules';
import { ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';
import { GRPC_TLS } from '@pos/service-kit/config';
import { GrpcServer } from '@pos/service-kit/grpc';
import type { FaultPoint } from '@pos/service-kit/lifecycle';
import { CONFIG, LOG, MonitoringModule, provide, SettingsModule } from '@pos/service-kit/nest';
import { openPortEncryption } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import { BookingsModule } from './devices/bookings/bookings-module.js';
import { createLeases } from './config/claim-times.js';
import { type Config, readDatabaseOptions, readPaymentSettings } from './config/config.js';
import { ConnectionsModule } from './connections/connections-module.js';
import { CONTINUING_RPCS } from './connections/continuing-rpcs.js';
import { DevicesModule } from './devices/devices-module.js';
import { EposConnectionsModule } from './epos-connections/epos-connections-module.js';
import { EposPortModule } from './epos-port/epos-port-module.js';
import { EposRoutingModule } from './epos-routing/epos-routing-module.js';
import { GatewayLifecycle } from './gateway-lifecycle.js';
import { JourneysModule } from './journeys/journeys-module.js';
import { MachinesModule } from './machines/machines-module.js';
import { OrderPlacementsModule } from './order-placements/order-placements-module.js';
import { OrderSessionsModule } from './order-sessions/order-sessions-module.js';
import { GatewayRequestChecks } from './request-checks.js';
import { SessionLocksModule } from './session-locks/session-locks-module.js';
import { SimulatorModule } from './simulator/simulator-module.js';
import { TablePaymentsModule } from './table-payments/table-payments-module.js';
import { TablesModule } from './tables/tables-module.js';
import { buildReflectionOptions, PUBLIC_SERVICES } from './wire.js';

const STREAMS_CLOSE_TIMEOUT_MS = 5_000;

const PUBLIC_PORT = provide(
  GrpcServer,
  { config: CONFIG, keys: ApiKeyAuthenticator, partners: PartnerDirectory, log: LOG },
  ({ config, keys, partners, log }) => {
    const { HOST: host, GRPC_PORT: port, CONNECTIONS_PER_ADDRESS: perAddress, NODE_ENV }: Config = config;
    const { GRPC_PROXY_HEADERS: proxyHeaders }: Config = config;
    return new GrpcServer({
      ...{ host, port, services: PUBLIC_SERVICES, log },
      connections: { perAddress, log },
      encryption: openPortEncryption(GRPC_TLS, config, log),
      proxyHeaders,
      authenticate: (text, address) => keys.authenticate(text, address),
      checkPartners: (caller, rpc) =>
        partners.requireRegistered(caller, { continuesPayment: CONTINUING_RPCS.has(rpc) }),
      closeTimeoutMs: STREAMS_CLOSE_TIMEOUT_MS,
      ...buildReflectionOptions(NODE_ENV),
    });
  },
);

/** Connections to machines and EPOSes, and the calls on them. */
const EPOS_MODULES = [
  ...[ConnectionsModule, EposRoutingModule, OrderSessionsModule, EposPortModule],
  ...[EposConnectionsModule, MachinesModule],
];

/** Payments at tables. */
const PAYMENT_MODULES = [
  ...[SessionLocksModule, OrderPlacementsModule, TablePaymentsModule],
  ...[DevicesModule, JourneysModule, TablesModule, BookingsModule, SimulatorModule],
];

/** The pay-at-table gateway: card machines, EPOSes and payments at tables. */
@Module({
  imports: [ApiKeysModule, ...EPOS_MODULES, ...PAYMENT_MODULES],
  providers: [PUBLIC_PORT, GatewayLifecycle, GatewayRequestChecks],
})
export class AppModule {
  static forRoot(config: Config, { log, fault }: { readonly log: Log; readonly fault: FaultPoint }): DynamicModule {
    const settings = { ...readPaymentSettings(config), fault };
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(config, log),
        MonitoringModule.forRoot({ app: 'pay-at-table-gateway', ready: [DatabaseReadiness] }),
        DatabaseModule.forRoot(readDatabaseOptions),
        PaymentsModule.forRoot(() => ({
          ...{ settings, circuitPauseMs: settings.inquiryIntervalMs },
          leases: createLeases(config),
        })),
      ],
    };
  }
}
