import { assert, required } from './assert.js';
import type { OrderPlacement, PlacementCall, PlacementInput, PlacementOutput } from './order-placement.js';
import { Refusal } from './refusal.js';
import {
  after,
  DOUBT_MS,
  GIVE_BACK_MS,
  captureRetryAt,
  giveBackRetryAt,
  refusedGiveBackRetryAt,
  hasLasted,
  recordRetryAt,
  SLOW_WAIT_MS,
} from './table-payment-wait.js';

/** What a reaction decides: the placement as it will be stored, and the one thing to do after that. */
export interface PlacementDecided {
  readonly placement: OrderPlacement;
  readonly output?: PlacementOutput;
}

type React = (placement: OrderPlacement, input: PlacementInput, now: Date) => PlacementDecided;

/** Unanswered tries to cancel an order, or to look for it, after which its money goes back all the same. */
const LAST_TRIES_MAX = 5;

/** Every reaction by its name. Which state reacts how to what is the table beside `stepPlacement`. */
export const PLACEMENT_REACT = {
  stay: (placement) => ({ placement }),
  hold,
  closeUnpaid,
  refuseUnusable: (placement, input, now) => letGo(placement, noteOf(input), now),
  goOn,
  hurry,
  judgeAnswer,
  hearLateAnswer,
  takeFound,
  judgeAbsence,
  doWithoutLook,
  closeOver: (placement, input, now) => letGo(placement, noteOf(input), now),
  endSoon,
  markEnding: (placement) => ({ placement: { ...placement, isHoldEnding: true } }),
  captureNow: (placement, input, now) => hurry({ ...placement, isHoldEnding: true }, input, now),
  loseMoney,
  markGone: (placement) => ({ placement: { ...placement, isHoldEnding: true, isMoneyGone: true } }),
  cancelForGone: (placement, _input, now) => cancel({ ...placement, isMoneyGone: true }, 'the money is gone', now),
  closeCaptured,
  captureAgain,
  judgeCaptureRefusal,
  goOnGivingBack,
  doWithoutCancelling,
  cancelAgain,
  closeGivenBack,
  giveBackLater,
  placeByHand,
  cancelByHand: (placement, _input, now) => cancel(placement, 'given back by hand', now),
  giveBackByHand,
} as const satisfies Record<string, React>;

function hold(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  assert(input.kind === 'authorised', 'only an authorisation holds money');
  const { gratuity } = input;
  return { placement: { ...placement, state: 'Held', nextStep: 'place', dueAt: now, gratuity, since: now } };
}

function closeUnpaid(placement: OrderPlacement, input: PlacementInput): PlacementDecided {
  return { placement: { ...placement, state: 'Ended', nextStep: null, dueAt: null, lastError: noteOf(input) } };
}

/** The time of the next step has come, or its runner was lost on the way and another one takes over. */
function goOn(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  switch (placement.nextStep) {
    case 'place':
      // A call that was out when its runner was lost may have been heard.
      return placement.state === 'Placing'
        ? doNotKnow(placement, 'the caller was lost', now)
        : callPlace(placement, now);
    case 'lookThenPlace':
    case 'lookAfterRefusal':
    case 'lookBeforeRelease':
      return asked(placement, 'look');
    case 'capture':
      return asked(placement, 'capture');
    case 'cancelOrder':
      return asked(placement, 'cancelOrder');
    case 'giveBack':
      return asked({ ...placement, giveBackSince: placement.giveBackSince ?? now }, 'giveBack');
    case null:
      return { placement };
  }
}

/** Whatever waits is done at once, save the wait for an unanswered call to die down. */
function hurry(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  if (placement.dueAt === null || isDoubtful(placement, now)) return { placement };
  // The last tries before the money goes back are counted, however often the EPOS comes and goes.
  const isLast = placement.nextStep === 'lookBeforeRelease' || placement.nextStep === 'cancelOrder';
  return { placement: { ...placement, tries: isLast ? placement.tries : 0, dueAt: now } };
}

function judgeAnswer(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  assert(input.kind === 'placeAnswered', 'only an answer is judged');
  const { answer } = input;
  const why = input.note ?? answer.outcome;
  switch (answer.outcome) {
    case 'Success':
      return takeOrder(placement, answer.orderId, now);
    case 'Rejected':
      return letGo(placement, why, now);
    case 'NotFound':
    case 'Conflict':
    case 'InvalidRequest':
      // A refusal after an unanswered call may be its echo: the order may stand under this very id.
      return placement.isUnanswered ? doubt(placement, why, now) : letGo(placement, why, now);
    case 'UnexpectedError':
    case 'NoAnswer':
      return doNotKnow(placement, why, now);
    case 'NotSent':
      return placeLater(placement, { why, dueAt: recordRetryAt(placement, now) }, now);
    case 'CredentialsRefused': {
      const later = placeLater(placement, { why, dueAt: after(now, SLOW_WAIT_MS) }, now);
      return { ...later, output: { do: 'alarm', reason: 'the EPOS refuses our credentials' } };
    }
  }
}

/** Of answers nobody waits for any more only a success counts: an order that was made is there. */
function hearLateAnswer(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  assert(input.kind === 'placeAnswered', 'only an answer is heard');
  if (input.answer.outcome !== 'Success') return { placement };
  const { orderId } = input.answer;
  const { state } = placement;
  if (state === 'Held' || state === 'PlaceUnknown') return takeOrder(placement, orderId, now);
  if (placement.orderId !== null) return { placement };
  // Of a placed order only the id was not known.
  if (state === 'Placed') return { placement: { ...placement, orderId } };
  // No money is kept for it any more, so it must not stand.
  return cancel({ ...placement, orderId }, 'made after its money was let go', now);
}

function takeFound(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  assert(input.kind === 'orderFound', 'only an order is found');
  return takeOrder(placement, input.orderId, now);
}

/** The EPOS was searched, and no order lists our intent. */
function judgeAbsence(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  if (placement.nextStep === 'lookThenPlace') return callPlace(placement, now);
  if (isDoubtful(placement, now)) return { placement: { ...placement, dueAt: endOfDoubt(placement) } };
  return letGo(placement, placement.lastError ?? 'the EPOS has no such order', now);
}

/** The EPOS cannot be searched. Asked for again the order is the same one; before the hold ends there is no more asking. */
function doWithoutLook(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  if (placement.nextStep === 'lookThenPlace') return callPlace(placement, now);
  if (placement.nextStep === 'lookAfterRefusal') {
    return placeLater(placement, { why: noteOf(input), dueAt: recordRetryAt(placement, now) }, now);
  }
  if (placement.tries < LAST_TRIES_MAX) return soonAgain(placement, input, now);
  return letGoOfStanding(placement, 'nobody knows whether the order was made', now);
}

/** The hold ends soon: what was never asked for, or certainly not heard, is let go; else the EPOS is searched once more. */
function endSoon(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  return release({ ...placement, isHoldEnding: true }, now);
}

function loseMoney(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  return release({ ...placement, isHoldEnding: true, isMoneyGone: true }, now);
}

function closeCaptured(placement: OrderPlacement): PlacementDecided {
  return { placement: { ...placement, state: 'Completed', nextStep: null, dueAt: null, lastError: null } };
}

/** The same capture is asked after until the acquirer has answered. */
function captureAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  const dueAt = giveBackRetryAt(placement, now);
  return { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
}

/** The EPOS has the order and the acquirer will not pay for it: asked anew for as long as the hold lasts. */
function judgeCaptureRefusal(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  if (placement.isHoldEnding) return cancel(placement, noteOf(input), now);
  const dueAt = captureRetryAt(placement, now);
  const again = { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
  return placement.tries > 0 ? again : { ...again, output: { do: 'alarm', reason: noteOf(input) } };
}

function goOnGivingBack(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  return letGo(placement, placement.lastError ?? 'cancelled', now);
}

function doWithoutCancelling(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  return letGoOfStanding(placement, noteOf(input), now);
}

function cancelAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  if (placement.tries >= LAST_TRIES_MAX) return letGoOfStanding(placement, noteOf(input), now);
  return soonAgain(placement, input, now);
}

function closeGivenBack(placement: OrderPlacement): PlacementDecided {
  return { placement: { ...placement, state: 'GivenBack', nextStep: null, dueAt: null } };
}

/**
 * The same key each time, so a try more can never give back twice: the calls of a refused try get references that are derived
 * from it (`give-back.ts`). After a day a person is asked, and it goes on slowly.
 */
function giveBackLater(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  const tried = { ...placement, tries: placement.tries + 1, lastError: noteOf(input) };
  const since = required(placement.giveBackSince, 'the start of giving back');
  const isLate = hasLasted(since, GIVE_BACK_MS, now);
  const unansweredAt = isLate ? after(now, SLOW_WAIT_MS) : giveBackRetryAt(placement, now);
  const isRefused = input.kind === 'giveBackRefused';
  const dueAt = isRefused ? refusedGiveBackRetryAt(placement, now, isLate) : unansweredAt;
  if (!isLate) return { placement: { ...tried, dueAt } };
  return {
    placement: { ...tried, state: 'NeedsOperator', dueAt },
    output: { do: 'alarm', reason: noteOf(input) },
  };
}

/** A person has seen the order at the EPOS, whatever its id is. */
function placeByHand(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  if (placement.isMoneyGone) throw new Refusal('pending_payment_not_decidable', 'the money is no longer held');
  return { placement: { ...placed(placement, placement.orderId, now) } };
}

/** A person has seen to it that the order does not stand, and says that the money goes back. */
function giveBackByHand(placement: OrderPlacement, _input: PlacementInput, now: Date): PlacementDecided {
  const { calledAt, isUnanswered } = placement;
  // What the EPOS hears after that person has looked, nobody has seen to.
  const isStillHeard = isUnanswered && calledAt !== null && !hasLasted(calledAt, DOUBT_MS, now);
  const mayOrderStand = placement.mayOrderStand || placement.state === 'Placing' || isStillHeard;
  return letGo({ ...placement, mayOrderStand }, 'given back by hand', now);
}

// The steps that several reactions end in.

/** In seconds, however long the order has been on its way: there is not much time left. */
function soonAgain(placement: OrderPlacement, input: PlacementInput, now: Date): PlacementDecided {
  const dueAt = recordRetryAt({ ...placement, since: now }, now);
  return { placement: { ...placement, tries: placement.tries + 1, dueAt, lastError: noteOf(input) } };
}

function asked(placement: OrderPlacement, call: PlacementCall): PlacementDecided {
  return { placement: { ...placement, dueAt: null }, output: { do: call } };
}

function callPlace(placement: OrderPlacement, now: Date): PlacementDecided {
  // No order is asked for that nobody would pay for.
  if (placement.isHoldEnding) return release(placement, now);
  const calling: OrderPlacement = { ...placement, state: 'Placing', nextStep: 'place', doubtAt: null, calledAt: now };
  return asked({ ...calling, placeCalls: placement.placeCalls + 1 }, 'place');
}

function takeOrder(placement: OrderPlacement, orderId: string, now: Date): PlacementDecided {
  if (placement.isMoneyGone) return cancel({ ...placement, orderId }, 'made when the money was gone', now);
  return { placement: placed(placement, orderId, now) };
}

function placed(placement: OrderPlacement, orderId: string | null, now: Date): OrderPlacement {
  const done: OrderPlacement = { ...placement, orderId, isUnanswered: false, doubtAt: null, tries: 0, lastError: null };
  return { ...done, state: 'Placed', nextStep: 'capture', dueAt: now };
}

function doNotKnow(placement: OrderPlacement, why: string, now: Date): PlacementDecided {
  return placeLater({ ...placement, isUnanswered: true }, { why, dueAt: recordRetryAt(placement, now) }, now);
}

function placeLater(
  placement: OrderPlacement,
  { why, dueAt }: { readonly why: string; readonly dueAt: Date },
  now: Date,
): PlacementDecided {
  const waiting: OrderPlacement = { ...placement, state: 'PlaceUnknown', doubtAt: null, lastError: why };
  if (placement.isHoldEnding) return release(waiting, now);
  const nextStep = placement.isUnanswered ? 'lookThenPlace' : 'place';
  return { placement: { ...waiting, nextStep, tries: placement.tries + 1, dueAt } };
}

function doubt(placement: OrderPlacement, why: string, now: Date): PlacementDecided {
  const doubted: OrderPlacement = { ...placement, state: 'PlaceUnknown', doubtAt: now, lastError: why };
  return asked({ ...doubted, nextStep: 'lookAfterRefusal' }, 'look');
}

/** Not asked for any more. What an unanswered call may have made is looked for once that call can no longer be heard. */
function release(placement: OrderPlacement, now: Date): PlacementDecided {
  if (!placement.isUnanswered) return letGo(placement, placement.lastError ?? 'the hold ends', now);
  const looking: OrderPlacement = { ...placement, state: 'PlaceUnknown', nextStep: 'lookBeforeRelease', tries: 0 };
  const dueAt = isDoubtful(looking, now) ? endOfDoubt(looking) : now;
  return { placement: { ...looking, dueAt } };
}

/** The order is told off before its money goes back. */
function cancel(placement: OrderPlacement, lastError: string, now: Date): PlacementDecided {
  const turned: OrderPlacement = { ...placement, tries: 0, doubtAt: null, isUnanswered: false, lastError };
  if (turned.orderId === null) return letGoOfStanding(turned, lastError, now);
  return { placement: { ...turned, state: 'Cancelling', nextStep: 'cancelOrder', dueAt: now } };
}

/** The money goes back although the order may stand: people have to hear of that. */
function letGoOfStanding(placement: OrderPlacement, reason: string, now: Date): PlacementDecided {
  const { placement: turned } = letGo({ ...placement, mayOrderStand: true }, reason, now);
  return { placement: turned, output: { do: 'alarm', reason: `the order may stand without money: ${reason}` } };
}

function letGo(placement: OrderPlacement, lastError: string, now: Date): PlacementDecided {
  const turned: OrderPlacement = { ...placement, state: 'GivingBack', nextStep: 'giveBack', doubtAt: null, lastError };
  return { placement: { ...turned, tries: 0, dueAt: now } };
}

/** Whether an unanswered call may still be heard: since the refusal that is doubted, or since it was made. */
function isDoubtful(placement: OrderPlacement, now: Date): boolean {
  return (placement.doubtAt !== null || placement.nextStep === 'lookBeforeRelease') && now < endOfDoubt(placement);
}

function endOfDoubt({ doubtAt, calledAt }: OrderPlacement): Date {
  return after(required(doubtAt ?? calledAt, 'the call that is doubted'), DOUBT_MS);
}

function noteOf(input: PlacementInput): string {
  return ('note' in input ? input.note : undefined) ?? input.kind;
}
