import { type AcquirerCall, type AcquirerCallKind, createAcquirerCall } from '@pos/core/acquirer-calls/acquirer-call';
import { requireValue } from '@pos/core/refusals/assert';
import type { Money } from '@pos/core/money/money';
import type { PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { createViolation, Refusal, type RefusalCode } from '@pos/core/refusals/refusal';
import { findAcquirerCall, insertAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database/database';
import { type LockedIntent, lockIntent } from '@pos/store/payments/payment-intents';
import { schedule } from '@pos/store/queues/timers';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** A call about a payment's authorisation that is to be made; its reference is the id of what it makes. */
export interface MoneyCallRequest {
  readonly kind: Extract<AcquirerCallKind, 'Increase' | 'Capture' | 'Refund'>;
  readonly reference: string;
  readonly intent: PaymentIntent;
  readonly amount: Money;
}

/** Locks the payment whose money is to move. An unknown one is a bad member here; one that an order is paid with is refused. */
export async function lockPaymentToMoveMoney(tx: Tx, id: string): Promise<LockedIntent> {
  const locked = await lockIntent(tx, id);
  if (locked === null) throw createViolation('payment_intent_unknown', 'paymentIntentId', 'is not a payment intent');
  requireNotHeldForOrder(locked.intent);
  return locked;
}

/** Refuses to begin what nobody could finish: production without an acquirer. */
export function requireAcquirer({ scope }: Pick<Tx, 'scope'>, { hasProductionAcquirer }: PaymentSettings): void {
  if (scope.environment === 'production' && !hasProductionAcquirer) {
    throw new Refusal('acquirer_not_configured', 'no acquirer is configured for production');
  }
}

/** Writes a call before it is made, and the deadline from which a worker repeats it if its end is unknown. */
export async function prepareCall(tx: Tx, request: MoneyCallRequest, settings: PaymentSettings): Promise<AcquirerCall> {
  const { kind, reference, intent, amount } = request;
  const call = createAcquirerCall({
    ...{ kind, reference, amount },
    originalReference: requireValue(intent.paymentDetails, 'how the payment was taken').reference,
    paymentIntentId: intent.id,
    terminalSessionId: null,
    deadlineAt: computeCallDeadline(tx, settings),
  });
  await insertAcquirerCall(tx, call);
  scheduleFollowUp(tx, reference, settings);
  return call;
}

/** By when the caller has the answer or has given up waiting. */
export function computeCallDeadline({ databaseNow }: Tx, { acquirerDeadlineMs }: PaymentSettings): Date {
  return new Date(databaseNow.getTime() + acquirerDeadlineMs);
}

/** Has a worker pursue the call once the caller has given up waiting, or has crashed. */
export function scheduleFollowUp(tx: Tx, reference: string, settings: PaymentSettings): void {
  const dueInMs = settings.acquirerDeadlineMs + settings.inquiryIntervalMs;
  schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs, isRepeat: true });
}

/** The call that has moved the money; refuses one that the acquirer refused, and one that has not ended. */
export async function requireApproved(reader: Reader, reference: string, refused: RefusalCode): Promise<AcquirerCall> {
  const call = requireValue(await findAcquirerCall(reader, reference), `call ${reference}`);
  if (call.state !== 'Settled') {
    throw new Refusal(
      'acquirer_unanswered',
      'the acquirer has not answered; it is asked again until it does: read the payment intent, or repeat with the same key',
    );
  }
  if (call.outcome === 'Approved') return call;
  const message = call.result?.kind === 'refused' ? call.result.message : 'DECLINED';
  throw new Refusal(refused, `the acquirer refused it: ${message}`);
}
