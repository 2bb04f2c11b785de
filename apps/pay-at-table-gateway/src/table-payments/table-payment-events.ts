import type { RecordReply, TablePayment } from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';

/** Receives what a runner of this process does with payments. */
export interface TablePaymentListener {
  /** The EPOS has answered a record call. */
  readonly onRecordReply?: (scope: Scope, paymentId: string, reply: RecordReply) => void;
  /** A step was stored. */
  readonly onStep?: (scope: Scope, payment: TablePayment) => void;
  /** The payment waits for its card. */
  readonly onCardAwaited?: (scope: Scope, payment: TablePayment) => void;
}

/** Publishes the work of the runner to the other classes of this process. */
export class TablePaymentEvents {
  readonly #listeners: TablePaymentListener[] = [];

  addListener(listener: TablePaymentListener): void {
    this.#listeners.push(listener);
  }

  publishRecordReply(scope: Scope, paymentId: string, reply: RecordReply): void {
    for (const listener of this.#listeners) listener.onRecordReply?.(scope, paymentId, reply);
  }

  publishStep(scope: Scope, payment: TablePayment): void {
    for (const listener of this.#listeners) listener.onStep?.(scope, payment);
  }

  publishCardAwaited(scope: Scope, payment: TablePayment): void {
    for (const listener of this.#listeners) listener.onCardAwaited?.(scope, payment);
  }
}
