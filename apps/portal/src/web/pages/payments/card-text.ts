import { formatLastDigits, nameScheme } from '@pos/web-ui/format';
import type { PaymentAnswer } from '../../client/answers.js';

type Card = NonNullable<PaymentAnswer['paymentDetails']>['card'];

/** The scheme and the last four digits: `Visa •••• 1014`. */
export function formatCard({ cardType, last4PAN }: Readonly<Card>): string {
  return last4PAN === '' ? nameScheme(cardType) : `${nameScheme(cardType)} ${formatLastDigits(last4PAN)}`;
}
