import { reserveCapture } from '@pos/core/captures-refunds/capture';
import { type CaptureId, parseKnownId } from '@pos/core/identity/identity';
import { add, money } from '@pos/core/money/money';
import type { Reader, Tx } from '@pos/store/database/database';
import { updateIntent } from '@pos/store/payments/payment-intents';
import { lockPaymentToMoveMoney, prepareCall, requireAcquirer, requireApproved } from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** How much of a hold is wanted, in minor units of its currency; the tip comes on top. */
export interface CaptureRequest {
  readonly amount: number;
  readonly tipsAmount: number;
}

/** Taking held money: `begin` reserves it, the acquirer is asked under the capture's id, `result` says how it ended. */
export class Captures {
  constructor(private readonly settings: PaymentSettings) {}

  /** Reserves, so that all captures together never exceed the hold. Refuses what the state or the hold does not allow. */
  async reserve(tx: Tx, intentId: string, request: CaptureRequest): Promise<CaptureId> {
    requireAcquirer(tx, this.settings);
    const locked = await lockPaymentToMoveMoney(tx, intentId);
    const { currencyCode } = locked.intent.amount;
    const amount = money(request.amount, currencyCode);
    const tipsAmount = money(request.tipsAmount, currencyCode);
    const id = await tx.newId('capture');
    const decision = reserveCapture(locked.intent, { id, amount, tipsAmount, now: tx.now });
    const intent = await updateIntent(tx, decision, locked);
    await prepareCall(tx, { kind: 'Capture', reference: id, intent, amount: add(amount, tipsAmount) }, this.settings);
    return id;
  }

  /** The capture once it is done. Refuses one that the acquirer refused or has not answered. */
  async getResult(reader: Reader, reference: string): Promise<{ readonly captureId: CaptureId }> {
    await requireApproved(reader, reference, 'capture_refused');
    return { captureId: parseKnownId('capture', reference) };
  }
}
