import type { Bill } from '../tables/bill.js';
import type { Requestor } from '../tables/lease.js';
import { isPositive, type Money } from '../money/money.js';
import { createViolation, Refusal } from '../refusals/refusal.js';
import {
  parsePartRequest,
  EMPTY_PLAN,
  type ItemShare,
  findOverlappingItem,
  computePartAmount,
  computePlanAfterPart,
  type PartRequest,
  type SplitPlan,
} from './bill-split.js';
import type { TablePayment, TablePaymentState } from '../tables/table-payment.js';

export const JOURNEY_STATES = ['OPEN', 'PAYING', 'RECORDING', 'BLOCKED', 'FINISHED', 'ABANDONED'] as const;
export type JourneyState = (typeof JOURNEY_STATES)[number];

export type JourneyMove = 'partChosen' | 'approved' | 'blocked' | 'recorded' | 'paymentEnded' | 'finish' | 'abandon';

/** Every permitted move of a journey. One payment at a time, so what its payment does moves the journey. */
export const JOURNEY_MOVES = {
  OPEN: { partChosen: 'PAYING', blocked: 'BLOCKED', finish: 'FINISHED', abandon: 'ABANDONED' },
  PAYING: { approved: 'RECORDING', blocked: 'BLOCKED', recorded: 'OPEN', paymentEnded: 'OPEN' },
  RECORDING: { blocked: 'BLOCKED', recorded: 'OPEN', paymentEnded: 'OPEN' },
  BLOCKED: { approved: 'RECORDING', recorded: 'OPEN', paymentEnded: 'OPEN' },
  FINISHED: {},
  ABANDONED: {},
} as const satisfies Record<JourneyState, Partial<Record<JourneyMove, JourneyState>>>;

/** One device's payments on one session's bill, part by part. Times are account time. */
export interface Journey {
  readonly id: string;
  readonly sessionId: string;
  readonly sessionName: string;
  /** The table as the EPOS names it, for receipts; null if the session has none. */
  readonly tableName: string | null;
  readonly leaseId: string;
  readonly owner: string;
  readonly requestor: Requestor;
  readonly state: JourneyState;
  readonly currencyCode: string;
  readonly bill: Bill;
  readonly billReadAt: Date;
  readonly plan: JourneyPlan;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** The agreements of the parts paid so far, their number, and the part that is being paid. */
export interface JourneyPlan {
  readonly split: SplitPlan;
  readonly partsPaid: number;
  readonly inHand: { readonly paymentId: string; readonly request: PartRequest } | null;
}

export type NewJourney = Pick<
  Journey,
  'id' | 'sessionId' | 'sessionName' | 'tableName' | 'leaseId' | 'owner' | 'requestor' | 'bill'
> & {
  /** The shares of items that earlier journeys on this session have paid. */
  readonly paidShares: readonly ItemShare[];
};

/**
 * Starts a journey. If nothing is paid on the bill, or nothing any more, the shares of earlier journeys do not
 * count.
 */
export function startJourney({ paidShares, ...journey }: NewJourney, now: Date): Journey {
  const shares = isPositive(journey.bill.paid) ? paidShares : [];
  return {
    ...journey,
    state: 'OPEN',
    currencyCode: journey.bill.total.currencyCode,
    billReadAt: now,
    plan: { split: { ...EMPTY_PLAN, shares }, partsPaid: 0, inHand: null },
    version: 1,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
}

/**
 * Moves the journey to another card machine; the waiter stays. Refuses `journey_over`, `journey_busy` once money is
 * taken, and `journey_not_movable` for a payer's own device.
 */
export function moveJourney(journey: Journey, terminalId: string, now: Date): Journey {
  const { state, requestor } = journey;
  if (state === 'FINISHED' || state === 'ABANDONED') throw new Refusal('journey_over', `the journey is ${state}`);
  if (requestor.type !== 'cardMachine') throw new Refusal('journey_not_movable', 'no card machine has this journey');
  if (state === 'RECORDING' || state === 'BLOCKED') {
    throw new Refusal('journey_busy', 'money was taken: the journey moves once it is on the bill or given back');
  }
  if (requestor.terminalId === terminalId) return journey;
  return { ...journey, owner: terminalId, requestor: { ...requestor, terminalId }, updatedAt: now };
}

/** Stores the bill that was read again. It may have changed at the EPOS; the next part is computed from it. */
export function updateBill(journey: Journey, bill: Bill, now: Date): Journey {
  return { ...journey, bill, billReadAt: now, updatedAt: now };
}

/** The part that a payer has chosen: its payment and its price without the tip. */
export interface TakenPart {
  readonly journey: Journey;
  readonly amount: Money;
}

/**
 * Takes the next part of a bill that was read just before. On the payer's receipt it has the number
 * `plan.partsPaid + 1`. Refuses `journey_busy`, `journey_over` and what `computePartAmount` refuses.
 */
export function takePart(journey: Journey, part: { paymentId: string; request: PartRequest }, now: Date): TakenPart {
  // The state is checked before the amount: of two refusals, the payer can only act on the first.
  requireFree(journey, part.request);
  const state = getNextState(journey.state, 'partChosen');
  const amount = computePartAmount(journey.bill, journey.plan.split, part.request);
  const inHand = { paymentId: part.paymentId, request: parsePartRequest(journey.bill, part.request) };
  const plan: JourneyPlan = { ...journey.plan, inHand };
  return { journey: { ...journey, state, plan, updatedAt: now }, amount };
}

/**
 * Refuses `journey_busy` while a part is being paid, and names the item if both parts contain it. Refuses
 * `journey_over` when the journey has ended.
 */
export function requireFree({ state, plan }: Pick<Journey, 'state' | 'plan'>, request: PartRequest): void {
  const item = plan.inHand === null ? null : findOverlappingItem(plan.inHand.request, request);
  if (item !== null && state !== 'OPEN')
    throw createViolation('journey_busy', item, 'this item is being paid just now');
  getNextState(state, 'partChosen');
}

/**
 * Refuses `journey_busy` while an earlier journey on the same session may still record an item of this part. The
 * lease of such a journey was forced while its money was open.
 */
export function requireUnclaimed(request: PartRequest, earlier: readonly Pick<Journey, 'plan'>[]): void {
  for (const { plan } of earlier) {
    const item = plan.inHand === null ? null : findOverlappingItem(plan.inHand.request, request);
    if (item !== null) throw createViolation('journey_busy', item, 'an earlier payment for this item is not settled');
  }
}

/**
 * Adds a part that an earlier journey on the same session has recorded after this one began: its items count as
 * paid.
 */
export function applyEarlierPart(journey: Journey, request: PartRequest, now: Date): Journey {
  if (request.mode !== 'ITEMS') return journey;
  const plan: JourneyPlan = { ...journey.plan, split: computePlanAfterPart(journey.plan.split, request) };
  return { ...journey, plan, updatedAt: now };
}

/** The move of a journey for each state of its payment. An unknown, refused or waiting payment blocks it. */
export const MOVE_OF_PAYMENT = {
  Unproved: 'blocked',
  Started: null,
  Approved: 'approved',
  Recording: 'approved',
  RecordUnknown: 'blocked',
  Recorded: 'recorded',
  Refused: 'blocked',
  GivingBack: 'blocked',
  GivenBack: 'paymentEnded',
  Ended: 'paymentEnded',
  NeedsOperator: 'blocked',
} as const satisfies Record<TablePaymentState, JourneyMove | null>;

/**
 * Applies the state of a payment. The same state twice changes nothing, nor does a payment that is no longer in
 * hand. If no payment is in hand, a closed payment that opens again blocks the journey.
 */
export function applyPaymentState(
  journey: Journey,
  payment: Pick<TablePayment, 'id' | 'state' | 'isUnanswered'>,
  now: Date,
): Journey {
  const move = findJourneyMove(payment);
  const inHand = journey.plan.inHand?.paymentId ?? null;
  const isConcerned = inHand === payment.id || (inHand === null && move === 'blocked');
  if (move === null || !isConcerned) return journey;
  const row: Partial<Record<JourneyMove, JourneyState>> = JOURNEY_MOVES[journey.state];
  const state = row[move];
  if (state === undefined) return journey;
  return { ...journey, state, plan: computePlanAfter(journey, payment, move), updatedAt: now };
}

/**
 * Ends the journey. Refuses `journey_money_open`. A finished journey stays as it is; an abandoned one refuses
 * `journey_over`.
 */
export function finishJourney(journey: Journey, now: Date): Journey {
  if (journey.state === 'FINISHED') return journey;
  if (isMoneyOpen(journey)) throw new Refusal('journey_money_open', `the journey is ${journey.state}`);
  return { ...journey, state: getNextState(journey.state, 'finish'), finishedAt: now, updatedAt: now };
}

/**
 * Abandons a journey whose lease has ended without open money. Leaves an ended journey, or one with open money, as
 * it is.
 */
export function abandonJourney(journey: Journey, now: Date): Journey {
  if (journey.state !== 'OPEN') return journey;
  return { ...journey, state: getNextState(journey.state, 'abandon'), finishedAt: now, updatedAt: now };
}

/** Whether a payment runs, or is approved and neither recorded nor given back. */
function isMoneyOpen(journey: Pick<Journey, 'state'>): boolean {
  return journey.state === 'PAYING' || journey.state === 'RECORDING' || journey.state === 'BLOCKED';
}

function findJourneyMove(payment: Pick<TablePayment, 'state' | 'isUnanswered'>): JourneyMove | null {
  // The repetition of an unanswered call is no progress that a waiter could rely on: the journey stays blocked.
  if (payment.state === 'Recording' && payment.isUnanswered) return 'blocked';
  return MOVE_OF_PAYMENT[payment.state];
}

function computePlanAfter(journey: Journey, payment: Pick<TablePayment, 'id'>, move: JourneyMove): JourneyPlan {
  const { plan } = journey;
  if (move === 'recorded' && plan.inHand !== null) {
    return {
      split: computePlanAfterPart(plan.split, plan.inHand.request),
      partsPaid: plan.partsPaid + 1,
      inHand: null,
    };
  }
  if (move === 'paymentEnded') return { ...plan, inHand: null };
  // A closed payment that opens again is kept in hand, so that its end is applied.
  if (move === 'blocked' && plan.inHand === null) {
    return { ...plan, inHand: { paymentId: payment.id, request: { mode: 'FULL' } } };
  }
  return plan;
}

function getNextState(state: JourneyState, move: JourneyMove): JourneyState {
  const row: Partial<Record<JourneyMove, JourneyState>> = JOURNEY_MOVES[state];
  const to = row[move];
  if (to !== undefined) return to;
  const code = state === 'FINISHED' || state === 'ABANDONED' ? 'journey_over' : 'journey_busy';
  throw new Refusal(code, `the journey is ${state}`);
}
