import {
  changeAmount,
  changeAmountByPayer,
  changeTips,
  computeSubtotal,
  type IntentDecision,
  type ItemLine,
  type PaymentIntent,
  reserveRaise,
  type TaxLine,
} from '@pos/core/payment-intents';
import { requireCapability } from '@pos/core/acquirer';
import { createViolation, Defect } from '@pos/core/refusals';
import { isId } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import type { Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import type { LockedIntent } from '@pos/store/payments';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { createClientSecret } from '../payment-intents/client-secrets.js';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import { getPaymentAcquirer, prepareCall, requireAcquirer, requireApproved } from '../acquirer/money-call.js';
import {
  type IntentView,
  lockIntentAndCheckAttempts,
  type PaymentIntents,
  requirePublicIntent,
} from '../payment-intents/payment-intents.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** Another price; lines replace the old ones where they are given. */
export interface AmountChangeRequest {
  readonly amount: Money;
  readonly itemLines: readonly ItemLine[] | null;
  readonly taxLines: readonly TaxLine[] | null;
}

/** Changes of the amount of a payment: at once before it is paid; of a hold the issuer is asked for more. */
export class AmountChanges {
  constructor(
    private readonly calls: Pick<AcquirerCalls, 'pursueCall'>,
    private readonly intents: PaymentIntents,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Changes the price, and returns the intent once the change is made. Of a hold it reserves the raise and asks the
   * acquirer first. Refuses `amount_raise_refused` when the acquirer refuses, and `acquirer_unanswered` while its answer
   * is unknown; a worker then repeats the call until it ends.
   */
  changeAmount<Body>(
    operation: IdempotentOperation<IntentView, Body>,
    intentId: string,
    request: AmountChangeRequest,
  ): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => this.#changeOrReserve(tx, intentId, request),
      execute: (reference) => this.calls.pursueCall(operation.scope, reference),
      getResult: async (reader, reference) => {
        if (!isId('paymentIntent', reference)) await requireApproved(reader, reference, 'amount_raise_refused');
        return this.intents.get(reader, intentId, { returnCanceled: true });
      },
    });
  }

  /** Changes the tip before the payment is taken. */
  async changeTips(tx: Tx, intentId: string, tipsAmount: Money): Promise<void> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, intentId);
    requireNotHeldForOrder(locked.intent);
    const clientSecret = await createSecretIfAllowed(tx, locked.intent);
    const decision = changeTips(locked.intent, { tipsAmount, clientSecret, hasRunningAttempt, now: tx.now });
    await commitIntent(tx, locked, decision);
  }

  /** Changes the price as its payer chose it, before the payment is taken. A bill with lines has a fixed price. */
  async changeAmountByPayer(tx: Tx, intentId: string, amount: Money): Promise<void> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, intentId);
    const { intent } = locked;
    requirePublicIntent(intent);
    requireNotHeldForOrder(intent);
    const clientSecret = await createSecretIfAllowed(tx, intent);
    const decision = changeAmountByPayer(intent, { amount, clientSecret, hasRunningAttempt, now: tx.now });
    await commitIntent(tx, locked, decision);
  }

  /** Changes the tip as the payer chose it. */
  async changeTipsByPayer(tx: Tx, intentId: string, tipsAmount: Money): Promise<void> {
    requirePublicIntent((await lockIntentAndCheckAttempts(tx, intentId)).locked.intent);
    await this.changeTips(tx, intentId, tipsAmount);
  }

  /** Returns the reference of the raise, or the id of the intent where the price is changed at once. */
  async #changeOrReserve(tx: Tx, intentId: string, request: AmountChangeRequest): Promise<string> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, intentId);
    const { intent } = locked;
    requireNotHeldForOrder(intent);
    if (intent.status === 'Authorized') return this.#raise(tx, locked, request.amount);
    const clientSecret = await createSecretIfAllowed(tx, intent);
    const decision = changeAmount(intent, { ...request, clientSecret, hasRunningAttempt, now: tx.now });
    requireCountableTotal(decision);
    await commitIntent(tx, locked, decision);
    return intent.id;
  }

  async #raise(tx: Tx, locked: LockedIntent, amount: Money): Promise<string> {
    requireAcquirer(tx, this.settings);
    const { decision, difference } = reserveRaise(locked.intent, amount, tx.now);
    const { merchant, capabilities } = await getPaymentAcquirer(tx, locked.intent, this.settings);
    requireCapability(capabilities, 'incremental_authorisation');
    const reference = await tx.newUuid();
    const intent = await commitIntent(tx, locked, decision);
    await prepareCall(tx, { kind: 'Increase', merchant, reference, intent, amount: difference }, this.settings);
    return reference;
  }
}

/** The page that shows the old price must not pay it: an intent that may have a client secret gets a new one. */
async function createSecretIfAllowed(tx: Tx, { id, details }: PaymentIntent): Promise<string | null> {
  return details.mayHaveClientSecret ? createClientSecret(tx, id) : null;
}

/** The sum of the lines is computed for presenting, when it is too late to refuse; so it is checked here. */
function requireCountableTotal({ intent }: IntentDecision): void {
  try {
    computeSubtotal(intent.details, intent.amount.currencyCode);
  } catch (error) {
    if (!(error instanceof Defect)) throw error;
    throw createViolation('validation_failed', 'itemLines', 'Come to more than can be counted.');
  }
}
