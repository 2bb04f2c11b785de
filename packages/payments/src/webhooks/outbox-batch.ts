import type { BookingKind } from '@pos/core/bookings';
import {
  createBookingEvent,
  listAmountMovements,
  type Envelope,
  createPaymentAmountEvent,
  createPaymentIntentEvent,
  createTerminalSessionEvent,
} from '@pos/core/webhooks';
import type { ChargeEventKind, PaymentIntentEventKind } from '@pos/core/events';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intents';
import type { SessionDecision } from '@pos/core/terminals';
import type { Tx } from '@pos/store/database';
import { emitAll } from '@pos/store/queues';

/** The events of a transaction: emitted together, because lanes are locked in one order. */
export class OutboxBatch {
  readonly #envelopes: Envelope[] = [];

  constructor(private readonly tx: Tx) {}

  async addIntentEvents(
    intent: PaymentIntent,
    kinds: readonly (PaymentIntentEventKind | ChargeEventKind)[],
  ): Promise<void> {
    for (const kind of kinds)
      this.#envelopes.push(createPaymentIntentEvent(await this.#createEnvelopeHead(kind), intent));
  }

  /** Adds the events of a decision: its change of status first, then one for each capture or refund that it posts. */
  async addDecisionEvents(intent: PaymentIntent, { webhookEvents, entries }: IntentDecision): Promise<void> {
    await this.addIntentEvents(intent, webhookEvents);
    for (const movement of listAmountMovements(entries)) {
      this.#envelopes.push(createPaymentAmountEvent(await this.#createEnvelopeHead(movement.kind), intent, movement));
    }
  }

  async addSessionEvents({ session, webhookEvents }: SessionDecision): Promise<void> {
    for (const { kind, state } of webhookEvents) {
      this.#envelopes.push(createTerminalSessionEvent(await this.#createEnvelopeHead(kind), session, state));
    }
  }

  async addBookingEvent(kind: BookingKind, eposId: string): Promise<void> {
    const head = await this.#createEnvelopeHead(kind === 'Party' ? 'party.updated' : 'reservation.updated');
    this.#envelopes.push(createBookingEvent(head, eposId));
  }

  /** Stores the events and their deliveries. Lanes are the last locks of a transaction, so this comes last. */
  async flush(): Promise<void> {
    await emitAll(this.tx, this.#envelopes);
  }

  async #createEnvelopeHead<K extends string>(kind: K) {
    return { id: await this.tx.newId('event'), kind, accountId: this.tx.scope.accountId, createdAt: this.tx.now };
  }
}
