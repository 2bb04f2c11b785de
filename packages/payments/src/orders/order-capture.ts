import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { requireValue } from '@pos/core/refusals';
import { reserveCapture, computeUncaptured } from '@pos/core/captures-refunds';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { isPositive, subtract, zeroMoney } from '@pos/core/money';
import { findAcquirerCall, lockIntent } from '@pos/store/payments';
import type { Database, Tx } from '@pos/store/database';
import { commitIntent } from '../payment-intents/intent-commit.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { findPaymentMerchant, prepareCall } from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/**
 * `unanswered`: unknown, try again. `refused`: definitely not captured. `gone`: it is no longer held, and was not
 * captured.
 */
export type OrderCaptureOutcome = 'captured' | 'refused' | 'unanswered' | 'gone';

/** Captures a whole hold once its order is made. */
export class OrderCapture {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly calls: AcquirerCalls;
      readonly settings: PaymentSettings;
    },
  ) {}

  /**
   * Reserves, captures, concludes. May be repeated at any time, by any process: a running capture is inquired about,
   * and no other caller captures what is held for an order.
   */
  async captureOrder(scope: Scope, intentId: PaymentIntentId): Promise<OrderCaptureOutcome> {
    const { database, calls } = this.parts;
    const prepared = await database.transact(scope, (tx) => this.#prepare(tx, intentId));
    if (typeof prepared === 'string') return prepared;
    const progress = await calls.concludeCall(scope, prepared, { answer: await calls.sendCall(scope, prepared) });
    if (progress === 'open') return 'unanswered';
    const call = await database.read(scope, (reader) => findAcquirerCall(reader, prepared.reference));
    return call?.outcome === 'Approved' ? 'captured' : 'refused';
  }

  /** Finds the running capture or writes the next one; its row is stored before the call. */
  async #prepare(tx: Tx, intentId: PaymentIntentId): Promise<AcquirerCall | OrderCaptureOutcome> {
    const locked = requireValue(await lockIntent(tx, intentId), `payment intent ${intentId}`);
    const { intent } = locked;
    if (intent.status === 'Captured') return 'captured';
    if (intent.status !== 'Authorized') return 'gone';
    const running = intent.captures.find(({ status }) => status === 'Created');
    if (running !== undefined) return requireValue(await findAcquirerCall(tx, running.id), `call ${running.id}`);
    // A reversal of the hold is running, and its result decides.
    if (isPositive(intent.pendingCapture) || isPositive(intent.pendingRefund)) return 'unanswered';
    const id = await tx.newId('capture');
    const uncapturedAmount = computeUncaptured(intent);
    const tipsAmount = intent.tipsAmount ?? zeroMoney(uncapturedAmount.currencyCode);
    const decision = reserveCapture(intent, {
      id,
      amount: subtract(uncapturedAmount, tipsAmount),
      tipsAmount,
      now: tx.now,
    });
    const updatedIntent = await commitIntent(tx, locked, decision);
    await prepareCall(
      tx,
      {
        ...{ kind: 'Capture', merchant: await findPaymentMerchant(tx, intent), reference: id },
        ...{ intent: updatedIntent, amount: uncapturedAmount },
      },
      this.parts.settings,
    );
    return requireValue(await findAcquirerCall(tx, id), `call ${id}`);
  }
}
