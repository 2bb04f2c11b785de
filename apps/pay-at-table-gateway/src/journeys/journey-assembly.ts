import type { AccountCache } from '@pos/payments/accounts';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { AcquirerCircuit } from '@pos/payments/acquirer-circuit';
import { AcquirerClient } from '@pos/payments/acquirer-client';
import { GiveBack } from '@pos/payments/give-back';
import { Journeys } from '@pos/payments/journeys';
import { Leases } from '@pos/payments/leases';
import type { PaymentIntents } from '@pos/payments/payment-intents';
import type { PaymentSettings } from '@pos/payments/settings';
import { OrderCapture } from '@pos/payments/order-capture';
import { OrderPlacements } from '@pos/payments/order-placements';
import { TablePayments } from '@pos/payments/table-payments';
import { createUnreadableCardReporter } from '@pos/payments/unreadable-cards';
import { resumeWaitingForEpos } from '@pos/payments/waiting-payments';
import type { TerminalSessions } from '@pos/payments/terminal-sessions';
import type { Scope } from '@pos/core/identity';
import type { Log } from '@pos/service-kit/log';
import type { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/timers';
import { DeviceAccess } from '../devices/device-access.js';
import type { DataOutcome, DataWish } from '../epos/tables-call.js';
import { OrderLockKeeper } from '../orders/order-lock-keeper.js';
import { PlacementCalls } from '../placements/placement-calls.js';
import { PlacementRunner } from '../placements/placement-runner.js';
import { DeviceLocks } from './device-locks.js';
import { DeviceRecords } from './device-records.js';
import { JourneyBills } from './journey-bills.js';
import { JourneyDesk } from './journey-desk.js';
import { JourneyReceipts } from './journey-receipts.js';
import { JourneyWatch } from './journey-watch.js';
import { LeaseKeeper } from './lease-keeper.js';
import { type EposOf, SessionLocks } from './session-locks.js';
import { TablePaymentRunner } from './table-payment-runner.js';
import { TableWork } from './table-work.js';
import { UnsuccessfulAttempts } from './unsuccessful-attempts.js';

/** What an unlocking needs beside its call to the EPOS. */
const UNLOCK_MARGIN_MS = 2_000;

/** What paying at tables needs of the gateway around it. */
export interface TablesWorld {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly intents: PaymentIntents;
  readonly sessions: TerminalSessions;
  readonly settings: PaymentSettings;
  readonly eposOf: EposOf;
  /** Asks an EPOS that keeps orders: to extend a lock, to make an order. */
  readonly askOrders: (wish: DataWish) => Promise<DataOutcome>;
  /** Where the acquirer is, `host:port`; asked only to give money back. */
  readonly acquirerAddress: string;
  /** The same for production accounts; null or left out when none is configured. */
  readonly productionAcquirerAddress?: string | null;
  readonly runnerLeaseMs: number;
  readonly lockLeaseMs: number;
  readonly callLimitMs: number;
  readonly log: Log;
}

/** Everything behind JourneyService and a device's own locks and payments. */
export interface Tables {
  readonly access: DeviceAccess;
  readonly desk: JourneyDesk;
  readonly deviceLocks: DeviceLocks;
  readonly deviceRecords: DeviceRecords;
  readonly watch: JourneyWatch;
  readonly receipts: JourneyReceipts;
  readonly work: TableWork;
  readonly runner: TablePaymentRunner;
  readonly keeper: LeaseKeeper;
  /** An EPOS of the account has connected: what waits for it is done at once. */
  readonly eposConnected: (scope: Scope) => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Puts the parts together; nothing runs before `start`. */
export function assembleTables(world: TablesWorld): Tables {
  const { database, accounts, intents, sessions, settings, eposOf, callLimitMs, log } = world;
  const queue = new TimerQueue(database);
  const claimMs = world.runnerLeaseMs + callLimitMs;
  const unlockMs = callLimitMs + UNLOCK_MARGIN_MS;
  const leases = new Leases(world.lockLeaseMs, Math.max(0, claimMs - unlockMs));
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  const journeys = new Journeys({ leases, tablePayments, sessions, intents });
  const acquirer = openAcquirer(world, world.acquirerAddress);
  const production = world.productionAcquirerAddress ?? null;
  const productionAcquirer = production === null ? null : openAcquirer(world, production);
  const calls = new AcquirerCalls({ database, acquirer, productionAcquirer, accounts, settings });
  const giveBack = new GiveBack({ database, calls, accounts, settings });
  const locks = new SessionLocks({ database, leases, eposOf, callLimitMs });
  const times = { leaseMs: world.runnerLeaseMs, callLimitMs };
  const attempts = new UnsuccessfulAttempts({ database, queue, accounts, eposOf, callLimitMs, log });
  const runner = new TablePaymentRunner({
    ...{ database, queue, tablePayments, giveBack, locks, attempts, eposOf, settings, times, log },
  });
  const keeper = new LeaseKeeper({
    ...{ database, queue, leases, locks, eposOf, callLimitMs, log },
    claimMs: runner.claimMs,
  });
  const orderLocks = new OrderLockKeeper({ database, queue, leases, ask: world.askOrders, log });
  const placements = new OrderPlacements({ queue });
  const placementRunner = new PlacementRunner({
    ...{ database, queue, placements, giveBack, settings, times, log },
    calls: new PlacementCalls({ database, ask: world.askOrders, callLimitMs }),
    capture: new OrderCapture({ database, calls, settings }),
  });
  const access = new DeviceAccess({ database, accounts });
  const work = new TableWork({ database, queue, runner, keeper, orderLocks, placements: placementRunner, log });
  const bills = new JourneyBills({ database, accounts, eposOf, callLimitMs, log });
  const watch = new JourneyWatch({ database, bills });
  let stopping: Promise<void> | null = null;
  return {
    access,
    runner,
    keeper,
    work,
    watch,
    receipts: new JourneyReceipts(database, accounts),
    desk: new JourneyDesk({
      ...{ database, access, journeys, leases, locks, keeper, work, bills, settings },
    }),
    deviceLocks: new DeviceLocks({ database, accounts, leases, locks, keeper, eposOf, callLimitMs }),
    deviceRecords: new DeviceRecords({
      ...{ database, accounts, leases, tablePayments, runner, work, eposOf, callLimitMs },
    }),
    eposConnected: async (scope) => {
      for (const paymentId of await resumeWaitingForEpos({ database, tablePayments, placements }, scope))
        work.wake(scope, paymentId);
    },
    start: async () => {
      await watch.start();
      await work.start();
    },
    stop: () =>
      (stopping ??= (async () => {
        await work.stop();
        await watch.stop();
        acquirer.close();
        productionAcquirer?.close();
      })()),
  };
}

/** A client of the acquirer at an address, with a circuit of its own. */
function openAcquirer({ settings, log }: TablesWorld, address: string): AcquirerClient {
  const pauseMs = settings.inquiryIntervalMs;
  const onChange = (isOpen: boolean): void =>
    log.warn(isOpen ? 'acquirer.circuit_opened' : 'acquirer.circuit_closed', { acquirer: address });
  const circuit = new AcquirerCircuit({ pauseMs, onChange });
  return new AcquirerClient(address, { circuit, reportCard: createUnreadableCardReporter(log) });
}
