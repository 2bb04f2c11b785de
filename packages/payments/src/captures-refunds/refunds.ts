import { requireValue } from '@pos/core/refusals/assert';
import { isId, parseKnownId, type RefundId } from '@pos/core/identity/identity';
import { money } from '@pos/core/money/money';
import { reserveRefund } from '@pos/core/captures-refunds/refund';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import { findAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database/database';
import { updateIntent } from '@pos/store/payments/payment-intents';
import { findRefund, insertRefund, type Refund } from '@pos/store/payments/refunds';
import { lockPaymentToMoveMoney, prepareCall, requireAcquirer, requireApproved } from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** How much goes back, in minor units of the payment's currency, and why. */
export interface RefundRequest extends Pick<Refund, 'reason' | 'notes' | 'previousTransactionId'> {
  readonly amount: number;
}

const ID_LENGTH_MAX = 50;

/** Giving money back: `begin` reserves it, the acquirer is asked under the refund's id, `result` says how it ended. */
export class Refunds {
  constructor(private readonly settings: PaymentSettings) {}

  /** Reserves, so that all refunds together never exceed what was captured. Refuses what the state does not allow. */
  async reserve(tx: Tx, intentId: string, request: RefundRequest): Promise<RefundId> {
    requireAcquirer(tx, this.settings);
    const { amount: value, ...details } = request;
    const locked = await lockPaymentToMoveMoney(tx, intentId);
    const amount = money(value, locked.intent.amount.currencyCode);
    const decision = reserveRefund(locked.intent, amount, tx.now);
    const id = await tx.newId('refund');
    const intent = await updateIntent(tx, decision, locked);
    insertRefund(tx, { ...details, id, paymentIntentId: intent.id });
    await prepareCall(tx, { kind: 'Refund', reference: id, intent, amount }, this.settings);
    return id;
  }

  /** The refund once the money is on its way back. Refuses one that the acquirer refused or has not answered. */
  async getResult(reader: Reader, reference: string): Promise<Refund> {
    await requireApproved(reader, reference, 'refund_refused');
    return requireValue(await findRefund(reader, parseKnownId('refund', reference)), `refund ${reference}`);
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
