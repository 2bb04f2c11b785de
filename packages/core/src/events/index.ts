// Kinds of webhook events.
export {
  BOOKING_EVENT_KINDS,
  CHARGE_EVENT_KINDS,
  type ChargeEventKind,
  EVENT_KINDS,
  EVENT_MODELS,
  type EventKind,
  OPT_IN_EVENT_KINDS,
  PAYMENT_AMOUNT_EVENT_KINDS,
  PAYMENT_INTENT_EVENT_KINDS,
  type PaymentIntentEventKind,
  SUBSCRIBABLE_EVENT_KINDS,
  TERMINAL_SESSION_EVENT_KINDS,
} from './event-kind.js';
