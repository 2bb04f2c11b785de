import { expect } from '@jest/globals';
import { listAmountMovements } from '@pos/core/webhooks';
import { computeBalances } from '@pos/core/ledger';
import { subtract, sum } from '@pos/core/money';
import type { Capture, PaymentIntent } from '@pos/core/payment-intents';
import { findIntent, listCallsOfIntent, listPaymentEvents } from '@pos/store/payments';
import { verifyIntentChain } from '@pos/store/reconciliation';
import { listLedgerEntries } from '@pos/store/ledger';
import { defineStatement } from '@pos/postgres/statements';
import type { Reader, SnapshotReader } from '@pos/store/database';
import { type TestEnvironment, type TestAccount, SUBJECTS, findDifferences } from './test-environment.js';

/**
 * Checks that every chain of the account is intact, and that its books agree with its figures and with the
 * acquirer's books.
 */
export async function expectConsistent(testEnvironment: TestEnvironment, testAccount: TestAccount): Promise<void> {
  await testEnvironment.database.readSnapshot(testAccount.scope, async (reader) => {
    const rows = await reader.query<{ id: PaymentIntent['id'] }>(SUBJECTS, [
      testAccount.scope.accountId,
      testAccount.scope.environment,
    ]);
    for (const { id } of rows) await expectConsistentIntent(reader, id);
  });
  expect(await findDifferences(testEnvironment, testAccount)).toEqual([]);
}
const LISTED_TOTALS = defineStatement(
  'listed_of_intent',
  `select coalesce(sum(amount + tips_amount + cashback_amount) filter (where type in ('Sale', 'Collection')), 0)::int as taken,
     coalesce(sum(amount + tips_amount + cashback_amount) filter (where type = 'Refund'), 0)::int as refunded
   from transactions where account_id = $1 and environment = $2 and intent_id = $3 and status = 'Authorized'`,
);
const AMOUNT_EVENTS = defineStatement(
  'amount_events_of_intent',
  `select kind, convert_from(body, 'UTF8')::jsonb -> 'data' as data from events
   where account_id = $1 and environment = $2 and subject_id = $3 and kind like 'payment_intent.amount_%'
   order by number`,
);
/** Checks that each capture and refund in the books was published once with its amount, for every operation. */
async function expectAmountsPublished(reader: Reader, intent: PaymentIntent): Promise<void> {
  const { accountId, environment } = reader.scope;
  const rows = await reader.query<{ kind: string; data: { amount: unknown } }>(AMOUNT_EVENTS, [
    accountId,
    environment,
    intent.id,
  ]);
  const published = rows.map(({ kind, data }) => ({ kind, amount: data.amount }));
  const entries = await listLedgerEntries(reader, intent.id);
  const booked = listAmountMovements(entries);
  expect([intent.id, published]).toEqual([intent.id, booked.map(({ kind, amount }) => ({ kind, amount }))]);
  const last = rows.at(-1)?.data;
  // A refund that was taken out of the books later has its event, and the change of the figures has a status event.
  const isRefundUndone = entries.at(-1)?.kind === 'reverse' && intent.status !== 'Reversed';
  if (last !== undefined && !isRefundUndone)
    expect(last).toMatchObject({ capturedAmount: intent.captured, refundedAmount: intent.refunded });
}

async function expectConsistentIntent(reader: SnapshotReader, id: PaymentIntent['id']): Promise<void> {
  expect(await verifyIntentChain(reader, id)).toEqual([]);
  const intent = (await findIntent(reader, id))!;
  const { card_hold: hold, card_receivable: receivable } = computeBalances(await listLedgerEntries(reader, id));
  const isUndone = intent.status === 'Reversed';
  const held = intent.status === 'Authorized' ? subtract(intent.authorized, intent.captured).value : 0;
  const kept = isUndone ? 0 : subtract(intent.captured, intent.refunded).value;
  expect([id, hold, receivable]).toEqual([id, held, kept]);
  const { accountId, environment } = reader.scope;
  const [listed] = await reader.query(LISTED_TOTALS, [accountId, environment, id]);
  expect([id, listed]).toEqual([id, { taken: isUndone ? 0 : intent.captured.value, refunded: intent.refunded.value }]);
  await expectAmountsPublished(reader, intent);
  const events = (await listPaymentEvents(reader, id)).map(({ eventType }) => eventType);
  const calls = await listCallsOfIntent(reader, id);
  const taken = calls.filter(({ kind, outcome }) => kind === 'Authorise' && outcome === 'Approved');
  const isPaid = ['Authorized', 'Captured', 'Refunded'].includes(intent.status);
  if (isPaid) expect([id, taken.length]).toEqual([id, 1]);
  const captures = intent.captures.filter(({ status }) => status === 'Successful');
  const sumUp = (list: readonly Capture[]) =>
    sum(
      list.flatMap(({ amount, tipsAmount }) => [amount, tipsAmount]),
      intent.amount.currencyCode,
    ).value;
  if (captures.length > 0) expect([id, sumUp(captures)]).toEqual([id, intent.captured.value]);
  const reserved = sumUp(intent.captures.filter(({ status }) => status === 'Created'));
  expect(reserved).toBeLessThanOrEqual(intent.pendingCapture.value);
  const takings = events.filter((type) => type === 'Authorized' || type === 'Captured');
  expect(takings.length - captures.length).toBeLessThanOrEqual(1);
}
