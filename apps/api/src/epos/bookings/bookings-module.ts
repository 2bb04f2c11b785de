import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { DiningTables, Parties, Reservations } from '@pos/payments/bookings';
import { DataApiBookings, GatewayEposClient } from '@pos/service-kit/epos-data';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { readTimeZone } from '@pos/store/repositories';
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
