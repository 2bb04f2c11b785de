import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stepPlacement } from './order-placement-transitions.js';
import {
  isPlacementAlarming,
  isPlacementFinal,
  isPlacementPending,
  type OrderPlacement,
  type PlacementAnswer,
  PLACEMENT_MOVES,
  PLACEMENT_STEPS,
  getGiveBackReference,
  type PlacementFact,
  type PlacementInput,
  type PlacementState,
  releaseAt,
} from './order-placement.js';
import { Refusal } from '../refusals/refusal.js';
import {
  getPlacementTime,
  answer,
  createPlacement,
  cancelling,
  DAY,
  doubted,
  ending,
  createFact,
  ORDER_FOUND,
  givingBack,
  held,
  HOUR,
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
  waiting,
} from '../testing/order-placement-builders.js';
import { NOON } from '../testing/builders.js';

test('an order is requested again after 1 s, doubling to 60 s, and after an hour every ten minutes', () => {
  const waits = (now: Date) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 40].map((tries) => {
      const { placement } = stepPlacement({ ...repeating, tries }, answer('NoAnswer'), now);
      return (placement.dueAt!.getTime() - now.getTime()) / 1_000;
    });
  expect(waits(NOON)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(waits(getPlacementTime(HOUR - 1))).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(waits(getPlacementTime(HOUR))).toEqual([600, 600, 600, 600, 600, 600, 600, 600, 600]);
});

test('a refused capture is requested again after 10 s, doubling to an hour: each try is kept with the payment', () => {
  const waits = [0, 1, 5, 8, 9, 170].map((tries) => {
    const { placement } = stepPlacement({ ...placed, tries }, createFact('captureRefused'), NOON);
    return (placement.dueAt!.getTime() - NOON.getTime()) / 1_000;
  });
  expect(waits).toEqual([10, 20, 320, 2_560, 3_600, 3_600]);
});

test.each([
  ['searches before the hold ends', ending, 'orderUnreadable'],
  ['tries to cancel', cancelling, 'cancelUnanswered'],
] as const)(
  'the last %s follow within seconds, however old the order is, and a reconnected EPOS gets no extra ones',
  (_, at, word) => {
    const late = getPlacementTime(HOUR * 5);
    const { placement } = stepPlacement({ ...at, tries: 3 }, createFact(word), late);
    expect(placement).toMatchObject({ tries: 4, dueAt: new Date(late.getTime() + 8_000) });
    const hurried = stepPlacement(placement, createFact('reconnected'), late).placement;
    expect(hurried).toMatchObject({ tries: 4, dueAt: late });
  },
);

test.each<[string, OrderPlacement, PlacementFact, number, string]>([
  ['a doubted refusal is not trusted after 59 s', doubted, 'orderAbsent', 59, 'PlaceUnknown lookAfterRefusal in 1 ?'],
  [
    'it is trusted after 60 s',
    { ...doubted, since: getPlacementTime(60) },
    'orderAbsent',
    60,
    'GivingBack giveBack in 0 ?',
  ],
  [
    'a last search waits 60 s for the last call',
    ending,
    'orderAbsent',
    59,
    'PlaceUnknown lookBeforeRelease in 1 ? ending',
  ],
  [
    'a last search does not wait longer',
    { ...ending, since: getPlacementTime(60) },
    'orderAbsent',
    60,
    'GivingBack giveBack in 0 ? ending',
  ],
  [
    'a hold that ends a minute after the call leads to a search at once',
    { ...unanswered, since: getPlacementTime(60) },
    'holdEnding',
    60,
    'PlaceUnknown lookBeforeRelease in 0 ? ending',
  ],
  [
    'giving back is tried for a day',
    { ...givingBack, since: getPlacementTime(DAY), tries: 9 },
    'giveBackUnanswered',
    DAY - 1,
    'GivingBack giveBack in 600',
  ],
  [
    'after a day an operator is alerted',
    { ...givingBack, since: getPlacementTime(DAY), tries: 9 },
    'giveBackUnanswered',
    DAY,
    'NeedsOperator giveBack in 600, alarm',
  ],
  [
    'a refused give-back is repeated less often',
    { ...givingBack, since: getPlacementTime(DAY), tries: 9 },
    'giveBackRefused',
    DAY - 1,
    'GivingBack giveBack in 3600',
  ],
])('%s', (_name, placement, kind, seconds, then) => {
  expect(applyInputs(placement, createFact(kind), getPlacementTime(seconds))).toBe(then);
});

const NO = 'pending_payment_not_decidable';

test.each<[string, string, string, string, OrderPlacement]>([
  // state                       as recorded            give it back                          once more
  ['Waiting', NO, NO, NO, waiting],
  ['Held', 'Placed capture in 0', 'GivingBack giveBack in 0', 'Held place in 0', held],
  ['Placing', 'Placed capture in 0', 'GivingBack giveBack in 0 !', 'Placing', placing],
  [
    'PlaceUnknown',
    'Placed capture in 0',
    'GivingBack giveBack in 0 ? !',
    'PlaceUnknown lookThenPlace in 0 ?',
    unanswered,
  ],
  [
    'PlaceUnknown after a refusal',
    'Placed capture in 0',
    'GivingBack giveBack in 0 ? !',
    'PlaceUnknown lookAfterRefusal in 9 ?',
    { ...doubted, dueAt: getPlacementTime(9) },
  ],
  [
    'PlaceUnknown without money',
    NO,
    'GivingBack giveBack in 0 ? ending gone !',
    'PlaceUnknown lookBeforeRelease in 0 ? ending gone',
    { ...ending, isMoneyGone: true },
  ],
  ['Placed', NO, 'Cancelling cancelOrder in 0', 'Placed capture in 0', placed],
  ['Placed by hand', NO, 'GivingBack giveBack in 0 !, alarm', 'Placed capture in 0', seen],
  ['Completed', NO, NO, NO, createPlacement('Completed')],
  ['Cancelling', NO, 'GivingBack giveBack in 0', 'Cancelling cancelOrder in 0', cancelling],
  ['GivingBack', NO, 'GivingBack giveBack in 0', 'GivingBack giveBack in 0', givingBack],
  ['GivenBack', NO, NO, NO, createPlacement('GivenBack')],
  ['Ended', NO, NO, NO, createPlacement('Ended')],
  ['NeedsOperator', NO, 'GivingBack giveBack in 0', 'GivingBack giveBack in 0', stuck],
])('an operator decides in %s: recorded %s; give back %s; again %s', (_state, recorded, back, again, placement) => {
  expect(applyInputs(placement, createFact('markRecorded'))).toBe(recorded);
  expect(applyInputs(placement, createFact('giveBack'))).toBe(back);
  expect(applyInputs(placement, createFact('retryNow'))).toBe(again);
});

test.each([
  [59, 'GivingBack giveBack in 0 ? !'],
  [60, 'GivingBack giveBack in 0 ?'],
])('%d s after a call that was not answered its order may exist when the money is given back: %s', (seconds, then) => {
  expect(
    applyInputs({ ...unanswered, since: getPlacementTime(seconds) }, createFact('giveBack'), getPlacementTime(seconds)),
  ).toBe(then);
});

test('the operator is alerted once when money has been open for a minute', () => {
  const late = { ...unanswered, dueAt: getPlacementTime(90) };
  const { placement: early, outputs } = stepPlacement(late, createFact('reconnected'), getPlacementTime(59));
  expect(outputs).toEqual([]);
  const first = stepPlacement(early, createFact('due'), getPlacementTime(60));
  expect(first.outputs).toEqual([{ do: 'look' }, { do: 'alarm', reason: 'money is open for a minute' }]);
  const next = stepPlacement(first.placement, createFact('orderAbsent'), getPlacementTime(61));
  expect(next.outputs).toEqual([{ do: 'place' }]);
});

test('an input that changes nothing raises no alarm: it would not be stored that the alarm was raised', () => {
  const searching = { ...unanswered, dueAt: null };
  for (const placement of [searching, { ...held, dueAt: null }, { ...cancelling, dueAt: null }]) {
    expect(stepPlacement(placement, createFact('reconnected'), getPlacementTime(61))).toEqual({
      placement,
      outputs: [],
    });
  }
  expect(stepPlacement(placing, createFact('retryNow'), getPlacementTime(61))).toEqual({
    placement: placing,
    outputs: [],
  });
});

test.each<[PlacementState, boolean, boolean, boolean]>([
  ['Waiting', false, false, false],
  ['Held', true, false, true],
  ['Placing', true, false, true],
  ['PlaceUnknown', true, false, true],
  ['Placed', true, false, true],
  ['Completed', false, false, false],
  ['Cancelling', true, false, true],
  ['GivingBack', true, false, true],
  ['GivenBack', false, false, false],
  ['Ended', false, false, false],
  ['NeedsOperator', true, true, true],
])('%s: on the pending list %p, an alarm at 59 s %p, at 60 s %p', (state, isPending, isEarly, isLate) => {
  expect(isPlacementPending(createPlacement(state))).toBe(isPending);
  expect(isPlacementAlarming(createPlacement(state), getPlacementTime(59))).toBe(isEarly);
  expect(isPlacementAlarming(createPlacement(state), getPlacementTime(60))).toBe(isLate);
  expect(isPlacementFinal(createPlacement(state))).toBe(!isPending && state !== 'Waiting');
});

test.each([
  ['a week', 7 * DAY, 7 * DAY - HOUR],
  ['four hours', 4 * HOUR, 3 * HOUR],
  ['an hour', HOUR, 0.75 * HOUR],
  ['a minute', 60, 45],
])('a hold of %s is released %d s after its start at %d', (_name, endsIn, releasedIn) => {
  expect(releaseAt({ authorizedAt: NOON, endsAt: getPlacementTime(endsIn) })).toEqual(getPlacementTime(releasedIn));
});

test('an order gives back under its own key', () => {
  expect(getGiveBackReference('so-1')).not.toBe(getGiveBackReference('so-2'));
});

const anyInput: fc.Arbitrary<PlacementInput> = fc.oneof(
  fc.constant(paid),
  fc.constant(SUCCESS),
  fc.constant(ORDER_FOUND),
  fc.constant(UNDECIDED),
  fc.constant(STILL_UNDECIDED),
  fc
    .constantFrom<Exclude<PlacementAnswer['outcome'], 'Success' | 'Undecided'>>(
      ...(['Rejected', 'NotFound', 'Conflict', 'InvalidRequest', 'UnexpectedError', 'NoAnswer'] as const),
      ...(['CredentialsRefused', 'NotSent'] as const),
    )
    .map(answer),
  fc
    .constantFrom<PlacementFact>(
      ...([
        'due',
        'due',
        'due',
        'reconnected',
        'unpaid',
        'unusable',
        'holdEnding',
        'moneyGone',
        'orderAbsent',
      ] as const),
      ...(['orderOver', 'orderUnreadable', 'captured', 'captureRefused', 'captureUnanswered'] as const),
      ...(['orderCancelled', 'cancelRefused', 'cancelUnanswered', 'givenBack', 'giveBackRefused'] as const),
      ...(['giveBackUnanswered', 'markRecorded', 'giveBack', 'retryNow'] as const),
    )
    .map(createFact),
);

/** A give-back is answered only if its call was made. */
const ANSWERS_OF_GIVE_BACK: ReadonlySet<PlacementInput['kind']> = new Set(['giveBackRefused', 'giveBackUnanswered']);

test('only listed moves are made and nothing stalls, for any inputs in any order', () => {
  const scenario = fc.array(fc.tuple(anyInput, fc.constantFrom(0, 1, 30, 61, HOUR, DAY)), { maxLength: 40 });
  fc.assert(
    fc.property(scenario, (inputs) => {
      let [placement, now, call] = [waiting, NOON, false];
      for (const [input, seconds] of inputs) {
        now = new Date(now.getTime() + seconds * 1_000);
        const before = placement;
        if (ANSWERS_OF_GIVE_BACK.has(input.kind) && before.giveBackSince === null) continue;
        try {
          const { placement: next, outputs } = stepPlacement(before, input, now);
          placement = next;
          call = outputs.some((output) => output.do !== 'alarm') || (call && next.state === before.state);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        expectSound(before, placement, call);
      }
    }),
    { numRuns: 3_000 },
  );
});

function expectSound(before: OrderPlacement, placement: OrderPlacement, hasCall: boolean): void {
  const listed: readonly PlacementState[] = PLACEMENT_MOVES[before.state];
  if (before.state !== placement.state)
    expect([before.state, listed]).toEqual([before.state, expect.arrayContaining([placement.state])]);
  const { state, nextStep, dueAt, doubtAt, calledAt, orderId, placeCalls } = placement;
  if (isPlacementFinal(placement)) expect([state, nextStep, dueAt]).toEqual([state, null, null]);
  if (isPlacementPending(placement)) expect(PLACEMENT_STEPS).toContain(nextStep);
  if (isPlacementPending(placement) && dueAt === null) expect([state, hasCall]).toEqual([state, true]);
  if (state === 'Cancelling') expect(orderId).not.toBeNull();
  if (doubtAt !== null) expect(state).toBe('PlaceUnknown');
  if (placement.isUnanswered || placeCalls > 0) expect(calledAt).not.toBeNull();
  if (before.isHoldEnding && before.state !== 'Placing') expect(placeCalls).toBe(before.placeCalls);
  expect(placement.isHoldEnding || !before.isHoldEnding).toBe(true);
  expect(placement.mayOrderStand || !before.mayOrderStand).toBe(true);
}
