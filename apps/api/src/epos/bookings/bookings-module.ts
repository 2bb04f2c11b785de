import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { DiningTables } from '@pos/payments/bookings/dining-tables';
import { Parties } from '@pos/payments/bookings/parties';
import { Reservations } from '@pos/payments/bookings/reservations';
import { DataApiBookings } from '@pos/service-kit/epos-data/data-api-bookings';
import { GatewayEposClient } from '@pos/service-kit/epos-data/gateway-epos-client';
import { InternalIdentity } from '@pos/service-kit/internal/internal-identity';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import { readTimeZone } from '@pos/store/repositories/time-zones';
import { type Config, GATEWAY_TARGET } from '../../config/config.js';
import { InternalIdentityModule } from '../../config/internal-identity-module.js';
import { DiningTablesController } from './dining-tables-controller.js';
import { PartiesController } from './parties-controller.js';
import { ReservationsController } from './reservations-controller.js';

const USE_CASE_PARTS = { database: Database, accounts: AccountCache, epos: DataApiBookings };

const PROVIDERS = [
  provide(GatewayEposClient, { config: CONFIG, identity: InternalIdentity }, ({ config, identity }) => {
    const { GATEWAY_INTERNAL_ADDRESSES: addresses }: Config = config;
    return new GatewayEposClient(addresses, (address) => identity.createChannel({ ...GATEWAY_TARGET, address }));
  }),
  provide(
    DataApiBookings,
    { caller: GatewayEposClient, database: Database },
    ({ caller, database }) => new DataApiBookings({ caller, readZone: (scope) => database.read(scope, readTimeZone) }),
  ),
  provide(Reservations, USE_CASE_PARTS, (parts) => new Reservations(parts)),
  provide(Parties, USE_CASE_PARTS, (parts) => new Parties(parts)),
  provide(DiningTables, USE_CASE_PARTS, (parts) => new DiningTables(parts)),
];

/** Reservations, parties, areas and tables, which the EPOS of the account stores. */
@Module({
  imports: [InternalIdentityModule],
  controllers: [ReservationsController, PartiesController, DiningTablesController],
  providers: PROVIDERS,
  exports: [DataApiBookings],
})
export class BookingsModule implements OnApplicationShutdown {
  constructor(private readonly gateways: GatewayEposClient) {}

  onApplicationShutdown(): void {
    this.gateways.close();
  }
}
