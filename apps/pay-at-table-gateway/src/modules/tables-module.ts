import { Global, Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts/account-cache';
import { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import { PAYMENT_SETTINGS } from '@pos/nest-modules/payments-module';
import { defineToken, listTokens, provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import type { Config } from '../config/config.js';
import { DeviceAccess } from '../devices/device-access.js';
import { TableReadService } from '../devices/table-reads.js';
import { AccountEposClient } from '../epos-port/account-epos.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { JourneyController } from '../journeys/journey-controller.js';
import { JourneyReceiptService } from '../journeys/journey-receipts.js';
import { JourneyService } from '../journeys/journey-service.js';
import { JourneyWatcher } from '../journeys/journey-watch.js';
import { PaymentLinkBuilder } from '../journeys/journey-wire.js';
import { SimulatorController } from '../simulator/simulator-controller.js';
import { DeviceLockService } from '../tables/device-locks.js';
import { DevicePaymentService } from '../tables/device-records.js';
import { TablesController } from '../tables/tables-controller.js';
import { EPOS_CLIENTS } from './epos-module.js';
import { createTableServices, type TableServices } from './table-services.js';

/** Everything behind paying at a table, made together. */
export const TABLE_SERVICES = defineToken<TableServices>('TABLE_SERVICES');

const DEPENDENCIES = {
  config: CONFIG,
  clients: EPOS_CLIENTS,
  database: Database,
  accounts: AccountCache,
  intents: PaymentIntents,
  sessions: TerminalSessions,
  calls: AcquirerCalls,
  settings: PAYMENT_SETTINGS,
  log: LOG,
};

const PROVIDERS = [
  provide(TABLE_SERVICES, DEPENDENCIES, ({ config, clients: { tablesClient, dataClient, orders }, ...parts }) => {
    const { EPOS_CALL_LIMIT_MS: callLimitMs, RUNNER_LEASE_MS, LOCK_LEASE_MS }: Config = config;
    return createTableServices({
      ...parts,
      callLimitMs,
      getEpos: (scope) => new AccountEposClient({ tablesClient, dataClient, locks: orders.locks }, scope),
      callData: async (callRequest) => (await dataClient.callData(callRequest)).outcome,
      runnerLeaseMs: RUNNER_LEASE_MS,
      lockLeaseMs: LOCK_LEASE_MS,
    });
  }),
  provide(DeviceAccess, { tables: TABLE_SERVICES }, ({ tables }) => tables.access),
  provide(DeviceLockService, { tables: TABLE_SERVICES }, ({ tables }) => tables.deviceLocks),
  provide(DevicePaymentService, { tables: TABLE_SERVICES }, ({ tables }) => tables.deviceRecords),
  provide(JourneyService, { tables: TABLE_SERVICES }, ({ tables }) => tables.journeyService),
  provide(JourneyWatcher, { tables: TABLE_SERVICES }, ({ tables }) => tables.watcher),
  provide(JourneyReceiptService, { tables: TABLE_SERVICES }, ({ tables }) => tables.receipts),
  provide(
    TableReadService,
    { database: Database, accounts: AccountCache, tablesClient: EposTablesClient },
    (parts) => new TableReadService(parts),
  ),
  provide(
    PaymentLinkBuilder,
    { settings: PAYMENT_SETTINGS },
    ({ settings }) => new PaymentLinkBuilder(settings.checkoutBaseUrl),
  ),
];

/** Paying at a table: journeys, the locks and payments of devices, and their simulator. */
@Global()
@Module({
  controllers: [TablesController, JourneyController, SimulatorController],
  providers: PROVIDERS,
  exports: listTokens(PROVIDERS),
})
export class TablesModule {}
