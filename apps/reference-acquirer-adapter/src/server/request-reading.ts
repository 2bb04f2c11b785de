import type { AuthoriseRequest } from '@pos/grpc-contracts/acquirer';
import { createHmac } from 'node:crypto';
import type { CardToCharge } from '../calls/authorisations.js';
import { type CallKind, CallRefusal, type NewCall } from '../calls/call.js';
import { CURRENCY_DECIMALS } from '../processor/decimal-amount.js';

const REFERENCE_LENGTH_MAX = 64;

/** The keys of the hashes that repeats are recognised by. */
export interface FingerprintKeys {
  readonly current: string;
  /** The other key while one is replaced: the next one, and then the previous one. */
  readonly accepted: string | null;
}

/** Reads requests: what cannot be right is refused before anything is stored. */
export class RequestReader {
  constructor(private readonly keys: FingerprintKeys) {}

  readAuthorisation(request: AuthoriseRequest): { readonly call: NewCall; readonly card: CardToCharge } {
    const { instrument } = request;
    if (instrument === undefined || instrument.$case === 'wallet') {
      throw new CallRefusal('INVALID_ARGUMENT', 'a card is needed; wallets are not accepted');
    }
    const { number, expiryMonth, expiryYear, cv2, cardholderName } = instrument.value;
    const isPayerPresent = request.customerInitiated && !request.cardholderNotPresent;
    const call = this.#toCall({
      ...{ reference: request.reference, kind: 'Authorise', originalReference: null, merchantId: request.merchantId },
      ...{ amount: readAmount(request.amount, 0n), currency: readCurrency(request.currency) },
      ...{ isSale: request.capture, releaseRest: false, cardNumber: number },
    });
    if (request.merchantId === '') throw new CallRefusal('INVALID_ARGUMENT', 'merchant_id is missing');
    // Not a part of the fingerprint: a repeat has the value of the call that it repeats.
    const authorisation = { ...call, noChallenge: request.noChallenge };
    return { call: authorisation, card: { number, expiryMonth, expiryYear, cv2, cardholderName, isPayerPresent } };
  }

  readFollowUp<K extends Exclude<CallKind, 'Authorise' | 'Reverse'>>(
    kind: K,
    request: {
      readonly reference: string;
      readonly originalReference: string;
      readonly amount: bigint;
      readonly currency: string;
    },
  ): NewCall & { readonly kind: K } {
    const { reference, originalReference } = request;
    const call = this.#toCall({
      ...{ reference, kind, originalReference: readReference(originalReference), merchantId: '' },
      ...{ amount: readAmount(request.amount, 1n), currency: readCurrency(request.currency) },
      ...{ isSale: false, releaseRest: false, cardNumber: '' },
    });
    return { ...call, kind };
  }

  readReversal(request: {
    readonly reference: string;
    readonly originalReference: string;
    readonly merchantId: string;
    readonly releaseRest: boolean;
  }): NewCall {
    const { reference, originalReference, merchantId, releaseRest } = request;
    return this.#toCall({
      ...{ reference, kind: 'Reverse', originalReference: readReference(originalReference), merchantId },
      ...{ amount: 0n, currency: '', isSale: false, releaseRest, cardNumber: '' },
    });
  }

  /** The call with a keyed hash of its values: a repeat is recognised, and no card number is stored. */
  #toCall({
    cardNumber,
    ...call
  }: Omit<NewCall, 'fingerprint' | 'acceptedFingerprint' | 'noChallenge'> & { readonly cardNumber: string }): NewCall {
    const { reference, amount, ...values } = call;
    const text = JSON.stringify([readReference(reference), String(amount), values, cardNumber]);
    const { current, accepted } = this.keys;
    const acceptedFingerprint = accepted === null ? null : computeFingerprint(accepted, text);
    return { ...call, fingerprint: computeFingerprint(current, text), acceptedFingerprint, noChallenge: false };
  }
}

function computeFingerprint(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

function readReference(reference: string): string {
  if (reference.length >= 1 && reference.length <= REFERENCE_LENGTH_MAX) return reference;
  throw new CallRefusal('INVALID_ARGUMENT', `a reference has 1 to ${REFERENCE_LENGTH_MAX} characters`);
}

function readAmount(amount: bigint, least: bigint): bigint {
  if (amount >= least && amount <= BigInt(Number.MAX_SAFE_INTEGER)) return amount;
  throw new CallRefusal('INVALID_ARGUMENT', `amount is at least ${least} and at most 2^53`);
}

function readCurrency(currency: string): string {
  if (CURRENCY_DECIMALS.has(currency)) return currency;
  throw new CallRefusal('INVALID_ARGUMENT', 'currency is not one of the declared currencies');
}
