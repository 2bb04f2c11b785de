import type { PaymentResult, payByCard } from '@pos/rest-contracts/card-vault/client-payments';
import type { SentBodyOf } from '@pos/rest-contracts/operation/operation';
import type { OfferedCards } from '@pos/rest-contracts/payment-intents/saved-cards';

/** What a payer says beside the card; the members of a submission that the page itself knows. */
export type PayerDetails = Omit<SentBodyOf<typeof payByCard>, 'cardNumber' | 'cardName' | 'expiryDate' | 'cV2'>;

/** A saved card that the payer may choose. */
export type SavedCardOption = OfferedCards['savedPaymentMethods'][number];

/** One try to pay. */
export interface PaymentAttempt {
  readonly secret: string;
  readonly details: PayerDetails;
}

/** How a try ended, and the names of the members that were wrong with it. */
export interface AttemptOutcome {
  readonly result: PaymentResult;
  readonly fields: readonly string[];
}

/** A way to submit a try, by the card vault, so that nothing of a typed card is ever in this page. */
export interface PaymentInstrument {
  submitAttempt(attempt: PaymentAttempt): Promise<AttemptOutcome>;
}

/** Means that show themselves in the form; its button uses them. */
export interface VisibleInstrument extends PaymentInstrument {
  readonly element: HTMLElement;
  /** Resolves when the payer can use it; rejects when it did not come. */
  readonly ready: Promise<void>;
  /** Whether it is a new card, which the customer may let us keep. */
  readonly isNewCard: boolean;
}
