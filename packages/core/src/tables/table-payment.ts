import type { AuthorisationState } from '../acquirer-calls/acquirer-call.js';
import type { PaymentIntentId, TerminalId, TerminalSessionId } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import type { RecordAnswer } from './record-result.js';

/** Where one payment at the table stands. Each is stored before the outside step that follows it. */
export const TABLE_PAYMENT_STATES = [
  'Started',
  'Approved',
  'Recording',
  'RecordUnknown',
  'Recorded',
  'Refused',
  'GivingBack',
  'GivenBack',
  'Ended',
  'NeedsOperator',
] as const;
export type TablePaymentState = (typeof TABLE_PAYMENT_STATES)[number];

/**
 * Every permitted move. Approval is the pivot: before it all is undone, after it there are two roads
 * only, recorded or given back. The last three states leave only when the world contradicts itself,
 * and then to the operator.
 */
export const TABLE_PAYMENT_MOVES = {
  Started: ['Approved', 'Ended'],
  Approved: ['Recording', 'Recorded', 'GivingBack'],
  Recording: ['Recorded', 'Refused', 'RecordUnknown', 'NeedsOperator', 'GivingBack', 'Ended'],
  RecordUnknown: ['Recording', 'Recorded', 'Refused', 'NeedsOperator', 'GivingBack', 'Ended'],
  Refused: ['GivingBack', 'Recorded'],
  GivingBack: ['GivenBack', 'NeedsOperator', 'Recorded'],
  NeedsOperator: ['Recorded', 'GivingBack', 'RecordUnknown'],
  Recorded: ['NeedsOperator'],
  GivenBack: ['NeedsOperator'],
  Ended: ['NeedsOperator'],
} as const satisfies Record<TablePaymentState, readonly TablePaymentState[]>;

/** The outside step that comes next, or that is being taken while `dueAt` is null. */
export const NEXT_STEPS = [
  'readOutcome',
  'record',
  'lockToRecord',
  'lookThenRecord',
  'lookAfterRefusal',
  'lockToLook',
  'readBill',
  'giveBack',
  'lookForRecord',
] as const;
export type NextStep = (typeof NEXT_STEPS)[number];

/**
 * One part of a bill, paid by one card. Times are database time, as the runner that steps it goes
 * by leases; `dueAt` is mirrored in its row among the timers. `version` is raised by the store.
 */
export interface TablePayment {
  readonly id: string;
  readonly origin: 'journey' | 'device';
  readonly journeyId: string | null;
  readonly leaseId: string | null;
  readonly sessionId: string;
  /** The order behind the session where the EPOS keeps orders; only then can our intent be looked up on it. */
  readonly orderId: string | null;
  /** Null only for money a device took without us: it cannot be given back by us either. */
  readonly intentId: PaymentIntentId | null;
  readonly terminalSessionId: TerminalSessionId | null;
  /** The machine that asks for the card next, once the one that asks now has certainly ended without money. */
  readonly movingTo: TerminalId | null;
  readonly state: TablePaymentState;
  readonly nextStep: NextStep | null;
  readonly dueAt: Date | null;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  /** The RecordPayment message, made once at approval and sent unchanged at every try. */
  readonly message: Uint8Array | null;
  /** What the bill had as paid on the fresh reading before the card was asked for. */
  readonly paidBefore: Money | null;
  readonly recordCalls: number;
  readonly isUnanswered: boolean;
  readonly firstUnansweredAt: Date | null;
  /** When a refusal came that could be the echo of an unanswered call; it is believed 60 s later at the earliest. */
  readonly doubtAt: Date | null;
  readonly lockRounds: number;
  /** Failed tries in a row of the road it is on; only the waits depend on it. */
  readonly tries: number;
  /** The key of a give-back that may be under way; null again once it was definitely refused. */
  readonly giveBackReference: string | null;
  readonly giveBackSince: Date | null;
  readonly givenBackAt: Date | null;
  readonly lastError: string | null;
  /** Since when the money is open: the approval; before it, the start. */
  readonly since: Date;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a payment is told. A fact that does not concern its state changes nothing. */
export type TablePaymentInput =
  | { readonly kind: 'approved'; readonly message: Uint8Array; readonly mustLock: boolean }
  | { readonly kind: 'ended'; readonly reason: 'declined' | 'cancelled' | 'expired'; readonly note?: string }
  | { readonly kind: 'recordAnswered'; readonly answer: RecordAnswer; readonly note?: string }
  | { readonly kind: 'billRead'; readonly paid: Money }
  | { readonly kind: TablePaymentFact; readonly note?: string };

/** Inputs that are the same each time; the note, if any, is shown to the operator. */
export type TablePaymentFact =
  | 'due'
  | 'reconnected'
  | 'orderHoldsIntent'
  | 'orderLacksIntent'
  | 'orderUnreadable'
  | 'billUnreadable'
  | 'locked'
  | 'lockRefused'
  | 'lockHeldByOther'
  | 'lockUnanswered'
  | 'givenBack'
  | 'giveBackRefused'
  | 'giveBackUnanswered'
  | OperatorAction;

export const OPERATOR_ACTIONS = ['markRecorded', 'giveBack', 'retryNow'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
export type TablePaymentInputKind = TablePaymentInput['kind'];

/**
 * What the runner does once the payment is stored. `reportUnsuccessful`: the part is over without money, for good, which an
 * EPOS is told that wants to hear of it; nothing of the payment waits for that. A call (`createIntentAndSession` to `giveBack`)
 * is made by whoever made the step; its answer is the next input. Without a call the runner lets go
 * until `wakeAt`; a payment left without either is final or waits for a person.
 */
export type TablePaymentOutput =
  | { readonly do: TablePaymentCall }
  | { readonly do: 'giveBack'; readonly reference: string }
  | { readonly do: 'unlock' }
  | { readonly do: 'reportUnsuccessful' }
  | { readonly do: 'wakeAt'; readonly at: Date }
  | { readonly do: 'alarm'; readonly reason: string }
  | { readonly do: 'publishJourney' };

export type TablePaymentCall = 'createIntentAndSession' | 'readOutcome' | 'record' | 'lock' | 'readBill' | 'readOrder';

export interface TablePaymentStep {
  readonly payment: TablePayment;
  readonly outputs: readonly TablePaymentOutput[];
}

/** What is known when a part is about to be paid. `intentId` is given for money a device has already taken. */
export type NewTablePayment = Pick<
  TablePayment,
  | 'id'
  | 'origin'
  | 'journeyId'
  | 'leaseId'
  | 'sessionId'
  | 'orderId'
  | 'base'
  | 'gratuity'
  | 'cashback'
  | 'paidBefore'
  | 'intentId'
>;

/** A running card sale reports by itself; asking it now and then is the net below that. */
export const OUTCOME_WATCH_MS = 5_000;
export const ALARM_AFTER_MS = 60_000;

/** A part of a journey, before the card is asked for: intent and machine session come with it. */
export function startTablePayment(part: NewTablePayment, now: Date): TablePaymentStep {
  const dueAt = new Date(now.getTime() + OUTCOME_WATCH_MS);
  const payment: TablePayment = { ...createEmptyPayment(part, now), state: 'Started', nextStep: 'readOutcome', dueAt };
  return {
    payment,
    outputs: [{ do: 'createIntentAndSession' }, { do: 'wakeAt', at: dueAt }, { do: 'publishJourney' }],
  };
}

/** A payment a device took by itself and sent to be recorded: it is approved from the start. */
export function createRelayedPayment(part: NewTablePayment, message: Uint8Array, now: Date): TablePaymentStep {
  const payment: TablePayment = {
    ...createEmptyPayment(part, now),
    state: 'Approved',
    nextStep: 'record',
    dueAt: now,
    message,
  };
  return { payment, outputs: [{ do: 'wakeAt', at: now }] };
}

/**
 * How a started payment goes on at the machine that it moves to, or null: it ends as its card did. A card that was declined
 * was presented, so the payer has chosen the machine.
 */
export function movePayment(
  { state, movingTo }: Pick<TablePayment, 'state' | 'movingTo'>,
  ended: Extract<TablePaymentInput, { kind: 'ended' }>,
): TerminalId | null {
  return state === 'Started' && ended.reason !== 'declined' ? movingTo : null;
}

/**
 * Whether a card side that is over without money may be gone by: the payment ends, or another machine asks. An ordered
 * reversal is not enough: a machine that is cut off from us may still reach the acquirer, and a second card would be asked
 * for while the money of the first is held (epos.md 11.4, ADR 0044).
 */
export function isMoneyCertain(authorisations: AuthorisationState): boolean {
  return authorisations === 'settled';
}

/** The next machine asks for the card. */
export function requestElsewhere(payment: TablePayment, terminalSessionId: TerminalSessionId, now: Date): TablePayment {
  const dueAt = new Date(now.getTime() + OUTCOME_WATCH_MS);
  return { ...payment, terminalSessionId, movingTo: null, dueAt, lastError: null, updatedAt: now };
}

/** Nothing more will happen of itself. */
export function isFinal(payment: Pick<TablePayment, 'state'>): boolean {
  return payment.state === 'Recorded' || payment.state === 'GivenBack' || payment.state === 'Ended';
}

/**
 * Money taken and neither recorded nor given back, or held for a card that is over and not certainly back: the pending list.
 * Of a payment that was started only the latter is an error.
 */
export function isPending({ state, lastError }: Pick<TablePayment, 'state' | 'lastError'>): boolean {
  return !isFinal({ state }) && (state !== 'Started' || lastError !== null);
}

/** Pending for a minute, or stuck: somebody should look. */
export function isAlarming(payment: Pick<TablePayment, 'state' | 'since' | 'lastError'>, now: Date): boolean {
  if (payment.state === 'NeedsOperator') return true;
  return isPending(payment) && now.getTime() - payment.since.getTime() >= ALARM_AFTER_MS;
}

export function getPaymentGiveBackReference(paymentId: string): string {
  return `giveback-${paymentId}`;
}

/** What is known of an intent whose money is to go back. Times are account time. */
export interface IntentToGiveBack {
  readonly status: string;
  readonly capturedAt: Date | null;
  readonly isAnythingRefunded: boolean;
}

/** A reversal undoes the payment as if it had never been; it is allowed on the day of the capture only. */
export function findGiveBackWay(intent: IntentToGiveBack, now: Date): 'reversal' | 'refund' {
  if (intent.status === 'Authorized') return 'reversal';
  const isSameDay = intent.capturedAt?.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  return intent.status === 'Captured' && isSameDay && !intent.isAnythingRefunded ? 'reversal' : 'refund';
}

function createEmptyPayment(part: NewTablePayment, now: Date): Omit<TablePayment, 'state' | 'nextStep' | 'dueAt'> {
  return {
    ...part,
    terminalSessionId: null,
    movingTo: null,
    message: null,
    recordCalls: 0,
    isUnanswered: false,
    firstUnansweredAt: null,
    doubtAt: null,
    lockRounds: 0,
    tries: 0,
    giveBackReference: null,
    giveBackSince: null,
    givenBackAt: null,
    lastError: null,
    since: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}
