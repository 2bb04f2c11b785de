import { expect, test } from '@jest/globals';
import type { Bill } from '../tables/bill.js';
import {
  abandonJourney,
  updateBill,
  takePart,
  finishJourney,
  applyPaymentState,
  JOURNEY_MOVES,
  JOURNEY_STATES,
  MOVE_OF_PAYMENT,
  applyEarlierPart,
  requireUnclaimed,
  startJourney,
  type Journey,
  type JourneyState,
} from './journey.js';
import { add, money, type Money } from '../money/money.js';
import { Refusal } from '../refusals/refusal.js';
import type { PartRequest } from './bill-split.js';
import type { TablePaymentState } from '../tables/table-payment.js';

const NOON = new Date('2026-03-01T12:00:00Z');
const pence = (value: number): Money => money(value, 'GBP');
const bill: Bill = {
  ...{ sessionId: 'session-1', total: pence(1_000), paid: pence(0), tax: pence(0), serviceCharge: null },
  ...{ items: [], note: null },
};
const open = startJourney(
  {
    ...{
      id: 'journey-1',
      sessionId: 'session-1',
      sessionName: 'Table 4',
      tableName: '4',
      leaseId: 'lease-1',
      owner: 'machine-1',
      bill,
      paidShares: [],
    },
    requestor: { type: 'cardMachine', terminalId: '90000001', waiterId: 7 },
  },
  NOON,
);
const thirds: PartRequest = { mode: 'EQUAL', people: 3 };
const paying = takePart(open, { paymentId: 'payment-1', request: thirds }, NOON).journey;

test('every move of a journey', () => {
  const lines = Object.entries(JOURNEY_MOVES).map(
    ([state, moves]) =>
      `${state}: ${
        Object.entries(moves)
          .map(([move, to]) => `${move} → ${to}`)
          .join(', ') || '(final)'
      }`,
  );
  expect(lines.join('\n')).toMatchInlineSnapshot(`
   "OPEN: partChosen → PAYING, blocked → BLOCKED, finish → FINISHED, abandon → ABANDONED
   PAYING: approved → RECORDING, blocked → BLOCKED, recorded → OPEN, paymentEnded → OPEN
   RECORDING: blocked → BLOCKED, recorded → OPEN, paymentEnded → OPEN
   BLOCKED: approved → RECORDING, recorded → OPEN, paymentEnded → OPEN
   FINISHED: (final)
   ABANDONED: (final)"
  `);
});

test('how a journey moves with each state of its payment', () => {
  const lines = Object.entries(MOVE_OF_PAYMENT).map(([state, move]) => `${state}: ${move ?? '(stays)'}`);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
   "Unproved: blocked
   Started: (stays)
   Approved: approved
   Recording: approved
   RecordUnknown: blocked
   Recorded: recorded
   Refused: blocked
   GivingBack: blocked
   GivenBack: paymentEnded
   Ended: paymentEnded
   NeedsOperator: blocked"
  `);
});

test.each<[TablePaymentState[], JourneyState]>([
  [['Started'], 'PAYING'],
  [['Ended'], 'OPEN'],
  [['Approved'], 'RECORDING'],
  [['Approved', 'Recording'], 'RECORDING'],
  [['Approved', 'Recording', 'Recorded'], 'OPEN'],
  [['Approved', 'Recording', 'RecordUnknown'], 'BLOCKED'],
  [['Approved', 'Recording', 'RecordUnknown', 'Recorded'], 'OPEN'],
  [['Approved', 'Recording', 'Refused', 'GivingBack'], 'BLOCKED'],
  [['Approved', 'Recording', 'Refused', 'GivingBack', 'GivenBack'], 'OPEN'],
  [['Approved', 'Recording', 'NeedsOperator'], 'BLOCKED'],
  [['Approved', 'Recording', 'NeedsOperator', 'Recorded'], 'OPEN'],
  [['Approved', 'Approved', 'Recorded', 'Recorded'], 'OPEN'],
  // A journey may receive the last state only.
  [['Recorded'], 'OPEN'],
  [['NeedsOperator'], 'BLOCKED'],
])('a payment goes %j: the journey is %s', (states, then) => {
  expect(follow(paying, states).state).toBe(then);
});

test('the repetition of an unanswered record call leaves the journey blocked', () => {
  const blocked = follow(paying, ['Approved', 'Recording', 'RecordUnknown']);
  const repeat = { id: 'payment-1', state: 'Recording', isUnanswered: true } as const;
  expect(applyPaymentState(blocked, repeat, NOON).state).toBe('BLOCKED');
  expect(applyPaymentState(paying, repeat, NOON).state).toBe('BLOCKED');
});

test('three payers pay a third each, and a declined card does not count', () => {
  const amounts: number[] = [];
  let journey = open;
  for (const [index, end] of (['Recorded', 'Ended', 'GivenBack', 'Recorded', 'Recorded'] as const).entries()) {
    const id = `payment-${index}`;
    const chosen = takePart(journey, { paymentId: id, request: thirds }, NOON);
    journey = applyPaymentState(chosen.journey, { id, state: end, isUnanswered: false }, NOON);
    if (end !== 'Recorded') continue;
    amounts.push(chosen.amount.value);
    journey = updateBill(journey, { ...bill, paid: add(journey.bill.paid, chosen.amount) }, NOON);
  }
  expect(amounts).toEqual([334, 333, 333]);
  expect(journey.plan).toMatchObject({ partsPaid: 3, inHand: null });
  expect(refusedBy(() => takePart(journey, { paymentId: 'one-more', request: { mode: 'FULL' } }, NOON))).toBe(
    'bill_paid',
  );
});

test('a payment other than the current one changes nothing, unless none is current and its money is open again', () => {
  const stranger = { id: 'payment-0', isUnanswered: false } as const;
  for (const state of ['Approved', 'Recorded', 'Ended', 'NeedsOperator'] as const) {
    expect(applyPaymentState(paying, { ...stranger, state }, NOON)).toBe(paying);
  }
  expect(applyPaymentState(open, { ...stranger, state: 'Recorded' }, NOON)).toBe(open);
  const blocked = applyPaymentState(open, { ...stranger, state: 'NeedsOperator' }, NOON);
  expect(blocked.state).toBe('BLOCKED');
  expect(applyPaymentState(blocked, { ...stranger, state: 'GivenBack' }, NOON)).toMatchObject({
    state: 'OPEN',
    plan: { inHand: null },
  });
});

const in_ = (state: JourneyState): Journey => ({ ...open, state });

test.each<[JourneyState, string, string, JourneyState]>([
  // state      part chosen      finish                abandoned
  ['OPEN', 'PAYING', 'FINISHED', 'ABANDONED'],
  ['PAYING', 'journey_busy', 'journey_money_open', 'PAYING'],
  ['RECORDING', 'journey_busy', 'journey_money_open', 'RECORDING'],
  ['BLOCKED', 'journey_busy', 'journey_money_open', 'BLOCKED'],
  ['FINISHED', 'journey_over', 'FINISHED', 'FINISHED'],
  ['ABANDONED', 'journey_over', 'journey_over', 'ABANDONED'],
])('a journey %s: a part chosen %s, finish %s, its lease ended %s', (state, chosen, finished, abandoned) => {
  expect(getState(() => takePart(in_(state), { paymentId: 'p', request: { mode: 'FULL' } }, NOON).journey)).toBe(
    chosen,
  );
  expect(getState(() => finishJourney(in_(state), NOON))).toBe(finished);
  expect(abandonJourney(in_(state), NOON).state).toBe(abandoned);
});

test('the state is checked before the amount, and after a refused part no payment is current', () => {
  const request: PartRequest = { mode: 'CUSTOM', amount: pence(1_001) };
  expect(refusedBy(() => takePart(paying, { paymentId: 'p', request }, NOON))).toBe('journey_busy');
  expect(refusedBy(() => takePart(open, { paymentId: 'p', request }, NOON))).toBe('part_exceeds_outstanding');
  expect(open.plan.inHand).toBeNull();
});

test('a refusal names the item that is being paid by another part', () => {
  const beer = { id: 'beer', name: 'Beer', category: [], quantity: 1, amountPerItem: pence(1_000) };
  const served = { ...open, bill: { ...bill, items: [{ ...beer, modifiers: [], lastOrderedAt: null }] } };
  const half: PartRequest = { mode: 'ITEMS', shares: [{ itemId: 'beer', numerator: 1, denominator: 2 }] };
  const { journey } = takePart(served, { paymentId: 'payment-1', request: half }, NOON);
  const again = () => takePart(journey, { paymentId: 'payment-2', request: half }, NOON);
  expect(again).toThrow(
    expect.objectContaining({ code: 'journey_busy', members: { 'items[0]': [expect.anything()] } }),
  );
  const recorded = follow(journey, ['Approved', 'Recorded']);
  expect(recorded.plan.split.shares).toEqual([{ itemId: 'beer', numerator: 1, denominator: 2, linePrice: 1_000 }]);
});

test.each([
  [600, 1],
  [0, 0],
])('of a bill of which %d is paid, %d share of an earlier journey is paid', (paid, count) => {
  const { state: _state, plan: _plan, ...begun } = open;
  const paidShares = [{ itemId: 'beer', numerator: 1, denominator: 1, linePrice: 600 }];
  const next = startJourney({ ...begun, bill: { ...bill, paid: pence(paid) }, paidShares }, NOON);
  expect(next.plan.split.shares).toHaveLength(count);
});

const wine: PartRequest = { mode: 'ITEMS', shares: [{ itemId: 'wine', numerator: 1, denominator: 3 }] };

test("only items of an earlier journey's open payment are refused to the next journey", () => {
  const earlier = { plan: { ...open.plan, inHand: { paymentId: 'payment-0', request: wine } } };
  const soup: PartRequest = { mode: 'ITEMS', shares: [{ itemId: 'soup', numerator: 1, denominator: 1 }] };
  expect(refusedBy(() => requireUnclaimed(wine, [open, earlier]))).toBe('journey_busy');
  for (const request of [soup, thirds]) expect(refusedBy(() => requireUnclaimed(request, [open, earlier]))).toBeNull();
  expect(refusedBy(() => requireUnclaimed(wine, [open]))).toBeNull();
});

test('what an earlier journey has paid counts as paid: its items, but not its place in an equal split', () => {
  const { plan } = applyEarlierPart(applyEarlierPart(paying, wine, NOON), wine, NOON);
  expect(plan.split.shares).toEqual([{ itemId: 'wine', numerator: 2, denominator: 3 }]);
  expect({ ...plan, split: paying.plan.split }).toEqual(paying.plan);
  expect(applyEarlierPart(paying, thirds, NOON)).toBe(paying);
});

test('no payment moves a finished journey', () => {
  for (const state of JOURNEY_STATES.filter((each) => each === 'FINISHED' || each === 'ABANDONED')) {
    const over = { ...paying, state };
    expect(follow(over, ['Approved', 'Recorded', 'NeedsOperator'])).toBe(over);
  }
});

function follow(journey: Journey, states: readonly TablePaymentState[]): Journey {
  return states.reduce(
    (followed, state) => applyPaymentState(followed, { id: 'payment-1', state, isUnanswered: false }, NOON),
    journey,
  );
}

function getState(act: () => Journey): string {
  try {
    return act().state;
  } catch (refused) {
    if (refused instanceof Refusal) return refused.code;
    throw refused;
  }
}

function refusedBy(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (refused) {
    if (refused instanceof Refusal) return refused.code;
    throw refused;
  }
}
