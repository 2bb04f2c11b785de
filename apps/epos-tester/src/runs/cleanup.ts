import { Refusal } from '@pos/core/refusals/refusal';
import { setTimeout as pause } from 'node:timers/promises';
import { callTables } from '../scene/asking.js';
import type { CapturedPayment } from '../drivers/card-payments.js';
import type { FlowStep } from '../scene/flow.js';
import { deleteLock } from '../steps/order-locking.js';
import { publishPayment } from '../steps/pay-steps.js';
import type { TesterStage } from '../scene/scene.js';

const LOOK_EVERY_MS = 100;

/** Undoes the effects of the flow: payments that are on no bill are returned, and locks are released. */
export const cleanup: FlowStep = {
  name: 'cleanup',
  act: async (stage) => {
    const { payments, locked, orders } = stage.scene;
    // A created order is cancelled first: its payment can be returned only after that.
    for (const undo of [...orders.made.values()].reverse()) await undo(stage);
    for (const payment of payments.keys()) await settlePayments(stage, payment);
    for (const sessionId of locked) await unlockSessions(stage, sessionId);
    for (const [lockId, orderId] of orders.locks) await deleteLock(stage, { lockId, orderId });
  },
};

async function settlePayments(stage: TesterStage, payment: CapturedPayment): Promise<void> {
  const { scene, step } = stage;
  const { cards, scope } = scene.parts;
  if (scene.payments.get(payment) === 'recorded') return;
  if (scene.payments.get(payment) === 'unknown') {
    await (scene.retell ?? repeatRecord)(stage, payment);
    if (scene.payments.get(payment) === 'unknown') {
      // A refund of a payment that may be on the bill would leave the bill unpaid.
      step.check(false, {
        clause: 'record.once',
        member: `payment ${payment.paymentId}`,
        expected: 'to be recorded, or refused on the first call',
        found: 'nobody knows; the card payment was left as it is',
      });
    }
    return;
  }
  if ((await cards.readState(scope, payment)).is === 'open') await cards.stop(scope, payment);
  for (;;) {
    const state = await cards.readState(scope, payment);
    if (state.is === 'ended') return cards.cancelIntent(scope, payment);
    if (state.is === 'taken') break;
    await pause(LOOK_EVERY_MS, undefined, { signal: step.signal });
  }
  try {
    await cards.giveBack(scope, payment);
    step.note(`payment ${payment.paymentId}: goes back to its card`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    step.note(`payment ${payment.paymentId}: could not be given back: ${error.detail}`);
  }
}

/** Records the same payment under the same id, so that afterwards it is on the bill exactly once. */
async function repeatRecord(stage: TesterStage, payment: CapturedPayment): Promise<void> {
  const received = await publishPayment(stage, payment);
  if (received.outcome !== 'refused' || received.code !== 'SESSION_NOT_LOCKED') return;
  const { locked } = stage.scene;
  locked.add(payment.sessionId);
  const lock = await callTables(stage, 'lockSession', { sessionId: payment.sessionId });
  // Then another device has the session, and that lock is not ours to remove.
  if (lock.outcome === 'refused') locked.delete(payment.sessionId);
  else await publishPayment(stage, payment);
}

async function unlockSessions(stage: TesterStage, sessionId: string): Promise<void> {
  const received = await callTables(stage, 'unlockSession', { sessionId });
  if (received.outcome === 'answered' || (received.outcome === 'refused' && UNLOCKED.has(received.code))) {
    stage.scene.locked.delete(sessionId);
    return;
  }
  stage.step.check(false, {
    clause: 'unlock.releases',
    member: 'UnlockSession',
    expected: 'its result',
    found: received.outcome === 'refused' ? received.code : received.outcome,
  });
}

/** A session that is gone or not locked needs no unlock. */
const UNLOCKED: ReadonlySet<string> = new Set(['SESSION_NOT_LOCKED', 'SESSION_NO_SUCH_SESSION']);
