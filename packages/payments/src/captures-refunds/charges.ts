import { type ChargeOutcome, chargeOutcome, requireChargeable } from '@pos/core/captures-refunds';
import { type CardVaultPort, requireAuthorisable } from '@pos/core/acquirer';
import { Refusal, requireValue } from '@pos/core/refusals';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { computeTotalAmount } from '@pos/core/payment-intents';
import {
  findAcquirerCall,
  findOnlineAttempt,
  hasOpenAttempt,
  lockCardsOfOwner,
  lockIntent,
  lockSetupIntent,
} from '@pos/store/payments';
import type { Database, Reader, Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { getCardAcquirer } from '../online/attempt-acquirer.js';
import { prepareRepeat } from '../online/attempt-repeat.js';
import { writeAttempt } from '../online/attempt-start.js';
import { requireAcquirer } from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** How a charge ended. */
export interface Charge extends ChargeOutcome {
  readonly paymentIntentId: PaymentIntentId;
}

/** Charges of the card of a setup intent, which the merchant asks for without the payer. */
export class Charges {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly vault: CardVaultPort;
      readonly calls: AcquirerCalls;
      readonly settings: PaymentSettings;
    },
  ) {}

  /**
   * Charges the card for a payment: writes the attempt, has the card vault ask the acquirer, concludes the call, and
   * returns how the charge ended. Refuses `acquirer_unanswered` while its end is unknown; a worker then asks by the
   * reference until it ends, and a repeat of the key returns that end.
   */
  charge<Body>(operation: IdempotentOperation<Charge, Body>, intentId: string): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => this.#prepare(tx, intentId),
      execute: (reference, isRepeated) => this.#askVault(operation.scope, reference, isRepeated),
      getResult: async (reader, reference) => {
        const { call } = await readCallAndAttempt(reader, reference);
        const paymentIntentId = requireValue(call.paymentIntentId, 'the payment that is charged');
        return { paymentIntentId, ...chargeOutcome(call) };
      },
    });
  }

  /** Writes the attempt. Refuses what may not be charged, and a second charge of one setup intent beside the first. */
  async #prepare(tx: Tx, intentId: string): Promise<string> {
    const { accounts, settings } = this.parts;
    requireAcquirer(tx, settings);
    const account = await accounts.getEnabled(tx);
    const locked = await lockIntent(tx, intentId);
    if (locked === null) throw new Refusal('payment_intent_not_found', 'there is no such payment intent');
    const { intent } = locked;
    const named = intent.setupIntentId === null ? null : await lockSetupIntent(tx, intent.setupIntentId);
    const setup = requireChargeable(intent, {
      setup: named?.setup ?? null,
      isPaymentBusy: await hasOpenAttempt(tx, intent.id),
      isSetupBusy: named !== null && (await hasOpenAttempt(tx, named.setup.id)),
    });
    const card = (await lockCardsOfOwner(tx, setup.id)).find(({ state }) => state === 'Stored');
    if (card === undefined) {
      throw new Refusal(
        'setup_intent_not_chargeable',
        'the card of the setup intent is erased, so nothing can be charged',
      );
    }
    const { merchant, capabilities } = await getCardAcquirer(tx, card, { account, settings });
    requireAuthorisable(capabilities, {
      ...{ amount: computeTotalAmount(intent), isCapturing: true, scheme: card.scheme, wallet: null },
      ...{ isCardholderAbsent: false, isCustomerInitiated: false, cardMember: null },
    });
    const reference = await tx.newUuid();
    await writeAttempt(tx, settings, {
      ...{
        reference,
        merchant,
        secret: null,
        contacts: null,
        chargedSetupId: setup.id,
        amount: computeTotalAmount(intent),
      },
      subject: { paymentIntentId: intent.id, setupIntentId: null },
      cardId: card.id,
    });
    return reference;
  }

  /** Has the vault charge the card and concludes the call. A repeat under the same reference charges nothing twice. */
  async #askVault(scope: Scope, reference: string, isRepeated: boolean): Promise<void> {
    const { database, vault, calls, settings } = this.parts;
    if (isRepeated && !(await prepareRepeat(database, settings, { scope, reference }))) return;
    const { call, attempt } = await database.read(scope, (reader) => readCallAndAttempt(reader, reference));
    if (call.state === 'Settled' || call.reverseReference !== null) return;
    settings.fault('after-attempt-before-call');
    const answer = await vault.charge({
      ...{ scope, reference, amount: call.amount, isCapturing: true, isCustomerInitiated: false },
      cardId: requireValue(attempt.cardId, 'the card that is charged'),
      paymentIntentId: requireValue(call.paymentIntentId, 'the payment that is charged'),
      deadlineMs: settings.acquirerDeadlineMs,
    });
    settings.fault('after-answer-before-commit');
    // A known answer is in the books of the acquirer. After an unknown one the acquirer may not have the call yet.
    if (answer.outcome !== 'unknown') await calls.pursueCall(scope, reference);
  }
}

async function readCallAndAttempt(reader: Reader, reference: string) {
  const call = requireValue(await findAcquirerCall(reader, reference), `call ${reference}`);
  return { call, attempt: requireValue(await findOnlineAttempt(reader, reference), `attempt ${reference}`) };
}
