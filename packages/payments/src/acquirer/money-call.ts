import {
  type AcquirerCall,
  type AcquirerCallKind,
  type CallMerchant,
  createAcquirerCall,
} from '@pos/core/acquirer-calls';
import { type Account, getMerchantId } from '@pos/core/accounts';
import type { AcquirerCapabilities } from '@pos/core/acquirer';
import { createViolation, Refusal, type RefusalCode, requireValue } from '@pos/core/refusals';
import type { Environment } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import {
  findAcquirerCall,
  getCallMerchant,
  insertAcquirerCall,
  type LockedIntent,
  lockIntent,
} from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** A call about a payment's authorisation that is to be made; its reference is the id of what it makes. */
export interface MoneyCallRequest {
  readonly kind: Extract<AcquirerCallKind, 'Increase' | 'Capture' | 'Refund'>;
  /** The acquirer that has the authorisation, and the number under which it was made. */
  readonly merchant: CallMerchant;
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

/** Refuses to begin what nobody could finish, before anything is read: an environment without any acquirer. */
export function requireAcquirer({ scope }: Pick<Tx, 'scope'>, { acquirers }: PaymentSettings): void {
  if (!acquirers.hasAny(scope.environment)) {
    throw new Refusal('acquirer_not_configured', `no acquirer is configured for ${scope.environment}`);
  }
}

/** An acquirer of this process with the number of the merchant, and what it has declared. */
export interface CapableAcquirer {
  readonly merchant: CallMerchant;
  readonly capabilities: AcquirerCapabilities;
}

/** The acquirer of a new payment, for which the account has a number. */
export interface NewPaymentAcquirer extends CapableAcquirer {
  readonly merchant: { readonly acquirer: string; readonly merchantId: string };
}

/** The acquirer of the account's new payments. Refuses one that is not configured or has not declared anything. */
export function getAccountAcquirer(
  { scope: { environment } }: Pick<Tx, 'scope'>,
  account: Account,
  settings: PaymentSettings,
): NewPaymentAcquirer {
  return getAcquirerOf(account, { environment, acquirer: account.settings.acquirer[environment] }, settings);
}

/** The named acquirer for new payments of the account. Refuses as `getAccountAcquirer` does. */
export function getAcquirerOf(
  account: Account,
  { environment, acquirer }: { readonly environment: Environment; readonly acquirer: string },
  { acquirers }: PaymentSettings,
): NewPaymentAcquirer {
  const capabilities = acquirers.getCapabilities(environment, acquirer);
  return { merchant: { acquirer, merchantId: getMerchantId(account, { environment, acquirer }) }, capabilities };
}

/**
 * The acquirer that has the authorisation of a payment, also after the account has moved to another. Refuses as
 * `getAccountAcquirer` does.
 */
export async function getPaymentAcquirer(
  reader: Reader,
  intent: PaymentIntent,
  { acquirers }: PaymentSettings,
): Promise<CapableAcquirer> {
  const merchant = await findPaymentMerchant(reader, intent);
  return { merchant, capabilities: acquirers.getCapabilities(reader.scope.environment, merchant.acquirer) };
}

/** The acquirer that has the authorisation of a payment, and the number under which it was made. */
export function findPaymentMerchant(reader: Reader, { paymentDetails }: PaymentIntent): Promise<CallMerchant> {
  return getCallMerchant(reader, requireValue(paymentDetails, 'how the payment was taken').reference);
}

/** Writes a call before it is made, and the deadline from which a worker repeats it if its end is unknown. */
export async function prepareCall(tx: Tx, request: MoneyCallRequest, settings: PaymentSettings): Promise<AcquirerCall> {
  const { kind, merchant, reference, intent, amount } = request;
  const call = createAcquirerCall({
    ...{ kind, ...merchant, reference, amount },
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
