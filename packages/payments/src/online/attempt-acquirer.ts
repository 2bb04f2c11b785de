import type { Account } from '@pos/core/accounts';
import { type PlannedAuthorisation, requireAuthorisable } from '@pos/core/acquirer';
import type { SavedCard } from '@pos/core/cards';
import { computeTotalAmount, type PaymentIntent } from '@pos/core/payment-intents';
import type { Reader, Tx } from '@pos/store/database';
import { findAcquirerCall } from '@pos/store/payments';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { getAccountAcquirer, getAcquirerOf, type NewPaymentAcquirer } from '../acquirer/money-call.js';

// Which acquirer an attempt with a card goes to, and whether that acquirer can make it.

/** The acquirer that verifies the card of a setup intent. Refuses what it cannot do. */
export function requireVerifiable(
  tx: Pick<Tx, 'scope'>,
  account: Account,
  planned: Pick<PlannedAuthorisation, 'amount' | 'scheme' | 'isCardholderAbsent'> & {
    readonly settings: PaymentSettings;
  },
): NewPaymentAcquirer {
  const { settings, ...authorisation } = planned;
  const found = getAccountAcquirer(tx, account, settings);
  requireAuthorisable(found.capabilities, {
    ...{ ...authorisation, isCapturing: false, wallet: null, isCustomerInitiated: true, cardMember: 'cardNumber' },
  });
  return found;
}

/**
 * A stored card is charged at the acquirer that has the consent of its holder, also after the account has moved. A card
 * whose consent no call of ours has asked for is charged at the acquirer of the account.
 */
export async function getCardAcquirer(
  reader: Reader,
  { acquirerReference }: Pick<SavedCard, 'acquirerReference'>,
  { account, settings }: { readonly account: Account; readonly settings: PaymentSettings },
): Promise<NewPaymentAcquirer> {
  const consent = await findAcquirerCall(reader, acquirerReference);
  if (consent === null) return getAccountAcquirer(reader, account, settings);
  const { environment } = reader.scope;
  return getAcquirerOf(account, { environment, acquirer: consent.acquirer }, settings);
}

/** What an acquirer has to be able to do for a payment by its payer. */
export function planPayment(intent: PaymentIntent) {
  return {
    ...{ amount: computeTotalAmount(intent), isCapturing: intent.captureMode === 'Auto' },
    ...{ isCardholderAbsent: intent.cardHolderNotPresent, isCustomerInitiated: true },
  };
}
