import type { PaymentIntentId } from '../identity/identity.js';
import type { Money } from '../money/money.js';
import type { OperatorAction } from '../tables/table-payment.js';

/**
 * Where an order stands that its payer pays before the EPOS has it (ADR 0048). Each state is stored before the outside step
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
 * Every permitted move. The EPOS's word is the pivot: before it the money is only held, and let go if the order is not made;
 * after it the money is taken. A late word that the order was made leads back from the road of giving back to cancelling it.
 */
export const PLACEMENT_MOVES = {
  Waiting: ['Held', 'GivingBack', 'Ended'],
  Held: ['Placing', 'Placed', 'GivingBack'],
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

/** The outside step that comes next, or that is being taken while `dueAt` is null. */
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
 * One order, paid by one held payment intent. `id` is its `serviceOrderId` at the EPOS, the same at every try. Times are
 * database time, as the runner that steps it goes by leases; when the hold ends is the account's time and a timer of its own.
 */
export interface OrderPlacement {
  readonly id: string;
  readonly intentId: PaymentIntentId;
  /** What the EPOS is asked to make, as it was submitted: JSON of the EPOS Data API without payments and ids. Empty at the end. */
  readonly order: Readonly<Record<string, unknown>>;
  readonly state: PlacementState;
  readonly nextStep: PlacementNext | null;
  readonly dueAt: Date | null;
  /** What the order costs, with service charge and without tip: the payment's amount on the order. */
  readonly total: Money;
  /** The tip that is held on top; nothing before the payment is authorised. */
  readonly gratuity: Money;
  /** The order's id at the EPOS; null until the EPOS has told it. */
  readonly orderId: string | null;
  readonly placeCalls: number;
  /** A CreateOrder call had no answer, so the order may be there. */
  readonly isUnanswered: boolean;
  /** When the last CreateOrder call began; an unanswered one may be heard for a while after. */
  readonly calledAt: Date | null;
  /** When a refusal came that could be the echo of an unanswered call; it is believed 60 s later at the earliest. */
  readonly doubtAt: Date | null;
  /** The hold is about to end, or has: no order is asked for any more. */
  readonly isHoldEnding: boolean;
  /** The money is no longer held and was not captured: it can only be gone. */
  readonly isMoneyGone: boolean;
  /** Failed tries in a row of the road it is on; only the waits depend on it. */
  readonly tries: number;
  readonly giveBackSince: Date | null;
  /** The order stands, or may stand, at the EPOS although its money went back: people have to look. */
  readonly mayOrderStand: boolean;
  readonly lastError: string | null;
  /** Since when money is held for it; before, since it was submitted. */
  readonly since: Date;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/**
 * How CreateOrder was answered. `Rejected`: the EPOS has made the order and closed it at once as Canceled or Failed. `NotSent`
 * and `CredentialsRefused` prove that it knows nothing of this call.
 */
export type PlacementAnswer =
  | { readonly outcome: 'Success'; readonly orderId: string }
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

/** What a placement is told. A fact that does not concern its state changes nothing. */
export type PlacementInput =
  | { readonly kind: 'authorised'; readonly gratuity: Money }
  | { readonly kind: 'placeAnswered'; readonly answer: PlacementAnswer; readonly note?: string }
  | { readonly kind: 'orderFound'; readonly orderId: string }
  | { readonly kind: PlacementFact; readonly note?: string };

/** Inputs that are the same each time; the note, if any, is shown to the operator. */
export type PlacementFact =
  | 'due'
  | 'reconnected'
  /** Nobody will pay: the intent was cancelled or has expired. */
  | 'unpaid'
  /** What was authorised is not what the order costs. */
  | 'unusable'
  /** The hold ends soon. */
  | 'holdEnding'
  /** The intent is no longer held, and was not captured. */
  | 'moneyGone'
  | 'orderAbsent'
  /** The order is there, and closed as Canceled or Failed. */
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
 * What the runner does once the placement is stored. A call is made by whoever made the step; its answer is the next input.
 * Without one the runner lets go until `dueAt`; a placement left without either is final, waits for its payer, or for a person.
 */
export type PlacementOutput = { readonly do: PlacementCall } | { readonly do: 'alarm'; readonly reason: string };

export interface PlacementStep {
  readonly placement: OrderPlacement;
  readonly outputs: readonly PlacementOutput[];
}

/** What is known when an order is submitted. */
export type NewOrderPlacement = Pick<OrderPlacement, 'id' | 'intentId' | 'order' | 'total'>;

const ALARM_AFTER_MS = 60_000;

/** An order whose payment is not authorised yet, or not known to be. */
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

/** Nothing more will happen of itself. */
export function isPlacementFinal({ state }: Pick<OrderPlacement, 'state'>): boolean {
  return state === 'Completed' || state === 'GivenBack' || state === 'Ended';
}

/** Money is held, or was, and has not arrived where it belongs: the pending list. */
export function isPlacementPending(placement: Pick<OrderPlacement, 'state'>): boolean {
  return !isPlacementFinal(placement) && placement.state !== 'Waiting';
}

/** Pending for a minute, or stuck: somebody should look. */
export function isPlacementAlarming(placement: Pick<OrderPlacement, 'state' | 'since'>, now: Date): boolean {
  if (placement.state === 'NeedsOperator') return true;
  return isPlacementPending(placement) && now.getTime() - placement.since.getTime() >= ALARM_AFTER_MS;
}

/** The key under which the money of a placement goes back. */
export function getGiveBackReference(id: string): string {
  return `order-giveback-${id}`;
}

const RELEASE_MARGIN_MS = 60 * 60 * 1000;

/** When a hold is let go of that no order was made for: an hour before it ends, or a quarter of a short one before. */
export function releaseAt(hold: { readonly authorizedAt: Date; readonly endsAt: Date }): Date {
  const lengthMs = hold.endsAt.getTime() - hold.authorizedAt.getTime();
  return new Date(hold.endsAt.getTime() - Math.min(RELEASE_MARGIN_MS, lengthMs / 4));
}
