import { Global, Module } from '@nestjs/common';
import { MachineApprovals } from '@pos/payments/acquirer-calls';
import { TerminalSessions } from '@pos/payments/terminals';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { ConnectionRegistry } from '../connections/connection-registry.js';
import { ConnectionMonitor } from '../connections/connection-monitor.js';
import { CardMachineController } from './card-machine-controller.js';
import { CardMachineService } from './card-machine-service.js';
import { MachineCommandDispatcher } from './machine-command-dispatcher.js';

const PROVIDERS = [
  provide(
    MachineCommandDispatcher,
    { database: Database, settings: PAYMENT_SETTINGS, log: LOG },
    (parts) => new MachineCommandDispatcher(parts),
  ),
  provide(
    CardMachineService,
    {
      database: Database,
      registry: ConnectionRegistry,
      monitor: ConnectionMonitor,
      dispatcher: MachineCommandDispatcher,
      sessions: TerminalSessions,
      approvals: MachineApprovals,
      log: LOG,
    },
    (parts) => new CardMachineService(parts),
  ),
];

/** Card machines and the commands that they receive. */
@Global()
@Module({ controllers: [CardMachineController], providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class MachinesModule {}
