import type { AccountCache } from '@pos/payments/accounts/account-cache';
import type { AcquirerCalls } from '@pos/payments/settlement/acquirer-calls';
import { GiveBack } from '@pos/payments/captures-refunds/give-back';
import { Journeys } from '@pos/payments/tables/journeys';
import { Leases } from '@pos/payments/tables/leases';
import type { PaymentIntents } from '@pos/payments/payment-intents/payment-intents';
import type { PaymentSettings } from '@pos/payments/accounts/payment-settings';
import { OrderCapture } from '@pos/payments/orders/order-capture';
import { OrderPlacements } from '@pos/payments/orders/order-placements';
import { TablePayments } from '@pos/payments/tables/table-payments';
import { resumeWaitingForEpos } from '@pos/payments/orders/epos-reconnection';
import type { TerminalSessions } from '@pos/payments/terminals/terminal-sessions';
import type { Scope } from '@pos/core/identity/identity';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { DeviceAccess } from '../devices/device-access.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/tables-call.js';
import { OrderLockExtender } from '../order-sessions/order-lock-keeper.js';
import { PlacementEposClient } from '../order-placements/placement-calls.js';
import { PlacementRunner } from '../order-placements/placement-runner.js';
import { DeviceLockService } from '../tables/device-locks.js';
import { DevicePaymentService } from '../tables/device-records.js';
import { JourneyBillReader } from '../journeys/journey-bills.js';
import { JourneyService } from '../journeys/journey-service.js';
import { JourneyReceiptService } from '../journeys/journey-receipts.js';
import { JourneyWatcher } from '../journeys/journey-watch.js';
import { LeaseTimerWorker } from '../session-locks/lease-keeper.js';
import { type EposResolver, SessionLockService } from '../session-locks/session-locks.js';
import { TablePaymentRunner } from '../table-payments/table-payment-runner.js';
import { TableTimerWorker } from '../table-payments/table-work.js';
import { UnsuccessfulAttemptReporter } from '../table-payments/unsuccessful-attempts.js';

/** What an unlocking needs beside its call to the EPOS. */
const UNLOCK_TIME_MARGIN_MS = 2_000;

/** What paying at tables needs of the gateway around it. */
export interface TableServicesOptions {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly intents: PaymentIntents;
  readonly sessions: TerminalSessions;
  readonly settings: PaymentSettings;
  readonly getEpos: EposResolver;
  /** Asks an EPOS that keeps orders: to extend a lock, to make an order. */
  readonly callData: (request: DataCallRequest) => Promise<DataOutcome>;
  /** Asks the acquirer, which gives money back and captures orders. */
  readonly calls: AcquirerCalls;
  readonly runnerLeaseMs: number;
  readonly lockLeaseMs: number;
  readonly callLimitMs: number;
  readonly log: Log;
}

/** Everything behind JourneyService and a device's own locks and payments. */
export interface TableServices {
  readonly access: DeviceAccess;
  readonly journeyService: JourneyService;
  readonly deviceLocks: DeviceLockService;
  readonly deviceRecords: DevicePaymentService;
  readonly watcher: JourneyWatcher;
  readonly receipts: JourneyReceiptService;
  readonly timerWorker: TableTimerWorker;
  readonly runner: TablePaymentRunner;
  readonly leaseWorker: LeaseTimerWorker;
  /** An EPOS of the account has connected: what waits for it is done at once. */
  readonly onEposConnected: (scope: Scope) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Puts the parts together; nothing runs before `start`. */
export function createTableServices(options: TableServicesOptions): TableServices {
  const { database, accounts, intents, sessions, calls, settings, getEpos, callLimitMs, log } = options;
  const queue = new TimerQueue(database);
  const claimMs = options.runnerLeaseMs + callLimitMs;
  const unlockTimeMs = callLimitMs + UNLOCK_TIME_MARGIN_MS;
  const leases = new Leases(options.lockLeaseMs, Math.max(0, claimMs - unlockTimeMs));
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  const journeys = new Journeys({ leases, tablePayments, sessions, intents });
  const giveBack = new GiveBack({ database, calls, accounts, settings });
  const locks = new SessionLockService({ database, leases, getEpos, callLimitMs });
  const runnerTimes = { leaseMs: options.runnerLeaseMs, callLimitMs };
  const attempts = new UnsuccessfulAttemptReporter({ database, queue, accounts, getEpos, callLimitMs, log });
  const runner = new TablePaymentRunner({
    ...{ database, queue, tablePayments, giveBack, locks, attempts, getEpos, settings, times: runnerTimes, log },
  });
  const leaseWorker = new LeaseTimerWorker({
    ...{ database, queue, leases, locks, getEpos, callLimitMs, log },
    claimMs: runner.claimMs,
  });
  const orderLocks = new OrderLockExtender({ database, queue, leases, callData: options.callData, log });
  const placements = new OrderPlacements({ queue });
  const placementRunner = new PlacementRunner({
    ...{ database, queue, placements, giveBack, settings, times: runnerTimes, log },
    calls: new PlacementEposClient({ database, callData: options.callData, callLimitMs }),
    capture: new OrderCapture({ database, calls, settings }),
  });
  const access = new DeviceAccess({ database, accounts });
  const timerWorker = new TableTimerWorker({
    ...{ database, queue, runner, leaseWorker, orderLocks, placements: placementRunner, log },
  });
  const bills = new JourneyBillReader({ database, accounts, getEpos, callLimitMs, log });
  const watcher = new JourneyWatcher({ database, bills });
  let pendingStop: Promise<void> | null = null;
  return {
    access,
    runner,
    leaseWorker,
    timerWorker,
    watcher,
    receipts: new JourneyReceiptService(database, accounts),
    journeyService: new JourneyService({
      ...{ database, access, journeys, leases, locks, leaseWorker, timerWorker, bills, settings },
    }),
    deviceLocks: new DeviceLockService({ database, accounts, leases, locks, leaseWorker, getEpos, callLimitMs }),
    deviceRecords: new DevicePaymentService({
      ...{ database, accounts, leases, tablePayments, runner, timerWorker, getEpos, callLimitMs },
    }),
    onEposConnected: async (scope) => {
      for (const paymentId of await resumeWaitingForEpos({ database, tablePayments, placements }, scope))
        timerWorker.wakePayment(scope, paymentId);
    },
    start: async () => {
      await watcher.start();
      await timerWorker.start();
    },
    stop: () =>
      (pendingStop ??= (async () => {
        await timerWorker.stop();
        await watcher.stop();
      })()),
  };
}
