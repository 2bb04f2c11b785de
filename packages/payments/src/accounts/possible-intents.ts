import type { Account } from '@pos/core/accounts';
import {
  type AcquirerCapabilities,
  requireAcquirerCurrency,
  requireCapability,
  requirePossiblePayment,
} from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { type Money, zeroMoney } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import type { SetupIntent } from '@pos/core/setup-intents';
import type { PaymentSettings } from './payment-settings.js';

// What is refused when an intent is created, because no payer could ever pay it. It is checked again when it is paid:
// the account may move, and the acquirer may declare something else. An acquirer that has declared nothing refuses here
// nothing.

interface IntentEnvironment {
  readonly scope: Scope;
  readonly account: Account;
  readonly settings: Pick<PaymentSettings, 'acquirers'>;
}

/** Refuses `acquirer_lacks_capability` for a payment that no acquirer which could be asked for it can take. */
export function requirePossibleIntent(intent: PaymentIntent, environment: IntentEnvironment): void {
  const planned = {
    amount: intent.amount,
    isCapturing: intent.captureMode === 'Auto',
    isCardholderAbsent: intent.cardHolderNotPresent,
  };
  const hasStoredCards =
    intent.setupIntentId !== null ||
    (intent.paymentMethods.includes('SavedCard') && intent.details.customer?.customerId !== undefined);
  requireOneOf(listAskedAcquirers(environment, hasStoredCards), (each) => requirePossiblePayment(each, planned));
}

/** Refuses `acquirer_lacks_capability` for a setup whose card the acquirer cannot verify. */
export function requirePossibleSetup(setup: SetupIntent, environment: IntentEnvironment): void {
  const amount = computeVerificationAmount(setup, environment.account.currencies);
  requireOneOf(listAskedAcquirers(environment, false), (each) => {
    requireAcquirerCurrency(each, amount);
    requireCapability(each, 'card_verification');
  });
}

/** A card is verified with a zero amount: its payer owes nothing yet, and a hold would end long before the charge. */
export function computeVerificationAmount(
  { intendedAmount }: Pick<SetupIntent, 'intendedAmount'>,
  currencies: readonly string[],
): Money {
  return zeroMoney(intendedAmount?.currencyCode ?? currencies[0] ?? 'GBP');
}

/**
 * What the acquirer of the account has declared, first; null: nothing. A stored card is charged at the acquirer that has
 * the consent of its holder, which may be any other one of the environment.
 */
function listAskedAcquirers(
  { scope: { environment }, account, settings: { acquirers } }: IntentEnvironment,
  hasStoredCards: boolean,
): (AcquirerCapabilities | null)[] {
  const own = account.settings.acquirer[environment];
  const others = hasStoredCards
    ? acquirers.names.filter((each) => each.environment === environment && each.name !== own)
    : [];
  return [own, ...others.map(({ name }) => name)].map((name) => acquirers.findCapabilities(environment, name));
}

/** Throws the refusal of the first, unless one of them refuses nothing or is unknown. */
function requireOneOf(
  asked: readonly (AcquirerCapabilities | null)[],
  require: (capabilities: AcquirerCapabilities) => void,
): void {
  const refusals: Refusal[] = [];
  for (const capabilities of asked) {
    try {
      if (capabilities === null) return;
      require(capabilities);
      return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (first !== undefined) throw first;
}
