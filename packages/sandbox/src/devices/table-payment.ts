import { randomUUID } from 'node:crypto';
import { type Journey, JourneyState, type TakePaymentRequest } from '@pos/grpc-contracts/gateway';
import type { BillPart, TablePaymentView } from '@pos/rest-contracts/sandbox';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { DeviceCallError, type DeviceClient } from './device-client.js';
import { presentPayment } from './device-messages.js';

/** What a person pays: a part of the bill of a session, and a tip on top. */
export interface TablePaymentOrder {
  readonly sessionId: string;
  readonly currency: string;
  readonly part: BillPart;
  readonly gratuity: number;
}

const TURN_INTERVAL_MS = 500;
const TURN_MS_MAX = 180_000;
const RETRY_INTERVAL_MS = 500;
const RETRIES_MAX = 10;

const FINAL_STATES: ReadonlySet<TablePaymentView['state']> = new Set([
  'recorded',
  'givenBack',
  'ended',
  'refused',
  'needsOperator',
]);

/**
 * One payment at a table by one device: it waits until no other device pays the bill, starts a journey, takes the
 * payment, follows it to its end, and finishes the journey so that the next device may pay. The gateway completes a
 * payment whose device stops.
 */
export class TablePayment {
  readonly paymentId = randomUUID();
  readonly #device: DeviceClient;
  readonly #clock: SimulationClock;
  readonly #order: TablePaymentOrder;
  readonly #onChange: () => void;
  #view: TablePaymentView;
  #isCanceled = false;

  constructor(parts: {
    readonly device: DeviceClient;
    readonly clock: SimulationClock;
    readonly order: TablePaymentOrder;
    readonly onChange: () => void;
  }) {
    this.#device = parts.device;
    this.#clock = parts.clock;
    this.#order = parts.order;
    this.#onChange = parts.onChange;
    const { sessionId, currency, gratuity } = parts.order;
    this.#view = {
      ...{ paymentId: this.paymentId, sessionId, currency, state: 'waiting', detail: '' },
      ...{ baseAmount: 0, gratuityAmount: gratuity },
    };
  }

  get view(): TablePaymentView {
    return this.#view;
  }

  isOver(): boolean {
    return FINAL_STATES.has(this.#view.state);
  }

  /** Runs to the end, which is a state and never an error. */
  async run(): Promise<void> {
    try {
      const journey = await this.#startJourney();
      if (journey === null) {
        this.#change({ state: 'ended', detail: 'Canceled before the bill was free.' });
        return;
      }
      await this.#payIn(journey);
    } catch (error) {
      if (!(error instanceof DeviceCallError)) throw error;
      this.#change({ state: 'refused', detail: error.reason });
    }
  }

  /** Cancels the payment, also while it waits for its turn. Throws `DeviceCallError` once a card was presented. */
  async cancel(): Promise<void> {
    if (this.#view.state === 'waiting') this.#isCanceled = true;
    else await this.#device.cancelPayment(this.paymentId);
  }

  async decideSignature(isAccepted: boolean): Promise<void> {
    await this.#device.decideSignature(this.paymentId, isAccepted);
  }

  async #payIn(journey: Journey): Promise<void> {
    try {
      await this.#takePayment(journey.journeyId);
    } catch (error) {
      // The bill becomes free for the next device, also after a refusal.
      await this.#finishJourney(journey.journeyId);
      throw error;
    }
    await this.#followToEnd(journey.journeyId);
    if (this.#view.state !== 'needsOperator') await this.#finishJourney(journey.journeyId);
  }

  /** A call without an answer is repeated: the same payment id changes nothing. */
  async #takePayment(journeyId: string): Promise<void> {
    const request: TakePaymentRequest = {
      ...{ journeyId, paymentId: this.paymentId, mode: toMode(this.#order.part) },
      ...{ gratuityAmount: BigInt(this.#order.gratuity), cashbackAmount: 0n },
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#device.takePayment(request);
        return;
      } catch (error) {
        const isUnanswered = error instanceof DeviceCallError && error.kind === 'unreachable';
        if (!isUnanswered || attempt === RETRIES_MAX) throw error;
      }
      await this.#pause(RETRY_INTERVAL_MS);
    }
  }

  /** Null: canceled while it waited. */
  async #startJourney(): Promise<Journey | null> {
    const { sessionId } = this.#order;
    for (let waitedMs = 0; !this.#isCanceled; waitedMs += TURN_INTERVAL_MS) {
      try {
        const journey = await this.#device.startJourney(sessionId);
        // Payers' own devices share the lease of a bill, so that another one may be paying in the same journey.
        if (journey.state === JourneyState.JOURNEY_STATE_OPEN) return journey;
        this.#change({ detail: 'Another device pays this bill.' });
      } catch (error) {
        if (!(error instanceof DeviceCallError) || error.kind !== 'locked' || waitedMs > TURN_MS_MAX) throw error;
        this.#change({ detail: error.reason });
      }
      await this.#pause(TURN_INTERVAL_MS);
    }
    return null;
  }

  /** A stream that breaks is opened again: the payment continues without it. */
  async #followToEnd(journeyId: string): Promise<void> {
    while (!this.isOver()) {
      try {
        for await (const journey of this.#device.watchJourney(journeyId)) {
          const payment = journey.payments.find((each) => each.paymentId === this.paymentId);
          if (payment !== undefined) this.#change(presentPayment(journey, payment));
          if (this.isOver()) return;
        }
      } catch {
        // The gateway restarts, or the device has lost its connection.
      }
      await this.#pause(RETRY_INTERVAL_MS);
    }
  }

  async #finishJourney(journeyId: string): Promise<void> {
    for (let attempt = 1; attempt <= RETRIES_MAX; attempt += 1) {
      try {
        await this.#device.finishJourney(journeyId);
        return;
      } catch (error) {
        if (error instanceof DeviceCallError && error.kind === 'notFound') return;
      }
      await this.#pause(RETRY_INTERVAL_MS);
    }
  }

  #change(change: Partial<TablePaymentView>): void {
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.scheduleRealTime(ms, resolve);
    });
  }
}

function toMode(part: BillPart): NonNullable<TakePaymentRequest['mode']> {
  switch (part.mode) {
    case 'full':
      return { $case: 'full', value: {} };
    case 'equal':
      return { $case: 'equal', value: { people: part.people } };
    case 'custom':
      return { $case: 'custom', value: { amount: BigInt(part.amount) } };
    case 'items':
      return {
        $case: 'items',
        value: { items: part.itemIds.map((itemId) => ({ itemId, numerator: 1, denominator: 1 })) },
      };
  }
}
