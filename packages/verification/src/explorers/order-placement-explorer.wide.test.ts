import type { PlacementStep } from '@pos/core/testing';
import { expect, test } from '@jest/globals';
import { EPOS_KINDS, explorePlacement, type StepPlacement } from './order-placement-explorer.js';
import {
  PLACEMENT_STATES,
  type PlacementAnswer,
  type PlacementInput,
  type PlacementState,
  stepPlacement,
} from '@pos/core/orders';

test.each(EPOS_KINDS)('every path of an order that is paid in advance ends well (%p)', (epos) => {
  const { states, violations, reached } = explorePlacement(stepPlacement, epos);
  process.stdout.write(`explored ${states} states of ${JSON.stringify(epos)}\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(1_000);
  expect(new Set(PLACEMENT_STATES)).toEqual(reached);
});

const whenAnswered =
  (change: (answer: PlacementAnswer) => PlacementAnswer): StepPlacement =>
  (placement, input, now) => {
    const answer = input.kind === 'placeAnswered' ? change(input.answer) : null;
    return stepPlacement(placement, answer === null ? input : { kind: 'placeAnswered', answer }, now);
  };

const as = (change: (input: PlacementInput) => PlacementInput): StepPlacement => {
  return (placement, input, now) => stepPlacement(placement, change(input), now);
};

const SUCCESS = { outcome: 'Success', orderId: 'order-1' } as const;

const PLANTED: readonly [string, StepPlacement, RegExp][] = [
  [
    'a refusal is trusted although an earlier call had no answer',
    (placement, input, now) => stepPlacement({ ...placement, isUnanswered: false }, input, now),
    /released the money of an existing order/,
  ],
  [
    'a time-out is taken for a refusal',
    whenAnswered((answer) => (answer.outcome === 'NoAnswer' ? { outcome: 'InvalidRequest' } : answer)),
    /released the money of an existing order/,
  ],
  [
    'the 409 of a proxy, behind which the EPOS still makes the order, is taken for a refusal',
    whenAnswered((answer) => (answer.outcome === 'NoAnswer' ? { outcome: 'Conflict' } : answer)),
    /released the money of an existing order/,
  ],
  [
    'a time-out is taken for a success',
    whenAnswered((answer) => (answer.outcome === 'NoAnswer' ? SUCCESS : answer)),
    /money captured before the order exists/,
  ],
  [
    'a refusal is trusted at once, while the lost call may still arrive',
    (placement, input, now) =>
      stepPlacement(placement.doubtAt === null ? placement : { ...placement, doubtAt: new Date(0) }, input, now),
    /released the money of an existing order/,
  ],
  [
    'the call of a killed runner counts as not made',
    (placement, input, now) => {
      const isKilled = input.kind === 'due' && placement.state === 'Placing';
      return stepPlacement(isKilled ? { ...placement, state: 'Held' } : placement, input, now);
    },
    /released the money of an existing order/,
  ],
  [
    'an unanswered order is not requested again',
    (placement, input, now) => withoutWake(stepPlacement(placement, input, now), 'PlaceUnknown'),
    /stalls/,
  ],
  [
    'an order that the EPOS has answered is requested again',
    (placement, input, now) => {
      const isForgotten = placement.nextStep === 'lookThenPlace' && input.kind === 'orderUnreadable';
      const orderId = isForgotten ? null : placement.orderId;
      const { placement: moved, outputs } = stepPlacement({ ...placement, orderId }, input, now);
      return { placement: { ...moved, orderId: moved.orderId ?? placement.orderId }, outputs };
    },
    /an order requested that the EPOS has answered/,
  ],
  [
    'a failed give-back is not repeated',
    (placement, input, now) => withoutWake(stepPlacement(placement, input, now), 'GivingBack'),
    /stalls/,
  ],
  [
    'the order is not searched for before its hold ends',
    (placement, input, now) => {
      const isEnding = input.kind === 'holdEnding';
      return stepPlacement(isEnding ? { ...placement, isUnanswered: false } : placement, input, now);
    },
    /released the money of an existing order/,
  ],
  [
    'the last search runs while the last call may still arrive',
    (placement, input, now) => {
      const isLast = placement.nextStep === 'lookBeforeRelease';
      return stepPlacement(isLast ? { ...placement, calledAt: new Date(0) } : placement, input, now);
    },
    /released the money of an existing order/,
  ],
  [
    'an order is requested although its hold has ended',
    (placement, input, now) => stepPlacement({ ...placement, isHoldEnding: false, isMoneyGone: false }, input, now),
    /requested without money|no way out/,
  ],
  [
    'a refused capture is taken for done',
    as((input) => (input.kind === 'captureRefused' ? { kind: 'captured' } : input)),
    /closed as completed/,
  ],
  [
    'an unanswered capture is taken for done',
    as((input) => (input.kind === 'captureUnanswered' ? { kind: 'captured' } : input)),
    /closed as completed/,
  ],
  [
    'an order is not cancelled before its money is given back',
    (placement, input, now) => {
      const { placement: after, outputs } = stepPlacement(placement, input, now);
      if (after.state !== 'Cancelling' || placement.state === 'Cancelling') return { placement: after, outputs };
      return { placement: { ...after, state: 'GivingBack', nextStep: 'giveBack' }, outputs };
    },
    /released the money of an existing order/,
  ],
  [
    'no alarm is raised when an order could not be cancelled',
    as((input) => (input.kind === 'cancelRefused' ? { kind: 'orderCancelled' } : input)),
    /released the money of an existing order/,
  ],
  [
    'an unanswered give-back is closed as done',
    as((input) => (input.kind === 'giveBackUnanswered' ? { kind: 'givenBack' } : input)),
    /closed as given back with money kept/,
  ],
  [
    'money that was authorised for another amount is not given back',
    as((input) => (input.kind === 'unusable' ? { kind: 'unpaid' } : input)),
    /closed as unpaid with money held/,
  ],
];

/** The long run has all planted bugs, and `npm test` every fourth. */
const CHOSEN = PLANTED.filter((_, index) => process.env['LONG'] === '1' || index % 4 === 0);

test.each(CHOSEN)('the explorer finds a planted bug: %s', (_name, mutant, finding) => {
  const found = EPOS_KINDS.some((epos) =>
    explorePlacement(mutant, epos, finding).violations.some((text) => finding.test(text)),
  );
  expect(found).toBe(true);
});

function withoutWake(result: PlacementStep, state: PlacementState): PlacementStep {
  return result.placement.state === state ? { ...result, placement: { ...result.placement, dueAt: null } } : result;
}
