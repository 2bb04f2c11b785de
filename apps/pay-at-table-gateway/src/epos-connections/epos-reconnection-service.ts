import type { Scope } from '@pos/core/identity';
import { type OrderPlacements, resumeWaitingForEpos } from '@pos/payments/orders';
import type { TablePayments } from '@pos/payments/tables';
import type { Database } from '@pos/store/database';
import { wakeEposLane } from '@pos/store/queues';
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
