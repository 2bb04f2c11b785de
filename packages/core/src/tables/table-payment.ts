import type { AuthorisationState } from '../acquirer-calls/acquirer-call.js';
import type { PaymentIntentId, TerminalId, TerminalSessionId } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import type { RecordAnswer } from './record-result.js';

/** States of one payment at the table. Each is stored before the outside step that follows it. */
export const TABLE_PAYMENT_STATES = [
  'Unproved',
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
 * Every permitted move. Approval is the pivot: before it everything is undone, after it the payment is either
 * recorded or given back. A payment leaves the last three states only after contradictory answers, and then to the
 * operator. `Unproved`: a device reports a card payment, and its card transaction has not been found.
 */
export const TABLE_PAYMENT_MOVES = {
  Unproved: ['Approved', 'Recorded', 'Ended'],
  Started: ['Approved', 'Ended'],
  Approved: ['Recording', 'Recorded', 'GivingBack'],
  Recording: ['Recorded', 'Refused', 'RecordUnknown', 'NeedsOperator', 'GivingBack'],
  RecordUnknown: ['Recording', 'Recorded', 'Refused', 'NeedsOperator', 'GivingBack'],
  Refused: ['GivingBack', 'Recorded'],
  GivingBack: ['GivenBack', 'NeedsOperator', 'Recorded'],
  NeedsOperator: ['Recorded', 'GivingBack', 'RecordUnknown', 'Ended'],
  Recorded: ['NeedsOperator'],
  GivenBack: ['NeedsOperator'],
  Ended: ['NeedsOperator'],
} as const satisfies Record<TablePaymentState, readonly TablePaymentState[]>;

/** The next outside step, or the step that is running while `dueAt` is null. */
export const NEXT_STEPS = [
  'prove',
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
 * One part of a bill, paid by one card. Times are database time because the runner uses leases; `dueAt` is mirrored
 * in its timer row. `version` is raised by the store.
 */
export interface TablePayment {
  readonly id: string;
  readonly origin: 'journey' | 'device';
  readonly journeyId: string | null;
  readonly leaseId: string | null;
  readonly sessionId: string;
  /** The order of the session if the EPOS keeps orders; only then can our intent be looked up on it. */
  readonly orderId: string | null;
  /** Null for money of a device that no intent of ours took, or that is not proved; we cannot give it back. */
  readonly intentId: PaymentIntentId | null;
  readonly terminalSessionId: TerminalSessionId | null;
  /** The machine that requests the card next, once the current one has certainly ended without money. */
  readonly movingTo: TerminalId | null;
  readonly state: TablePaymentState;
  readonly nextStep: NextStep | null;
  readonly dueAt: Date | null;
  readonly base: Money;
  readonly gratuity: Money;
  readonly cashback: Money;
  /** The RecordPayment message, created once at approval and sent unchanged at every try. */
  readonly message: Uint8Array | null;
  /** The paid amount of the bill when it was last read before the card was requested. */
  readonly paidBefore: Money | null;
  readonly recordCalls: number;
  readonly isUnanswered: boolean;
  readonly firstUnansweredAt: Date | null;
  /** When a refusal came that could be the echo of an unanswered call; it is trusted after 60 s at the earliest. */
  readonly doubtAt: Date | null;
  readonly lockRounds: number;
  /** Failed tries in a row of the current phase; only the waits depend on it. */
  readonly tries: number;
  /** The key of a give-back that may be under way; null again once it was definitely refused. */
  readonly giveBackReference: string | null;
  /** False: the key that recorded it may not return money. A refusal of the EPOS then waits for an operator. */
  readonly mayGiveBack: boolean;
  readonly giveBackSince: Date | null;
  readonly givenBackAt: Date | null;
  readonly lastError: string | null;
  /** Since when the money is open: the approval; before it, the start. */
  readonly since: Date;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An input of a payment. A fact that does not concern its state changes nothing. */
export type TablePaymentInput =
  | { readonly kind: 'approved'; readonly message: Uint8Array; readonly mustLock: boolean }
  | { readonly kind: 'ended'; readonly reason: 'declined' | 'cancelled' | 'expired'; readonly note?: string }
  | { readonly kind: 'recordAnswered'; readonly answer: RecordAnswer; readonly note?: string }
  | { readonly kind: 'billRead'; readonly paid: Money }
  /** `intentId` is null for a transaction that only the books of the acquirer hold. */
  | { readonly kind: 'proved'; readonly intentId: PaymentIntentId | null }
  | { readonly kind: TablePaymentFact; readonly note?: string };

/** Inputs without content of their own; the note, if any, is shown to the operator. */
export type TablePaymentFact =
  | 'due'
  | 'proofMissing'
  | 'proofRefused'
  | 'repeated'
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

export const OPERATOR_ACTIONS = ['markRecorded', 'giveBack', 'retryNow', 'markNotHeld'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];
export type TablePaymentInputKind = TablePaymentInput['kind'];

/**
 * What the runner does once the payment is stored. `reportUnsuccessful`: the part has finally ended without money.
 * It is reported to an EPOS that requests this; nothing of the payment waits for that. The caller of the step makes
 * the call (`createIntentAndSession` to `giveBack`); the answer is the next input. Without a call the runner
 * releases the payment until `wakeAt`. A payment without a call and without `wakeAt` is final or waits for a person.
 */
export type TablePaymentOutput =
  | { readonly do: TablePaymentCall }
  | { readonly do: 'giveBack'; readonly reference: string }
  | { readonly do: 'unlock' }
  | { readonly do: 'reportUnsuccessful' }
  | { readonly do: 'wakeAt'; readonly at: Date }
  | { readonly do: 'alarm'; readonly reason: string }
  | { readonly do: 'publishJourney' };

export type TablePaymentCall =
  | 'createIntentAndSession'
  | 'readOutcome'
  | 'prove'
  | 'record'
  | 'lock'
  | 'readBill'
  | 'readOrder';

export interface TablePaymentStep {
  readonly payment: TablePayment;
  readonly outputs: readonly TablePaymentOutput[];
}

/**
 * The values that are given when a part is about to be paid. `intentId` is set for money that a device has already
 * taken.
 */
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
> &
  Partial<Pick<TablePayment, 'mayGiveBack'>>;

/** A running card sale reports by itself; reading it at this interval covers lost reports. */
export const OUTCOME_WATCH_MS = 5_000;
export const ALARM_AFTER_MS = 60_000;

/** Creates a part of a journey before the card is requested; its intent and terminal session are created later. */
export function startTablePayment(part: NewTablePayment, now: Date): TablePaymentStep {
  const dueAt = new Date(now.getTime() + OUTCOME_WATCH_MS);
  const payment: TablePayment = { ...createEmptyPayment(part, now), state: 'Started', nextStep: 'readOutcome', dueAt };
  return {
    payment,
    outputs: [{ do: 'createIntentAndSession' }, { do: 'wakeAt', at: dueAt }, { do: 'publishJourney' }],
  };
}

/** Creates a payment that a device took by itself and sent to be recorded: it is approved from the start. */
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

/** Creates a payment that a device reports and whose card transaction is not found: it is proved before it is recorded. */
export function createUnprovedPayment(part: NewTablePayment, message: Uint8Array, now: Date): TablePaymentStep {
  const { payment } = createRelayedPayment({ ...part, intentId: null }, message, now);
  return { payment: { ...payment, state: 'Unproved', nextStep: 'prove' }, outputs: [{ do: 'wakeAt', at: now }] };
}

/**
 * Continues a started payment at the machine that it moves to. Null: the payment ends as its card did. A card that
 * was declined was presented, so the payer has chosen the machine.
 */
export function movePayment(
  { state, movingTo }: Pick<TablePayment, 'state' | 'movingTo'>,
  ended: Extract<TablePaymentInput, { kind: 'ended' }>,
): TerminalId | null {
  return state === 'Started' && ended.reason !== 'declined' ? movingTo : null;
}

/**
 * Whether the end of a card attempt without money is certain, so that the payment can end or another machine can
 * request a card. An ordered reversal is not enough: a machine that is cut off from us may still reach the acquirer,
 * and a second card would be requested while the money of the first is held (epos.md 11.4, ADR 0044).
 */
export function isMoneyCertain(authorisations: AuthorisationState): boolean {
  return authorisations === 'settled';
}

/** Requests the card at the next machine. */
export function requestElsewhere(payment: TablePayment, terminalSessionId: TerminalSessionId, now: Date): TablePayment {
  const dueAt = new Date(now.getTime() + OUTCOME_WATCH_MS);
  return { ...payment, terminalSessionId, movingTo: null, dueAt, lastError: null, updatedAt: now };
}

/** Whether the payment has ended: it does not move by itself any more. */
export function isTablePaymentFinal(payment: Pick<TablePayment, 'state'>): boolean {
  return payment.state === 'Recorded' || payment.state === 'GivenBack' || payment.state === 'Ended';
}

/**
 * Whether the payment is on the pending list: money is taken and neither recorded nor given back, or is held for a
 * finished card and not certainly returned. For a payment that was only started, the latter is an error.
 */
export function isPending({ state, lastError }: Pick<TablePayment, 'state' | 'lastError'>): boolean {
  return !isTablePaymentFinal({ state }) && (state !== 'Started' || lastError !== null);
}

/** Whether the payment is pending for a minute, or stuck: an operator should look. */
export function isAlarming(
  payment: Pick<TablePayment, 'state' | 'since' | 'lastError' | 'nextStep'>,
  now: Date,
): boolean {
  if (payment.state === 'NeedsOperator' || isProofOver(payment)) return true;
  return isPending(payment) && now.getTime() - payment.since.getTime() >= ALARM_AFTER_MS;
}

/** Whether the search for the card transaction of a payment has ended without one. */
export function isProofOver({ state, nextStep }: Pick<TablePayment, 'state' | 'nextStep'>): boolean {
  return state === 'Unproved' && nextStep === null;
}

export function getPaymentGiveBackReference(paymentId: string): string {
  return `giveback-${paymentId}`;
}

function createEmptyPayment(part: NewTablePayment, now: Date): Omit<TablePayment, 'state' | 'nextStep' | 'dueAt'> {
  return {
    mayGiveBack: true,
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
