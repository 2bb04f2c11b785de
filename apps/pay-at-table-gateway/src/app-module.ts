import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DeviceAccess } from './devices/device-access.js';
import { TableReadService } from './devices/table-reads.js';
import { TablesController } from './tables/tables-controller.js';
import { EposStreamService } from './epos-connections/epos-connections.js';
import { EposConnectorController } from './epos-connections/epos-connector-controller.js';
import { EposTablesClient } from './epos-routing/epos-tables-client.js';
import type { Gateway } from './gateway.js';
import { DeviceLockService } from './tables/device-locks.js';
import { DevicePaymentService } from './tables/device-records.js';
import { JourneyController } from './journeys/journey-controller.js';
import { JourneyService } from './journeys/journey-service.js';
import { PaymentLinkBuilder } from './journeys/journey-wire.js';
import { JourneyReceiptService } from './journeys/journey-receipts.js';
import { JourneyWatcher } from './journeys/journey-watch.js';
import { CardMachineController } from './machines/card-machine-controller.js';
import { CardMachineService } from './machines/card-machines.js';
import { SimulatorController } from './simulator/simulator-controller.js';

/** What the public port serves, for Nest: the controllers, and the parts they are bound to. */
@Module({})
export class GatewayModule {
  static forRoot(gateway: Gateway): DynamicModule {
    const controllers: Type[] = [CardMachineController, EposConnectorController, TablesController, JourneyController];
    return {
      module: GatewayModule,
      controllers,
      providers: [
        { provide: CardMachineService, useValue: gateway.machines },
        { provide: EposStreamService, useValue: gateway.eposStreams },
        { provide: TableReadService, useValue: gateway.tableReads },
        { provide: DeviceAccess, useValue: gateway.tables.access },
        { provide: DeviceLockService, useValue: gateway.tables.deviceLocks },
        { provide: DevicePaymentService, useValue: gateway.tables.deviceRecords },
        { provide: JourneyService, useValue: gateway.tables.journeyService },
        { provide: JourneyWatcher, useValue: gateway.tables.watcher },
        { provide: JourneyReceiptService, useValue: gateway.tables.receipts },
        { provide: PaymentLinkBuilder, useValue: new PaymentLinkBuilder(gateway.settings.checkoutBaseUrl) },
      ],
    };
  }
}

/** What the HTTP port serves beside sockets and health: the device simulator. */
export function createHttpModule({ tablesClient, tables }: Gateway): new () => object {
  const providers = [
    { provide: EposTablesClient, useValue: tablesClient },
    { provide: DeviceAccess, useValue: tables.access },
  ];
  @Module({ controllers: [SimulatorController], providers })
  class GatewayHttpModule {}
  return GatewayHttpModule;
}
