import type { PaymentResult, payByCard } from '@pos/rest-contracts/client-payments';
import type { SentBodyOf } from '@pos/rest-contracts/operation';

/** What a payer says beside the card; the members of a submission that the page itself knows. */
export type PayerDetails = Omit<SentBodyOf<typeof payByCard>, 'cardNumber' | 'cardName' | 'expiryDate' | 'cV2'>;

/** One try to pay. */
export interface Try {
  readonly secret: string;
  readonly details: PayerDetails;
}

/** How a try ended, and the names of the members that were wrong with it. */
export interface TryResult {
  readonly result: PaymentResult;
  readonly fields: readonly string[];
}

/**
 * A way to pay that the form can be given: it shows itself, and submits a try by a page of the card vault, so that
 * nothing of a card is ever in this one.
 */
export interface Means {
  readonly element: HTMLElement;
  /** Resolves when the payer can use it; rejects when it did not come. */
  readonly ready: Promise<void>;
  focus(): void;
  submit(attempt: Try): Promise<TryResult>;
}
