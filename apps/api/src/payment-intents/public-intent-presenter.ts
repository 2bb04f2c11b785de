import type { PublicIntentView } from '@pos/payments/payment-intents';
import { present } from '@pos/rest-contracts/shapes';
import type * as rest from '@pos/rest-contracts/payment-intents';
import { presentEvent, presentPayer } from '@pos/rest-contracts/intent-parts';
import { presentShared } from './intent-presenter.js';

/**
 * The intent as a payer may see it. Everybody with the link reads it, so what a payer has entered, and the transaction of
 * their attempt, are for the page that has made the attempt.
 */
export function presentPublicIntent(view: PublicIntentView): rest.PublicPaymentIntent {
  const { intent, account, events, provenAttempt } = view;
  const { billingAddress, shippingDetails, ...shared } = presentShared(view);
  const isPayerShown = intent.status === 'Created' || provenAttempt?.isApproved === true;
  return {
    ...shared,
    ...(isPayerShown && present({ customer: presentPayer(intent.details.customer), billingAddress, shippingDetails })),
    paymentEvents: events.map((event) => {
      const { eventType, transactionId, transactionDateTime } = presentEvent(event);
      const isOwn = transactionId !== undefined && transactionId === provenAttempt?.transactionId;
      return { eventType, transactionDateTime, ...(isOwn && { transactionId }) };
    }),
    metadata: { 'location-id': account.locationId },
  };
}
