import { Refusal } from '@pos/core/refusals';
import { setTimeout as pause } from 'node:timers/promises';
import { callTables } from '../flow-context/tables-calls.js';
import type { CapturedPayment } from '../drivers/card-payments.js';
import type { FlowStep } from '../flow-context/flow.js';
import { deleteLock } from '../steps/order-locking.js';
import { sendPaymentRecord } from '../steps/pay-steps.js';
import type { StepContext } from '../flow-context/flow-context.js';

const POLL_INTERVAL_MS = 100;

/** Undoes the effects of the flow: payments that are on no bill are returned, and locks are released. */
export const cleanup: FlowStep = {
  name: 'cleanup',
  act: async (context) => {
    const { payments, locked, orders } = context.flowContext;
    // A created order is cancelled first: its payment can be returned only after that.
    for (const undo of [...orders.undoActions.values()].reverse()) await undo(context);
    for (const payment of payments.keys()) await settlePayment(context, payment);
    for (const sessionId of locked) await unlockSession(context, sessionId);
    for (const [lockId, orderId] of orders.locks) await deleteLock(context, { lockId, orderId });
  },
};

async function settlePayment(context: StepContext, payment: CapturedPayment): Promise<void> {
  const { flowContext, step } = context;
  const { cards, scope } = flowContext.parts;
  if (flowContext.payments.get(payment) === 'recorded') return;
  if (flowContext.payments.get(payment) === 'unknown') {
    await (flowContext.recordRepeaters.get(payment) ?? repeatRecord)(context, payment);
    if (flowContext.payments.get(payment) === 'unknown') {
      // A refund of a payment that may be on the bill would leave the bill unpaid.
      step.check(false, {
        clause: 'record.once',
        member: `payment ${payment.paymentId}`,
        expected: 'to be recorded, or refused on the first call',
        found: 'an unknown state; the card payment was left as it is',
      });
    }
    return;
  }
  if ((await cards.readState(scope, payment)).is === 'open') await cards.stop(scope, payment);
  for (;;) {
    const state = await cards.readState(scope, payment);
    if (state.is === 'ended') return cards.cancelIntent(scope, payment);
    if (state.is === 'taken') break;
    await pause(POLL_INTERVAL_MS, undefined, { signal: step.signal });
  }
  try {
    await cards.requestReversal(scope, payment);
    step.note(`payment ${payment.paymentId}: is returned to its card`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    step.note(`payment ${payment.paymentId}: cannot be returned: ${error.detail}`);
  }
}

/** Records the same payment under the same id, so that afterwards it is on the bill exactly once. */
async function repeatRecord(context: StepContext, payment: CapturedPayment): Promise<void> {
  const received = await sendPaymentRecord(context, payment);
  if (received.outcome !== 'refused' || received.code !== 'SESSION_NOT_LOCKED') return;
  const { locked } = context.flowContext;
  locked.add(payment.sessionId);
  const lock = await callTables(context, 'lockSession', { sessionId: payment.sessionId });
  // Then another device has the session, and that lock is not ours to remove.
  if (lock.outcome === 'refused') locked.delete(payment.sessionId);
  else await sendPaymentRecord(context, payment);
}

async function unlockSession(context: StepContext, sessionId: string): Promise<void> {
  const received = await callTables(context, 'unlockSession', { sessionId });
  if (received.outcome === 'answered' || (received.outcome === 'refused' && UNLOCKED.has(received.code))) {
    context.flowContext.locked.delete(sessionId);
    return;
  }
  context.step.check(false, {
    clause: 'unlock.releases',
    member: 'UnlockSession',
    expected: 'its result',
    found: received.outcome === 'refused' ? received.code : received.outcome,
  });
}

/** A session that is gone or not locked needs no unlock. */
const UNLOCKED: ReadonlySet<string> = new Set(['SESSION_NOT_LOCKED', 'SESSION_NO_SUCH_SESSION']);
