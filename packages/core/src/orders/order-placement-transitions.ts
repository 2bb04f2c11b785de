import { type PlacementDecision, PLACEMENT_REACT } from './order-placement-reaction.js';
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
import { Refusal } from '../refusals/refusal.js';
import { isOperatorAction } from '../tables/table-payment-transitions.js';

/**
 * The reaction of each state to each input. A fact without an entry changes nothing: it is late, or it answers a
 * call of a runner that was replaced. An operator action without an entry is refused.
 */
export const PLACEMENT_REACTIONS = {
  Waiting: { authorised: 'holdMoney', unusable: 'refuseUnusable', unpaid: 'closeUnpaid' },
  Held: {
    due: 'continuePlacement',
    reconnected: 'continueAtOnce',
    placeAnswered: 'applyLateAnswer',
    holdEnding: 'endSoon',
    moneyGone: 'applyLostMoney',
    markRecorded: 'confirmPlaced',
    giveBack: 'giveBackByHand',
    retryNow: 'continueAtOnce',
  },
  Placing: {
    due: 'continuePlacement',
    placeAnswered: 'applyAnswer',
    holdEnding: 'markEnding',
    moneyGone: 'markGone',
    markRecorded: 'confirmPlaced',
    giveBack: 'giveBackByHand',
    retryNow: 'stay',
  },
  PlaceUnknown: {
    due: 'continuePlacement',
    reconnected: 'continueAtOnce',
    placeAnswered: 'applyLateAnswer',
    orderFound: 'applyFoundOrder',
    orderUndecided: 'applyUndecidedOrder',
    orderAbsent: 'applyAbsence',
    orderOver: 'closeOver',
    orderUnreadable: 'continueWithoutSearch',
    holdEnding: 'endSoon',
    moneyGone: 'applyLostMoney',
    markRecorded: 'confirmPlaced',
    giveBack: 'giveBackByHand',
    retryNow: 'continueAtOnce',
  },
  Placed: {
    due: 'continuePlacement',
    placeAnswered: 'applyLateAnswer',
    captured: 'closeCaptured',
    captureRefused: 'applyCaptureRefusal',
    captureUnanswered: 'captureAgain',
    holdEnding: 'captureNow',
    moneyGone: 'cancelForGone',
    giveBack: 'cancelByHand',
    retryNow: 'continueAtOnce',
  },
  Completed: {},
  Cancelling: {
    due: 'continuePlacement',
    reconnected: 'continueAtOnce',
    orderCancelled: 'continueGiveBack',
    cancelRefused: 'continueWithoutCancellation',
    cancelUnanswered: 'cancelAgain',
    giveBack: 'giveBackByHand',
    retryNow: 'continueAtOnce',
  },
  GivingBack: {
    due: 'continuePlacement',
    placeAnswered: 'applyLateAnswer',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'retryGiveBackLater',
    giveBackUnanswered: 'retryGiveBackLater',
    holdEnding: 'continueAtOnce',
    moneyGone: 'continueAtOnce',
    giveBack: 'continueAtOnce',
    retryNow: 'continueAtOnce',
  },
  GivenBack: { placeAnswered: 'applyLateAnswer' },
  Ended: {},
  NeedsOperator: {
    due: 'continuePlacement',
    placeAnswered: 'applyLateAnswer',
    givenBack: 'closeGivenBack',
    giveBackRefused: 'retryGiveBackLater',
    giveBackUnanswered: 'retryGiveBackLater',
    holdEnding: 'continueAtOnce',
    moneyGone: 'continueAtOnce',
    giveBack: 'giveBackByHand',
    retryNow: 'giveBackByHand',
  },
} as const satisfies ReactionTable;

type ReactionTable = Record<PlacementState, Partial<Record<PlacementInputKind, keyof typeof PLACEMENT_REACT>>>;

/**
 * Moves a placement by one input. The caller stores the result before it performs any output, and passes the answer
 * of a call as the next input. `now` is database time. Refuses only operator actions
 * (`pending_payment_not_decidable`); a fact is never refused.
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
  return transitionTo(placement, PLACEMENT_REACT[reaction](placement, input, now), now);
}

function transitionTo(from: OrderPlacement, { placement, output }: PlacementDecision, now: Date): PlacementStep {
  const outputs: PlacementOutput[] = output === undefined ? [] : [output];
  // The caller stores nothing in this case, so an alarm raised here would be raised again at each input.
  if (placement === from) return { placement, outputs };
  const moved = { ...placement, updatedAt: now };
  // A finished placement deletes its order content: from here on the EPOS is responsible for it.
  const arrived = isPlacementFinal(moved) ? { ...moved, order: {} } : moved;
  const isFirstAlarm = isPlacementAlarming(arrived, now) && !isPlacementAlarming(from, from.updatedAt);
  if (isFirstAlarm && output?.do !== 'alarm') {
    outputs.push({ do: 'alarm', reason: arrived.lastError ?? 'money is open for a minute' });
  }
  return { placement: arrived, outputs };
}
