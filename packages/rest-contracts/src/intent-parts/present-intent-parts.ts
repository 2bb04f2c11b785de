import type { Account } from '@pos/core/accounts';
import { resolveBranding } from '@pos/core/branding';
import type { CardDetails } from '@pos/core/cards';
import { getIntentEnvironment, type PaymentIntentId, type SetupIntentId } from '@pos/core/identity';
import type {
  AttemptDetails,
  IntentConfig,
  IntentCustomer,
  PaymentDetails,
  PaymentEventType,
} from '@pos/core/payment-intents';
import type { Money } from '@pos/core/money';
import { presentMoment } from '../shapes/moment.js';
import { present } from '../shapes/present.js';

// The common parts of payment intents and setup intents.

/** What the page of an intent displays and requires, with the look of its environment. */
export function presentConfig({ id, details }: ConfiguredIntent, account: Account) {
  const { payment } = details.config;
  return {
    ...details.config,
    payment: { ...payment, holdRaiseAllowed: payment.holdRaiseAllowed ?? false },
    ...{ branding: presentBranding(id, account), tradingName: account.tradingName },
  };
}

interface ConfiguredIntent {
  readonly id: PaymentIntentId | SetupIntentId;
  readonly details: { readonly config: IntentConfig };
}

/** The look of the page of an intent. */
export function presentBranding(id: PaymentIntentId | SetupIntentId, { settings }: Pick<Account, 'settings'>) {
  const { logoUrl, faviconUrl, accentColor, font } = resolveBranding(settings, getIntentEnvironment(id));
  return present({ logoUrl, faviconUrl, accentColor, font });
}

export function presentCustomer(customer: IntentCustomer | undefined) {
  if (customer === undefined) return null;
  const { customerId, emailAddress, phoneNumber } = customer;
  return present({ customerId, id: customerId, emailAddress, phoneNumber });
}

/** Without the phone number, which another person may have entered. */
export function presentPayer(customer: IntentCustomer | undefined) {
  const payer = present({ ...presentCustomer(customer), phoneNumber: null });
  return Object.keys(payer).length === 0 ? null : payer;
}

export function presentPaymentDetails({ card, ...details }: PaymentDetails) {
  return { ...presentAttempt(details), card: presentCard(card) };
}

/** The outcome of an attempt, without its card and our own reference. */
export function presentAttempt(details: Omit<PaymentDetails, 'card'>) {
  const { transactionId, acquirerTransactionId = null, transactionDateTime, message, authCode } = details;
  const { paymentMethodId, avsResult } = details;
  return {
    ...{ transactionId, transactionDateTime, message, authCode },
    ...present({ acquirerTransactionId, paymentMethodId, avsResult }),
  };
}

export function presentCard({ cardName, expiryDate, ...shown }: CardDetails) {
  return { ...shown, ...present({ cardName, expiryDate }) };
}

/** An entry in the history of either kind of intent; for a setup intent it has no amount. */
export function presentEvent(event: {
  readonly eventType: PaymentEventType;
  readonly occurredAt: Date;
  readonly details: AttemptDetails & { readonly amount?: Money };
}) {
  const { eventType, occurredAt, details } = event;
  const { transactionId, authCode, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId, amount } =
    details;
  return {
    eventType,
    transactionDateTime: presentMoment(occurredAt),
    authCode,
    ...present({ transactionId, cardNumber, expiryDate, cardType, cardholderName, paymentMethodId, amount }),
  };
}
