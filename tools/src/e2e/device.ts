import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  type Journey,
  type JourneyPayment,
  JourneyPaymentState,
  JourneyServiceClient,
  type TakePaymentRequest,
  type WatchJourneyResponse,
} from '@pos/grpc-contracts/gateway';
import {
  type Bill,
  type GetBillItemsResponse,
  type Payment,
  type RequestorInfo,
  RequestorType,
  type Session,
  TablesErrorCode,
  TablesServiceClient,
} from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import { setTimeout as pause } from 'node:timers/promises';

/** The part of a bill to pay, and the additions; minor units. */
export interface PartPlan {
  readonly journeyId: string;
  readonly paymentId: string;
  readonly mode: NonNullable<TakePaymentRequest['mode']>;
  readonly gratuity?: bigint;
}

/** How long the device keeps trying gateways before it gives up a call. */
const PATIENCE_MS = 30_000;
const CALL_MS_MAX = 10_000;
const KNOCK_EVERY_MS = 50;
const LOOK_EVERY_MS = 20;

const FINAL: ReadonlySet<JourneyPaymentState> = new Set([
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED,
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_GIVEN_BACK,
  JourneyPaymentState.JOURNEY_PAYMENT_STATE_ENDED,
]);

/** The gateway of the device is not running, or stopped during the call. */
const AWAY: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.UNKNOWN,
]);

/**
 * A card machine in a waiter's hand. It has several gateways and goes to the next when one is unavailable. Every call
 * that it repeats there is one of those that may be repeated.
 */
export class Device {
  readonly #gateways: { readonly tables: TablesServiceClient; readonly journeys: JourneyServiceClient }[];
  readonly #metadata = new Metadata();
  readonly #requestorInfo: RequestorInfo;
  #at = 0;

  constructor(parts: { readonly addresses: readonly string[]; readonly apiKey: string; readonly tid: string }) {
    this.#gateways = parts.addresses.map((address) => ({
      tables: new TablesServiceClient(address, credentials.createInsecure(), QUICK_TO_RETURN),
      journeys: new JourneyServiceClient(address, credentials.createInsecure(), QUICK_TO_RETURN),
    }));
    this.#metadata.set('authorization', `Basic ${parts.apiKey}`);
    this.#requestorInfo = {
      requestorType: RequestorType.REQUESTOR_TYPE_CARD_MACHINE,
      requestor: { $case: 'cardMachineRequestorInfo', value: { terminalId: parts.tid, waiterId: 0 } },
    };
  }

  async payableSessions(): Promise<Session[]> {
    const requestorInfo = this.#requestorInfo;
    const request = { isFinished: false, isPayable: true, tableNames: [], requestorInfo };
    const answer = await this.#call<{ sessions: Session[] }>(({ tables }, options, done) =>
      tables.listSessions(request, this.#metadata, options, done),
    );
    return answer.sessions;
  }

  async bill(sessionId: string): Promise<Bill> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    const answer = await this.#call<GetBillItemsResponse>(({ tables }, options, done) =>
      tables.getBillItems(request, this.#metadata, options, done),
    );
    return requirePresent(answer.billItems);
  }

  /** Locks a session for a device that pays step by step. */
  async lock(sessionId: string): Promise<Bill> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    const answer = await this.#call<{ billItems?: Bill | undefined }>(({ tables }, options, done) =>
      tables.lockSession(request, this.#metadata, options, done),
    );
    return requirePresent(answer.billItems);
  }

  /**
   * Reports a payment of this device. Repeats the call until the payment is recorded, also while its card transaction is
   * not proved. Throws the last refusal when that takes too long.
   */
  async record(payment: Payment): Promise<void> {
    const request = { payment, requestorInfo: this.#requestorInfo };
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        await this.#call(({ tables }, options, done) => tables.recordPayment(request, this.#metadata, options, done));
        return;
      } catch (error) {
        const code = findTablesError(error as ServiceError)?.errorCode;
        if (code === TablesErrorCode.PAYMENT_ALREADY_RECORDED) return;
        if (code !== TablesErrorCode.PAYMENT_NOT_RECORDED || performance.now() > giveUpAt) throw error;
        await pause(KNOCK_EVERY_MS);
      }
    }
  }

  async unlock(sessionId: string): Promise<void> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    await this.#call(({ tables }, options, done) => tables.unlockSession(request, this.#metadata, options, done));
  }

  async start(sessionId: string): Promise<Journey> {
    const request = { sessionId, requestorInfo: this.#requestorInfo };
    return this.#journey(({ journeys }, options, done) =>
      journeys.startJourney(request, this.#metadata, options, done),
    );
  }

  async take({ gratuity = 0n, ...part }: PartPlan): Promise<Journey> {
    const request = { ...part, gratuityAmount: gratuity, cashbackAmount: 0n };
    return this.#journey(({ journeys }, options, done) => journeys.takePayment(request, this.#metadata, options, done));
  }

  async decideSignature(paymentId: string, accepted: boolean): Promise<Journey> {
    return this.#journey(({ journeys }, options, done) =>
      journeys.decideSignature({ paymentId, accepted }, this.#metadata, options, done),
    );
  }

  async cancel(paymentId: string): Promise<Journey> {
    return this.#journey(({ journeys }, options, done) =>
      journeys.cancelPayment({ paymentId }, this.#metadata, options, done),
    );
  }

  async finish(journeyId: string): Promise<Journey> {
    return this.#journey(({ journeys }, options, done) =>
      journeys.finishJourney({ journeyId }, this.#metadata, options, done),
    );
  }

  async look(journeyId: string): Promise<Journey> {
    return this.#journey(({ journeys }, options, done) =>
      journeys.getJourney({ journeyId }, this.#metadata, options, done),
    );
  }

  /** Polls until the payment is as wanted. Throws the last state when that takes too long. */
  async until(
    journeyId: string,
    isThere: (payment: JourneyPayment, journey: Journey) => boolean,
    { paymentId, withinMs = PATIENCE_MS }: { readonly paymentId: string; readonly withinMs?: number },
  ): Promise<JourneyPayment> {
    const giveUpAt = performance.now() + withinMs;
    for (;;) {
      const journey = await this.look(journeyId);
      const payment = journey.payments.find((each) => each.paymentId === paymentId);
      if (payment !== undefined && isThere(payment, journey)) return payment;
      if (performance.now() > giveUpAt) {
        const seen = payment === undefined ? 'not there' : `${payment.state}, ${payment.terminalSessionStatus ?? '-'}`;
        throw new Error(`payment ${paymentId} is ${seen} after ${withinMs} ms: ${payment?.detail ?? ''}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  /** The payment once it is recorded, returned or ended without money. */
  async untilFinal(journeyId: string, paymentId: string, withinMs = PATIENCE_MS): Promise<JourneyPayment> {
    return this.until(journeyId, ({ state }) => FINAL.has(state), { paymentId, withinMs });
  }

  /** Every change of a journey as the gateway reports it, until the reader stops. */
  async *watch(journeyId: string): AsyncGenerator<Journey> {
    const { journeys } = this.#gateway();
    const stream = journeys.watchJourney({ journeyId }, this.#metadata, { deadline: deadlineIn(PATIENCE_MS) });
    try {
      for await (const { journey } of stream as AsyncIterable<WatchJourneyResponse>) yield requirePresent(journey);
    } finally {
      stream.on('error', () => undefined);
      stream.cancel();
    }
  }

  close(): void {
    for (const { tables, journeys } of this.#gateways) {
      tables.close();
      journeys.close();
    }
  }

  async #journey(ask: DeviceCall<{ journey?: Journey | undefined }>): Promise<Journey> {
    return requirePresent((await this.#call(ask)).journey);
  }

  async #call<A>(ask: DeviceCall<A>): Promise<A> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await callGateway((done) => ask(this.#gateway(), { deadline: deadlineIn(CALL_MS_MAX) }, done));
      } catch (error) {
        const code = (error as Partial<ServiceError>).code;
        if (code === undefined || !AWAY.has(code) || performance.now() > giveUpAt) throw error;
        this.#at = (this.#at + 1) % this.#gateways.length;
        await pause(KNOCK_EVERY_MS);
      }
    }
  }

  #gateway() {
    const gateway = this.#gateways[this.#at];
    if (gateway === undefined) throw new Error('the device has no gateway');
    return gateway;
  }
}

type DeviceCall<A> = (
  gateway: { readonly tables: TablesServiceClient; readonly journeys: JourneyServiceClient },
  options: { readonly deadline: Date },
  done: (error: ServiceError | null, answer: A) => void,
) => unknown;

/**
 * A killed gateway is restarted within a second or two; the channel must not wait longer than that before it retries.
 */
const QUICK_TO_RETURN = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 500 };

function callGateway<A>(ask: (done: (error: ServiceError | null, answer: A) => void) => unknown): Promise<A> {
  return new Promise((resolve, reject) => {
    ask((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

function deadlineIn(ms: number): Date {
  return new Date(Date.now() + ms);
}

function requirePresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the gateway left out what it was asked for');
  return value;
}
