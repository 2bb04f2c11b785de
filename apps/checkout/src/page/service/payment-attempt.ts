import type { payByCard, PaymentResult } from '@pos/rest-contracts/card-vault';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type { OfferedCards } from '@pos/rest-contracts/payment-intents';

/** The payer's details beside the card: the members of a submission that the page itself collects. */
export type PayerDetails = Omit<SentBodyOf<typeof payByCard>, 'cardNumber' | 'cardName' | 'expiryDate' | 'cV2'>;

/** A saved card that the payer may choose. */
export type SavedCardOption = OfferedCards['savedPaymentMethods'][number];

/** One try to pay. */
export interface PaymentAttempt {
  readonly secret: string;
  readonly details: PayerDetails;
}

/** The outcome of a try, and the names of its invalid members. */
export interface AttemptOutcome {
  readonly result: PaymentResult;
  readonly fields: readonly string[];
}
