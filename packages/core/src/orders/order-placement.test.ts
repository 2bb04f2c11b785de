import { expect, test } from '@jest/globals';
import { PLACEMENT_REACTIONS, stepPlacement } from './order-placement-transitions.js';
import {
  type OrderPlacement,
  PLACEMENT_MOVES,
  PLACEMENT_STATES,
  type PlacementInput,
  type PlacementState,
} from './order-placement.js';
import {
  after,
  answer,
  createPlacement,
  cancelling,
  doubted,
  ending,
  fact,
  FOUND,
  givingBack,
  held,
  lapsing,
  NOON,
  paid,
  placed,
  placing,
  repeating,
  seen,
  stuck,
  SUCCESS,
  applyInputs,
  unanswered,
  unsent,
  waiting,
} from '../testing/order-placement-builders.js';

test('every move of an order that is paid in advance', () => {
  expect(lines(PLACEMENT_MOVES, (to) => to.join(', '))).toMatchInlineSnapshot(`
   "Waiting: Held, GivingBack, Ended
   Held: Placing, Placed, GivingBack
   Placing: Placed, PlaceUnknown, Cancelling, GivingBack
   PlaceUnknown: Placing, Placed, Cancelling, GivingBack
   Placed: Completed, Cancelling, GivingBack
   Completed: 
   Cancelling: GivingBack
   GivingBack: GivenBack, NeedsOperator, Cancelling
   GivenBack: Cancelling
   Ended: 
   NeedsOperator: GivingBack, GivenBack, Cancelling"
  `);
});

test('every reaction of an order that is paid in advance', () => {
  const row = (reactions: object): string => lines(reactions as Record<string, string>, String).replaceAll('\n', ', ');
  expect(lines(PLACEMENT_REACTIONS, row)).toMatchInlineSnapshot(`
   "Waiting: authorised: holdMoney, unusable: refuseUnusable, unpaid: closeUnpaid
   Held: due: continuePlacement, reconnected: continueAtOnce, placeAnswered: applyLateAnswer, holdEnding: endSoon, moneyGone: applyLostMoney, markRecorded: confirmPlaced, giveBack: giveBackByHand, retryNow: continueAtOnce
   Placing: due: continuePlacement, placeAnswered: applyAnswer, holdEnding: markEnding, moneyGone: markGone, markRecorded: confirmPlaced, giveBack: giveBackByHand, retryNow: stay
   PlaceUnknown: due: continuePlacement, reconnected: continueAtOnce, placeAnswered: applyLateAnswer, orderFound: applyFoundOrder, orderAbsent: applyAbsence, orderOver: closeOver, orderUnreadable: continueWithoutSearch, holdEnding: endSoon, moneyGone: applyLostMoney, markRecorded: confirmPlaced, giveBack: giveBackByHand, retryNow: continueAtOnce
   Placed: due: continuePlacement, placeAnswered: applyLateAnswer, captured: closeCaptured, captureRefused: applyCaptureRefusal, captureUnanswered: captureAgain, holdEnding: captureNow, moneyGone: cancelForGone, giveBack: cancelByHand, retryNow: continueAtOnce
   Completed: 
   Cancelling: due: continuePlacement, reconnected: continueAtOnce, orderCancelled: continueGiveBack, cancelRefused: continueWithoutCancellation, cancelUnanswered: cancelAgain, giveBack: giveBackByHand, retryNow: continueAtOnce
   GivingBack: due: continuePlacement, placeAnswered: applyLateAnswer, givenBack: closeGivenBack, giveBackRefused: retryGiveBackLater, giveBackUnanswered: retryGiveBackLater, holdEnding: continueAtOnce, moneyGone: continueAtOnce, giveBack: continueAtOnce, retryNow: continueAtOnce
   GivenBack: placeAnswered: applyLateAnswer
   Ended: 
   NeedsOperator: due: continuePlacement, placeAnswered: applyLateAnswer, givenBack: closeGivenBack, giveBackRefused: retryGiveBackLater, giveBackUnanswered: retryGiveBackLater, holdEnding: continueAtOnce, moneyGone: continueAtOnce, giveBack: giveBackByHand, retryNow: giveBackByHand"
  `);
});

test.each<[string, OrderPlacement, PlacementInput, string]>([
  // before anybody paid
  ['an order whose money is held is due at once', waiting, paid, 'Held place in 0'],
  ['an order that nobody will pay for has ended', waiting, fact('unpaid'), 'Ended'],
  ['what was authorised for another amount goes back', waiting, fact('unusable'), 'GivingBack giveBack in 0'],
  ['an order that nobody has paid for is not asked for', waiting, fact('due'), 'Waiting'],
  ['nor is it when the EPOS is back', waiting, fact('reconnected'), 'Waiting'],
  // held
  ['an order that is due is asked for', held, fact('due'), 'Placing, place'],
  ['a hold that ends before anybody asked is let go', held, fact('holdEnding'), 'GivingBack giveBack in 0 ending'],
  ['so is one that has gone', held, fact('moneyGone'), 'GivingBack giveBack in 0 ending gone'],
  ['the word of a lost runner that it was made counts', held, SUCCESS, 'Placed capture in 0'],
  ['any other word of a lost runner does not', held, answer('InvalidRequest'), 'Held place in 0'],
  // answers
  ['an order that was made is captured', placing, SUCCESS, 'Placed capture in 0'],
  ['one that was made and closed at once is not', placing, answer('Rejected'), 'GivingBack giveBack in 0'],
  ['a first refusal is believed: Conflict', placing, answer('Conflict'), 'GivingBack giveBack in 0'],
  ['a first refusal is believed: NotFound', placing, answer('NotFound'), 'GivingBack giveBack in 0'],
  ['a first refusal is believed: InvalidRequest', placing, answer('InvalidRequest'), 'GivingBack giveBack in 0'],
  ['a later one is looked after: Conflict', repeating, answer('Conflict'), 'PlaceUnknown ?, look'],
  ['a later one is looked after: NotFound', repeating, answer('NotFound'), 'PlaceUnknown ?, look'],
  ['a later one is looked after: InvalidRequest', repeating, answer('InvalidRequest'), 'PlaceUnknown ?, look'],
  ['a later one that closed the order is believed', repeating, answer('Rejected'), 'GivingBack giveBack in 0 ?'],
  ['of silence it is looked first', placing, answer('NoAnswer'), 'PlaceUnknown lookThenPlace in 1 ?'],
  ['so it is of an error', placing, answer('UnexpectedError'), 'PlaceUnknown lookThenPlace in 1 ?'],
  ['what was not sent is sent again', placing, answer('NotSent'), 'PlaceUnknown place in 1'],
  ['that forgets no silence', repeating, answer('NotSent'), 'PlaceUnknown lookThenPlace in 1 ?'],
  ['wrong credentials wait', placing, answer('CredentialsRefused'), 'PlaceUnknown place in 600, alarm'],
  ['and forget no silence', repeating, answer('CredentialsRefused'), 'PlaceUnknown lookThenPlace in 600 ?, alarm'],
  ['the call of a killed runner may have been heard', placing, fact('due'), 'PlaceUnknown lookThenPlace in 1 ?'],
  // looking
  ['an unanswered order is looked for', unanswered, fact('due'), 'PlaceUnknown ?, look'],
  ['one that is found stands', unanswered, FOUND, 'Placed capture in 0'],
  ['one that is not there is asked for again', unanswered, fact('orderAbsent'), 'Placing ?, place'],
  ['so is one that cannot be looked for', unanswered, fact('orderUnreadable'), 'Placing ?, place'],
  ['one that is over is let go', unanswered, fact('orderOver'), 'GivingBack giveBack in 0 ?'],
  ['what was never heard is asked for without a look', unsent, fact('due'), 'Placing, place'],
  ['an absence is not believed at once', doubted, fact('orderAbsent'), 'PlaceUnknown lookAfterRefusal in 60 ?'],
  [
    'a refused order that cannot be looked for is',
    doubted,
    fact('orderUnreadable'),
    'PlaceUnknown lookThenPlace in 2 ?',
  ],
  ['a refused order that is found stands', doubted, FOUND, 'Placed capture in 0'],
  // the hold ends
  ['an ending hold is no news to a call', placing, fact('holdEnding'), 'Placing ending'],
  ['nor is lost money', placing, fact('moneyGone'), 'Placing ending gone'],
  ['the EPOS is searched once more', unanswered, fact('holdEnding'), 'PlaceUnknown lookBeforeRelease in 60 ? ending'],
  ['but not for what it never heard of', unsent, fact('holdEnding'), 'GivingBack giveBack in 0 ending'],
  [
    'nothing is asked for in the end',
    { ...placing, isHoldEnding: true },
    answer('NotSent'),
    'GivingBack giveBack in 0 ending',
  ],
  [
    'a last absence waits for the last call',
    ending,
    fact('orderAbsent'),
    'PlaceUnknown lookBeforeRelease in 60 ? ending',
  ],
  [
    'a last look that fails is taken again',
    ending,
    fact('orderUnreadable'),
    'PlaceUnknown lookBeforeRelease in 1 ? ending',
  ],
  ['but not for ever', { ...ending, tries: 5 }, fact('orderUnreadable'), 'GivingBack giveBack in 0 ? ending !, alarm'],
  ['what is found in the end stands', ending, FOUND, 'Placed capture in 0 ending'],
  ['without money it is cancelled', { ...ending, isMoneyGone: true }, FOUND, 'Cancelling cancelOrder in 0 ending gone'],
  ['so is what is made then', { ...placing, isMoneyGone: true }, SUCCESS, 'Cancelling cancelOrder in 0 gone'],
  // capturing
  ['the money of an order is taken', placed, fact('due'), 'Placed, capture'],
  ['then all is done', placed, fact('captured'), 'Completed'],
  ['a silent acquirer is asked again', placed, fact('captureUnanswered'), 'Placed capture in 10'],
  ['a refusal too, and people hear of it', placed, fact('captureRefused'), 'Placed capture in 10, alarm'],
  ['once', { ...placed, tries: 1 }, fact('captureRefused'), 'Placed capture in 20'],
  ['an ending hold is captured at once', placed, fact('holdEnding'), 'Placed capture in 0 ending'],
  ['a last refusal cancels', lapsing, fact('captureRefused'), 'Cancelling cancelOrder in 0 ending'],
  ['a last silence does not', lapsing, fact('captureUnanswered'), 'Placed capture in 10 ending'],
  ['money that is gone cancels', placed, fact('moneyGone'), 'Cancelling cancelOrder in 0 gone'],
  ['if it has an id', seen, fact('moneyGone'), 'GivingBack giveBack in 0 gone !, alarm'],
  // cancelling and giving back
  ['a cancelled order lets its money go', cancelling, fact('orderCancelled'), 'GivingBack giveBack in 0'],
  ['so does one that cannot be', cancelling, fact('cancelRefused'), 'GivingBack giveBack in 0 !, alarm'],
  ['a silence is asked again', cancelling, fact('cancelUnanswered'), 'Cancelling cancelOrder in 1'],
  [
    'but not for ever: cancelling',
    { ...cancelling, tries: 5 },
    fact('cancelUnanswered'),
    'GivingBack giveBack in 0 !, alarm',
  ],
  ['money goes back', givingBack, fact('due'), 'GivingBack, giveBack'],
  ['and is gone', givingBack, fact('givenBack'), 'GivenBack'],
  ['a refused give-back is tried again', givingBack, fact('giveBackRefused'), 'GivingBack giveBack in 10'],
  ['so is one without an answer', givingBack, fact('giveBackUnanswered'), 'GivingBack giveBack in 10'],
  ['a stuck one is tried on, slowly', stuck, fact('giveBackRefused'), 'NeedsOperator giveBack in 3600, alarm'],
])('%s', (_name, placement, input, then) => {
  expect(applyInputs(placement, input)).toBe(then);
});

test.each<[PlacementState, string, string | null]>([
  ['GivingBack', 'Cancelling cancelOrder in 0, alarm', 'order-9'],
  ['GivenBack', 'Cancelling cancelOrder in 0, alarm', 'order-9'],
  ['NeedsOperator', 'Cancelling cancelOrder in 0', 'order-9'],
  ['Placed', 'Placed capture in -61, alarm', 'order-9'],
  ['Held', 'Placed capture in 0, alarm', 'order-9'],
  ['PlaceUnknown', 'Placed capture in 0, alarm', 'order-9'],
  ['Waiting', 'Waiting', null],
  ['Completed', 'Completed', null],
  ['Ended', 'Ended', null],
  ['Cancelling', 'Cancelling cancelOrder in -61', null],
])('a success that is heard late in %s: %s', (state, then, orderId) => {
  const placement = createPlacement(state, { giveBackSince: NOON });
  expect(applyInputs(placement, SUCCESS, after(61))).toBe(then);
  expect(stepPlacement(placement, SUCCESS, after(61)).placement.orderId).toBe(orderId);
});

test('an order that is known by its id keeps it, whatever is heard late', () => {
  for (const placement of [
    placed,
    { ...givingBack, orderId: 'order-1' },
    createPlacement('GivenBack', { orderId: 'order-1' }),
  ]) {
    expect(stepPlacement(placement, SUCCESS, NOON).placement).toBe(placement);
  }
});

test('of answers that nobody waits for any more only a success counts', () => {
  const others = ['Rejected', 'Conflict', 'NoAnswer', 'UnexpectedError', 'NotSent', 'CredentialsRefused'] as const;
  for (const placement of PLACEMENT_STATES.filter((each) => each !== 'Placing').map((state) =>
    createPlacement(state),
  )) {
    for (const outcome of others) expect(stepPlacement(placement, answer(outcome), NOON).placement).toBe(placement);
  }
});

function lines<T>(table: Readonly<Record<string, T>>, show: (row: T) => string): string {
  return Object.entries(table)
    .map(([name, row]) => `${name}: ${show(row)}`)
    .join('\n');
}
