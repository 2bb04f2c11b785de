import { Global, Module } from '@nestjs/common';
import { MachineApprovals } from '@pos/payments/settlement/machine-approvals';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { PAYMENT_SETTINGS } from '@pos/nest-modules/payments-module';
import { listTokens, provide } from '@pos/service-kit/nest/provide';
import { LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
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
