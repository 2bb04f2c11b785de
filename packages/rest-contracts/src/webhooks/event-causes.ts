import type { EventKind } from '@pos/core/events';

/** When each kind of event happens. A new kind does not compile until it has a row. */
export const EVENT_CAUSES: Readonly<Record<EventKind, string>> = {
  'payment_intent.created': 'A payment intent was created, by the API, in the portal or for a payment at the table.',
  'payment_intent.status_updated': '`status` of an intent changed. Subscribe to this one first.',
  'payment_intent.send-receipt': 'A receipt was requested: once for each request, not for each address.',
  'payment_intent.amount_captured':
    'Money of an intent was taken, in full or in part. `amount` is this step, and both totals are sent.',
  'payment_intent.amount_refunded':
    'Money of an intent was returned, in full or in part. `amount` is this step, and both totals are sent.',
  'payment_intent.charge_failed':
    'A charge of a stored card has ended without money: declined, failed, or reversed because the acquirer did not answer. `paymentStatus` is still `Created`.',
  'reservation.updated': 'A reservation was created, changed or deleted, at the EPOS or through the service.',
  'party.updated': 'A party was seated, changed or deleted, at the EPOS or through the service.',
  'terminal_session.created': 'A session on a card machine was created, in the state `InitiateRequested`.',
  'terminal_session.status_updated': 'The session reached another status; `state` is the new one.',
  'terminal_session.signature_verification_required':
    'The cardholder has signed, and somebody must decide within 80 seconds.',
  'terminal_session.notification':
    'The machine displays something else to the cardholder; `state` is what it displays.',
};
