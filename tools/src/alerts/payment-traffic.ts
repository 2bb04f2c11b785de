import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createPaymentIntent, refundPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { type Stage, waitUntil } from '../e2e/stage.js';
import { TestTable } from '../e2e/table.js';
import type { AlertStage } from './alert-stage.js';

/** A payment of the first restaurant that nobody pays. */
export function createIntent(stage: Stage): Promise<{ readonly id: string }> {
  return stage.api(stage.houses[0])(createPaymentIntent, {
    body: { amount: { value: 700, currencyCode: 'GBP' }, reference: 'monitored' },
  });
}

export async function createIntents(stage: Stage, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => createIntent(stage)));
}

/** Pays at a table, and returns the intent of the payment. */
export async function payAtTable(stage: Stage): Promise<string> {
  const table = await TestTable.begin(stage, stage.houses[0]);
  const paymentId = await table.take(1_000);
  assert.equal(await table.ending(paymentId), 'Recorded');
  const { payments } = await table.device.look(table.journey.journeyId);
  await table.leave();
  const [{ paymentIntentId = '' } = {}] = payments;
  return paymentIntentId;
}

/** Refunds a little of a captured payment. Rejects while the acquirer does not answer. */
export async function refund(stage: Stage, paymentIntentId: string): Promise<void> {
  await stage.api(stage.houses[0])(refundPaymentIntent, {
    params: { paymentIntentId },
    body: { amount: 1 },
    idempotencyKey: randomUUID(),
  });
}

const SETTLED_MS_MAX = 30_000;

/** Waits until the outcome of every call to an acquirer is known. */
export async function untilCallsAreSettled(at: AlertStage): Promise<void> {
  await waitUntil('every outcome is known', SETTLED_MS_MAX, async () => {
    const [row] = await at.sql<{ open: number }>(
      `select count(*)::integer as open from acquirer_calls where state <> 'Settled' and reverse_reference is null`,
    );
    return row?.open === 0;
  });
}
