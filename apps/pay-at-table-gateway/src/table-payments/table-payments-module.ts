import { Global, Module } from '@nestjs/common';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { AccountCache } from '@pos/payments/accounts';
import { GiveBack } from '@pos/payments/captures-refunds';
import { AcquirerProof, TablePayments } from '@pos/payments/tables';
import { CONFIG, listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import type { Config } from '../config/config.js';
import { PlacementRunner } from '../order-placements/placement-runner.js';
import { OrderLockExtender } from '../order-sessions/order-lock-extender.js';
import { EPOS_RESOLVER } from '../session-locks/epos-resolver.js';
import { LeaseCache } from '../session-locks/lease-cache.js';
import { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import { SessionLockService } from '../session-locks/session-lock-service.js';
import { TablePaymentEvents } from './table-payment-events.js';
import { TablePaymentRunner } from './table-payment-runner.js';
import { TableTimerWorker } from './table-timer-worker.js';
import { UnsuccessfulAttemptReporter } from './unsuccessful-attempt-reporter.js';

const DEPENDENCIES = { config: CONFIG, database: Database, queue: TimerQueue, getEpos: EPOS_RESOLVER, log: LOG };

const PROVIDERS = [
  provide(TablePaymentEvents, {}, () => new TablePaymentEvents()),
  provide(UnsuccessfulAttemptReporter, { ...DEPENDENCIES, accounts: AccountCache }, ({ config, ...parts }) => {
    const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
    return new UnsuccessfulAttemptReporter({ ...parts, callLimitMs });
  }),
  provide(
    TablePaymentRunner,
    {
      ...DEPENDENCIES,
      tablePayments: TablePayments,
      giveBack: GiveBack,
      acquirerProof: AcquirerProof,
      locks: SessionLockService,
      leaseCache: LeaseCache,
      attempts: UnsuccessfulAttemptReporter,
      events: TablePaymentEvents,
      settings: PAYMENT_SETTINGS,
    },
    ({ config, ...parts }) => {
      const { RUNNER_LEASE_MS: leaseMs, EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new TablePaymentRunner({ ...parts, times: { leaseMs, callLimitMs } });
    },
  ),
  provide(
    TableTimerWorker,
    {
      config: CONFIG,
      database: Database,
      queue: TimerQueue,
      runner: TablePaymentRunner,
      events: TablePaymentEvents,
      leaseWorker: LeaseTimerWorker,
      orderLocks: OrderLockExtender,
      placements: PlacementRunner,
      log: LOG,
    },
    ({ config, ...parts }) => {
      const { POLL_MS: pollMs }: Config = config;
      return new TableTimerWorker({ ...parts, pollMs });
    },
  ),
];

/** Payments at tables, from the approval of the card to the books of the EPOS. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class TablePaymentsModule {}
