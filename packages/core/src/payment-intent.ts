import { assert } from './assert.js';
import type { Approval, Decline } from './card.js';
import type { PaymentIntentEventKind } from './event-kind.js';
import type { PaymentIntentId, SetupIntentId } from './identity.js';
import type { IntentDetails } from './intent-details.js';
import { authoriseEntry, captureEntry, type LedgerEntryDraft } from './ledger.js';
import { add, isSameAmount, type Money, sum, zero } from './money.js';
import {
  type Attempt,
  canceledEvent,
  type NewPaymentEvent,
  type PaymentDetails,
  paymentDetails,
  paymentEvent,
} from './payment-event.js';
import { Refusal, type RefusalCode } from './refusal.js';
import { attempted, type TransactionAmounts, type TransactionChange } from './transaction.js';

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
  Captured: { refundPart: 'Captured', refundRest: 'Refunded', reverse: 'Reversed' },
  Reversed: {},
  Refunded: {},
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
 * A payment from the wish to the money. Amounts of one intent are of one currency; `authorized`,
 * `captured` and `refunded` only grow, the pending figures are reservations of running calls.
 */
export interface PaymentIntent {
  readonly id: PaymentIntentId;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
  readonly status: PaymentIntentStatus;
  readonly captureMode: CaptureMode;
  readonly amount: Money;
  readonly requestedAmount: Money | null;
  readonly tipsAmount: Money | null;
  readonly cashbackAmount: Money | null;
  readonly serviceChargeAmount: Money | null;
  readonly authorized: Money;
  readonly pendingCapture: Money;
  readonly captured: Money;
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
  /** The text, only when just issued or when the row was read for presenting; null leaves the stored one as it is. */
  readonly clientSecret: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly details: IntentDetails;
  readonly paymentDetails: PaymentDetails | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What to write in one transaction: the row, its history, its postings, and whom to tell. */
export interface IntentDecision {
  readonly intent: PaymentIntent;
  readonly events: readonly NewPaymentEvent[];
  readonly entries: readonly LedgerEntryDraft[];
  readonly tells: readonly PaymentIntentEventKind[];
  /** What it does to the listing of transactions. */
  readonly transactions: readonly TransactionChange[];
}

/** What the cardholder is asked for: the amount with tip, cashback and service charge. */
export function totalAmount(
  intent: Pick<PaymentIntent, 'amount' | 'tipsAmount' | 'cashbackAmount' | 'serviceChargeAmount'>,
): Money {
  const { amount, tipsAmount, cashbackAmount, serviceChargeAmount } = intent;
  const extras = [tipsAmount, cashbackAmount, serviceChargeAmount].filter((extra) => extra !== null);
  return sum([amount, ...extras], amount.currencyCode);
}

/** An online, wallet, saved-card or terminal sale was approved: taken at once, or held when capture is Manual. */
export function approve(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  return take(intent, { move: intent.captureMode === 'Auto' ? 'takeAtOnce' : 'hold', approval, now });
}

/** A charge of a stored card was approved: always taken at once. */
export function approveCharge(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  return take(intent, { move: 'charge', approval, now });
}

/** The issuer asks the payer to prove himself; the attempt goes on. */
export function challenge(intent: PaymentIntent, attempt: Attempt, now: Date): IntentDecision {
  return arrive(intent, destination(intent, 'challenge', 'payment_intent_not_payable'), {
    now,
    events: [paymentEvent('AuthChallenged', now, attempt)],
  });
}

/** An attempt took no money, and that is certain. The intent may be tried again. */
export function decline(intent: PaymentIntent, no: Decline, now: Date): IntentDecision {
  const eventType = no.message === 'FAILED' ? 'Error' : 'Declined';
  return arrive(intent, destination(intent, 'decline', 'payment_intent_not_payable'), {
    now,
    events: [paymentEvent(eventType, now, { ...no, amount: totalAmount(intent) })],
    transactions: [attempted(no, { type: saleType(intent), status: 'Declined', amounts: asked(intent) })],
  });
}

/** An attempt of which nobody knows was given up: whatever the acquirer still says, it takes no money. */
export function giveUp(intent: PaymentIntent, attempt: Attempt, now: Date): IntentDecision {
  return arrive(intent, destination(intent, 'decline', 'payment_intent_not_payable'), {
    now,
    events: [paymentEvent('Error', now, attempt)],
  });
}

/** The merchant refused the signature: the approval is undone, so nothing was ever held for the books. */
export function rejectSignature(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  const reversed = { ...intent, paymentDetails: paymentDetails(approval, 'REVERSED') };
  return arrive(reversed, destination(intent, 'rejectSignature', 'payment_intent_not_payable'), {
    now,
    events: [paymentEvent('Reversed', now, approval)],
    transactions: [undone(intent, approval)],
  });
}

/** An approval that came when the intent was already finished was undone; its history says so and nobody is told. */
export function undoLateApproval(intent: PaymentIntent, approval: Approval, now: Date): IntentDecision {
  assert(intent.status !== 'Created', 'a payable intent takes its approval');
  return arrive(intent, intent.status, {
    now,
    events: [paymentEvent('Reversed', now, approval)],
    transactions: [undone(intent, approval)],
  });
}

/** Whether a call or session that may still move money runs on the intent; the caller looks it up under the intent's lock. */
export interface Attention {
  readonly now: Date;
  readonly hasRunningAttempt: boolean;
}

/** The integrator gives the payment up before anybody paid. */
export function cancel(intent: PaymentIntent, { now, hasRunningAttempt }: Attention): IntentDecision {
  const status = destination(intent, 'cancel', 'payment_intent_not_cancelable');
  if (hasRunningAttempt) throw busy();
  return arrive(intent, status, { now, events: [canceledEvent(totalAmount(intent), now)] });
}

/** The intent's time is over. Null when there is nothing to do; a running attempt is waited for by asking again. */
export function expire(intent: PaymentIntent, { now, hasRunningAttempt }: Attention): IntentDecision | null {
  if (intent.status !== 'Created' || now < intent.expireAt || hasRunningAttempt) return null;
  return arrive(intent, MOVES.Created.expire, { now, events: [canceledEvent(totalAmount(intent), now)] });
}

/** Refuses an attempt, a terminal sale or a charge where no money may be taken. */
export function requirePayable(intent: PaymentIntent, hasRunningAttempt: boolean): void {
  destination(intent, 'hold', 'payment_intent_not_payable');
  if (hasRunningAttempt) throw busy();
}

/** A Canceled intent is found only by those who ask for it. */
export function requireVisible(intent: PaymentIntent, isCanceledWanted: boolean): void {
  if (intent.status === 'Canceled' && !isCanceledWanted) {
    throw new Refusal('payment_intent_not_found', 'the payment intent is Canceled');
  }
}

/** There is a receipt once money was held or taken. */
export function requireReceipt(intent: PaymentIntent): void {
  if (intent.status === 'Created' || intent.status === 'Canceled') {
    throw new Refusal('receipt_not_available', `a ${intent.status} payment intent has no receipt`);
  }
}

/** Where a move leads from the intent's status; a move that is not in the table is refused under the given code. */
export function destination(intent: PaymentIntent, move: IntentMove, code: RefusalCode): PaymentIntentStatus {
  const moves: Partial<Record<IntentMove, PaymentIntentStatus>> = MOVES[intent.status];
  const to = moves[move];
  if (to === undefined) {
    throw new Refusal(code, `a payment intent that is ${intent.status} cannot do this`);
  }
  return to;
}

/** The only way to a decision: the status decides who is told, and a secret dies when the intent leaves Created. */
export function arrive(
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
    tells: status === intent.status ? [] : ['payment_intent.status_updated'],
    transactions: effect.transactions ?? [],
  };
}

export function busy(): Refusal {
  return new Refusal('payment_intent_busy', 'another operation of this payment intent is still running');
}

interface Taking {
  readonly move: 'takeAtOnce' | 'hold' | 'charge';
  readonly approval: Approval;
  readonly now: Date;
}

function take(intent: PaymentIntent, { move, approval, now }: Taking): IntentDecision {
  const status = destination(intent, move, 'payment_intent_not_payable');
  const { reference, amount } = approval;
  assert(isSameAmount(amount, totalAmount(intent)), 'approved over another amount than was asked for');
  const isHeld = status === 'Authorized';
  const taken: PaymentIntent = {
    ...intent,
    authorized: amount,
    authorizedAt: now,
    captured: isHeld ? intent.captured : amount,
    capturedAt: isHeld ? null : now,
    paymentDetails: paymentDetails(approval, isHeld ? 'AUTHORIZED' : 'DEPOSITED'),
  };
  return arrive(taken, status, {
    now,
    events: [paymentEvent(isHeld ? 'Authorized' : 'Captured', now, approval)],
    entries: [authoriseEntry(reference, amount), ...(isHeld ? [] : [captureEntry(reference, amount)])],
    transactions: [
      attempted(approval, {
        type: isHeld ? 'PreAuth' : 'Sale',
        status: isHeld ? 'AwaitingCollection' : 'Authorized',
        amounts: asked(intent),
        isCharge: move === 'charge',
      }),
    ],
  });
}

/** What an attempt asks the card for. */
function asked({ amount, tipsAmount, cashbackAmount, serviceChargeAmount }: PaymentIntent): TransactionAmounts {
  const none = zero(amount.currencyCode);
  return {
    amount: add(amount, serviceChargeAmount ?? none),
    tips: tipsAmount ?? none,
    cashback: cashbackAmount ?? none,
  };
}

function saleType({ captureMode }: PaymentIntent): 'Sale' | 'PreAuth' {
  return captureMode === 'Auto' ? 'Sale' : 'PreAuth';
}

/** An approval that nothing was taken by: it is listed all the same, for the cardholder has seen it. */
function undone(intent: PaymentIntent, approval: Approval): TransactionChange {
  return attempted(approval, { type: saleType(intent), status: 'Reversed', amounts: asked(intent) });
}
