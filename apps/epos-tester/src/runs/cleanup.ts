import { Refusal } from '@pos/core/refusals/refusal';
import { setTimeout as pause } from 'node:timers/promises';
import { callTables } from '../scene/asking.js';
import type { CapturedPayment } from '../drivers/card-payments.js';
import type { FlowStep } from '../scene/flow.js';
import { deleteLock } from '../steps/order-locking.js';
import { publishPayment } from '../steps/pay-steps.js';
import type { TesterStage } from '../scene/scene.js';

const LOOK_EVERY_MS = 100;

/** Undoes what the flow has left behind: payments that no bill knows of go back, and what was locked is unlocked. */
export const cleanup: FlowStep = {
  name: 'cleanup',
  act: async (stage) => {
    const { payments, locked, orders } = stage.scene;
    // An order that was made goes first: what was paid for it goes back only when it is gone.
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
      // Giving back what may be on the bill would leave the bill paid by nobody.
      step.check(false, {
        clause: 'record.once',
        member: `payment ${payment.paymentId}`,
        expected: 'to be recorded, or refused on the first call',
        found: 'nobody knows; the card payment was left as it is',
      });
    }
    return;
  }
  if ((await cards.standing(scope, payment)).is === 'open') await cards.stop(scope, payment);
  for (;;) {
    const standing = await cards.standing(scope, payment);
    if (standing.is === 'ended') return cards.forget(scope, payment);
    if (standing.is === 'taken') break;
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

/** The same payment under the same id: whatever the first call did, it is on the bill once after this. */
async function repeatRecord(stage: TesterStage, payment: CapturedPayment): Promise<void> {
  const received = await publishPayment(stage, payment);
  if (received.outcome !== 'refused' || received.code !== 'SESSION_NOT_LOCKED') return;
  const { locked } = stage.scene;
  locked.add(payment.sessionId);
  const lock = await callTables(stage, 'lockSession', { sessionId: payment.sessionId });
  // Then somebody else has it, and that lock is not ours to take away.
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

/** A session that is gone, or that nobody has locked, need not be unlocked. */
const UNLOCKED: ReadonlySet<string> = new Set(['SESSION_NOT_LOCKED', 'SESSION_NO_SUCH_SESSION']);
