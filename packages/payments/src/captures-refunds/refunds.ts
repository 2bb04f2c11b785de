import { requireRefundable } from '@pos/core/acquirer';
import { createViolation, Refusal, requireValue } from '@pos/core/refusals';
import { isId, parseKnownId, type RefundId } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { planRefund, reserveRefund } from '@pos/core/captures-refunds';
import { findAcquirerCall, findRefund, insertRefund, type Refund } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { commitIntent } from '../payment-intents/intent-commit.js';
import {
  getPaymentAcquirer,
  lockPaymentToMoveMoney,
  prepareCall,
  requireAcquirer,
  requireApproved,
} from '../acquirer/money-call.js';
import { requireDepositKept } from '../payment-intents/deposit-hold.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** How much goes back, in minor units of the payment's currency, and why. */
export interface RefundRequest extends Pick<Refund, 'reason' | 'notes' | 'previousTransactionId'> {
  readonly amount: number;
}

const ID_LENGTH_MAX = 50;

/** Refunds of payments. */
export class Refunds {
  constructor(
    private readonly calls: Pick<AcquirerCalls, 'pursueCall'>,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Gives captured money back: reserves it, asks the acquirer under the id of the refund, and returns the refund once
   * the acquirer has approved it. Refuses `refund_refused` when the acquirer refuses, and `acquirer_unanswered` while
   * its answer is unknown; a worker then repeats the call until it ends. The key is bound for good.
   */
  refund<Body>(
    operation: IdempotentOperation<Refund, Body>,
    intentId: string,
    request: RefundRequest,
  ): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => prepareRefund(tx, this.settings, { intentId, request }),
      execute: (refundId) => this.calls.pursueCall(operation.scope, refundId),
      getResult: async (reader, refundId) => {
        await requireApproved(reader, refundId, 'refund_refused');
        return requireValue(await findRefund(reader, parseKnownId('refund', refundId)), `refund ${refundId}`);
      },
      retentionMs: Infinity,
    });
  }

  /** A refund that was made. One that was refused, or is still being asked for, is none yet. */
  async getRefund(reader: Reader, id: string): Promise<Refund> {
    if (id.length > ID_LENGTH_MAX) {
      throw createViolation('validation_failed', 'refundId', `Must be at most ${ID_LENGTH_MAX} characters.`);
    }
    const refund = isId('refund', id) ? await findRefund(reader, id) : null;
    const call = refund === null ? null : await findAcquirerCall(reader, refund.id);
    if (refund === null || call?.outcome !== 'Approved') {
      throw new Refusal('refund_not_found', 'there is no such refund');
    }
    return refund;
  }
}

/**
 * Reserves the money and writes the call to the acquirer, before it is made. All refunds together never exceed what was
 * captured. Refuses what the state of the payment does not allow.
 */
export async function prepareRefund(
  tx: Tx,
  settings: PaymentSettings,
  { intentId, request }: { readonly intentId: string; readonly request: RefundRequest },
): Promise<RefundId> {
  requireAcquirer(tx, settings);
  const { amount: value, ...details } = request;
  const locked = await lockPaymentToMoveMoney(tx, intentId);
  const amount = money(value, locked.intent.amount.currencyCode);
  const decision = reserveRefund(locked.intent, amount, tx.now);
  // Sent together.
  const [{ merchant, capabilities }] = await Promise.all([
    getPaymentAcquirer(tx, locked.intent, settings),
    requireDepositKept(tx, decision.intent),
  ]);
  requireRefundable(capabilities, planRefund(locked.intent, amount, tx.now));
  const id = await tx.newId('refund');
  const intent = await commitIntent(tx, locked, decision);
  insertRefund(tx, { ...details, id, paymentIntentId: intent.id });
  await prepareCall(tx, { kind: 'Refund', merchant, reference: id, intent, amount }, settings);
  return id;
}
