import { changeAmount, changeTips, reserveRaise } from '@pos/core/amount-change';
import { Defect } from '@pos/core/assert';
import { isId } from '@pos/core/identity';
import { type ItemLine, subtotalLineItems, type TaxLine } from '@pos/core/intent-details';
import type { Money } from '@pos/core/money';
import type { IntentDecision, PaymentIntent } from '@pos/core/payment-intent';
import { keyed } from '@pos/core/refusal';
import type { Reader, Tx } from '@pos/store/database';
import { type LockedIntent, updateIntent } from '@pos/store/payment-intents';
import { newSecret } from './client-secrets.js';
import { refuseHeldForOrder } from './held-for-order.js';
import { prepareCall, requireAcquirer, requireDone } from './money-call.js';
import { attend } from './payment-intents.js';
import type { PaymentSettings } from './settings.js';

/** Another price; lines replace the old ones where they are given. */
export interface AmountOrder {
  readonly amount: Money;
  readonly itemLines: readonly ItemLine[] | null;
  readonly taxLines: readonly TaxLine[] | null;
}

/** Changing what a payment is over: at once before anybody paid; of a hold the issuer is asked for more. */
export class Amounts {
  constructor(private readonly settings: PaymentSettings) {}

  /**
   * Changes the price, or reserves the hold that is to be raised. Returns what `result` asks after: the reference of the
   * raise, or the intent's own id where nobody has to be asked.
   */
  async begin(tx: Tx, intentId: string, order: AmountOrder): Promise<string> {
    const { locked, hasRunningAttempt } = await attend(tx, intentId);
    const { intent } = locked;
    refuseHeldForOrder(intent);
    if (intent.status === 'Authorized') return this.#raise(tx, locked, order.amount);
    const clientSecret = await secretOf(tx, intent);
    const decision = changeAmount(intent, { ...order, clientSecret, hasRunningAttempt, now: tx.now });
    refuseUncountable(decision);
    await updateIntent(tx, decision, locked);
    return intent.id;
  }

  /** Returns once the price is another. Refuses a raise that the issuer refused or has not answered. */
  async result(reader: Reader, point: string): Promise<void> {
    if (!isId('paymentIntent', point)) await requireDone(reader, point, 'amount_raise_refused');
  }

  /** Changes the tip before anybody paid. */
  async changeTips(tx: Tx, intentId: string, tipsAmount: Money): Promise<void> {
    const { locked, hasRunningAttempt } = await attend(tx, intentId);
    refuseHeldForOrder(locked.intent);
    const clientSecret = await secretOf(tx, locked.intent);
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
async function secretOf(tx: Tx, { id, details }: PaymentIntent): Promise<string | null> {
  return details.mayHaveClientSecret ? newSecret(tx, id) : null;
}

/** The sum of the lines is only ever shown, and so is made only when it is too late to refuse: hence it is tried here. */
function refuseUncountable({ intent }: IntentDecision): void {
  try {
    subtotalLineItems(intent.details, intent.amount.currencyCode);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    throw keyed('validation_failed', 'itemLines', 'Come to more than can be counted.');
  }
}
