import type { Scope } from '@pos/core/identity/identity';
import { resumeWaitingForEpos } from '@pos/payments/orders/epos-reconnection';
import type { OrderPlacements } from '@pos/payments/orders/order-placements';
import type { TablePayments } from '@pos/payments/tables/table-payments';
import type { Database } from '@pos/store/database/database';
import { wakeEposLane } from '@pos/store/queues/epos-lanes';
import type { TableTimerWorker } from '../table-payments/table-timer-worker.js';

/** Continues what waits for the EPOS of an account once it has connected: payments, orders and events. */
export class EposReconnectionService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly tablePayments: TablePayments;
      readonly placements: OrderPlacements;
      readonly timerWorker: Pick<TableTimerWorker, 'wakePayment'>;
    },
  ) {}

  async resumeWaiting(scope: Scope): Promise<void> {
    await Promise.all([this.#resumePayments(scope), this.parts.database.transact(scope, wakeEposLane)]);
  }

  async #resumePayments(scope: Scope): Promise<void> {
    const { timerWorker, ...parts } = this.parts;
    for (const paymentId of await resumeWaitingForEpos(parts, scope)) timerWorker.wakePayment(scope, paymentId);
  }
}
