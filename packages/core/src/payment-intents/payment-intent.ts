import { assert } from '../refusals/assert.js';
import type { Approval, Decline } from '../cards/card.js';
import type { ChargeEventKind, PaymentIntentEventKind } from '../events/event-kind.js';
import type { CaptureId, PaymentIntentId, SetupIntentId } from '../identity/identity.js';
import type { IntentDetails } from './intent-details.js';
import { authoriseEntry, captureEntry, type LedgerEntryDraft } from '../ledger/ledger.js';
import { add, isSameAmount, type Money, sum, zeroMoney } from '../money/money.js';
import {
  type Attempt,
  createCanceledEvent,
  type NewPaymentEvent,
  type PaymentDetails,
  toPaymentDetails,
  createPaymentEvent,
} from './payment-event.js';
import { Refusal, type RefusalCode } from '../refusals/refusal.js';
import { createAttemptTransaction, type TransactionAmounts, type TransactionChange } from '../ledger/transaction.js';

export const PAYMENT_INTENT_STATUSES = [
  'Created',
  'Authorized',
  'Captured',
  'Reversed',
  'Refunded',
  'Canceled',
] as const;
export type PaymentIntentStatus = (typeof PAYMENT_INTENT_STATUSES)[number];

/** Every permitted move of a payment intent. What is not written here is refused. */
export const MOVES = {
  Created: {
    challenge: 'Created',
    decline: 'Created',
    change: 'Created',
    takeAtOnce: 'Captured',
    hold: 'Authorized',
    charge: 'Captured',
    rejectSignature: 'Reversed',
    cancel: 'Canceled',
    expire: 'Canceled',
  },
  Authorized: {
    raise: 'Authorized',
    capturePart: 'Authorized',
    captureRest: 'Captured',
    reverse: 'Reversed',
    releaseRest: 'Captured',
    refundPart: 'Captured',
    refundRest: 'Refunded',
  },
  Captured: { refundPart: 'Captured', refundRest: 'Refunded', undoRefund: 'Captured', reverse: 'Reversed' },
  Reversed: {},
  Refunded: { undoRefund: 'Captured' },
  Canceled: {},
} as const satisfies Record<PaymentIntentStatus, Partial<Record<string, PaymentIntentStatus>>>;
export type IntentMove = { [S in PaymentIntentStatus]: keyof (typeof MOVES)[S] }[PaymentIntentStatus];

export const CAPTURE_MODES = ['Auto', 'Manual'] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

export const PAYMENT_METHODS = ['Card', 'Wallet', 'SavedCard'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_SOURCES = ['api', 'virtual-terminal', 'payment-links', 'pay-at-table'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

export const AUTO_EXPIRE_ACTIONS = ['Release', 'Capture'] as const;
export type AutoExpireAction = (typeof AUTO_EXPIRE_ACTIONS)[number];

/**
 * A payment from the request to the money. Amounts of one intent have one currency; `authorized` and `captured` only
 * grow, and so does `refunded` until a refund turns out to be none. The pending figures are reservations of running calls.
 */
export interface PaymentIntent {
  readonly id: PaymentIntentId;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
  readonly status: PaymentIntentStatus;
  readonly captureMode: CaptureMode;
  readonly amount: Money;
  /** The first amount, once the amount was changed. */
  readonly requestedAmount: Money | null;
  readonly tipsAmount: Money | null;
  readonly cashbackAmount: Money | null;
  readonly serviceChargeAmount: Money | null;
  readonly authorized: Money;
  /** Reserved by captures that run. A reversal or a raise of a hold reserves all of it, so that nothing runs beside it. */
  readonly pendingCapture: Money;
  readonly captured: Money;
  /** Reserved by refunds that run. A reversal of captured money reserves all of it. */
  readonly pendingRefund: Money;
  readonly refunded: Money;
  readonly authorizedAt: Date | null;
  readonly capturedAt: Date | null;
  readonly reference: string;
  readonly description: string | null;
  readonly cardHolderNotPresent: boolean;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly paymentSource: PaymentSource;
  readonly setupIntentId: SetupIntentId | null;
  readonly autoExpireAction: AutoExpireAction | null;
  readonly autoExpireInMs: number | null;
  readonly expireAt: Date;
  /** Null when there is no usable secret: the store erases the old one with it. */
  readonly clientSecretExpireAt: Date | null;
  /** The text, only if just issued or if the row was read for presenting; null leaves the stored secret as it is. */
  readonly clientSecret: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly details: IntentDetails;
  /** In the order of their requests; empty where the approval takes the money at once. */
  readonly captures: readonly Capture[];
  readonly paymentDetails: PaymentDetails | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const CAPTURE_STATUSES = ['Created', 'Successful', 'Declined', 'Failed'] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** One capture of a hold; it takes `amount` + `tipsAmount`, and reserves both from its request on. */
export interface Capture {
  readonly id: CaptureId;
  readonly amount: Money;
  readonly tipsAmount: Money;
  readonly status: CaptureStatus;
  readonly createdAt: Date;
}

/** What to write in one transaction: the row, its history, its postings, and its events. */
export interface IntentDecision {
  readonly intent: PaymentIntent;
  readonly events: readonly NewPaymentEvent[];
  readonly entries: readonly LedgerEntryDraft[];
  readonly webhookEvents: readonly (PaymentIntentEventKind | ChargeEventKind)[];
  /** The changes to the listing of transactions. */
  readonly transactions: readonly TransactionChange[];
}

/** The amount that the cardholder pays: the amount with tip, cashback and service charge. */
export function computeTotalAmount(
  intent: Pick<PaymentIntent, 'amount' | 'tipsAmount' | 'cashbackAmount' | 'serviceChargeAmount'>,
): Money {
  const { amount, tipsAmount, cashbackAmount, serviceChargeAmount } = intent;
  const extras = [tipsAmount, cashbackAmount, serviceChargeAmount].filter((extra) => extra !== null);
  return sum([amount, ...extras], amount.currencyCode);
}

/** An online, wallet, saved-card or terminal sale was approved: taken at once, or held when capture is Manual. */
export function approve(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  return takePayment(intent, { move: intent.captureMode === 'Auto' ? 'takeAtOnce' : 'hold', approval, now });
}

/** A charge of a stored card was approved: always taken at once. */
export function approveCharge(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  return takePayment(intent, { move: 'charge', approval, now });
}

/** The issuer requires the payer to authenticate; the attempt continues. */
export function challenge(intent: PaymentIntent, attempt: Attempt, now: Date): IntentDecision {
  return transitionTo(intent, getNextStatus(intent, 'challenge', 'payment_intent_not_payable'), {
    now,
    events: [createPaymentEvent('AuthChallenged', now, attempt)],
  });
}

/** An attempt certainly took no money. The intent may be tried again. */
export function decline(intent: PaymentIntent, no: Decline, now: Date): IntentDecision {
  const eventType = no.message === 'FAILED' ? 'Error' : 'Declined';
  return transitionTo(intent, getNextStatus(intent, 'decline', 'payment_intent_not_payable'), {
    now,
    events: [createPaymentEvent(eventType, now, { ...no, amount: computeTotalAmount(intent) })],
    transactions: [
      createAttemptTransaction(no, {
        type: getSaleType(intent),
        status: 'Declined',
        amounts: getAttemptAmounts(intent),
      }),
    ],
  });
}

/** Gives up an attempt whose result is unknown: a later approval of the acquirer takes no money. */
export function abandonAttempt(intent: PaymentIntent, attempt: Attempt, now: Date): IntentDecision {
  return transitionTo(intent, getNextStatus(intent, 'decline', 'payment_intent_not_payable'), {
    now,
    events: [createPaymentEvent('Error', now, attempt)],
  });
}

/**
 * Publishes that a charge has ended without money. The status stays, but nobody is present who could see the end, and
 * its caller may have got no answer.
 */
export function publishFailedCharge(decision: IntentDecision): IntentDecision {
  return { ...decision, webhookEvents: [...decision.webhookEvents, 'payment_intent.charge_failed'] };
}

/** The acquirer has no money of a charge that was given up. Stays as it is otherwise: the end was published before. */
export function recordChargeReversal(intent: PaymentIntent, attempt: Attempt, now: Date): IntentDecision {
  return transitionTo(intent, intent.status, { now, events: [createPaymentEvent('Reversed', now, attempt)] });
}

/** The merchant refused the signature: the approval is undone, so the books never contain a hold. */
export function rejectSignature(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  const reversed = { ...intent, paymentDetails: toPaymentDetails(approval, 'REVERSED') };
  return transitionTo(reversed, getNextStatus(intent, 'rejectSignature', 'payment_intent_not_payable'), {
    now,
    events: [createPaymentEvent('Reversed', now, approval)],
    transactions: [createReversedTransaction(intent, approval)],
  });
}

/**
 * Undoes an approval that came when the intent was already finished. It is in the history, but no event is
 * published.
 */
export function undoLateApproval(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  assert(intent.status !== 'Created', 'a payable intent takes its approval');
  return transitionTo(intent, intent.status, {
    now,
    events: [createPaymentEvent('Reversed', now, approval)],
    transactions: [createReversedTransaction(intent, approval)],
  });
}

/**
 * Whether a call or session that may still move money runs on the intent; the caller reads it under the intent's row
 * lock.
 */
export interface CancelContext {
  readonly now: Date;
  readonly hasRunningAttempt: boolean;
}

/** The integrator cancels the payment before it is paid. */
export function cancel(intent: PaymentIntent, { now, hasRunningAttempt }: CancelContext): IntentDecision {
  const status = getNextStatus(intent, 'cancel', 'payment_intent_not_cancelable');
  if (hasRunningAttempt) throw createBusyRefusal();
  return transitionTo(intent, status, { now, events: [createCanceledEvent(computeTotalAmount(intent), now)] });
}

/** The intent has expired. Null when there is nothing to do; after a running attempt the caller tries again. */
export function expire(intent: PaymentIntent, { now, hasRunningAttempt }: CancelContext): IntentDecision | null {
  if (intent.status !== 'Created' || now < intent.expireAt || hasRunningAttempt) return null;
  return transitionTo(intent, MOVES.Created.expire, {
    now,
    events: [createCanceledEvent(computeTotalAmount(intent), now)],
  });
}

/** Refuses an attempt, a terminal sale or a charge where no money may be taken. */
export function requirePayable(intent: PaymentIntent, hasRunningAttempt: boolean): void {
  getNextStatus(intent, 'hold', 'payment_intent_not_payable');
  if (hasRunningAttempt) throw createBusyRefusal();
}

/** Refuses a Canceled intent unless the caller includes Canceled intents. */
export function requireVisible(intent: PaymentIntent, isCanceledWanted: boolean): void {
  if (intent.status === 'Canceled' && !isCanceledWanted) {
    throw new Refusal('payment_intent_not_found', 'the payment intent is Canceled');
  }
}

/** Refuses a receipt until money was held or taken. */
export function requireReceipt(intent: PaymentIntent): void {
  if (intent.status === 'Created' || intent.status === 'Canceled') {
    throw new Refusal('receipt_not_available', `a ${intent.status} payment intent has no receipt`);
  }
}

/** The next status after a move; a move that is not in the table is refused with the given code. */
export function getNextStatus(intent: PaymentIntent, move: IntentMove, code: RefusalCode): PaymentIntentStatus {
  const moves: Partial<Record<IntentMove, PaymentIntentStatus>> = MOVES[intent.status];
  const to = moves[move];
  if (to === undefined) {
    throw new Refusal(code, `a payment intent that is ${intent.status} cannot do this`);
  }
  return to;
}

/** Changes the details of an intent; its status and its money stay. */
export function changeDetails(intent: PaymentIntent, details: IntentDetails, now: Date): IntentDecision {
  return transitionTo({ ...intent, details }, intent.status, { now });
}

/**
 * Builds every decision about a stored intent, for the functions of core: the status comes from `getNextStatus`, or
 * stays. It decides which event is published, and a secret expires when the intent leaves Created.
 */
export function transitionTo(
  intent: PaymentIntent,
  status: PaymentIntentStatus,
  effect: {
    readonly now: Date;
    readonly events?: readonly NewPaymentEvent[];
    readonly entries?: readonly LedgerEntryDraft[];
    readonly transactions?: readonly TransactionChange[];
  },
): IntentDecision {
  const secret = status === 'Created' ? {} : { clientSecret: null, clientSecretExpireAt: null };
  return {
    intent: { ...intent, ...secret, status, updatedAt: effect.now },
    events: effect.events ?? [],
    entries: effect.entries ?? [],
    webhookEvents: status === intent.status ? [] : ['payment_intent.status_updated'],
    transactions: effect.transactions ?? [],
  };
}

export function createBusyRefusal(): Refusal {
  return new Refusal('payment_intent_busy', 'another operation of this payment intent is still running');
}

interface PaymentToTake {
  readonly move: 'takeAtOnce' | 'hold' | 'charge';
  readonly approval: Approval;
  readonly now: Date;
}

function takePayment(intent: PaymentIntent, { move, approval, now }: PaymentToTake): IntentDecision {
  const status = getNextStatus(intent, move, 'payment_intent_not_payable');
  const { reference, amount } = approval;
  assert(isSameAmount(amount, computeTotalAmount(intent)), 'approved over another amount than was asked for');
  const isHeld = status === 'Authorized';
  const taken: PaymentIntent = {
    ...intent,
    authorized: amount,
    authorizedAt: now,
    captured: isHeld ? intent.captured : amount,
    capturedAt: isHeld ? null : now,
    paymentDetails: toPaymentDetails(approval, isHeld ? 'AUTHORIZED' : 'DEPOSITED'),
  };
  return transitionTo(taken, status, {
    now,
    events: [createPaymentEvent(isHeld ? 'Authorized' : 'Captured', now, approval)],
    entries: [authoriseEntry(reference, amount), ...(isHeld ? [] : [captureEntry(reference, amount)])],
    transactions: [
      createAttemptTransaction(approval, {
        type: isHeld ? 'PreAuth' : 'Sale',
        status: isHeld ? 'AwaitingCollection' : 'Authorized',
        amounts: getAttemptAmounts(intent),
        isCharge: move === 'charge',
      }),
    ],
  });
}

/** The amounts that an attempt charges to the card. */
function getAttemptAmounts({
  amount,
  tipsAmount,
  cashbackAmount,
  serviceChargeAmount,
}: PaymentIntent): TransactionAmounts {
  const none = zeroMoney(amount.currencyCode);
  return {
    amount: add(amount, serviceChargeAmount ?? none),
    tips: tipsAmount ?? none,
    cashback: cashbackAmount ?? none,
  };
}

function getSaleType({ captureMode }: PaymentIntent): 'Sale' | 'PreAuth' {
  return captureMode === 'Auto' ? 'Sale' : 'PreAuth';
}

/** The transaction line of an approval that took no money: it is listed because the cardholder has seen it. */
function createReversedTransaction(intent: PaymentIntent, approval: Approval): TransactionChange {
  return createAttemptTransaction(approval, {
    type: getSaleType(intent),
    status: 'Reversed',
    amounts: getAttemptAmounts(intent),
  });
}
