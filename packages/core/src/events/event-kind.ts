export const PAYMENT_INTENT_EVENT_KINDS = [
  'payment_intent.created',
  'payment_intent.status_updated',
  'payment_intent.send-receipt',
] as const;
export type PaymentIntentEventKind = (typeof PAYMENT_INTENT_EVENT_KINDS)[number];

export const TERMINAL_SESSION_EVENT_KINDS = [
  'terminal_session.created',
  'terminal_session.status_updated',
  'terminal_session.signature_verification_required',
  'terminal_session.notification',
] as const;
export type TerminalSessionEventKind = (typeof TERMINAL_SESSION_EVENT_KINDS)[number];

/** Published for every capture and every refund of a payment intent, partial ones included. */
export const PAYMENT_AMOUNT_EVENT_KINDS = ['payment_intent.amount_captured', 'payment_intent.amount_refunded'] as const;
export type PaymentAmountEventKind = (typeof PAYMENT_AMOUNT_EVENT_KINDS)[number];

/** Published when a charge of a stored card has ended without money; the status of its payment intent stays. */
export const CHARGE_EVENT_KINDS = ['payment_intent.charge_failed'] as const;
export type ChargeEventKind = (typeof CHARGE_EVENT_KINDS)[number];

/** Published when the EPOS or the service has created, changed or deleted a booking. */
export const BOOKING_EVENT_KINDS = ['reservation.updated', 'party.updated'] as const;
export type BookingEventKind = (typeof BOOKING_EVENT_KINDS)[number];

/** The closed list of the interface: a subscriber to all of it receives no other kind. */
export const EVENT_KINDS = [...PAYMENT_INTENT_EVENT_KINDS, ...TERMINAL_SESSION_EVENT_KINDS] as const;

/** The kinds that a subscription receives only if it names them. */
export const OPT_IN_EVENT_KINDS = [
  ...PAYMENT_AMOUNT_EVENT_KINDS,
  ...CHARGE_EVENT_KINDS,
  ...BOOKING_EVENT_KINDS,
] as const;

/** Every kind that a subscription may name. */
export const SUBSCRIBABLE_EVENT_KINDS = [...EVENT_KINDS, ...OPT_IN_EVENT_KINDS] as const;
export type EventKind = (typeof SUBSCRIBABLE_EVENT_KINDS)[number];

/** The kinds by their model: `events` is the catalogue, `optIn` is listed on request only. */
export const EVENT_MODELS = [
  {
    model: 'PaymentIntent',
    events: PAYMENT_INTENT_EVENT_KINDS,
    optIn: [...PAYMENT_AMOUNT_EVENT_KINDS, ...CHARGE_EVENT_KINDS],
  },
  { model: 'TerminalSession', events: TERMINAL_SESSION_EVENT_KINDS, optIn: [] },
  { model: 'Booking', events: [], optIn: BOOKING_EVENT_KINDS },
] as const;

/** Whether the text names a kind that a subscription may name. */
export function isEventKind(text: string): text is EventKind {
  return SUBSCRIBABLE_EVENT_KINDS.some((kind) => kind === text);
}
