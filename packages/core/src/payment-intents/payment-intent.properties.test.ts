import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changeAmount, changeTips, releaseRaise, reserveRaise, bookRaise } from './amount-change.js';
import { releaseCapture, reserveCapture, bookCapture } from '../captures-refunds/capture.js';
import { issueSecret } from './client-secret.js';
import { computeBalances, type LedgerEntryDraft } from '../ledger/ledger.js';
import type { Money } from '../money/money.js';
import {
  approve,
  approveCharge,
  cancel,
  challenge,
  decline,
  expire,
  type IntentDecision,
  type PaymentIntent,
  rejectSignature,
  computeTotalAmount,
} from './payment-intent.js';
import { releaseRefund, reserveRefund, bookRefund } from '../captures-refunds/refund.js';
import { Refusal } from '../refusals/refusal.js';
import { decideHoldEnd } from '../captures-refunds/hold-end.js';
import { releaseReversal, reserveReversal, bookReversal } from '../captures-refunds/reversal.js';
import { DAY_MS } from '../time/timespan.js';
import { createApproval, buildIntent, getDecline, gbp, NOTHING, createPastDate, testId } from '../testing/builders.js';

/** A call to the acquirer that is reserved and not yet answered. */
interface Running {
  readonly settle: (intent: PaymentIntent, now: Date) => IntentDecision;
  readonly refuse: (intent: PaymentIntent, now: Date) => IntentDecision;
}

interface World {
  intent: PaymentIntent;
  running: Running[];
  entries: LedgerEntryDraft[];
  calls: number;
}

interface Command {
  readonly name: string;
  readonly pence: number;
  readonly laterMs: number;
}

type Act = (world: World, request: { amount: Money; now: Date }) => IntentDecision | null;

const WINDOWS = { authorizedMs: 7 * DAY_MS, capturedDays: 1, timeZone: 'UTC' };

const ACTS: Record<string, Act> = {
  approve: ({ intent }, { now }) => approve(intent, createApproval(computeTotalAmount(intent)), now),
  charge: ({ intent }, { now }) => approveCharge(intent, createApproval(computeTotalAmount(intent)), now),
  challenge: ({ intent }, { now }) => challenge(intent, createApproval(computeTotalAmount(intent)), now),
  decline: ({ intent }, { now }) => decline(intent, getDecline(), now),
  'reject signature': ({ intent }, { now }) => rejectSignature(intent, createApproval(computeTotalAmount(intent)), now),
  cancel: ({ intent, running }, { now }) => cancel(intent, { now, hasRunningAttempt: running.length > 0 }),
  expire: ({ intent }, { now }) => expire(intent, { now, hasRunningAttempt: false }),
  'new secret': ({ intent }, { now }) => issueSecret(intent, { text: 'secret', now, hasRunningAttempt: false }),
  'change amount': ({ intent }, { amount, now }) =>
    changeAmount(intent, {
      amount,
      itemLines: null,
      taxLines: null,
      clientSecret: null,
      hasRunningAttempt: false,
      now,
    }),
  'change tips': ({ intent }, { amount, now }) =>
    changeTips(intent, { tipsAmount: amount, clientSecret: null, hasRunningAttempt: false, now }),
  capture: (world, { amount, now }) => startCapture(world, amount, now),
  refund: (world, { amount, now }) => {
    const decision = reserveRefund(world.intent, amount, now);
    const reference = `refund-${world.calls}`;
    world.running.push({
      settle: (intent, at) => bookRefund(intent, { reference, amount, now: at }),
      refuse: (intent, at) => releaseRefund(intent, amount, at),
    });
    return decision;
  },
  reverse: (world, { now }) => runReversal(world, reserveReversal(world.intent, { now, windows: WINDOWS })),
  raise: (world, { amount, now }) => {
    const { decision, difference } = reserveRaise(world.intent, amount, now);
    const reference = `raise-${world.calls}`;
    world.running.push({
      settle: (intent, at) => bookRaise(intent, { reference, difference, now: at }),
      refuse: releaseRaise,
    });
    return decision;
  },
  'hold ends': (world, { now }) => {
    const end = decideHoldEnd(world.intent, now, { capturesOnce: false });
    if (end.kind === 'capture') return startCapture(world, end.amount, now);
    if (end.kind === 'reverse') return runReversal(world, end.decision);
    return end.kind === 'release' ? end.decision : null;
  },
  'acquirer says yes': (world, request) => anyRunning(world, request)?.settle(world.intent, request.now) ?? null,
  'acquirer says no': (world, request) => anyRunning(world, request)?.refuse(world.intent, request.now) ?? null,
};

/** Commands that end a course early are chosen seldom, and those that continue it often. */
const SELDOM = ['charge', 'reject signature', 'cancel', 'expire', 'reverse', 'hold ends', 'challenge', 'decline'];
const OFTEN = ['approve', 'capture', 'refund', 'acquirer says yes', 'acquirer says yes'];
const NAMES = Object.keys(ACTS).flatMap((name) => (SELDOM.includes(name) ? [name] : [name, name, name]));

const commands = fc.array(
  fc.record<Command>({
    name: fc.oneof(fc.constantFrom(...OFTEN), fc.constantFrom(...NAMES)),
    pence: fc.oneof(fc.constantFrom(500, 1000, 1500, 2000, 2300), fc.integer({ min: 0, max: 4000 })),
    laterMs: fc.oneof({ weight: 29, arbitrary: fc.constant(1000) }, { weight: 1, arbitrary: fc.constant(8 * DAY_MS) }),
  }),
  { maxLength: 40, size: 'max' },
);
const requests = fc.record({
  captureMode: fc.constantFrom('Auto' as const, 'Manual' as const),
  autoExpireAction: fc.constantFrom('Release' as const, 'Capture' as const),
  tipsAmount: fc.constantFrom(null, gbp(300)),
});

/** All transitions between states; a generator that never leaves Created would prove nothing. */
const WAYS = [
  'Authorized > Authorized',
  'Authorized > Captured',
  'Authorized > Refunded',
  'Authorized > Reversed',
  'Captured > Captured',
  'Captured > Refunded',
  'Captured > Reversed',
  'Created > Authorized',
  'Created > Canceled',
  'Created > Captured',
  'Created > Created',
  'Created > Reversed',
];

test('for any commands in any order, the figures agree with the books and every status is published once', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(requests, commands, (request, course) => {
      const world: World = { intent: buildIntent(request), running: [], entries: [], calls: 0 };
      let ms = 0;
      for (const command of course) {
        ms += command.laterMs;
        world.calls += 1;
        const before = world.intent;
        const decision = decided(world, command, createPastDate(ms));
        if (decision === null) continue;
        world.intent = decision.intent;
        world.entries.push(...decision.entries);
        reached.add(`${before.status} > ${decision.intent.status}`);
        expectNotified(before, decision, command);
        expectFigures(world);
      }
    }),
    { numRuns: 1_500 },
  );
  expect([...reached].sort()).toEqual(WAYS);
});

/** Answers come in any order. */
function anyRunning({ running }: World, { amount }: { amount: Money }): Running | undefined {
  return running.splice(amount.value % Math.max(running.length, 1), 1)[0];
}

function decided(world: World, { name, pence }: Command, now: Date): IntentDecision | null {
  try {
    return ACTS[name]?.(world, { amount: gbp(pence), now }) ?? null;
  } catch (error) {
    // A refusal changes nothing; anything else is a defect and fails the run.
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function startCapture(world: World, amount: Money, now: Date): IntentDecision {
  const id = testId('capture', world.calls);
  const decision = reserveCapture(world.intent, { id, amount, tipsAmount: NOTHING, now });
  world.running.push({
    settle: (intent, at) => bookCapture(intent, id, at),
    refuse: (intent, at) => releaseCapture(intent, { id, status: 'Declined', now: at }),
  });
  return decision;
}

function runReversal(world: World, decision: IntentDecision): IntentDecision {
  const reference = `reversal-${world.calls}`;
  world.running.push({
    settle: (intent, now) => bookReversal(intent, { reference, now }),
    refuse: releaseReversal,
  });
  return decision;
}

function expectNotified(
  before: PaymentIntent,
  { intent, events, webhookEvents }: IntentDecision,
  { name }: Command,
): void {
  const isMoved = before.status !== intent.status;
  must(
    webhookEvents.join() === (isMoved ? 'payment_intent.status_updated' : ''),
    'a status is published once, and nothing else is',
  );
  must(events.length <= 1, 'one event per change');
  const [event] = events;
  if (!isMoved) return;
  // A release has no event in the history, and a refund that ends a hold is Refunded even if something is left.
  if (event === undefined) must(name === 'hold ends' && intent.status === 'Captured', 'only a release has no event');
  else must(event.eventType === 'Refunded' || event.eventType === intent.status, 'the event names the status');
}

function expectFigures({ intent, running, entries }: World): void {
  const { status, authorized, captured, pendingCapture, pendingRefund, refunded } = intent;
  const figures = [authorized, captured, pendingCapture, pendingRefund, refunded].map(({ value }) => value);
  must(Math.min(...figures) >= 0, 'no figure below nothing');
  must(captured.value + pendingCapture.value <= authorized.value, 'captured and reserved within what is held');
  must(refunded.value + pendingRefund.value <= captured.value, 'refunded and reserved within what is captured');
  must(running.length > 0 || pendingCapture.value + pendingRefund.value === 0, 'a reservation belongs to a call');
  must(status !== 'Refunded' || refunded.value === captured.value, 'Refunded means all of it');
  const held = status === 'Authorized' ? authorized.value - captured.value : 0;
  const taken = status === 'Reversed' ? 0 : captured.value - refunded.value;
  const book = computeBalances(entries);
  must(book.card_hold === held && book.card_receivable === taken, 'the books agree with the figures');
  must(book.merchant_hold + held === 0 && book.merchant_payable + taken === 0, 'the books balance');
}

/** Used instead of `expect`, which would take longer than everything it checks in thousands of steps. */
function must(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`broken: ${what}`);
}
