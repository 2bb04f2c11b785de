import type { PaymentIntentStatus } from './payment-intent.js';

/** A filter of the list of payments that a user of the portal has named: a `PaymentView` of the REST contract. */
export interface SavedView {
  /** A UUID. */
  readonly id: string;
  readonly name: string;
  readonly filter: {
    readonly status?: PaymentIntentStatus;
    /** Days as `yyyy-mm-dd`, both inclusive, where the user is. */
    readonly from?: string;
    readonly to?: string;
  };
}

export const SAVED_VIEWS_MAX = 50;
export const SAVED_VIEW_NAME_LENGTH_MAX = 60;
