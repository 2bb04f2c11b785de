/** What a row says about the end of its call. Null: not decided, or the decision is not known here. */
export type Outcome = 'APPROVED' | 'DECLINED' | 'FAILED' | 'CHALLENGED' | 'REVERSED';
export type CallKind = 'Authorise' | 'Increase' | 'Capture' | 'Refund' | 'Reverse';

/** What an answer shows beside the members of its call. It never contains a card number. */
export interface CallDetails {
  readonly message?: string;
  readonly authCode?: string;
  /** An increase: what is held now. */
  readonly total?: string;
  readonly challengePassed?: boolean;
  readonly challenge?: { readonly url: string; readonly request: string; readonly data: string };
  readonly card?: {
    readonly bin: string;
    readonly last4: string;
    readonly brand: string;
    readonly expiry: string;
    readonly holder: string;
  };
}

/** A call of the service as it is stored. */
export interface Call {
  readonly reference: string;
  readonly kind: CallKind;
  readonly originalReference: string | null;
  readonly merchantId: string;
  /** Null: an authorisation that was reversed before it arrived. */
  readonly fingerprint: string | null;
  readonly amount: bigint;
  readonly currency: string;
  readonly isSale: boolean;
  readonly releaseRest: boolean;
  /** An authorisation whose payer cannot be challenged: it never becomes CHALLENGED. */
  readonly noChallenge: boolean;
  readonly processorRef: string;
  readonly paymentId: string | null;
  readonly transactionId: string;
  readonly outcome: Outcome | null;
  readonly decidedAt: Date | null;
  readonly details: CallDetails;
  readonly sentAt: Date | null;
}

/** The members of a call that its request states. */
export type NewCall = Pick<
  Call,
  | 'reference'
  | 'kind'
  | 'originalReference'
  | 'merchantId'
  | 'amount'
  | 'currency'
  | 'isSale'
  | 'releaseRest'
  | 'noChallenge'
> & {
  readonly fingerprint: string | null;
  /** The same values under a key that is being replaced: a stored call may have this one. */
  readonly acceptedFingerprint: string | null;
};

/** What the processor has decided on a call. */
export interface Decision {
  readonly outcome: Outcome;
  readonly paymentId: string | null;
  readonly decidedAt: Date | null;
  readonly details: CallDetails;
}

/** The request is refused, and nothing was stored or booked under its reference. */
export class CallRefusal extends Error {
  constructor(
    readonly code: 'INVALID_ARGUMENT' | 'NOT_FOUND' | 'FAILED_PRECONDITION' | 'ALREADY_EXISTS' | 'UNAVAILABLE',
    message: string,
  ) {
    super(message);
  }
}
