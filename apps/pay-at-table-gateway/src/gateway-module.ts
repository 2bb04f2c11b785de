import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CardMachineServiceService } from '@pos/grpc-contracts/card-machine';
import { EposConnectorServiceService } from '@pos/grpc-contracts/gateway';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import type { GrpcService } from '@pos/service-kit/bind-grpc';
import { DeviceWrites } from './devices/device-writes.js';
import { TableReads } from './devices/table-reads.js';
import { TablesController } from './devices/tables-controller.js';
import { EposConnections } from './epos/epos-connections.js';
import { EposConnectorController } from './epos/epos-connector-controller.js';
import type { Gateway } from './gateway.js';
import { CardMachineController } from './machines/card-machine-controller.js';
import { CardMachines } from './machines/card-machines.js';

/** What the public port serves, for Nest: the controllers, and the parts they are bound to. */
@Module({})
export class GatewayModule {
  static of(gateway: Gateway): DynamicModule {
    const controllers: Type[] = [CardMachineController, EposConnectorController, TablesController];
    return {
      module: GatewayModule,
      controllers,
      providers: [
        { provide: CardMachines, useValue: gateway.machines },
        { provide: EposConnections, useValue: gateway.connections },
        { provide: TableReads, useValue: gateway.reads },
        { provide: DeviceWrites, useValue: gateway.writes },
      ],
    };
  }
}

/** The services of the public port. */
export const PUBLIC_SERVICES: readonly GrpcService[] = [
  CardMachineServiceService,
  EposConnectorServiceService,
  TablesServiceService,
];
