import type { FaultPoint } from '@pos/service-kit/lifecycle';
import { setTimeout as pause } from 'node:timers/promises';
import { parseDecimal } from '../processor/decimal-amount.js';
import type {
  OperationRequest,
  ProcessorAnswer,
  ProcessorClient,
  ProcessorPayment,
} from '../processor/processor-client.js';
import { type Call, CallRefusal } from './call.js';
import type { CallStore, LastSent } from './call-store.js';

/** What all calls need. */
export interface AdapterParts {
  readonly store: CallStore;
  readonly processor: ProcessorClient;
  /** After this time a request that the processor does not have has certainly not arrived. */
  readonly abandonAfterMs: number;
  readonly faultPoint: FaultPoint;
}

/** What is proved about a call. A refusal holds only while `lastSent` is the last request of any process. */
export type ProvedAnswer =
  | Extract<ProcessorAnswer, { readonly kind: 'payment' | 'unknown' }>
  | (Extract<ProcessorAnswer, { readonly kind: 'refused' }> & { readonly lastSent: LastSent });

const TRIES_MAX = 12;
const FIRST_PAUSE_MS = 10;
const PAUSE_MS_MAX = 200;
const MERCHANT_UNKNOWN = 'unknown_merchant';

/**
 * Sends requests to the processor until their outcome is known. The processor books a reference once and
 * refuses its repeat, so a request whose answer is lost or wrong is first looked for, and then sent again. Once a request
 * may have arrived, no answer to a later one decides: a refusal or a decline may be about the repeat only (ADR 0090).
 */
export class ProcessorCalls {
  constructor(private readonly parts: AdapterParts) {}

  /** Sends the authorisation of a call with its card, which only the caller has. Returns the call as it then is. */
  async authorise(call: Call, order: Parameters<ProcessorClient['createPayment']>[0]): Promise<Call> {
    const { processor, store } = this.parts;
    const answer = await this.#sendUntilKnown(call, {
      send: () => processor.createPayment(order),
      isBooked: () => true,
      orderRef: call.processorRef,
    });
    if (answer.kind === 'payment') return this.settle(call, answer.payment);
    const isRefused = answer.kind === 'refused' && (await store.remove(call.reference, answer.lastSent));
    if (!isRefused) return (await store.find(call.reference)) ?? call;
    throw answer.code === MERCHANT_UNKNOWN
      ? new CallRefusal('NOT_FOUND', 'unknown merchant')
      : new CallRefusal('INVALID_ARGUMENT', `the processor refuses the payment: ${answer.code}`);
  }

  /** Sends a change of a payment, and returns what is proved about it. */
  operate(
    call: Call,
    { original, type, amount }: Pick<OperationRequest, 'type' | 'amount'> & { readonly original: Call },
  ): Promise<ProvedAnswer> {
    const { processor } = this.parts;
    const request = { paymentId: original.paymentId ?? '', opRef: call.processorRef, type, amount };
    return this.#sendUntilKnown(call, {
      send: () => processor.operate(request),
      // An answer with another amount proves nothing: the payment is read again.
      isBooked: (payment) => isAmountOf(original, payment) && findOperation(payment, call) !== undefined,
      orderRef: original.processorRef,
    });
  }

  /** Sends the payer's answer to a challenge. Without a decision it throws: CompleteChallenge never answers a challenge. */
  async answerChallenge(call: Call, answer: { readonly data: string; readonly answer: string }): Promise<Call> {
    const sent = await this.#sendUntilKnown(call, {
      send: () => this.parts.processor.answerChallenge(call.paymentId ?? '', answer),
      isBooked: (payment) => payment.status !== 'challenge',
      orderRef: call.processorRef,
    });
    // A webhook may have stored the decision in the meantime.
    const stored = sent.kind === 'payment' ? null : await this.parts.store.find(call.reference);
    const settled = sent.kind === 'payment' ? await this.settle(call, sent.payment) : (stored ?? call);
    if (isFinal(settled)) return settled;
    throw new CallRefusal('UNAVAILABLE', 'the challenge is not decided yet');
  }

  /**
   * Reads the outcome of an authorisation from the processor, and stores it. A challenge is not an end: the payer may
   * have completed it in a call that was lost, or at the issuer.
   */
  async refresh(call: Call): Promise<Call> {
    const { store, processor, abandonAfterMs } = this.parts;
    if (isFinal(call)) return call;
    // Read before the processor is asked: what is sent in between is not abandoned.
    const abandoned = await store.findAbandoned(call.reference, abandonAfterMs);
    const payment = await processor.findPayment(call.processorRef);
    if (payment === 'unknown') return call;
    if (payment !== null) return this.settle(call, payment);
    if (abandoned === null) return call;
    const details = { message: 'The processor has not received it' };
    const decision = { paymentId: null, decidedAt: await store.now(), details };
    return store.decide(call.reference, { ...decision, outcome: 'FAILED' }, abandoned);
  }

  /** Stores what a payment of the processor says about its authorisation. Another amount says nothing. */
  async settle(call: Call, payment: ProcessorPayment): Promise<Call> {
    const { store } = this.parts;
    if (!isAmountOf(call, payment)) return call;
    const decidedAt = payment.decided_at === null ? null : new Date(payment.decided_at);
    const decision = { paymentId: payment.id, decidedAt };
    const { card, challenge_passed: challengePassed } = payment;
    switch (payment.status) {
      case 'pending':
        return call;
      case 'challenge':
        if (call.noChallenge) return this.#voidChallenge(call, payment);
        if (call.outcome === 'CHALLENGED') return call;
        return store.decide(call.reference, {
          ...{ ...decision, outcome: 'CHALLENGED' },
          details: { card, ...(payment.challenge !== null && { challenge: payment.challenge }) },
        });
      case 'authorized':
        return store.decide(call.reference, {
          ...{ ...decision, outcome: 'APPROVED' },
          details: { card, challengePassed, authCode: payment.auth_code ?? '', message: 'Approved' },
        });
      case 'declined':
        return store.decide(call.reference, {
          ...{ ...decision, outcome: 'DECLINED', details: { card, message: 'Declined' } },
        });
      case 'voided': {
        const refused = findChallengeVoid(call, payment);
        if (refused === undefined) {
          return store.decide(call.reference, { ...decision, outcome: 'REVERSED', details: { card } });
        }
        return store.decide(call.reference, {
          ...{ ...decision, outcome: 'DECLINED', decidedAt: new Date(refused.at) },
          details: { card, message: 'Challenge required' },
        });
      }
    }
  }

  /**
   * Voids a challenge that the caller has ruled out: the authorisation is then declined. Until the void is proved the
   * authorisation is in progress, and the next look at the processor continues here.
   */
  async #voidChallenge(call: Call, { id }: ProcessorPayment): Promise<Call> {
    const { processor, store } = this.parts;
    const request = { paymentId: id, opRef: toChallengeVoidRef(call), type: 'void', amount: null } as const;
    const answer = await this.#sendUntilKnown(call, {
      send: () => processor.operate(request),
      isBooked: (payment) => payment.status !== 'challenge',
      orderRef: call.processorRef,
    });
    if (answer.kind === 'payment') return this.settle(call, answer.payment);
    return (await store.find(call.reference)) ?? call;
  }

  async #sendUntilKnown(
    call: Call,
    request: {
      readonly send: () => Promise<ProcessorAnswer>;
      readonly isBooked: (payment: ProcessorPayment) => boolean;
      readonly orderRef: string;
    },
  ): Promise<ProvedAnswer> {
    const { store, processor, faultPoint } = this.parts;
    const isSure = (payment: ProcessorPayment): boolean =>
      request.isBooked(payment) && (call.kind !== 'Authorise' || isAmountOf(call, payment));
    // A request of an earlier process may have arrived.
    let mayHaveArrived = call.sentAt !== null;
    for (let tried = 0; tried < TRIES_MAX; tried += 1) {
      if (tried > 0) await pause(Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** tried));
      if (mayHaveArrived) {
        const found = await processor.findPayment(request.orderRef);
        if (found === 'unknown') continue;
        if (found !== null && isSure(found)) return { kind: 'payment', payment: found };
      }
      const mark = await store.markSent(call.reference);
      if (mark === null) return { kind: 'unknown' };
      // Another process may have sent it since the call was read.
      mayHaveArrived ||= !mark.isFirst;
      faultPoint('before-processor');
      const answer = await request.send();
      faultPoint('after-processor');
      // An answer to the repeat of a request that may have arrived proves nothing about that request.
      if (!mayHaveArrived && answer.kind === 'refused') return { ...answer, lastSent: mark };
      if (!mayHaveArrived && answer.kind === 'payment' && isSure(answer.payment)) return answer;
      if (answer.kind !== 'unavailable') mayHaveArrived = true;
      else if (!mayHaveArrived) await store.unmarkSent(call.reference, mark);
    }
    return { kind: 'unknown' };
  }
}

/** Whether an authorisation has ended, or was reversed before it arrived. A challenge is open. */
function isFinal({ outcome, fingerprint }: Call): boolean {
  return fingerprint === null || (outcome !== null && outcome !== 'CHALLENGED');
}

/** The operation reference of the void of a challenge. No call has it: the references of calls have hexadecimal digits. */
function toChallengeVoidRef({ processorRef }: Call): string {
  return `V${processorRef.slice(1)}`;
}

/** The void with which the adapter has refused a challenge. A reversal by the caller is another operation. */
function findChallengeVoid(call: Call, { operations }: ProcessorPayment) {
  return operations.find(({ type, op_ref }) => type === 'void' && op_ref === toChallengeVoidRef(call));
}

/** The operation of the call at the processor. */
export function findOperation({ operations }: ProcessorPayment, { processorRef }: Call) {
  return operations.find(({ op_ref }) => op_ref === processorRef);
}

/** Whether a payment of the processor states the amount of its authorisation. */
export function isAmountOf({ amount, currency }: Call, payment: ProcessorPayment): boolean {
  return payment.currency === currency && parseDecimal(payment.amount, currency) === amount;
}
