import { type AccountCache, type AcquirerPorts, PartnerDirectory, type PaymentSettings } from '@pos/payments/accounts';
import { AcquirerClients } from '@pos/nest-modules';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { GiveBack } from '@pos/payments/captures-refunds';
import { AcquirerProof, Journeys, TablePayments } from '@pos/payments/tables';
import type { PaymentIntents } from '@pos/payments/payment-intents';
import { OrderCapture, OrderPlacements } from '@pos/payments/orders';
import type { TerminalSessions } from '@pos/payments/terminals';
import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/telemetry';
import type { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import { createLeases } from '../config/claim-times.js';
import { DeviceAccess } from '../devices/device-access.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { EposReconnectionService } from '../epos-connections/epos-reconnection-service.js';
import { OrderLockExtender } from '../order-sessions/order-lock-extender.js';
import { PlacementEposClient } from '../order-placements/placement-epos-client.js';
import { PlacementRunner } from '../order-placements/placement-runner.js';
import { DeviceLockService } from '../tables/device-lock-service.js';
import { DevicePaymentService } from '../tables/device-payment-service.js';
import { JourneyBillReader } from '../journeys/journey-bill-reader.js';
import { JourneyService } from '../journeys/journey-service.js';
import { JourneyReceiptService } from '../journeys/journey-receipt-service.js';
import { JourneyWatcher } from '../journeys/journey-watcher.js';
import { LeaseTimerWorker } from '../session-locks/lease-timer-worker.js';
import type { EposResolver } from '../session-locks/epos-resolver.js';
import { LeaseCache } from '../session-locks/lease-cache.js';
import { SessionLockService } from '../session-locks/session-lock-service.js';
import { TablePaymentEvents } from '../table-payments/table-payment-events.js';
import { TablePaymentRunner } from '../table-payments/table-payment-runner.js';
import { TableTimerWorker } from '../table-payments/table-timer-worker.js';
import { UnsuccessfulAttemptReporter } from '../table-payments/unsuccessful-attempt-reporter.js';

/** The parts of a gateway around the payments at its tables. */
interface TableServicesOptions {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly intents: PaymentIntents;
  readonly sessions: TerminalSessions;
  readonly settings: PaymentSettings;
  readonly getEpos: EposResolver;
  /** Calls an EPOS of the EPOS Data API: to extend a lock, to create an order. */
  readonly callData: (request: DataCallRequest) => Promise<DataOutcome>;
  /** Calls the acquirer, for reversals and captures. */
  readonly calls: AcquirerCalls;
  readonly runnerLeaseMs: number;
  readonly lockLeaseMs: number;
  readonly acquirers: AcquirerPorts;
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
  /** Continues the payments and orders that wait for the EPOS of the account. */
  readonly onEposConnected: (scope: Scope) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Creates the classes as the modules of the gateway do, without its ports. Nothing runs before `start`. */
function createTableServices(options: TableServicesOptions): TableServices {
  const { database, accounts, intents, sessions, calls, settings, getEpos, callLimitMs, log } = options;
  const queue = new TimerQueue(database);
  const { runnerLeaseMs, lockLeaseMs } = options;
  const times = { RUNNER_LEASE_MS: runnerLeaseMs, LOCK_LEASE_MS: lockLeaseMs, EPOS_CALL_LIMIT_MS: callLimitMs };
  const leases = createLeases(times);
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  const journeys = new Journeys({ leases, tablePayments, sessions, intents });
  const giveBack = new GiveBack({ database, calls, accounts, settings });
  const leaseCache = new LeaseCache();
  const locks = new SessionLockService({ database, leases, getEpos, callLimitMs });
  const runnerTimes = { leaseMs: runnerLeaseMs, callLimitMs };
  const events = new TablePaymentEvents();
  const attempts = new UnsuccessfulAttemptReporter({ database, queue, accounts, getEpos, callLimitMs, log });
  const runner = new TablePaymentRunner({
    ...{ database, queue, tablePayments, giveBack, locks, leaseCache, attempts, events, getEpos, settings, log },
    acquirerProof: new AcquirerProof({ database, accounts, acquirers: options.acquirers, settings }),
    times: runnerTimes,
  });
  const leaseWorker = new LeaseTimerWorker({
    ...{ database, queue, leases, locks, getEpos, callLimitMs, log },
    claimMs: runner.claimMs,
  });
  const orderLocks = new OrderLockExtender({ database, queue, leases, callData: options.callData, log });
  const placements = new OrderPlacements({ accounts, queue });
  const placementRunner = new PlacementRunner({
    ...{ database, queue, placements, giveBack, settings, times: runnerTimes, log },
    calls: new PlacementEposClient({ database, callData: options.callData, callLimitMs }),
    capture: new OrderCapture({ database, calls, settings }),
  });
  const access = new DeviceAccess({ database, accounts });
  const timerWorker = new TableTimerWorker({
    pollMs: 100,
    ...{ database, queue, runner, events, leaseWorker, orderLocks, placements: placementRunner, log },
  });
  const bills = new JourneyBillReader({ database, accounts, getEpos, callLimitMs, log });
  const watcher = new JourneyWatcher({ database, bills });
  const reconnections = new EposReconnectionService({ database, tablePayments, placements, timerWorker });
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
      partners: new PartnerDirectory(database),
    }),
    deviceLocks: new DeviceLockService({
      ...{ database, accounts, leases, leaseCache, locks, leaseWorker, getEpos, callLimitMs },
    }),
    deviceRecords: new DevicePaymentService({
      ...{ database, accounts, leases, leaseCache, tablePayments, runner, events, timerWorker, getEpos, callLimitMs },
    }),
    onEposConnected: (scope) => reconnections.resumeWaiting(scope),
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

/** The services of a gateway with an acquirer at this address. `stop` closes the connection too. */
export function createTestTableServices({
  acquirerAddress,
  ...options
}: Omit<TableServicesOptions, 'calls' | 'acquirers'> & { readonly acquirerAddress: string }): TableServices {
  const { database, accounts, settings, log } = options;
  const acquirers = new AcquirerClients({ ACQUIRER_ADDRESS: acquirerAddress }, log, settings.inquiryIntervalMs);
  const calls = new AcquirerCalls({
    ...{ database, accounts, settings },
    acquirers,
  });
  const services = createTableServices({ ...options, acquirers, calls });
  return {
    ...services,
    stop: async () => {
      await services.stop();
      acquirers.close();
    },
  };
}
