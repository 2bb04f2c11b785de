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
  getPlacementTime,
  answer,
  createPlacement,
  cancelling,
  doubted,
  ending,
  createFact,
  ORDER_FOUND,
  givingBack,
  held,
  lapsing,
  paid,
  placed,
  placing,
  repeating,
  seen,
  stuck,
  SUCCESS,
  applyInputs,
  STILL_UNDECIDED,
  UNDECIDED,
  unanswered,
  undecided,
  unsent,
  waiting,
} from '../testing/order-placement-builders.js';
import { NOON } from '../testing/builders.js';

test('every move of an order that is paid in advance', () => {
  expect(lines(PLACEMENT_MOVES, (to) => to.join(', '))).toMatchInlineSnapshot(`
   "Waiting: Held, GivingBack, Ended
   Held: Placing, PlaceUnknown, Placed, GivingBack
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
   PlaceUnknown: due: continuePlacement, reconnected: continueAtOnce, placeAnswered: applyLateAnswer, orderFound: applyFoundOrder, orderUndecided: applyUndecidedOrder, orderAbsent: applyAbsence, orderOver: closeOver, orderUnreadable: continueWithoutSearch, holdEnding: endSoon, moneyGone: applyLostMoney, markRecorded: confirmPlaced, giveBack: giveBackByHand, retryNow: continueAtOnce
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
  // before the payment
  ['an order whose money is held is due at once', waiting, paid, 'Held place in 0'],
  ['an order that will not be paid has ended', waiting, createFact('unpaid'), 'Ended'],
  [
    'money that was authorised for another amount is given back',
    waiting,
    createFact('unusable'),
    'GivingBack giveBack in 0',
  ],
  ['an order that is not paid yet is not requested', waiting, createFact('due'), 'Waiting'],
  ['it is not requested when the EPOS reconnects either', waiting, createFact('reconnected'), 'Waiting'],
  // held
  ['an order that is due is requested', held, createFact('due'), 'Placing, place'],
  [
    'a hold that ends before the order was requested is released',
    held,
    createFact('holdEnding'),
    'GivingBack giveBack in 0 ending',
  ],
  ['a hold that is gone is released', held, createFact('moneyGone'), 'GivingBack giveBack in 0 ending gone'],
  ['a success that a lost runner receives counts', held, SUCCESS, 'Placed capture in 0'],
  ['any other answer to a lost runner does not count', held, answer('InvalidRequest'), 'Held place in 0'],
  // answers
  ['an order that was made is captured', placing, SUCCESS, 'Placed capture in 0'],
  [
    'an order that was made and closed at once is not captured',
    placing,
    answer('Rejected'),
    'GivingBack giveBack in 0',
  ],
  ['a first refusal is trusted: Conflict', placing, answer('Conflict'), 'GivingBack giveBack in 0'],
  ['a first refusal is trusted: NotFound', placing, answer('NotFound'), 'GivingBack giveBack in 0'],
  ['a first refusal is trusted: InvalidRequest', placing, answer('InvalidRequest'), 'GivingBack giveBack in 0'],
  ['a later refusal leads to a search: Conflict', repeating, answer('Conflict'), 'PlaceUnknown ?, look'],
  ['a later refusal leads to a search: NotFound', repeating, answer('NotFound'), 'PlaceUnknown ?, look'],
  ['a later refusal leads to a search: InvalidRequest', repeating, answer('InvalidRequest'), 'PlaceUnknown ?, look'],
  ['a later rejection that closed the order is trusted', repeating, answer('Rejected'), 'GivingBack giveBack in 0 ?'],
  ['no answer leads to a search first', placing, answer('NoAnswer'), 'PlaceUnknown lookThenPlace in 1 ?'],
  ['an unexpected error does, too', placing, answer('UnexpectedError'), 'PlaceUnknown lookThenPlace in 1 ?'],
  ['a request that was not sent is sent again', placing, answer('NotSent'), 'PlaceUnknown place in 1'],
  [
    'a request that was not sent keeps an earlier call unanswered',
    repeating,
    answer('NotSent'),
    'PlaceUnknown lookThenPlace in 1 ?',
  ],
  ['a call with wrong credentials waits', placing, answer('CredentialsRefused'), 'PlaceUnknown place in 600, alarm'],
  [
    'wrong credentials keep an earlier call unanswered',
    repeating,
    answer('CredentialsRefused'),
    'PlaceUnknown lookThenPlace in 600 ?, alarm',
  ],
  [
    'the EPOS may have received the call of a killed runner',
    placing,
    createFact('due'),
    'PlaceUnknown lookThenPlace in 1 ?',
  ],
  // searching
  ['an unanswered order is searched for', unanswered, createFact('due'), 'PlaceUnknown ?, look'],
  ['an order that is found is placed', unanswered, ORDER_FOUND, 'Placed capture in 0'],
  ['an order that is absent is requested again', unanswered, createFact('orderAbsent'), 'Placing ?, place'],
  [
    'an order that cannot be searched for is requested again',
    unanswered,
    createFact('orderUnreadable'),
    'Placing ?, place',
  ],
  // an order with a status that the contract does not have
  ['an undecided order is read again', placing, UNDECIDED, 'PlaceUnknown lookThenPlace in 1 ?'],
  [
    'an undecided order that was searched for is read again',
    unanswered,
    STILL_UNDECIDED,
    'PlaceUnknown lookThenPlace in 2 ?',
  ],
  ['a refusal that was the echo of an undecided order', doubted, STILL_UNDECIDED, 'PlaceUnknown lookThenPlace in 2 ?'],
  ['an undecided order that is opened is placed', undecided, ORDER_FOUND, 'Placed capture in 0'],
  ['an undecided order that is closed is released', undecided, createFact('orderOver'), 'GivingBack giveBack in 0 ?'],
  [
    'an undecided order is not requested again once it is not found',
    undecided,
    createFact('orderAbsent'),
    'PlaceUnknown lookThenPlace in 2 ?',
  ],
  [
    'an undecided order that cannot be read is not requested again',
    undecided,
    createFact('orderUnreadable'),
    'PlaceUnknown lookThenPlace in 2 ?',
  ],
  ['a late answer with an undecided order ends the requests', held, UNDECIDED, 'PlaceUnknown lookThenPlace in 1 ?'],
  [
    'a late answer with an undecided order, after the money was given back',
    givingBack,
    UNDECIDED,
    'Cancelling cancelOrder in 0',
  ],
  [
    'an undecided order is read until the hold ends',
    { ...ending, orderId: 'order-1', tries: 4 },
    STILL_UNDECIDED,
    'PlaceUnknown lookBeforeRelease in 16 ? ending',
  ],
  [
    'an undecided order is cancelled before its money is released',
    { ...ending, tries: 5 },
    STILL_UNDECIDED,
    'Cancelling cancelOrder in 0 ending',
  ],
  [
    'so is one that the EPOS does not find any more',
    { ...ending, orderId: 'order-1', tries: 5 },
    createFact('orderAbsent'),
    'Cancelling cancelOrder in 0 ending',
  ],
  [
    'so is one that cannot be read any more',
    { ...ending, orderId: 'order-1', tries: 5 },
    createFact('orderUnreadable'),
    'Cancelling cancelOrder in 0 ending',
  ],
  [
    'an operator who gives back an undecided order cancels it',
    undecided,
    createFact('giveBack'),
    'Cancelling cancelOrder in 0',
  ],
  ['an order that is closed is released', unanswered, createFact('orderOver'), 'GivingBack giveBack in 0 ?'],
  ['an order that the EPOS never received is requested without a search', unsent, createFact('due'), 'Placing, place'],
  ['an absence is not trusted at once', doubted, createFact('orderAbsent'), 'PlaceUnknown lookAfterRefusal in 60 ?'],
  [
    'a refused order that cannot be searched for is searched for again',
    doubted,
    createFact('orderUnreadable'),
    'PlaceUnknown lookThenPlace in 2 ?',
  ],
  ['a refused order that is found is placed', doubted, ORDER_FOUND, 'Placed capture in 0'],
  // the hold ends
  ['an ending hold does not interrupt a call', placing, createFact('holdEnding'), 'Placing ending'],
  ['lost money does not interrupt a call', placing, createFact('moneyGone'), 'Placing ending gone'],
  [
    'the EPOS is searched once more',
    unanswered,
    createFact('holdEnding'),
    'PlaceUnknown lookBeforeRelease in 60 ? ending',
  ],
  ['but not for an order that it never received', unsent, createFact('holdEnding'), 'GivingBack giveBack in 0 ending'],
  [
    'nothing is requested while the hold ends',
    { ...placing, isHoldEnding: true },
    answer('NotSent'),
    'GivingBack giveBack in 0 ending',
  ],
  [
    'a last absence waits for the last call',
    ending,
    createFact('orderAbsent'),
    'PlaceUnknown lookBeforeRelease in 60 ? ending',
  ],
  [
    'a last search that fails is repeated',
    ending,
    createFact('orderUnreadable'),
    'PlaceUnknown lookBeforeRelease in 1 ? ending',
  ],
  [
    'but a last search is not repeated for ever',
    { ...ending, tries: 5 },
    createFact('orderUnreadable'),
    'GivingBack giveBack in 0 ? ending !, alarm',
  ],
  ['an order that the last search finds is placed', ending, ORDER_FOUND, 'Placed capture in 0 ending'],
  [
    'without money the found order is cancelled',
    { ...ending, isMoneyGone: true },
    ORDER_FOUND,
    'Cancelling cancelOrder in 0 ending gone',
  ],
  [
    'an order that is made without money is cancelled, too',
    { ...placing, isMoneyGone: true },
    SUCCESS,
    'Cancelling cancelOrder in 0 gone',
  ],
  // capturing
  ['a placed order is captured', placed, createFact('due'), 'Placed, capture'],
  ['a captured order is completed', placed, createFact('captured'), 'Completed'],
  ['an unanswered capture is repeated', placed, createFact('captureUnanswered'), 'Placed capture in 10'],
  [
    'a refused capture is repeated, and the operator is alerted',
    placed,
    createFact('captureRefused'),
    'Placed capture in 10, alarm',
  ],
  ['the operator is alerted once', { ...placed, tries: 1 }, createFact('captureRefused'), 'Placed capture in 20'],
  ['an ending hold is captured at once', placed, createFact('holdEnding'), 'Placed capture in 0 ending'],
  [
    'a refused capture at the end of the hold cancels the order',
    lapsing,
    createFact('captureRefused'),
    'Cancelling cancelOrder in 0 ending',
  ],
  [
    'an unanswered capture at the end of the hold does not cancel the order',
    lapsing,
    createFact('captureUnanswered'),
    'Placed capture in 10 ending',
  ],
  ['lost money cancels the order', placed, createFact('moneyGone'), 'Cancelling cancelOrder in 0 gone'],
  [
    'but an order without an id cannot be cancelled',
    seen,
    createFact('moneyGone'),
    'GivingBack giveBack in 0 gone !, alarm',
  ],
  // cancelling and giving back
  ['a cancelled order gives its money back', cancelling, createFact('orderCancelled'), 'GivingBack giveBack in 0'],
  [
    'so does an order that cannot be cancelled',
    cancelling,
    createFact('cancelRefused'),
    'GivingBack giveBack in 0 !, alarm',
  ],
  ['an unanswered cancellation is repeated', cancelling, createFact('cancelUnanswered'), 'Cancelling cancelOrder in 1'],
  [
    'but a cancellation is not repeated for ever',
    { ...cancelling, tries: 5 },
    createFact('cancelUnanswered'),
    'GivingBack giveBack in 0 !, alarm',
  ],
  ['money is given back', givingBack, createFact('due'), 'GivingBack, giveBack'],
  ['the placement ends when its money is given back', givingBack, createFact('givenBack'), 'GivenBack'],
  ['a refused give-back is tried again', givingBack, createFact('giveBackRefused'), 'GivingBack giveBack in 10'],
  [
    'a give-back without an answer is tried again',
    givingBack,
    createFact('giveBackUnanswered'),
    'GivingBack giveBack in 10',
  ],
  [
    'a stuck give-back is retried slowly',
    stuck,
    createFact('giveBackRefused'),
    'NeedsOperator giveBack in 3600, alarm',
  ],
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
])('a success that arrives late in %s: %s', (state, then, orderId) => {
  const placement = createPlacement(state, { giveBackSince: NOON });
  expect(applyInputs(placement, SUCCESS, getPlacementTime(61))).toBe(then);
  expect(stepPlacement(placement, SUCCESS, getPlacementTime(61)).placement.orderId).toBe(orderId);
});

test('an order whose id is stored keeps it, also after a late success', () => {
  for (const placement of [
    placed,
    { ...givingBack, orderId: 'order-1' },
    createPlacement('GivenBack', { orderId: 'order-1' }),
  ]) {
    expect(stepPlacement(placement, SUCCESS, NOON).placement).toBe(placement);
  }
});

test('only a success counts among late answers', () => {
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
