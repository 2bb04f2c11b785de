import type { CardDescription, CardExpiry, CardNumber, Cv2 } from '@pos/core/cards';

/** A card as its payer entered it; it exists in memory only. */
export interface CardInput {
  readonly number: CardNumber;
  readonly expiry: CardExpiry;
  readonly cv2: Cv2 | null;
  readonly name: string;
}

/** The parts of a card that may leave this process. */
export function describeCard({ number, expiry, name }: CardInput): CardDescription {
  return {
    maskedNumber: number.masked,
    last4: number.last4,
    scheme: number.scheme,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    cardholderName: name,
  };
}
