import {
  amountMovements,
  type Envelope,
  paymentAmountEvent,
  paymentIntentEvent,
  terminalSessionEvent,
} from '@pos/core/event';
import type { PaymentIntentEventKind } from '@pos/core/event-kind';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intent';
import type { SessionDecision } from '@pos/core/terminal-session';
import type { Tx } from '@pos/store/database';
import { emitAll } from '@pos/store/outbox';

/** What a transaction has decided and must tell: emitted together, because lanes are locked in one order. */
export class News {
  readonly #envelopes: Envelope[] = [];

  constructor(private readonly tx: Tx) {}

  async ofIntent(intent: PaymentIntent, kinds: readonly PaymentIntentEventKind[]): Promise<void> {
    for (const kind of kinds) this.#envelopes.push(paymentIntentEvent(await this.#head(kind), intent));
  }

  /** Adds the events of a decision: its change of status first, then one for each capture or refund that it posts. */
  async ofDecision(intent: PaymentIntent, { tells, entries }: IntentDecision): Promise<void> {
    await this.ofIntent(intent, tells);
    for (const movement of amountMovements(entries)) {
      this.#envelopes.push(paymentAmountEvent(await this.#head(movement.kind), intent, movement));
    }
  }

  async ofSession({ session, tells }: SessionDecision): Promise<void> {
    for (const { kind, state } of tells) {
      this.#envelopes.push(terminalSessionEvent(await this.#head(kind), session, state));
    }
  }

  /** Stores the events and their deliveries. Lanes are the last locks of a transaction, so this comes last. */
  async tell(): Promise<void> {
    await emitAll(this.tx, this.#envelopes);
  }

  async #head<K extends string>(kind: K) {
    return { id: await this.tx.newId('event'), kind, accountId: this.tx.scope.accountId, createdAt: this.tx.now };
  }
}
