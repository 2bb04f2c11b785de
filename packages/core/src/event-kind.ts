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

/** Everything an integrator can subscribe to. */
export const EVENT_KINDS = [...PAYMENT_INTENT_EVENT_KINDS, ...TERMINAL_SESSION_EVENT_KINDS] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The kinds by the model they are about, as the catalogue lists them. */
export const EVENT_MODELS = [
  { model: 'PaymentIntent', events: PAYMENT_INTENT_EVENT_KINDS },
  { model: 'TerminalSession', events: TERMINAL_SESSION_EVENT_KINDS },
] as const;

/** Whether the text names a kind of event. */
export function isEventKind(text: string): text is EventKind {
  return EVENT_KINDS.some((kind) => kind === text);
}
