import type { Database } from '@pos/store/database/database';
import { TimerQueue } from '@pos/store/queues/timers';
import { AccountCache } from '../accounts/account-cache.js';
import { type AcquirerDirectory, type AcquirerPorts, createCompleteDirectory } from '../accounts/acquirer-directory.js';
import { DEFAULT_PAYMENT_SETTINGS } from '../accounts/payment-settings.js';
import { OperatorService } from '../operators/operator-service.js';
import { OrderPlacements } from '../orders/order-placements.js';
import { PaymentIntents } from '../payment-intents/payment-intents.js';
import { ReconciliationService } from '../reconciliation/reconciliation-service.js';
import { AcquirerCalls } from '../settlement/acquirer-calls.js';
import { Leases } from '../tables/leases.js';
import { TablePayments } from '../tables/table-payments.js';
import { TerminalSessions } from '../terminals/terminal-sessions.js';
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

/** The same with the acquirers, to settle by their books. */
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
