import type { PaymentIntentId } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import type { OperatorAction } from '../tables/table-payment.js';

/**
 * States of an order that is paid before the EPOS has it (ADR 0048). Each state is stored before the outside step
 * that follows it.
 */
export const PLACEMENT_STATES = [
  'Waiting',
  'Held',
  'Placing',
  'PlaceUnknown',
  'Placed',
  'Completed',
  'Cancelling',
  'GivingBack',
  'GivenBack',
  'Ended',
  'NeedsOperator',
] as const;
export type PlacementState = (typeof PLACEMENT_STATES)[number];

/**
 * Every permitted move. The EPOS's answer is the pivot: before it the money is only held, and released if the order
 * is not made; after it the money is captured. A late success leads from giving back to cancelling the order.
 */
export const PLACEMENT_MOVES = {
  Waiting: ['Held', 'GivingBack', 'Ended'],
  Held: ['Placing', 'PlaceUnknown', 'Placed', 'GivingBack'],
  Placing: ['Placed', 'PlaceUnknown', 'Cancelling', 'GivingBack'],
  PlaceUnknown: ['Placing', 'Placed', 'Cancelling', 'GivingBack'],
  Placed: ['Completed', 'Cancelling', 'GivingBack'],
  Completed: [],
  Cancelling: ['GivingBack'],
  GivingBack: ['GivenBack', 'NeedsOperator', 'Cancelling'],
  GivenBack: ['Cancelling'],
  Ended: [],
  NeedsOperator: ['GivingBack', 'GivenBack', 'Cancelling'],
} as const satisfies Record<PlacementState, readonly PlacementState[]>;

/** The next outside step, or the step that is running while `dueAt` is null. */
export const PLACEMENT_STEPS = [
  'place',
  'lookThenPlace',
  'lookAfterRefusal',
  'lookBeforeRelease',
  'capture',
  'cancelOrder',
  'giveBack',
] as const;
export type PlacementNext = (typeof PLACEMENT_STEPS)[number];

/**
 * One order, paid by one held payment intent. `id` is its `serviceOrderId` at the EPOS, the same at every try. Times
 * are database time because the runner uses leases; the end of the hold is account time and has its own timer.
 */
export interface OrderPlacement {
  readonly id: string;
  readonly intentId: PaymentIntentId;
  /**
   * The order to create, as it was submitted: JSON of the EPOS Data API without payments and ids. Empty at the end.
   */
  readonly order: Readonly<Record<string, unknown>>;
  readonly state: PlacementState;
  readonly nextStep: PlacementNext | null;
  readonly dueAt: Date | null;
  /** What the order costs, with service charge and without tip: the payment's amount on the order. */
  readonly total: Money;
  /** The tip that is held on top; zero before the payment is authorised. */
  readonly gratuity: Money;
  /** The order's id at the EPOS; null until the EPOS has returned it. With it, the order is not requested again. */
  readonly orderId: string | null;
  readonly placeCalls: number;
  /** A CreateOrder call had no answer that decides, so the order may exist. */
  readonly isUnanswered: boolean;
  /** When the last CreateOrder call began; an unanswered call may still arrive for a while. */
  readonly calledAt: Date | null;
  /** When a refusal came that could be the echo of an unanswered call; it is trusted after 60 s at the earliest. */
  readonly doubtAt: Date | null;
  /** The hold is about to end, or has ended: the order is not requested any more. */
  readonly isHoldEnding: boolean;
  /** The money is no longer held and was not captured, so it cannot be captured any more. */
  readonly isMoneyGone: boolean;
  /** Failed tries in a row of the current phase; only the waits depend on it. */
  readonly tries: number;
  readonly giveBackSince: Date | null;
  /** The order exists, or may exist, at the EPOS although its money was given back: the operator has to check. */
  readonly mayOrderStand: boolean;
  readonly lastError: string | null;
  /** When the money was held; before that, when the order was submitted. */
  readonly since: Date;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * The answer to CreateOrder. `Rejected`: the EPOS has made the order and closed it at once as Canceled or Failed.
 * `Undecided`: the EPOS has the order, with a status that the contract does not have. `NotSent` and
 * `CredentialsRefused` prove that the EPOS did not process this call.
 */
export type PlacementAnswer =
  | { readonly outcome: 'Success' | 'Undecided'; readonly orderId: string }
  | {
      readonly outcome:
        | 'Rejected'
        | 'NotFound'
        | 'Conflict'
        | 'InvalidRequest'
        | 'UnexpectedError'
        | 'NoAnswer'
        | 'CredentialsRefused'
        | 'NotSent';
    };

/** An input of a placement. A fact that does not concern its state changes nothing. */
export type PlacementInput =
  | { readonly kind: 'authorised'; readonly gratuity: Money }
  | { readonly kind: 'placeAnswered'; readonly answer: PlacementAnswer; readonly note?: string }
  | { readonly kind: 'orderFound'; readonly orderId: string }
  /** The order exists, with a status that the contract does not have: it is neither placed nor closed. */
  | { readonly kind: 'orderUndecided'; readonly orderId: string; readonly note?: string }
  | { readonly kind: PlacementFact; readonly note?: string };

/** Inputs without content of their own; the note, if any, is shown to the operator. */
export type PlacementFact =
  | 'due'
  | 'reconnected'
  /** The order will not be paid: the intent was cancelled or has expired. */
  | 'unpaid'
  /** The authorised amount is not what the order costs. */
  | 'unusable'
  /** The hold ends soon. */
  | 'holdEnding'
  /** The intent is no longer held, and was not captured. */
  | 'moneyGone'
  | 'orderAbsent'
  /** The order exists, and is closed as Canceled or Failed. */
  | 'orderOver'
  | 'orderUnreadable'
  | 'captured'
  | 'captureRefused'
  | 'captureUnanswered'
  | 'orderCancelled'
  | 'cancelRefused'
  | 'cancelUnanswered'
  | 'givenBack'
  | 'giveBackRefused'
  | 'giveBackUnanswered'
  | OperatorAction;
export type PlacementInputKind = PlacementInput['kind'];

export type PlacementCall = 'place' | 'look' | 'capture' | 'cancelOrder' | 'giveBack';

/**
 * What the runner does once the placement is stored. The caller of the step makes the call; the answer is the next
 * input. Without a call the runner releases the placement until `dueAt`. A placement without a call and without
 * `dueAt` is final, or waits for its payer or for an operator.
 */
export type PlacementOutput = { readonly do: PlacementCall } | { readonly do: 'alarm'; readonly reason: string };

export interface PlacementStep {
  readonly placement: OrderPlacement;
  readonly outputs: readonly PlacementOutput[];
}

/** The values that are given when an order is submitted. */
export type NewOrderPlacement = Pick<OrderPlacement, 'id' | 'intentId' | 'order' | 'total'>;

const ALARM_AFTER_MS = 60_000;

/** Creates the placement of an order whose payment is not authorised yet. */
export function submitOrder(order: NewOrderPlacement, now: Date): OrderPlacement {
  return {
    ...order,
    state: 'Waiting',
    nextStep: null,
    dueAt: null,
    gratuity: { ...order.total, value: 0 },
    orderId: null,
    placeCalls: 0,
    isUnanswered: false,
    calledAt: null,
    doubtAt: null,
    isHoldEnding: false,
    isMoneyGone: false,
    tries: 0,
    giveBackSince: null,
    mayOrderStand: false,
    lastError: null,
    since: now,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Whether the placement has ended: it does not move by itself any more. */
export function isPlacementFinal({ state }: Pick<OrderPlacement, 'state'>): boolean {
  return state === 'Completed' || state === 'GivenBack' || state === 'Ended';
}

/** Whether money is, or was, held and has not reached its destination: the placement is on the pending list. */
export function isPlacementPending(placement: Pick<OrderPlacement, 'state'>): boolean {
  return !isPlacementFinal(placement) && placement.state !== 'Waiting';
}

/** Whether the placement is pending for a minute, or stuck: an operator should look. */
export function isPlacementAlarming(placement: Pick<OrderPlacement, 'state' | 'since'>, now: Date): boolean {
  if (placement.state === 'NeedsOperator') return true;
  return isPlacementPending(placement) && now.getTime() - placement.since.getTime() >= ALARM_AFTER_MS;
}

/** The key under which the money of a placement is given back. */
export function getGiveBackReference(id: string): string {
  return `order-giveback-${id}`;
}

const RELEASE_MARGIN_MS = 60 * 60 * 1000;

/**
 * When a hold without an order is released: an hour before it ends, or a quarter of its length before if that is
 * less.
 */
export function releaseAt(hold: { readonly authorizedAt: Date; readonly endsAt: Date }): Date {
  const lengthMs = hold.endsAt.getTime() - hold.authorizedAt.getTime();
  return new Date(hold.endsAt.getTime() - Math.min(RELEASE_MARGIN_MS, lengthMs / 4));
}
