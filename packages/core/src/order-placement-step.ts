import { type PlacementDecided, PLACEMENT_REACT } from './order-placement-reaction.js';
import {
  isPlacementAlarming,
  isPlacementFinal,
  type OrderPlacement,
  type PlacementInput,
  type PlacementInputKind,
  type PlacementOutput,
  type PlacementState,
  type PlacementStep,
} from './order-placement.js';
import { Refusal } from './refusal.js';
import { isOperatorAction } from './table-payment-step.js';

/**
 * What each state does with each input. A fact without an entry changes nothing: it is late, or it answers a call of a runner
 * that has been replaced. An operator's action without an entry is refused.
 */
const PLACEMENT_REACTIONS = {
  Waiting: { authorised: 'hold', unusable: 'refuseUnusable', unpaid: 'closeUnpaid' },
  Held: {
    due: 'goOn',
    reconnected: 'hurry',
    placeAnswered: 'hearLateAnswer',
    holdEnding: 'endSoon',
    moneyGone: 'loseMoney',
    markRecorded: 'placeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'hurry',
  },
  Placing: {
    due: 'goOn',
    placeAnswered: 'judgeAnswer',
    holdEnding: 'markEnding',
    moneyGone: 'markGone',
    markRecorded: 'placeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'stay',
  },
  PlaceUnknown: {
    due: 'goOn',
    reconnected: 'hurry',
    placeAnswered: 'hearLateAnswer',
    orderFound: 'takeFound',
    orderAbsent: 'judgeAbsence',
    orderOver: 'closeOver',
    orderUnreadable: 'doWithoutLook',
    holdEnding: 'endSoon',
    moneyGone: 'loseMoney',
    markRecorded: 'placeByHand',
    giveBack: 'giveBackByHand',
    retryNow: 'hurry',
  },
  Placed: {
    due: 'goOn',
    placeAnswered: 'hearLateAnswer',
    captured: 'closeCaptured',
    captureRefused: 'judgeCaptureRefusal',
    captureUnanswered: 'captureAgain',
    holdEnding: 'captureNow',
    moneyGone: 'cancelForGone',
    giveBack: 'cancelByHand',
    retryNow: 'hurry',
  },
  Completed: {},
  Cancelling: {
    due: 'goOn',
    reconnected: 'hurry',
    orderCancelled: 'goOnGivingBack',
    cancelRefused: 'doWithoutCancelling',
    cancelUnanswered: 'cancelAgain',
    giveBack: 'giveBackByHand',
    retryNow: 'hurry',
  },
  GivingBack: {
    due: 'goOn',
    placeAnswered: 'hearLateAnswer',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'giveBackLater',
    giveBackUnanswered: 'giveBackLater',
    holdEnding: 'hurry',
    moneyGone: 'hurry',
    giveBack: 'hurry',
    retryNow: 'hurry',
  },
  GivenBack: { placeAnswered: 'hearLateAnswer' },
  Ended: {},
  NeedsOperator: {
    due: 'goOn',
    placeAnswered: 'hearLateAnswer',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'giveBackLater',
    giveBackUnanswered: 'giveBackLater',
    holdEnding: 'hurry',
    moneyGone: 'hurry',
    giveBack: 'giveBackByHand',
    retryNow: 'giveBackByHand',
  },
} as const satisfies ReactionTable;

type ReactionTable = Record<PlacementState, Partial<Record<PlacementInputKind, keyof typeof PLACEMENT_REACT>>>;

/**
 * Moves a placement by one input. The caller stores the result before it does any output, and answers a call with the next
 * input. `now` is database time. Refuses only what a person asks (`pending_payment_not_decidable`); a fact is never refused.
 */
export function stepPlacement(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementStep {
  const reactions: ReactionTable[PlacementState] = PLACEMENT_REACTIONS[placement.state];
  const reaction = reactions[input.kind];
  if (reaction === undefined) {
    if (isOperatorAction(input.kind)) {
      throw new Refusal('pending_payment_not_decidable', `an order in state ${placement.state} is not decided so`);
    }
    return { placement, outputs: [] };
  }
  return arrive(placement, PLACEMENT_REACT[reaction](placement, input, now), now);
}

function arrive(from: OrderPlacement, { placement, output }: PlacementDecided, now: Date): PlacementStep {
  const outputs: PlacementOutput[] = output === undefined ? [] : [output];
  const moved = placement === from ? from : { ...placement, updatedAt: now };
  // Who ordered what is the EPOS's affair from here on.
  const arrived = moved !== from && isPlacementFinal(moved) ? { ...moved, order: {} } : moved;
  const isFirstAlarm = isPlacementAlarming(arrived, now) && !isPlacementAlarming(from, from.updatedAt);
  if (isFirstAlarm && output?.do !== 'alarm') {
    outputs.push({ do: 'alarm', reason: arrived.lastError ?? 'money is open for a minute' });
  }
  return { placement: arrived, outputs };
}
