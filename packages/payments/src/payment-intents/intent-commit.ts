import { createAcquirerCall } from '@pos/core/acquirer-calls';
import { requireValue } from '@pos/core/refusals';
import { computeBalances } from '@pos/core/ledger';
import { money } from '@pos/core/money';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intents';
import { computeHoldTimes } from '@pos/core/captures-refunds';
import {
  getCallMerchant,
  insertAcquirerCall,
  insertIntent,
  type LockedIntent,
  writeIntentRow,
} from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { cancelTimer, schedule } from '@pos/store/queues';
import { wakeOrderPlacement } from './order-hold.js';
import { OutboxBatch } from '../webhooks/outbox-batch.js';

/** A decision about a locked intent. */
export interface IntentChange extends IntentDecision {
  /** Set if the transaction also publishes events of something else: the caller flushes it as its last step. */
  readonly outbox?: OutboxBatch;
}

/**
 * Stores a decision about a locked intent with everything that belongs to it: the row, history and postings in the hash
 * chain, captures, transaction lines, deadlines, wake-ups, the release of what the books have given up of a hold, and
 * the events. It is the only writer of a stored intent (ADR 0145). Delivery lanes come last.
 */
export async function commitIntent(tx: Tx, locked: LockedIntent, change: IntentChange): Promise<PaymentIntent> {
  const { intent: before } = locked;
  const intent = await writeIntentRow(tx, change, locked);
  wakeOrderPlacement(tx, before, intent);
  if (before.status === 'Created' && intent.status !== 'Created') applyCreatedEnd(tx, intent);
  await updateHold(tx, before, change);
  const outbox = change.outbox ?? new OutboxBatch(tx);
  await outbox.addDecisionEvents(intent, change);
  if (change.outbox === undefined) await outbox.flush();
  return intent;
}

/** Stores a new intent with its deadline and publishes its creation. It is the only writer of new intents. */
export async function commitNewIntent(tx: Tx, decision: IntentDecision): Promise<void> {
  const { intent } = decision;
  await insertIntent(tx, decision);
  schedule(tx, { kind: 'intent-expiry', subject: intent.id, dueAt: intent.expireAt });
  const outbox = new OutboxBatch(tx);
  await outbox.addDecisionEvents(intent, decision);
  await outbox.flush();
}

/** Deletes the deadline of an intent that nobody has paid, and wakes the payment at a table that waits for it. */
function applyCreatedEnd(tx: Tx, { id, paymentSource }: PaymentIntent): void {
  cancelTimer(tx, { kind: 'intent-expiry', subject: id });
  if (paymentSource === 'pay-at-table') tx.hint('journeys', id);
}

/** Sets and deletes the hold's own deadline with it, and orders the release of what the books have given up. */
async function updateHold(tx: Tx, before: PaymentIntent, decision: IntentDecision): Promise<void> {
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
