import { createAcquirerCall } from '@pos/core/acquirer-calls/acquirer-call';
import { requireValue } from '@pos/core/refusals/assert';
import { computeBalances } from '@pos/core/ledger/ledger';
import { money } from '@pos/core/money/money';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { computeHoldTimes } from '@pos/core/captures-refunds/reversal';
import { getCallMerchant, insertAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Tx } from '@pos/store/database/database';
import { type LockedIntent, updateIntent } from '@pos/store/payments/payment-intents';
import { cancelTimer, schedule } from '@pos/store/queues/timers';
import { wakeOrderPlacement } from './order-hold.js';
import { OutboxBatch } from '../webhooks/outbox-batch.js';

/** Writes a decision about a locked intent with all its consequences, and publishes its events. Lanes come last. */
export async function applyIntentDecision(
  tx: Tx,
  locked: LockedIntent,
  decision: IntentDecision,
): Promise<PaymentIntent> {
  const intent = await updateIntent(tx, decision, locked);
  wakeOrderPlacement(tx, locked.intent, intent);
  await updateHold(tx, locked.intent, decision);
  const outbox = new OutboxBatch(tx);
  await outbox.addDecisionEvents(intent, decision);
  await outbox.flush();
  return intent;
}

/** Sets and deletes the hold's own deadline with it, and orders the release of what the books have given up. */
export async function updateHold(tx: Tx, before: PaymentIntent, decision: IntentDecision): Promise<void> {
  const { intent, entries } = decision;
  const wasHeld = before.status === 'Authorized';
  const isHeld = intent.status === 'Authorized';
  const timer = { kind: 'hold-end', subject: intent.id } as const;
  if (isHeld && !wasHeld) schedule(tx, { ...timer, dueAt: computeHoldTimes(intent).actAt });
  if (wasHeld && !isHeld) cancelTimer(tx, timer);
  const released = entries.filter(({ kind }) => kind === 'release');
  if (released.length > 0) await requestRelease(tx, intent, computeBalances(released).merchant_hold);
}

/** The time limit of one try; no money waits for it. */
const RELEASE_DEADLINE_MS = 10_000;

/** Orders the release of the rest of a hold. The worker requests it until the acquirer has answered. */
async function requestRelease(tx: Tx, intent: PaymentIntent, value: number): Promise<void> {
  const reference = await tx.newUuid();
  const originalReference = requireValue(intent.paymentDetails, 'how the payment was taken').reference;
  const call = createAcquirerCall({
    reference,
    kind: 'Release',
    ...(await getCallMerchant(tx, originalReference)),
    originalReference,
    paymentIntentId: intent.id,
    terminalSessionId: null,
    amount: money(value, intent.amount.currencyCode),
    deadlineAt: new Date(tx.databaseNow.getTime() + RELEASE_DEADLINE_MS),
  });
  await insertAcquirerCall(tx, call);
  schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: 0, isRepeat: true });
}
