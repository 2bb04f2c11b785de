import { ReconciliationService } from '../reconciliation/reconciliation-service.js';
import { Leases } from '../tables/leases.js';
import { OperatorService } from '../operators/operator-service.js';
import { OrderPlacements } from '../orders/order-placements.js';
import { TablePayments } from '../tables/table-payments.js';
import type { TestEnvironment } from './test-environment.js';

/** The decisions of operators over the environment's use cases. */
export function createOperatorService({
  accounts,
  intents,
  sessions,
  queue,
  calls,
  settings,
}: TestEnvironment): OperatorService {
  const leases = new Leases();
  const tablePayments = new TablePayments({ accounts, intents, sessions, leases, queue });
  const placements = new OrderPlacements({ accounts, queue });
  return new OperatorService({
    ...{ leases, tablePayments, placements, calls, settings },
    reconciliation: new ReconciliationService(settings),
  });
}
