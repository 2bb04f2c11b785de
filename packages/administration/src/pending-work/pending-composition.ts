import type { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import {
  AccountCache,
  type AcquirerDirectory,
  type AcquirerPorts,
  createCompleteDirectory,
  DEFAULT_PAYMENT_SETTINGS,
} from '@pos/payments/accounts';
import { OperatorService } from '@pos/payments/operators';
import { OrderPlacements } from '@pos/payments/orders';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { ReconciliationService } from '@pos/payments/reconciliation';
import { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { Leases, TablePayments } from '@pos/payments/tables';
import { TerminalSessions } from '@pos/payments/terminals';
import { PendingAdministration } from './pending-administration.js';

/** How the acquirers are reached that have the books. */
export interface AcquirerAccess {
  readonly acquirers: AcquirerDirectory;
  readonly ports: AcquirerPorts;
}

/** What decides when a call to the acquirer is on the pending list, as the apps have it. */
interface PendingSettings {
  readonly callPendingMs: number;
}

/** The use cases about open money. They only write rows, which the apps work on; no acquirer is called here. */
export function createPendingAdministration(database: Database, settings: PendingSettings): PendingAdministration {
  // The worker has the acquirers; whether one is missing is in its log.
  return createPendingAdministrationWithBooks(database, settings, {
    acquirers: createCompleteDirectory(),
    ports: { find: () => null },
  });
}

/** The same with the acquirers, to conclude by their books. */
export function createPendingAdministrationWithBooks(
  database: Database,
  { callPendingMs }: PendingSettings,
  { acquirers, ports }: AcquirerAccess,
): PendingAdministration {
  const accounts = new AccountCache();
  const settings = { ...DEFAULT_PAYMENT_SETTINGS, acquirers, callPendingMs };
  const queue = new TimerQueue(database);
  const leases = new Leases();
  const intents = new PaymentIntents(accounts, settings);
  const sessions = new TerminalSessions(accounts, settings);
  const reconciliation = new ReconciliationService(settings);
  const operators = new OperatorService({
    leases,
    tablePayments: new TablePayments({ accounts, intents, sessions, leases, queue }),
    placements: new OrderPlacements({ accounts, queue }),
    calls: new AcquirerCalls({ database, acquirers: ports, accounts, settings }),
    reconciliation,
    settings,
  });
  return new PendingAdministration(operators, reconciliation);
}
