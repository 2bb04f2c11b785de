import { changeAmount, changeTips, reserveRaise } from '@pos/core/payment-intents/amount-change';
import { Defect } from '@pos/core/refusals/assert';
import { isId } from '@pos/core/identity/identity';
import { type ItemLine, computeSubtotal, type TaxLine } from '@pos/core/payment-intents/intent-details';
import type { Money } from '@pos/core/money/money';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { createViolation } from '@pos/core/refusals/refusal';
import type { Reader, Tx } from '@pos/store/database/database';
import { type LockedIntent, updateIntent } from '@pos/store/payments/payment-intents';
import { createClientSecret } from '../payment-intents/client-secrets.js';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import { prepareCall, requireAcquirer, requireApproved } from '../acquirer/money-call.js';
import { lockIntentAndCheckAttempts } from '../payment-intents/payment-intents.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** Another price; lines replace the old ones where they are given. */
export interface AmountChangeRequest {
  readonly amount: Money;
  readonly itemLines: readonly ItemLine[] | null;
  readonly taxLines: readonly TaxLine[] | null;
}

/** Changing what a payment is over: at once before anybody paid; of a hold the issuer is asked for more. */
export class AmountChanges {
  constructor(private readonly settings: PaymentSettings) {}

  /**
   * Changes the price, or reserves the hold that is to be raised. Returns what `result` asks after: the reference of the
   * raise, or the intent's own id where nobody has to be asked.
   */
  async changeOrReserve(tx: Tx, intentId: string, request: AmountChangeRequest): Promise<string> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, intentId);
    const { intent } = locked;
    requireNotHeldForOrder(intent);
    if (intent.status === 'Authorized') return this.#raise(tx, locked, request.amount);
    const clientSecret = await createSecretIfAllowed(tx, intent);
    const decision = changeAmount(intent, { ...request, clientSecret, hasRunningAttempt, now: tx.now });
    requireCountableTotal(decision);
    await updateIntent(tx, decision, locked);
    return intent.id;
  }

  /** Returns once the price is another. Refuses a raise that the issuer refused or has not answered. */
  async requireResult(reader: Reader, point: string): Promise<void> {
    if (!isId('paymentIntent', point)) await requireApproved(reader, point, 'amount_raise_refused');
  }

  /** Changes the tip before anybody paid. */
  async changeTips(tx: Tx, intentId: string, tipsAmount: Money): Promise<void> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, intentId);
    requireNotHeldForOrder(locked.intent);
    const clientSecret = await createSecretIfAllowed(tx, locked.intent);
    const decision = changeTips(locked.intent, { tipsAmount, clientSecret, hasRunningAttempt, now: tx.now });
    await updateIntent(tx, decision, locked);
  }

  async #raise(tx: Tx, locked: LockedIntent, amount: Money): Promise<string> {
    requireAcquirer(tx, this.settings);
    const { decision, difference } = reserveRaise(locked.intent, amount, tx.now);
    const reference = await tx.newUuid();
    const intent = await updateIntent(tx, decision, locked);
    await prepareCall(tx, { kind: 'Increase', reference, intent, amount: difference }, this.settings);
    return reference;
  }
}

/** The page that shows the old price must not pay it: whoever may have a secret gets a new one. */
async function createSecretIfAllowed(tx: Tx, { id, details }: PaymentIntent): Promise<string | null> {
  return details.mayHaveClientSecret ? createClientSecret(tx, id) : null;
}

/** The sum of the lines is only ever shown, and so is made only when it is too late to refuse: hence it is tried here. */
function requireCountableTotal({ intent }: IntentDecision): void {
  try {
    computeSubtotal(intent.details, intent.amount.currencyCode);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    throw createViolation('validation_failed', 'itemLines', 'Come to more than can be counted.');
  }
}
