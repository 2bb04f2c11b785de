import type { PaymentAnswer } from '../../client/answers.js';

type Card = NonNullable<PaymentAnswer['paymentDetails']>['card'];

const SCHEME_NAMES: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  MAESTRO: 'Maestro',
  DISCOVER: 'Discover',
  DCI: 'Diners Club',
  AMEX: 'American Express',
};

/** The name of a card scheme; a scheme that is not known is shown as it was received. */
export function nameScheme(scheme: string): string {
  return SCHEME_NAMES[scheme.toUpperCase()] ?? scheme;
}

/** The scheme and the last four digits: `Visa •••• 1014`. */
export function formatCard({ cardType, last4PAN }: Readonly<Card>): string {
  return last4PAN === '' ? nameScheme(cardType) : `${nameScheme(cardType)} •••• ${last4PAN}`;
}
