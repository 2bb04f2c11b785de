import { requireCapturable } from '@pos/core/acquirer';
import { computeUncaptured, reserveCapture } from '@pos/core/captures-refunds';
import { type CaptureId, parseKnownId } from '@pos/core/identity';
import { add, isSameAmount, isZero, money } from '@pos/core/money';
import type { Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { commitIntent } from '../payment-intents/intent-commit.js';
import {
  getPaymentAcquirer,
  lockPaymentToMoveMoney,
  prepareCall,
  requireAcquirer,
  requireApproved,
} from '../acquirer/money-call.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** How much of a hold to capture, in minor units of its currency; the tip comes on top. */
export interface CaptureRequest {
  readonly amount: number;
  readonly tipsAmount: number;
}

export interface CaptureResult {
  readonly captureId: CaptureId;
}

/** Captures of holds. */
export class Captures {
  constructor(
    private readonly calls: Pick<AcquirerCalls, 'pursueCall'>,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Captures money of a hold: reserves it, asks the acquirer under the id of the capture, and returns the capture once
   * the acquirer has approved it. Refuses `capture_refused` when the acquirer refuses, and `acquirer_unanswered` while
   * its answer is unknown; a worker then repeats the call until it ends.
   */
  capture<Body>(
    operation: IdempotentOperation<CaptureResult, Body>,
    intentId: string,
    request: CaptureRequest,
  ): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => prepareCapture(tx, this.settings, { intentId, request }),
      execute: (captureId) => this.calls.pursueCall(operation.scope, captureId),
      getResult: async (reader, captureId) => {
        await requireApproved(reader, captureId, 'capture_refused');
        return { captureId: parseKnownId('capture', captureId) };
      },
    });
  }
}

/**
 * Reserves the money and writes the call to the acquirer, before it is made. All captures together never exceed the
 * hold. Refuses what the state of the payment or the hold does not allow.
 */
export async function prepareCapture(
  tx: Tx,
  settings: PaymentSettings,
  { intentId, request }: { readonly intentId: string; readonly request: CaptureRequest },
): Promise<CaptureId> {
  requireAcquirer(tx, settings);
  const locked = await lockPaymentToMoveMoney(tx, intentId);
  const { currencyCode } = locked.intent.amount;
  const amount = money(request.amount, currencyCode);
  const tipsAmount = money(request.tipsAmount, currencyCode);
  const id = await tx.newId('capture');
  const decision = reserveCapture(locked.intent, { id, amount, tipsAmount, now: tx.now });
  const total = add(amount, tipsAmount);
  const { merchant, capabilities } = await getPaymentAcquirer(tx, locked.intent, settings);
  requireCapturable(capabilities, {
    isWhole: isSameAmount(total, computeUncaptured(locked.intent)),
    isFirst: isZero(locked.intent.captured) && isZero(locked.intent.pendingCapture),
  });
  const intent = await commitIntent(tx, locked, decision);
  await prepareCall(tx, { kind: 'Capture', merchant, reference: id, intent, amount: total }, settings);
  return id;
}
