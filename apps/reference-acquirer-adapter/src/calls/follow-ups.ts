import { formatDecimal, parseDecimal } from '../processor/decimal-amount.js';
import type { OperationRequest, ProcessorPayment } from '../processor/processor-client.js';
import { requireSame } from './authorisations.js';
import { type Call, type CallKind, CallRefusal, type NewCall } from './call.js';
import type { LastSent } from './call-store.js';
import { type AdapterParts, findOperation, isAmountOf, type ProcessorCalls } from './processor-calls.js';

type FollowUpKind = Exclude<CallKind, 'Authorise'>;

const OPERATIONS = {
  Capture: 'capture',
  Refund: 'refund',
  Increase: 'increment',
} as const satisfies Record<Exclude<FollowUpKind, 'Reverse'>, OperationRequest['type']>;

/** Captures, refunds, increases and reversals of authorisations. */
export class FollowUps {
  constructor(
    private readonly parts: AdapterParts,
    private readonly calls: ProcessorCalls,
  ) {}

  /** Captures, refunds or increases once under the reference. A repeat returns what was decided, or continues. */
  async change(order: NewCall & { readonly kind: keyof typeof OPERATIONS }): Promise<Call> {
    const known = await this.parts.store.find(order.reference);
    if (known !== null) {
      requireSame(known, order);
      if (known.outcome !== null) return known;
    }
    const original = await this.#findOriginal(order);
    if (original?.outcome !== 'APPROVED') {
      throw original === null
        ? new CallRefusal('NOT_FOUND', 'unknown authorisation')
        : new CallRefusal('FAILED_PRECONDITION', 'the authorisation holds nothing');
    }
    if (original.currency !== order.currency) {
      throw new CallRefusal('FAILED_PRECONDITION', `the authorisation is in ${original.currency}`);
    }
    const { call } = await this.parts.store.insert(order);
    requireSame(call, order);
    if (call.outcome !== null) return call;
    const amount = formatDecimal(call.amount, call.currency);
    return this.#operate(call, { original, type: OPERATIONS[order.kind], amount });
  }

  /**
   * Reverses an authorisation, or gives up the rest of its hold. The processor knows no reversal of what it does not
   * have: an unknown reference is stored here, and its authorisation is then never sent.
   */
  async reverse(order: NewCall): Promise<Call> {
    const { call } = await this.parts.store.insert(order);
    requireSame(call, order);
    if (call.outcome !== null) return call;
    const original = (await this.#findOriginal(order)) ?? (await this.#insertReversed(order));
    if (original.kind !== 'Authorise') return this.#refuseReversal(call, 'not an authorisation');
    if (original.fingerprint === null || original.outcome === 'REVERSED') return this.#acknowledge(call);
    switch (original.outcome) {
      case null:
        // In progress: the caller repeats the reversal until the processor has decided.
        return call;
      case 'DECLINED':
      case 'FAILED':
        return order.releaseRest ? this.#refuseReversal(call, 'nothing is held') : this.#acknowledge(call);
      case 'APPROVED':
      case 'CHALLENGED':
        return this.#operate(call, { original, type: order.releaseRest ? 'release' : 'void', amount: null });
    }
  }

  /** The state of such a call after a look at the processor where it is not decided. */
  async refresh(call: Call): Promise<Call> {
    const { store, processor, abandonAfterMs } = this.parts;
    const original = call.outcome === null ? await store.find(call.originalReference ?? '') : null;
    if (original === null) return call;
    const abandoned = await store.findAbandoned(call.reference, abandonAfterMs);
    const payment = await processor.findPayment(original.processorRef);
    if (payment === 'unknown') return call;
    if (payment !== null && !isAmountOf(original, payment)) return call;
    if (payment !== null && findOperation(payment, call) !== undefined) return this.#settle(call, payment);
    if (abandoned === null) return call;
    const message = 'It has not reached the processor';
    return this.#refuse(call, { outcome: 'FAILED', message, lastSent: abandoned });
  }

  async #findOriginal({ originalReference }: NewCall): Promise<Call | null> {
    const original = await this.parts.store.find(originalReference ?? '');
    return original?.kind === 'Authorise' ? this.calls.refresh(original) : original;
  }

  /** Stores that the reference was reversed before its authorisation. The authorisation may have arrived meanwhile. */
  async #insertReversed(order: NewCall): Promise<Call> {
    const reversed = { ...order, reference: order.originalReference ?? '', originalReference: null, fingerprint: null };
    const { call } = await this.parts.store.insert({ ...reversed, kind: 'Authorise', releaseRest: false });
    return call;
  }

  async #operate(
    call: Call,
    operation: Pick<OperationRequest, 'type' | 'amount'> & { readonly original: Call },
  ): Promise<Call> {
    const answer = await this.calls.operate(call, operation);
    if (answer.kind === 'payment') return this.#settle(call, answer.payment);
    if (answer.kind !== 'refused') return (await this.parts.store.find(call.reference)) ?? call;
    const message = `The processor refuses it: ${answer.code}`;
    return this.#refuse(call, { outcome: 'DECLINED', message, lastSent: answer.lastSent });
  }

  #settle(call: Call, payment: ProcessorPayment): Promise<Call> {
    const operation = findOperation(payment, call);
    if (operation === undefined) return Promise.resolve(call);
    const { currency } = payment;
    const raised = payment.operations
      .filter(({ type }) => type === 'increment')
      .reduce((sum, { amount }) => sum + parseDecimal(amount, currency), parseDecimal(payment.amount, currency));
    const total = call.kind === 'Increase' ? raised : parseDecimal(operation.amount, currency);
    const decision = {
      ...({ outcome: 'APPROVED', paymentId: payment.id, decidedAt: new Date(operation.at) } as const),
      details: { message: 'Done', total: String(total) },
    };
    const { store } = this.parts;
    return operation.type === 'void' ? store.decideReversal(call, decision) : store.decide(call.reference, decision);
  }

  async #acknowledge(call: Call): Promise<Call> {
    const { store } = this.parts;
    const details = { message: 'Nothing is held' };
    return store.decide(call.reference, {
      ...{ outcome: 'APPROVED', paymentId: null, decidedAt: await store.now(), details },
    });
  }

  async #refuseReversal(call: Call, message: string): Promise<Call> {
    return this.#refuse(call, { outcome: 'DECLINED', message });
  }

  async #refuse(
    call: Call,
    {
      outcome,
      message,
      lastSent,
    }: { readonly outcome: 'DECLINED' | 'FAILED'; readonly message: string; readonly lastSent?: LastSent },
  ): Promise<Call> {
    const { store } = this.parts;
    const decision = { outcome, paymentId: null, decidedAt: await store.now(), details: { message } };
    return store.decide(call.reference, decision, lastSent);
  }
}
