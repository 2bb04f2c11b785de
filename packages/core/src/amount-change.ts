import { assert, required } from './assert.js';
import { withSecret } from './client-secret.js';
import type { ItemLine, TaxLine } from './intent-details.js';
import { authoriseEntry } from './ledger.js';
import { add, AMOUNT_MAX, exceeds, isPositive, isSameAmount, type Money, subtract, zero } from './money.js';
import { isExtraAmount, isPayableAmount, linesOfOtherCurrency } from './new-payment-intent.js';
import { arrive, busy, destination, type IntentDecision, type PaymentIntent, totalAmount } from './payment-intent.js';
import { keyed, Refusal } from './refusal.js';

/** Another price before anybody paid; lines replace the old ones when given. */
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
  const status = destination(intent, 'change', 'amount_not_changeable');
  requireAmountChange(intent);
  if (change.hasRunningAttempt) throw busy();
  requireCurrency(intent, amount, 'amount');
  const details = {
    ...intent.details,
    itemLines: itemLines ?? intent.details.itemLines,
    taxLines: taxLines ?? intent.details.taxLines,
  };
  const foreign = linesOfOtherCurrency(details, amount.currencyCode)[0];
  if (foreign !== undefined) throw keyed('validation_failed', foreign, `must be ${amount.currencyCode}`);
  const changed = { ...intent, amount, details, requestedAmount: intent.requestedAmount ?? intent.amount };
  if (!isPayableAmount(amount) || !isPayableAmount(totalAmount(changed))) {
    throw keyed('validation_failed', 'amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  return arrive(withSecret(changed, change.clientSecret, now), status, { now });
}

/** Another tip before anybody paid; it may be nothing. */
export function changeTips(
  intent: PaymentIntent,
  change: Pick<AmountChange, 'clientSecret' | 'hasRunningAttempt' | 'now'> & { readonly tipsAmount: Money },
): IntentDecision {
  const { tipsAmount, now } = change;
  const status = destination(intent, 'change', 'tips_not_changeable');
  if (!intent.details.config.payment.tipsAllowed) {
    throw new Refusal('tips_change_not_enabled', 'the payment intent was created without config.payment.tipsAllowed');
  }
  if (change.hasRunningAttempt) throw busy();
  requireCurrency(intent, tipsAmount, 'tipsAmount');
  const changed = { ...intent, tipsAmount };
  if (!isExtraAmount(tipsAmount) || !isPayableAmount(totalAmount(changed))) {
    throw keyed('validation_failed', 'tipsAmount.value', `must be between 0 and ${AMOUNT_MAX}`);
  }
  return arrive(withSecret(changed, change.clientSecret, now), status, { now });
}

/**
 * Reserves the hold while the issuer is asked for more of it: only upwards, and only before the
 * first capture. The difference is what to ask for.
 */
export function reserveRaise(
  intent: PaymentIntent,
  amount: Money,
  now: Date,
): { readonly decision: IntentDecision; readonly difference: Money } {
  const status = destination(intent, 'raise', 'amount_not_changeable');
  requireAmountChange(intent);
  if (isPositive(intent.captured)) {
    throw new Refusal('amount_not_changeable', 'something of the payment is already captured');
  }
  if (isPositive(intent.pendingCapture) || isPositive(intent.pendingRefund)) throw busy();
  requireCurrency(intent, amount, 'amount');
  if (!exceeds(amount, intent.amount)) {
    throw new Refusal('amount_not_raised', 'the amount of a held payment can only be raised');
  }
  if (!isPayableAmount(totalAmount({ ...intent, amount }))) {
    throw keyed('validation_failed', 'amount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  const reserved = { ...intent, pendingCapture: intent.authorized };
  return { decision: arrive(reserved, status, { now }), difference: subtract(amount, intent.amount) };
}

/** The issuer holds more now. */
export function settleRaise(
  intent: PaymentIntent,
  raise: { readonly reference: string; readonly difference: Money; readonly now: Date },
): IntentDecision {
  const { reference, difference, now } = raise;
  const raised: PaymentIntent = {
    ...unreserved(intent),
    amount: add(intent.amount, difference),
    requestedAmount: intent.requestedAmount ?? intent.amount,
    authorized: add(intent.authorized, difference),
  };
  const status = destination(intent, 'raise', 'amount_not_changeable');
  const { reference: takenUnder } = required(intent.paymentDetails, 'how the payment was taken');
  return arrive(raised, status, {
    now,
    entries: [authoriseEntry(reference, difference)],
    transactions: [{ kind: 'amount', reference: takenUnder, amount: add(raised.amount, serviceChargeOf(raised)) }],
  });
}

/** The issuer refused: the hold stands as before. */
export function refuseRaise(intent: PaymentIntent, now: Date): IntentDecision {
  return arrive(unreserved(intent), intent.status, { now });
}

function serviceChargeOf({ serviceChargeAmount, amount }: PaymentIntent): Money {
  return serviceChargeAmount ?? zero(amount.currencyCode);
}

function requireAmountChange(intent: PaymentIntent): void {
  if (!intent.details.config.payment.customAmountAllowed) {
    throw new Refusal(
      'amount_change_not_enabled',
      'the payment intent was created without config.payment.customAmountAllowed',
    );
  }
}

function requireCurrency(intent: PaymentIntent, { currencyCode }: Money, member: string): void {
  if (currencyCode !== intent.amount.currencyCode) {
    throw keyed('validation_failed', `${member}.currencyCode`, `must be ${intent.amount.currencyCode}`);
  }
}

function unreserved(intent: PaymentIntent): PaymentIntent {
  required(intent.authorizedAt, 'the time of the authorisation');
  assert(isSameAmount(intent.pendingCapture, intent.authorized), 'a raise that was not reserved');
  return { ...intent, pendingCapture: zero(intent.amount.currencyCode) };
}
