import { assert, requireValue } from '../refusals/assert.js';
import type { OrderPlacement, PlacementCall, PlacementInput, PlacementOutput } from './order-placement.js';
import { Refusal } from '../refusals/refusal.js';
import {
  addMilliseconds,
  DOUBT_MS,
  GIVE_BACK_MS,
  captureRetryAt,
  computeGiveBackRetryAt,
  computeRefusedGiveBackRetryAt,
  hasLasted,
  recordRetryAt,
  SLOW_WAIT_MS,
} from '../tables/retry-schedule.js';

/** The decision of a reaction: the placement to store, and the one action to take after that. */
export interface PlacementDecision {
  readonly placement: OrderPlacement;
  readonly output?: PlacementOutput;
}

type PlacementReaction = (placement: OrderPlacement, input: PlacementInput, now: Date) => PlacementDecision;

/** Unanswered tries to cancel an order, or to search for it, after which its money is given back anyway. */
const LAST_TRIES_MAX = 5;

/** All reactions by name. `PLACEMENT_REACTIONS` maps each state and input to one of them. */
export const PLACEMENT_REACT = {
  stay: (placement) => ({ placement }),
  holdMoney,
  closeUnpaid,
  refuseUnusable: (placement, input, now) => beginGiveBack(placement, noteOf(input), now),
  continuePlacement,
  continueAtOnce,
  applyAnswer,
  applyLateAnswer,
  applyFoundOrder,
  applyUndecidedOrder,
  applyAbsence,
  continueWithoutSearch,
  closeOver: (placement, input, now) => beginGiveBack(placement, noteOf(input), now),
  endSoon,
  markEnding: (placement) => ({ placement: { ...placement, isHoldEnding: true } }),
  captureNow: (placement, input, now) => continueAtOnce({ ...placement, isHoldEnding: true }, input, now),
  applyLostMoney,
  markGone: (placement) => ({ placement: { ...placement, isHoldEnding: true, isMoneyGone: true } }),
  cancelForGone: (placement, _input, now) => cancelOrder({ ...placement, isMoneyGone: true }, 'the money is gone', now),
  closeCaptured,
  captureAgain,
  applyCaptureRefusal,
  continueGiveBack,
  continueWithoutCancellation,
  cancelAgain,
  closeGivenBack,
  retryGiveBackLater,
  confirmPlaced,
  cancelByHand: (placement, _input, now) => cancelOrder(placement, 'given back by hand', now),
  giveBackByHand,
} as const satisfies Record<string, PlacementReaction>;

function holdMoney(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  assert(input.kind === 'authorised', 'only an authorisation holds money');
  const { gratuity } = input;
  return { placement: { ...placement, state: 'Held', nextStep: 'place', dueAt: now, gratuity, since: now } };
}

function closeUnpaid(placement: OrderPlacement, input: PlacementInput): PlacementDecision {
  return { placement: { ...placement, state: 'Ended', nextStep: null, dueAt: null, lastError: noteOf(input) } };
}

/** The next step is due, or its runner was lost during it and another runner takes over. */
function continuePlacement(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  switch (placement.nextStep) {
    case 'place':
      // The EPOS may have received a call that was running when its runner was lost.
      return placement.state === 'Placing'
        ? markUnknown(placement, 'the caller was lost', now)
        : callPlace(placement, now);
    case 'lookThenPlace':
    case 'lookAfterRefusal':
    case 'lookBeforeRelease':
      return requestCall(placement, 'look');
    case 'capture':
      return requestCall(placement, 'capture');
    case 'cancelOrder':
      return requestCall(placement, 'cancelOrder');
    case 'giveBack':
      return requestCall({ ...placement, giveBackSince: placement.giveBackSince ?? now }, 'giveBack');
    case null:
      return { placement };
  }
}

/** Makes a waiting step due at once, except the wait until an unanswered call can no longer arrive. */
function continueAtOnce(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  if (placement.dueAt === null || isDoubtful(placement, now)) return { placement };
  // The last tries before the money is given back are counted, however often the EPOS reconnects.
  const isLast = placement.nextStep === 'lookBeforeRelease' || placement.nextStep === 'cancelOrder';
  return { placement: { ...placement, tries: isLast ? placement.tries : 0, dueAt: now } };
}

function applyAnswer(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  assert(input.kind === 'placeAnswered', 'only an answer is applied');
  const { answer } = input;
  const why = input.note ?? answer.outcome;
  switch (answer.outcome) {
    case 'Success':
      return applyOrder(placement, answer.orderId, now);
    case 'Undecided':
      return markUnknown({ ...placement, orderId: answer.orderId }, why, now);
    case 'Rejected':
      return beginGiveBack(placement, why, now);
    case 'NotFound':
    case 'Conflict':
    case 'InvalidRequest':
      // A refusal after an unanswered call may be an echo of that call: the order may exist under this id.
      return placement.isUnanswered ? beginDoubt(placement, why, now) : beginGiveBack(placement, why, now);
    case 'UnexpectedError':
    case 'NoAnswer':
      return markUnknown(placement, why, now);
    case 'NotSent':
      return retryPlacementLater(placement, { why, dueAt: recordRetryAt(placement, now) }, now);
    case 'CredentialsRefused': {
      const later = retryPlacementLater(placement, { why, dueAt: addMilliseconds(now, SLOW_WAIT_MS) }, now);
      return { ...later, output: { do: 'alarm', reason: 'the EPOS refuses our credentials' } };
    }
  }
}

/** Applies an answer that no runner waits for. Only one with an order counts: the order exists. */
function applyLateAnswer(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  assert(input.kind === 'placeAnswered', 'only an answer is applied');
  const { answer } = input;
  if (answer.outcome !== 'Success' && answer.outcome !== 'Undecided') return { placement };
  const { orderId } = answer;
  const { state } = placement;
  if (state === 'Held' || state === 'PlaceUnknown') {
    if (answer.outcome === 'Success') return applyOrder(placement, orderId, now);
    if (placement.orderId !== null) return { placement };
    const called = { ...placement, orderId, calledAt: placement.calledAt ?? now };
    return markUnknown(called, input.note ?? answer.outcome, now);
  }
  if (placement.orderId !== null) return { placement };
  // The placement already has its order, but not yet the order's id.
  if (state === 'Placed') return { placement: { ...placement, orderId } };
  // The money is no longer held for this order, so the order must not remain at the EPOS.
  return cancelOrder({ ...placement, orderId }, 'made after its money was let go', now);
}

function applyFoundOrder(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  assert(input.kind === 'orderFound', 'only an order is found');
  return applyOrder(placement, input.orderId, now);
}

/**
 * The order is neither placed nor closed. It is read again, not requested again: an EPOS that does not recognise our
 * id would make a second one. Before the hold ends it is cancelled.
 */
function applyUndecidedOrder(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  assert(input.kind === 'orderUndecided', 'only an undecided order is applied');
  const { orderId } = input;
  if (placement.nextStep !== 'lookBeforeRelease') return markUnknown({ ...placement, orderId }, noteOf(input), now);
  return releaseUndecided({ ...placement, orderId }, input, now);
}

/** The EPOS was searched, and no order contains our intent. */
function applyAbsence(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  // The EPOS has answered with this order before.
  if (placement.orderId !== null) return readAgain(placement, input, now);
  if (placement.nextStep === 'lookThenPlace') return callPlace(placement, now);
  if (isDoubtful(placement, now)) return { placement: { ...placement, dueAt: endOfDoubt(placement) } };
  return beginGiveBack(placement, placement.lastError ?? 'the EPOS has no such order', now);
}

/**
 * The EPOS cannot be searched. Requesting the order again is safe because it keeps its id. Before the hold ends it
 * is not requested any more.
 */
function continueWithoutSearch(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  if (placement.orderId !== null) return readAgain(placement, input, now);
  if (placement.nextStep === 'lookThenPlace') return callPlace(placement, now);
  if (placement.nextStep === 'lookAfterRefusal') {
    return retryPlacementLater(placement, { why: noteOf(input), dueAt: recordRetryAt(placement, now) }, now);
  }
  if (placement.tries < LAST_TRIES_MAX) return retrySoon(placement, input, now);
  return giveBackDespiteOrder(placement, 'it is unknown whether the order was created', now);
}

/**
 * The hold ends soon. An order that was never requested, or that the EPOS certainly did not receive, is released.
 * Otherwise the EPOS is searched once more.
 */
function endSoon(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  return releaseMoney({ ...placement, isHoldEnding: true }, now);
}

function applyLostMoney(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  return releaseMoney({ ...placement, isHoldEnding: true, isMoneyGone: true }, now);
}

function closeCaptured(placement: OrderPlacement): PlacementDecision {
  return { placement: { ...placement, state: 'Completed', nextStep: null, dueAt: null, lastError: null } };
}

/** Repeats the same capture until the acquirer answers. */
function captureAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  const dueAt = computeGiveBackRetryAt(placement, now);
  return { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
}

/**
 * The EPOS has the order, but the acquirer refuses to pay for it. The capture is repeated for as long as the hold
 * lasts.
 */
function applyCaptureRefusal(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  if (placement.isHoldEnding) return cancelOrder(placement, noteOf(input), now);
  const dueAt = captureRetryAt(placement, now);
  const again = { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
  return placement.tries > 0 ? again : { ...again, output: { do: 'alarm', reason: noteOf(input) } };
}

function continueGiveBack(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  return beginGiveBack(placement, placement.lastError ?? 'cancelled', now);
}

function continueWithoutCancellation(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  return giveBackDespiteOrder(placement, noteOf(input), now);
}

function cancelAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  if (placement.tries >= LAST_TRIES_MAX) return giveBackDespiteOrder(placement, noteOf(input), now);
  return retrySoon(placement, input, now);
}

function closeGivenBack(placement: OrderPlacement): PlacementDecision {
  return { placement: { ...placement, state: 'GivenBack', nextStep: null, dueAt: null } };
}

/**
 * The key is the same at every try, so an additional try cannot give back twice: the calls after a refused try get
 * references that are derived from the key (`give-back.ts`). After a day an operator is alerted, and the tries
 * continue slowly.
 */
function retryGiveBackLater(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  const tried = { ...placement, tries: placement.tries + 1, lastError: noteOf(input) };
  const since = requireValue(placement.giveBackSince, 'the start of giving back');
  const isLate = hasLasted(since, GIVE_BACK_MS, now);
  const unansweredAt = isLate ? addMilliseconds(now, SLOW_WAIT_MS) : computeGiveBackRetryAt(placement, now);
  const isRefused = input.kind === 'giveBackRefused';
  const dueAt = isRefused ? computeRefusedGiveBackRetryAt(placement, now, isLate) : unansweredAt;
  if (!isLate) return { placement: { ...tried, dueAt } };
  return {
    placement: { ...tried, state: 'NeedsOperator', dueAt },
    output: { do: 'alarm', reason: noteOf(input) },
  };
}

/** An operator has seen the order at the EPOS; its id may be unknown to us. */
function confirmPlaced(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  if (placement.isMoneyGone) throw new Refusal('pending_payment_not_decidable', 'the money is no longer held');
  return { placement: { ...markPlaced(placement, placement.orderId, now) } };
}

/** An operator has made sure that the order is not at the EPOS, and decides that the money is given back. */
function giveBackByHand(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecision {
  if (placement.state === 'PlaceUnknown' && placement.orderId !== null) {
    return cancelOrder(placement, 'given back by hand', now);
  }
  const { calledAt, isUnanswered } = placement;
  // The EPOS may receive an unanswered call after the operator has checked.
  const isStillReceived = isUnanswered && calledAt !== null && !hasLasted(calledAt, DOUBT_MS, now);
  const mayOrderStand = placement.mayOrderStand || placement.state === 'Placing' || isStillReceived;
  return beginGiveBack({ ...placement, mayOrderStand }, 'given back by hand', now);
}

// Steps that end several reactions.

/** Waits seconds, however old the order is: there is not much time left. */
function retrySoon(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  const dueAt = recordRetryAt({ ...placement, since: now }, now);
  return { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
}

/** The order whose id is known was not read. */
function readAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  if (placement.nextStep === 'lookBeforeRelease') return releaseUndecided(placement, input, now);
  return markUnknown(placement, noteOf(input), now);
}

function releaseUndecided(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecision {
  return placement.tries < LAST_TRIES_MAX
    ? retrySoon(placement, input, now)
    : cancelOrder(placement, noteOf(input), now);
}

function requestCall(placement: OrderPlacement, call: PlacementCall): PlacementDecision {
  return { placement: { ...placement, dueAt: null }, output: { do: call } };
}

function callPlace(placement: OrderPlacement, now: Date): PlacementDecision {
  // An order is requested only while its money is held.
  if (placement.isHoldEnding) return releaseMoney(placement, now);
  const calling: OrderPlacement = { ...placement, state: 'Placing', nextStep: 'place', doubtAt: null, calledAt: now };
  return requestCall({ ...calling, placeCalls: placement.placeCalls + 1 }, 'place');
}

function applyOrder(placement: OrderPlacement, orderId: string, now: Date): PlacementDecision {
  if (placement.isMoneyGone) return cancelOrder({ ...placement, orderId }, 'made when the money was gone', now);
  return { placement: markPlaced(placement, orderId, now) };
}

function markPlaced(placement: OrderPlacement, orderId: string | null, now: Date): OrderPlacement {
  const done: OrderPlacement = { ...placement, orderId, isUnanswered: false, doubtAt: null, tries: 0, lastError: null };
  return { ...done, state: 'Placed', nextStep: 'capture', dueAt: now };
}

function markUnknown(placement: OrderPlacement, why: string, now: Date): PlacementDecision {
  return retryPlacementLater({ ...placement, isUnanswered: true }, { why, dueAt: recordRetryAt(placement, now) }, now);
}

function retryPlacementLater(
  placement: OrderPlacement,
  { why, dueAt }: { readonly why: string; readonly dueAt: Date },
  now: Date,
): PlacementDecision {
  const waiting: OrderPlacement = { ...placement, state: 'PlaceUnknown', doubtAt: null, lastError: why };
  if (placement.isHoldEnding) return releaseMoney(waiting, now);
  const nextStep = placement.isUnanswered ? 'lookThenPlace' : 'place';
  return { placement: { ...waiting, nextStep, tries: placement.tries + 1, dueAt } };
}

function beginDoubt(placement: OrderPlacement, why: string, now: Date): PlacementDecision {
  const doubted: OrderPlacement = { ...placement, state: 'PlaceUnknown', doubtAt: now, lastError: why };
  return requestCall({ ...doubted, nextStep: 'lookAfterRefusal' }, 'look');
}

/**
 * Stops requesting the order. If an unanswered call may have made it, the EPOS is searched once that call can no
 * longer arrive.
 */
function releaseMoney(placement: OrderPlacement, now: Date): PlacementDecision {
  if (!placement.isUnanswered) return beginGiveBack(placement, placement.lastError ?? 'the hold ends', now);
  const searching: OrderPlacement = { ...placement, state: 'PlaceUnknown', nextStep: 'lookBeforeRelease', tries: 0 };
  const dueAt = isDoubtful(searching, now) ? endOfDoubt(searching) : now;
  return { placement: { ...searching, dueAt } };
}

/** Cancels the order before its money is given back. */
function cancelOrder(placement: OrderPlacement, lastError: string, now: Date): PlacementDecision {
  const turned: OrderPlacement = { ...placement, tries: 0, doubtAt: null, isUnanswered: false, lastError };
  if (turned.orderId === null) return giveBackDespiteOrder(turned, lastError, now);
  return { placement: { ...turned, state: 'Cancelling', nextStep: 'cancelOrder', dueAt: now } };
}

/** Gives the money back although the order may exist at the EPOS, and alerts the operator. */
function giveBackDespiteOrder(placement: OrderPlacement, reason: string, now: Date): PlacementDecision {
  const { placement: turned } = beginGiveBack({ ...placement, mayOrderStand: true }, reason, now);
  return { placement: turned, output: { do: 'alarm', reason: `the order may stand without money: ${reason}` } };
}

function beginGiveBack(placement: OrderPlacement, lastError: string, now: Date): PlacementDecision {
  const turned: OrderPlacement = { ...placement, state: 'GivingBack', nextStep: 'giveBack', doubtAt: null, lastError };
  return { placement: { ...turned, tries: 0, dueAt: now } };
}

/** Whether an unanswered call may still arrive, counted from the doubted refusal or from the call. */
function isDoubtful(placement: OrderPlacement, now: Date): boolean {
  return (placement.doubtAt !== null || placement.nextStep === 'lookBeforeRelease') && now < endOfDoubt(placement);
}

function endOfDoubt({ doubtAt, calledAt }: OrderPlacement): Date {
  return addMilliseconds(requireValue(doubtAt ?? calledAt, 'the call that is doubted'), DOUBT_MS);
}

function noteOf(input: PlacementInput): string {
  return ('note' in input ? input.note : undefined) ?? input.kind;
}
