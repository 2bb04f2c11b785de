import { money, zeroMoney } from '../money/money.js';
import {
  isPlacementFinal,
  type OrderPlacement,
  type PlacementAnswer,
  type PlacementFact,
  type PlacementInput,
  type PlacementState,
  type PlacementStep,
  submitOrder,
} from '../orders/order-placement.js';
import { stepPlacement } from '../orders/order-placement-transitions.js';
import { Refusal } from '../refusals/refusal.js';
import { NOON } from './builders.js';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;

export const waiting = submitOrder({ id: 'so-1', intentId: 'pi_one', order: {}, total: money(4_000, 'GBP') }, NOON);
export const paid: PlacementInput = { kind: 'authorised', gratuity: zeroMoney('GBP') };

/** A placement in a state, at noon. */
export function createPlacement(state: PlacementState, more: Partial<OrderPlacement> = {}): OrderPlacement {
  return { ...waiting, state, nextStep: STEP_OF[state] ?? null, dueAt: isResting(state) ? null : NOON, ...more };
}

const STEP_OF: Partial<Record<PlacementState, OrderPlacement['nextStep']>> = {
  ...{ Held: 'place', Placing: 'place', PlaceUnknown: 'place', Placed: 'capture', Cancelling: 'cancelOrder' },
  ...{ GivingBack: 'giveBack', NeedsOperator: 'giveBack' },
};
const isResting = (state: PlacementState): boolean => isPlacementFinal({ state }) || state === 'Waiting';

export const held = createPlacement('Held');
export const placing = createPlacement('Placing', { dueAt: null, placeCalls: 1, calledAt: NOON });
export const repeating: OrderPlacement = { ...placing, placeCalls: 2, isUnanswered: true };
export const unanswered = createPlacement('PlaceUnknown', {
  nextStep: 'lookThenPlace',
  isUnanswered: true,
  calledAt: NOON,
  tries: 1,
});
export const unsent = createPlacement('PlaceUnknown', { calledAt: NOON, tries: 1 });
export const doubted: OrderPlacement = { ...unanswered, nextStep: 'lookAfterRefusal', doubtAt: NOON };
export const undecided: OrderPlacement = { ...unanswered, orderId: 'order-1' };
export const ending: OrderPlacement = { ...unanswered, nextStep: 'lookBeforeRelease', isHoldEnding: true, tries: 0 };
export const placed = createPlacement('Placed', { orderId: 'order-1' });
export const seen = createPlacement('Placed', { orderId: null });
export const lapsing: OrderPlacement = { ...placed, isHoldEnding: true };
export const cancelling = createPlacement('Cancelling', { orderId: 'order-1' });
export const givingBack = createPlacement('GivingBack', { giveBackSince: NOON });
export const stuck = createPlacement('NeedsOperator', { giveBackSince: new Date(NOON.getTime() - DAY * 1_000) });

export const answer = (outcome: Exclude<PlacementAnswer['outcome'], 'Success' | 'Undecided'>): PlacementInput => {
  return { kind: 'placeAnswered', answer: { outcome } };
};
export const SUCCESS: PlacementInput = { kind: 'placeAnswered', answer: { outcome: 'Success', orderId: 'order-9' } };
export const UNDECIDED: PlacementInput = {
  kind: 'placeAnswered',
  answer: { outcome: 'Undecided', orderId: 'order-9' },
};
export const ORDER_FOUND: PlacementInput = { kind: 'orderFound', orderId: 'order-9' };
export const STILL_UNDECIDED: PlacementInput = { kind: 'orderUndecided', orderId: 'order-9' };
export const createFact = (kind: PlacementFact): PlacementInput => ({ kind });

export const getPlacementTime = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1_000);

/** `PlaceUnknown lookThenPlace in 1` or `Placing, place`. Marks follow: `?` unanswered, `!` the order may exist. */
export function applyInputs(placement: OrderPlacement, input: PlacementInput, now = NOON): string {
  try {
    return formatPlacement(stepPlacement(placement, input, now), now);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

function formatPlacement({ placement, outputs }: PlacementStep, now: Date): string {
  const { state, nextStep, dueAt, isUnanswered, isHoldEnding, isMoneyGone, mayOrderStand } = placement;
  const marks = [isUnanswered && '?', isHoldEnding && 'ending', isMoneyGone && 'gone', mayOrderStand && '!'];
  const next = dueAt === null ? [] : [nextStep, `in ${(dueAt.getTime() - now.getTime()) / 1_000}`];
  const words = [state, ...next, ...marks.filter((mark) => mark !== false)].join(' ');
  return [words, ...outputs.map((output) => output.do)].join(', ');
}
