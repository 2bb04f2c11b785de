import { Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { Leases, TablePayments } from '@pos/payments/tables';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { EPOS_RESOLVER } from '../session-locks/epos-resolver.js';
import { LeaseCache } from '../session-locks/lease-cache.js';
import { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import { SessionLockService } from '../session-locks/session-lock-service.js';
import { TablePaymentEvents } from '../table-payments/table-payment-events.js';
import { TablePaymentRunner } from '../table-payments/table-payment-runner.js';
import { TableTimerWorker } from '../table-payments/table-timer-worker.js';
import { DeviceLockService } from './device-lock-service.js';
import { DevicePaymentService } from './device-payment-service.js';
import { TablesController } from './tables-controller.js';

const DEPENDENCIES = {
  config: CONFIG,
  database: Database,
  accounts: AccountCache,
  leases: Leases,
  leaseCache: LeaseCache,
  getEpos: EPOS_RESOLVER,
};

const PROVIDERS = [
  provide(
    DeviceLockService,
    { ...DEPENDENCIES, locks: SessionLockService, leaseWorker: LeaseTimerWorker },
    ({ config, ...parts }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new DeviceLockService({ ...parts, callLimitMs });
    },
  ),
  provide(
    DevicePaymentService,
    {
      ...DEPENDENCIES,
      tablePayments: TablePayments,
      runner: TablePaymentRunner,
      events: TablePaymentEvents,
      timerWorker: TableTimerWorker,
    },
    ({ config, ...parts }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new DevicePaymentService({ ...parts, callLimitMs });
    },
  ),
];

/** The pay-at-table contract for devices that pay step by step. */
@Module({ controllers: [TablesController], providers: PROVIDERS })
export class TablesModule {}
