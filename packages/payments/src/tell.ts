import { type Envelope, paymentIntentEvent, terminalSessionEvent } from '@pos/core/event';
import type { PaymentIntentEventKind } from '@pos/core/event-kind';
import type { PaymentIntent } from '@pos/core/payment-intent';
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
