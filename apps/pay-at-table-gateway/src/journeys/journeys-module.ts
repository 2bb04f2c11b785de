import { Module } from '@nestjs/common';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { AccountCache, PartnerDirectory } from '@pos/payments/accounts';
import { Journeys, Leases } from '@pos/payments/tables';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { DeviceAccess } from '../devices/device-access.js';
import { EPOS_RESOLVER } from '../session-locks/epos-resolver.js';
import { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import { SessionLockService } from '../session-locks/session-lock-service.js';
import { TableTimerWorker } from '../table-payments/table-timer-worker.js';
import { JourneyBillReader } from './journey-bill-reader.js';
import { JourneyController } from './journey-controller.js';
import { JourneyReceiptService } from './journey-receipt-service.js';
import { JourneyService } from './journey-service.js';
import { JourneyWatcher } from './journey-watcher.js';
import { PaymentLinkBuilder } from './journey-wire.js';

const PROVIDERS = [
  provide(
    JourneyBillReader,
    { config: CONFIG, database: Database, accounts: AccountCache, getEpos: EPOS_RESOLVER, log: LOG },
    ({ config, ...parts }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new JourneyBillReader({ ...parts, callLimitMs });
    },
  ),
  provide(JourneyWatcher, { database: Database, bills: JourneyBillReader }, (parts) => new JourneyWatcher(parts)),
  provide(
    JourneyService,
    {
      database: Database,
      access: DeviceAccess,
      journeys: Journeys,
      leases: Leases,
      locks: SessionLockService,
      leaseWorker: LeaseTimerWorker,
      timerWorker: TableTimerWorker,
      bills: JourneyBillReader,
      partners: PartnerDirectory,
      settings: PAYMENT_SETTINGS,
    },
    (parts) => new JourneyService(parts),
  ),
  provide(
    JourneyReceiptService,
    { database: Database, accounts: AccountCache },
    ({ database, accounts }) => new JourneyReceiptService(database, accounts),
  ),
  provide(
    PaymentLinkBuilder,
    { settings: PAYMENT_SETTINGS },
    ({ settings }) => new PaymentLinkBuilder(settings.checkoutBaseUrl),
  ),
];

/** Journeys: the payment of a session in parts, from its lock to its end. */
@Module({ controllers: [JourneyController], providers: PROVIDERS, exports: [JourneyWatcher] })
export class JourneysModule {}
