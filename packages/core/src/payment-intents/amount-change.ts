import { assert, requireValue } from '../refusals/assert.js';
import { withSecret } from './client-secret.js';
import type { ItemLine, TaxLine } from './intent-details.js';
import { authoriseEntry } from '../ledger/ledger.js';
import { add, AMOUNT_MAX, exceeds, isPositive, isSameAmount, type Money, subtract, zeroMoney } from '../money/money.js';
import { isExtraAmount, isPayableAmount, findLinesOfOtherCurrency } from './new-payment-intent.js';
import {
  transitionTo,
  createBusyRefusal,
  getNextStatus,
  type IntentDecision,
  type PaymentIntent,
  computeTotalAmount,
} from './payment-intent.js';
import { createViolation, Refusal } from '../refusals/refusal.js';

/** Another price before the payment; lines replace the old ones when given. */
export interface AmountChange {
  readonly amount: Money;
  readonly itemLines: readonly ItemLine[] | null;
  readonly taxLines: readonly TaxLine[] | null;
  /** The new client secret if the intent may have one: the old page must not pay the old price. */
  readonly clientSecret: string | null;
  readonly hasRunningAttempt: boolean;
  readonly now: Date;
}

export function changeAmount(intent: PaymentIntent, change: AmountChange): IntentDecision {
  const { amount, itemLines, taxLines, now } = change;
  const status = getNextStatus(intent, 'change', 'amount_not_changeable');
  requireAmountChange(intent);
  if (change.hasRunningAttempt) throw createBusyRefusal();
  requireCurrency(intent, amount, 'amount');
  const details = {
    ...intent.details,
    itemLines: itemLines ?? intent.details.itemLines,
    taxLines: taxLines ?? intent.details.taxLines,
  };
  const foreign = findLinesOfOtherCurrency(details, amount.currencyCode)[0];
  if (foreign !== undefined) throw createViolation('validation_failed', foreign, `must be ${amount.currencyCode}`);
  const changed = { ...intent, amount, details, requestedAmount: intent.requestedAmount ?? intent.amount };
  if (!isPayableAmount(amount) || !isPayableAmount(computeTotalAmount(changed))) {
    throw createViolation('validation_failed', 'amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  return transitionTo(withSecret(changed, change.clientSecret, now), status, { now });
}

/** The price that the payer chose. A payment with lines has a fixed one: they would no longer add up to it. */
export function changeAmountByPayer(
  intent: PaymentIntent,
  change: Omit<AmountChange, 'itemLines' | 'taxLines'>,
): IntentDecision {
  const { itemLines, taxLines } = intent.details;
  if (itemLines.length > 0 || taxLines.length > 0) {
    throw new Refusal(
      'amount_change_not_enabled',
      'the payment intent has lines, so its payer cannot change its amount',
    );
  }
  return changeAmount(intent, { ...change, itemLines: null, taxLines: null });
}

/** Another tip before the payment; it may be zero. */
export function changeTips(
  intent: PaymentIntent,
  change: Pick<AmountChange, 'clientSecret' | 'hasRunningAttempt' | 'now'> & { readonly tipsAmount: Money },
): IntentDecision {
  const { tipsAmount, now } = change;
  const status = getNextStatus(intent, 'change', 'tips_not_changeable');
  if (!intent.details.config.payment.tipsAllowed) {
    throw new Refusal('tips_change_not_enabled', 'the payment intent was created without config.payment.tipsAllowed');
  }
  if (change.hasRunningAttempt) throw createBusyRefusal();
  requireCurrency(intent, tipsAmount, 'tipsAmount');
  const changed = { ...intent, tipsAmount };
  if (!isExtraAmount(tipsAmount) || !isPayableAmount(computeTotalAmount(changed))) {
    throw createViolation('validation_failed', 'tipsAmount.value', `must be between 0 and ${AMOUNT_MAX}`);
  }
  return transitionTo(withSecret(changed, change.clientSecret, now), status, { now });
}

/**
 * Reserves the hold while the issuer is asked to increase it: only upwards, and only before the first capture. The
 * difference is the amount to request.
 */
export function reserveRaise(
  intent: PaymentIntent,
  amount: Money,
  now: Date,
): { readonly decision: IntentDecision; readonly difference: Money } {
  const status = getNextStatus(intent, 'raise', 'amount_not_changeable');
  requireHoldRaise(intent);
  if (isPositive(intent.captured)) {
    throw new Refusal('amount_not_changeable', 'something of the payment is already captured');
  }
  if (isPositive(intent.pendingCapture) || isPositive(intent.pendingRefund)) throw createBusyRefusal();
  requireCurrency(intent, amount, 'amount');
  if (!exceeds(amount, intent.amount)) {
    throw new Refusal('amount_not_raised', 'the amount of a held payment can only be raised');
  }
  if (!isPayableAmount(computeTotalAmount({ ...intent, amount }))) {
    throw createViolation('validation_failed', 'amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  const reserved = { ...intent, pendingCapture: intent.authorized };
  return { decision: transitionTo(reserved, status, { now }), difference: subtract(amount, intent.amount) };
}

/** The issuer has increased the hold. */
export function bookRaise(
  intent: PaymentIntent,
  raise: { readonly reference: string; readonly difference: Money; readonly now: Date },
): IntentDecision {
  const { reference, difference, now } = raise;
  const raised: PaymentIntent = {
    ...releaseReservedRaise(intent),
    amount: add(intent.amount, difference),
    requestedAmount: intent.requestedAmount ?? intent.amount,
    authorized: add(intent.authorized, difference),
  };
  const status = getNextStatus(intent, 'raise', 'amount_not_changeable');
  const { reference: takenUnder } = requireValue(intent.paymentDetails, 'how the payment was taken');
  return transitionTo(raised, status, {
    now,
    entries: [authoriseEntry(reference, difference)],
    transactions: [{ kind: 'amount', reference: takenUnder, amount: add(raised.amount, getServiceCharge(raised)) }],
  });
}

/** The issuer refused: the hold stays as before. */
export function releaseRaise(intent: PaymentIntent, now: Date): IntentDecision {
  return transitionTo(releaseReservedRaise(intent), intent.status, { now });
}

function getServiceCharge({ serviceChargeAmount, amount }: PaymentIntent): Money {
  return serviceChargeAmount ?? zeroMoney(amount.currencyCode);
}

function requireAmountChange(intent: PaymentIntent): void {
  if (!intent.details.config.payment.customAmountAllowed) {
    throw new Refusal(
      'amount_change_not_enabled',
      'the payment intent was created without config.payment.customAmountAllowed',
    );
  }
}

/** A payer who may choose the amount is no condition for a merchant who raises a hold; it was the only one in 0.1. */
function requireHoldRaise({ details: { config } }: PaymentIntent): void {
  if (config.payment.holdRaiseAllowed !== true && !config.payment.customAmountAllowed) {
    throw new Refusal(
      'amount_change_not_enabled',
      'the payment intent was created without config.payment.holdRaiseAllowed',
    );
  }
}

function requireCurrency(intent: PaymentIntent, { currencyCode }: Money, member: string): void {
  if (currencyCode !== intent.amount.currencyCode) {
    throw createViolation('validation_failed', `${member}.currencyCode`, `must be ${intent.amount.currencyCode}`);
  }
}

function releaseReservedRaise(intent: PaymentIntent): PaymentIntent {
  requireValue(intent.authorizedAt, 'the time of the authorisation');
  assert(isSameAmount(intent.pendingCapture, intent.authorized), 'a raise that was not reserved');
  return { ...intent, pendingCapture: zeroMoney(intent.amount.currencyCode) };
}
