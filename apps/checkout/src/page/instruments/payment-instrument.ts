import type { AttemptOutcome, PaymentAttempt } from '../service/payment-attempt.js';

/** A way to submit a try. The vault collects typed cards, so none of their values is ever in this page. */
export interface PaymentInstrument {
  submitAttempt(attempt: PaymentAttempt): Promise<AttemptOutcome>;
}

/** An instrument with its own element in the form; the form's button uses it. */
export interface VisibleInstrument extends PaymentInstrument {
  readonly element: HTMLElement;
  /** Whether it is a new card, which the customer may save. */
  readonly isNewCard: boolean;
  /** Calls the listener once the payer can use it. */
  whenReady(onReady: () => void): void;
  /** Whether the fields may be sent; marks those that may not, and focuses the first if that is allowed. */
  checkFields(isFocusAllowed: boolean): Promise<boolean>;
}
