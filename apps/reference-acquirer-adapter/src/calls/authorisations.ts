import { formatDecimal } from '../processor/decimal-amount.js';
import { type Call, CallRefusal, type NewCall } from './call.js';
import type { AdapterParts, ProcessorCalls } from './processor-calls.js';

/** A card as the service sends it. It is passed to the processor, and never stored. */
export interface CardToCharge {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cv2: string;
  readonly cardholderName: string;
  /** False: given by letter or telephone, or charged without the payer. */
  readonly isPayerPresent: boolean;
}

/** Authorisations, their challenges, and inquiries about any call. */
export class Authorisations {
  constructor(
    private readonly parts: AdapterParts,
    private readonly calls: ProcessorCalls,
  ) {}

  /** Authorises once under the reference. A repeat returns what was decided, or continues what was begun. */
  async authorise(order: NewCall, card: CardToCharge): Promise<Call> {
    const { call, isNew } = await this.parts.store.insert(order);
    // Reversed before it arrived.
    if (call.fingerprint === null) return call;
    if (!isNew) {
      requireSame(call, order);
      if (call.outcome !== null) return this.calls.refresh(call);
    }
    return this.calls.authorise(call, {
      ...{ order_ref: call.processorRef, merchant: call.merchantId, currency: call.currency, sale: call.isSale },
      ...{ amount: formatDecimal(call.amount, call.currency), cardholder_present: card.isPayerPresent },
      challenge_allowed: !call.noChallenge,
      card: {
        ...{ pan: card.number, cvc: card.cv2, holder: card.cardholderName },
        expiry: `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
      },
    });
  }

  /** Completes a challenge once. A repeat returns what was decided. */
  async completeChallenge(reference: string, answer: { readonly md: string; readonly paRes: string }): Promise<Call> {
    const call = await this.parts.store.find(reference);
    if (call === null) throw new CallRefusal('NOT_FOUND', 'unknown reference');
    const { challenge } = call.details;
    if (challenge === undefined) throw new CallRefusal('FAILED_PRECONDITION', 'never challenged');
    if (challenge.data !== answer.md) throw new CallRefusal('INVALID_ARGUMENT', 'md of another challenge');
    if (call.outcome !== 'CHALLENGED') return call;
    return this.calls.answerChallenge(call, { data: answer.md, answer: answer.paRes });
  }

  /** The state of an authorisation, after a look at the processor where it is not decided. Null: unknown. */
  async inquire(reference: string): Promise<Call | null> {
    const call = await this.parts.store.find(reference);
    return call?.kind === 'Authorise' ? this.calls.refresh(call) : call;
  }

  /** The processor says that a payment was decided. Nothing in the message is trusted: the processor is asked. */
  async refreshPayment(orderRef: string): Promise<void> {
    const call = await this.parts.store.findByProcessorRef(orderRef);
    if (call?.kind === 'Authorise') await this.calls.refresh(call);
  }
}

/** Throws when the reference is in use with other values. */
export function requireSame(known: Call, order: NewCall): void {
  const { kind, fingerprint, acceptedFingerprint } = order;
  const isSame = known.fingerprint !== null && [fingerprint, acceptedFingerprint].includes(known.fingerprint);
  if (!isSame || known.kind !== kind) {
    throw new CallRefusal('ALREADY_EXISTS', 'the reference was used with other values');
  }
}
