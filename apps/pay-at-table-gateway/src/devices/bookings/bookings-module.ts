import { Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { DiningTables, Parties, Reservations } from '@pos/payments/bookings';
import { DataApiBookings } from '@pos/service-kit/epos-data';
import { provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { RestaurantZones } from '../../epos-calls/restaurant-zone.js';
import { EposDataClient } from '../../epos-routing/epos-data-client.js';
import { BookingController } from './booking-controller.js';
import { LocalEposCaller } from './local-epos-caller.js';

const USE_CASE_PARTS = { database: Database, accounts: AccountCache, epos: DataApiBookings };

const PROVIDERS = [
  provide(
    DataApiBookings,
    { client: EposDataClient, zones: RestaurantZones },
    ({ client, zones }) =>
      new DataApiBookings({ caller: new LocalEposCaller(client), readZone: (scope) => zones.readZone(scope) }),
  ),
  provide(Reservations, USE_CASE_PARTS, (parts) => new Reservations(parts)),
  provide(Parties, USE_CASE_PARTS, (parts) => new Parties(parts)),
  provide(DiningTables, USE_CASE_PARTS, (parts) => new DiningTables(parts)),
];

/** Bookings for the devices of the staff. */
@Module({ controllers: [BookingController], providers: PROVIDERS })
export class BookingsModule {}
