import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DeviceAccess } from './devices/device-access.js';
import { TableReads } from './devices/table-reads.js';
import { TablesController } from './devices/tables-controller.js';
import { EposConnections } from './epos/epos-connections.js';
import { EposConnectorController } from './epos/epos-connector-controller.js';
import { EposRouter } from './epos/epos-router.js';
import type { Gateway } from './gateway.js';
import { DeviceLocks } from './journeys/device-locks.js';
import { DeviceRecords } from './journeys/device-records.js';
import { JourneyController } from './journeys/journey-controller.js';
import { JourneyDesk } from './journeys/journey-desk.js';
import { JourneyLinks } from './journeys/journey-wire.js';
import { JourneyReceipts } from './journeys/journey-receipts.js';
import { JourneyWatch } from './journeys/journey-watch.js';
import { CardMachineController } from './machines/card-machine-controller.js';
import { CardMachines } from './machines/card-machines.js';
import { SimulatorController } from './simulator/simulator-controller.js';

/** What the public port serves, for Nest: the controllers, and the parts they are bound to. */
@Module({})
export class GatewayModule {
  static of(gateway: Gateway): DynamicModule {
    const controllers: Type[] = [CardMachineController, EposConnectorController, TablesController, JourneyController];
    return {
      module: GatewayModule,
      controllers,
      providers: [
        { provide: CardMachines, useValue: gateway.machines },
        { provide: EposConnections, useValue: gateway.connections },
        { provide: TableReads, useValue: gateway.reads },
        { provide: DeviceAccess, useValue: gateway.tables.access },
        { provide: DeviceLocks, useValue: gateway.tables.deviceLocks },
        { provide: DeviceRecords, useValue: gateway.tables.deviceRecords },
        { provide: JourneyDesk, useValue: gateway.tables.desk },
        { provide: JourneyWatch, useValue: gateway.tables.watch },
        { provide: JourneyReceipts, useValue: gateway.tables.receipts },
        { provide: JourneyLinks, useValue: new JourneyLinks(gateway.settings.checkoutBaseUrl) },
      ],
    };
  }
}

/** What the HTTP port serves beside sockets and health: the device simulator. */
export function gatewayHttpModule({ router, tables }: Gateway): new () => object {
  const providers = [
    { provide: EposRouter, useValue: router },
    { provide: DeviceAccess, useValue: tables.access },
  ];
  @Module({ controllers: [SimulatorController], providers })
  class GatewayHttpModule {}
  return GatewayHttpModule;
}
