import { assert } from '../refusals/assert.js';
import type { Approval, Decline } from '../cards/card.js';
import type { PaymentIntentId, SetupIntentId, TerminalSessionId } from '../identity/identity.js';
import type { Money } from '../money/money.js';

/** `Reverse` undoes an authorisation, `Release` gives up what of its hold is not captured. */
export const ACQUIRER_CALL_KINDS = ['Authorise', 'Increase', 'Capture', 'Refund', 'Reverse', 'Release'] as const;
export type AcquirerCallKind = (typeof ACQUIRER_CALL_KINDS)[number];

export const ACQUIRER_CALL_STATES = [
  'Prepared',
  'Sent',
  'Challenged',
  'Approved',
  'Declined',
  'Unknown',
  'Settled',
] as const;
export type AcquirerCallState = (typeof ACQUIRER_CALL_STATES)[number];

/** Every permitted move of a call. `Settled` is the end: booked, refused or undone, as the outcome states. */
export const CALL_MOVES = {
  Prepared: { send: 'Sent', approve: 'Approved', decline: 'Declined', lose: 'Unknown', settle: 'Settled' },
  Sent: {
    send: 'Sent',
    challenge: 'Challenged',
    approve: 'Approved',
    decline: 'Declined',
    lose: 'Unknown',
    settle: 'Settled',
  },
  Challenged: { send: 'Sent', approve: 'Approved', decline: 'Declined', lose: 'Unknown', settle: 'Settled' },
  Unknown: {
    send: 'Sent',
    challenge: 'Challenged',
    approve: 'Approved',
    decline: 'Declined',
    lose: 'Unknown',
    settle: 'Settled',
  },
  Approved: { settle: 'Settled' },
  Declined: { settle: 'Settled' },
  Settled: {},
} as const satisfies Record<AcquirerCallState, Partial<Record<string, AcquirerCallState>>>;
export type AcquirerCallMove = { [S in AcquirerCallState]: keyof (typeof CALL_MOVES)[S] }[AcquirerCallState];

/** How a call ended for good. */
export const CALL_OUTCOMES = ['Approved', 'Declined', 'Canceled', 'Reversed'] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/**
 * The state of all authorisations of an intent. `open`: one may still be approved and count. `beingReversed`: the
 * last open one is being reversed and the acquirer has not confirmed it. `settled`: none is left.
 */
export type AuthorisationState = 'open' | 'beingReversed' | 'settled';

/** How long after its deadline an open authorisation is left before its reversal is ordered. */
export const REVERSAL_GRACE_MS = 60_000;

/** The longest time between two tries of an open call, as a multiple of the first: 15 minutes where that is 5 s. */
const INQUIRY_GROWTH_MAX = 180;

/**
 * How long to wait before an open call is repeated or inquired about: doubled after each try, at most 180 times the
 * first wait. An authorisation is checked again when its reversal becomes due, and any call when it has been open
 * too long.
 */
export function computeInquiryDelay(
  call: Pick<AcquirerCall, 'kind' | 'deadlineAt'>,
  tried: { readonly tries: number; readonly baseMs: number; readonly pendingMs: number; readonly databaseNow: Date },
): number {
  const { tries, baseMs, pendingMs, databaseNow } = tried;
  const grownMs = Math.min(baseMs * 2 ** Math.max(0, tries - 1), baseMs * INQUIRY_GROWTH_MAX);
  const openMs = databaseNow.getTime() - call.deadlineAt.getTime();
  const moments = call.kind === 'Authorise' ? [REVERSAL_GRACE_MS, pendingMs] : [pendingMs];
  const untilMs = moments.map((ms) => ms - openMs).filter((ms) => ms > 0);
  return Math.min(grownMs, ...untilMs);
}

/** Whether a call has been open for so long after its deadline that an operator has to see it. */
export function isOpenTooLong(
  { state, deadlineAt }: Pick<AcquirerCall, 'state' | 'deadlineAt'>,
  { pendingMs, databaseNow }: { readonly pendingMs: number; readonly databaseNow: Date },
): boolean {
  return state !== 'Settled' && databaseNow.getTime() - deadlineAt.getTime() >= pendingMs;
}

/**
 * One call to the acquirer: the row is stored before the call is sent, and the reference makes repetitions harmless.
 */
export interface AcquirerCall {
  readonly reference: string;
  readonly kind: AcquirerCallKind;
  /** The name of the acquirer of the call; every follow-up of an authorisation goes to the acquirer that has it. */
  readonly acquirer: string;
  /** The acquirer's number of the merchant under which the call is made; what follows an authorisation keeps its number. */
  readonly merchantId: string;
  /** The authorisation that a capture, refund, raise or reversal is about. */
  readonly originalReference: string | null;
  readonly paymentIntentId: PaymentIntentId | null;
  /** The setup intent whose card is authorised, or charged for the payment. */
  readonly setupIntentId: SetupIntentId | null;
  /** The terminal session in which a card machine calls by itself; null when we call. */
  readonly terminalSessionId: TerminalSessionId | null;
  readonly amount: Money;
  readonly state: AcquirerCallState;
  readonly outcome: CallOutcome | null;
  /** Database time. From 60 s after it an open authorisation is reversed. */
  readonly deadlineAt: Date;
  /** Once set, an approval of this reference changes nothing. */
  readonly reverseReference: string | null;
  readonly result: CallResult | null;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
}

/** To whom a call about an authorisation is made, and for which number of the merchant. */
export type CallMerchant = Pick<AcquirerCall, 'acquirer' | 'merchantId'>;

/** The acquirer's answer, stored as plain JSON. */
export type CallResult =
  | { readonly kind: 'approved'; readonly approval: Approval }
  | { readonly kind: 'declined'; readonly decline: Decline }
  | {
      readonly kind: 'challenged';
      readonly transactionId: string;
      readonly stepUpUrl: string;
      readonly paReq: string;
      readonly md: string;
      /** It was ended before its payer has answered: nothing else is authorised before its reversal is acknowledged. */
      readonly isEnded?: true;
    }
  | { readonly kind: 'done'; readonly transactionId: string; readonly transactionDateTime: string }
  | { readonly kind: 'refused'; readonly message: string };

export function createAcquirerCall(
  request: Pick<
    AcquirerCall,
    | 'reference'
    | 'kind'
    | 'acquirer'
    | 'merchantId'
    | 'originalReference'
    | 'paymentIntentId'
    | 'terminalSessionId'
    | 'amount'
    | 'deadlineAt'
  > & { readonly setupIntentId?: SetupIntentId | null },
): AcquirerCall {
  assert(request.reference.length > 0 && request.reference.length <= 64, 'a reference of 1 to 64 characters');
  const { setupIntentId = null } = request;
  const nothing = { outcome: null, reverseReference: null, result: null };
  return { ...request, setupIntentId, state: 'Prepared', ...nothing, version: 1 };
}

/** The state after a move, or null if the state does not allow it: the call was answered before, or too late. */
export function callDestination(state: AcquirerCallState, move: AcquirerCallMove): AcquirerCallState | null {
  const moves: Partial<Record<AcquirerCallMove, AcquirerCallState>> = CALL_MOVES[state];
  return moves[move] ?? null;
}

/** The call after a move; a move outside the table is a Defect because the caller checks first. */
export function applyCallMove(
  call: AcquirerCall,
  move: AcquirerCallMove,
  result: CallResult | null = null,
): AcquirerCall {
  const state = callDestination(call.state, move);
  assert(state !== null, `an acquirer call that is ${call.state} cannot ${move}`);
  return { ...call, state, result: result ?? call.result };
}

/** The end of a call. */
export function concludeAcquirerCall(call: AcquirerCall, outcome: CallOutcome): AcquirerCall {
  return { ...applyCallMove(call, 'settle'), outcome };
}

/** Whether money may still move under the reference: the call is neither ended nor given up. */
export function isOpen(call: AcquirerCall): boolean {
  return call.state !== 'Settled' && call.reverseReference === null;
}

/**
 * Whether an authorisation has been open so long that it is reversed instead of awaited. Refunds and captures never
 * are.
 */
export function isReversalDue(call: AcquirerCall, databaseNow: Date): boolean {
  const waitsForUs = call.state === 'Approved' || call.state === 'Declined';
  const isAuthorisation = call.kind === 'Authorise';
  const dueAt = call.deadlineAt.getTime() + REVERSAL_GRACE_MS;
  return isAuthorisation && isOpen(call) && !waitsForUs && databaseNow.getTime() >= dueAt;
}

/** For how long a request may be repeated until its authorisation is sent no more. */
const RESEND_MS_MAX = 600_000;

/**
 * The authorisation that is sent again under its reference: the answer of the earlier call counts as lost, and the time for
 * an answer begins again. Null if it has ended, was given up, is due to be reversed, or is ten minutes old: repeats do not
 * postpone its reversal without end.
 */
export function resendAuthorisation(
  call: AcquirerCall,
  times: { readonly createdAt: Date; readonly deadlineAt: Date; readonly databaseNow: Date },
): AcquirerCall | null {
  const { createdAt, deadlineAt, databaseNow } = times;
  if (!isOpen(call) || callDestination(call.state, 'lose') === null || isReversalDue(call, databaseNow)) return null;
  if (databaseNow.getTime() - createdAt.getTime() >= RESEND_MS_MAX) return null;
  const isLater = deadlineAt > call.deadlineAt;
  return { ...applyCallMove(call, 'lose'), deadlineAt: isLater ? deadlineAt : call.deadlineAt };
}

/** Whether only the call that is answered now can have booked: no answer was lost before, and nothing was challenged. */
export function isFirstAnswer({ state, result }: AcquirerCall): boolean {
  return state === 'Sent' && result === null;
}

/** The authorisation and the call that reverses it: from this moment an approval changes nothing. */
export function reverseCall(
  call: AcquirerCall,
  reversal: { readonly reference: string; readonly deadlineAt: Date },
): { readonly call: AcquirerCall; readonly reversal: AcquirerCall } {
  assert(call.kind === 'Authorise' && call.reverseReference === null, 'an authorisation is reversed once');
  return {
    call: { ...call, reverseReference: reversal.reference },
    reversal: createAcquirerCall({
      ...reversal,
      kind: 'Reverse',
      acquirer: call.acquirer,
      merchantId: call.merchantId,
      originalReference: call.reference,
      paymentIntentId: call.paymentIntentId,
      setupIntentId: call.setupIntentId,
      terminalSessionId: call.terminalSessionId,
      amount: call.amount,
    }),
  };
}

/** The acquirer's transaction of the call; null where there is none yet. */
export function getTransactionId({ result }: AcquirerCall): string | null {
  switch (result?.kind) {
    case 'challenged':
      return result.transactionId;
    case 'approved':
      return result.approval.transactionId;
    case 'declined':
      return result.decline.transactionId;
    case 'done':
    case 'refused':
    case undefined:
      return null;
  }
}
