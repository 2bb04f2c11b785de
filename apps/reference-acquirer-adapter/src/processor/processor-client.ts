import { z } from 'zod';

const Operation = z.object({ op_ref: z.string(), type: z.string(), amount: z.string(), at: z.iso.datetime() });

/** A payment as the processor shows it. */
const ProcessorPayment = z.object({
  id: z.string(),
  order_ref: z.string(),
  amount: z.string(),
  currency: z.string(),
  status: z.enum(['pending', 'challenge', 'authorized', 'declined', 'voided']),
  auth_code: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  card: z.object({ bin: z.string(), last4: z.string(), brand: z.string(), expiry: z.string(), holder: z.string() }),
  challenge: z.object({ url: z.string(), request: z.string(), data: z.string() }).nullable(),
  challenge_passed: z.boolean(),
  operations: z.array(Operation),
});
export type ProcessorPayment = z.output<typeof ProcessorPayment>;

const Entry = z.object({
  seq: z.int(),
  at: z.iso.datetime(),
  order_ref: z.string(),
  op_ref: z.string().nullable(),
  type: z.enum(['authorization', 'capture', 'refund', 'increment', 'void', 'release']),
  amount: z.string(),
  currency: z.string(),
  voided: z.boolean(),
});
export type ProcessorEntry = z.output<typeof Entry>;

/** A request that books something. */
export interface OperationRequest {
  readonly paymentId: string;
  readonly opRef: string;
  readonly type: 'capture' | 'refund' | 'increment' | 'void' | 'release';
  readonly amount: string | null;
}

/**
 * What an answer proves about its own request, and about no earlier one. `refused`: the processor has booked nothing, and
 * says why. `unavailable`: it has booked nothing, and the request can be sent again. `unknown`: it may have booked the
 * request, also when the answer is about something else than was asked.
 */
export type ProcessorAnswer =
  | { readonly kind: 'payment'; readonly payment: ProcessorPayment }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'unknown' };

/** With this status the processor says that it has not looked at the request. Its error is `down`. */
const UNAVAILABLE = 503;
const DOWN = 'down';
/** Statuses with which the processor says that it has booked nothing. 409 is none: the reference is in use. */
const REFUSALS = [400, 404, 422];
const LIST_MAX = 500;
/** Reading a list again is harmless. */
const LIST_TRIES_MAX = 5;

/** The HTTP interface of the processor. It throws for nothing that the processor does, except in lists. */
export class ProcessorClient {
  constructor(private readonly parts: { readonly url: string; readonly timeoutMs: number }) {}

  /** Creates a payment under our order reference. A second request with it is not booked. */
  createPayment(order: { readonly order_ref: string; readonly [member: string]: unknown }): Promise<ProcessorAnswer> {
    return this.#book('/payments', order, (payment) => payment.order_ref === order.order_ref);
  }

  /** Changes a payment under our operation reference. A second request with it is not booked. */
  operate({ paymentId, opRef, type, amount }: OperationRequest): Promise<ProcessorAnswer> {
    const body = { op_ref: opRef, type, amount };
    return this.#book(`/payments/${paymentId}/operations`, body, (payment) => payment.id === paymentId);
  }

  answerChallenge(paymentId: string, answer: { readonly data: string; readonly answer: string }) {
    return this.#book(`/payments/${paymentId}/challenge`, answer, (payment) => payment.id === paymentId);
  }

  /** The payment under our order reference; null: the processor does not have it now. */
  async findPayment(orderRef: string): Promise<ProcessorPayment | null | 'unknown'> {
    const answer = await this.#send('GET', `/payments?order_ref=${orderRef}`, null);
    const found = z.object({ payments: z.array(ProcessorPayment) }).safeParse(answer?.body);
    if (answer?.status !== 200 || !found.success) return 'unknown';
    const [payment = null] = found.data.payments;
    return payment === null || payment.order_ref === orderRef ? payment : 'unknown';
  }

  /** The books of a merchant. Throws when they cannot be read: a list that is not there is not an empty one. */
  async listEntries(query: {
    readonly merchant: string;
    readonly from: Date;
    readonly to: Date;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly ProcessorEntry[] | 'unknown merchant'> {
    const search = new URLSearchParams({
      ...{ merchant: query.merchant, from: query.from.toISOString(), to: query.to.toISOString() },
      ...{ after: String(query.after), limit: String(Math.min(query.limit, LIST_MAX)) },
    });
    for (let tried = 0; tried < LIST_TRIES_MAX; tried += 1) {
      const answer = await this.#send('GET', `/entries?${search.toString()}`, null);
      if (answer?.status === 404) return 'unknown merchant';
      const listed = z.object({ entries: z.array(Entry) }).safeParse(answer?.body);
      if (answer?.status === 200 && listed.success) return listed.data.entries;
    }
    throw new Error('the processor does not list its books');
  }

  async #book(path: string, body: object, isAsked: (payment: ProcessorPayment) => boolean): Promise<ProcessorAnswer> {
    const answer = await this.#send('POST', path, body);
    if (answer === null) return { kind: 'unknown' };
    const { data } = z.object({ error: z.string() }).safeParse(answer.body);
    // A proxy answers 503 too, for a request that it has passed on: only the processor's own error proves something.
    if (answer.status === UNAVAILABLE && data?.error === DOWN) return { kind: 'unavailable' };
    if (REFUSALS.includes(answer.status)) {
      return data === undefined ? { kind: 'unknown' } : { kind: 'refused', status: answer.status, code: data.error };
    }
    const read = ProcessorPayment.safeParse(answer.body);
    const isAnswer = answer.status === 200 && read.success && isAsked(read.data);
    return isAnswer ? { kind: 'payment', payment: read.data } : { kind: 'unknown' };
  }

  /** Null: no answer that can be read. */
  async #send(method: string, path: string, body: object | null) {
    try {
      const response = await fetch(`${this.parts.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== null && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.parts.timeoutMs),
      });
      const answered: unknown = await response.json();
      return { status: response.status, body: answered };
    } catch {
      return null;
    }
  }
}
