/**
 * Every refusal of the service. Each edge has one complete table from these codes to its own protocol, so a new code
 * stops the build until each edge has an entry for it.
 */
export const REFUSAL_CODES = [
  // The edge: the caller and the form of the request.
  'path_unknown',
  'method_not_allowed',
  'unauthenticated',
  'rate_limited',
  'version_invalid',
  'permission_missing',
  'partner_header_invalid',
  'partner_not_registered',
  'media_type_unsupported',
  'body_too_large',
  'body_malformed',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'validation_failed',
  'service_unavailable',
  'commit_unknown',
  'acquirer_not_configured',
  'acquirer_lacks_capability',
  'acquirer_unanswered',
  // Submissions of a payer's client.
  'client_secret_missing',
  'client_secret_invalid',
  'page_origin_not_registered',
  'submissions_exhausted',
  'payment_outcome_unknown',
  'attempt_not_found',
  'saved_card_not_found',
  'saved_card_not_usable',
  'saved_card_busy',
  'saved_card_of_setup_intent',
  // Payment intents.
  'payment_intent_not_found',
  'payment_intent_unknown',
  'payment_intent_canceled',
  'payment_intent_busy',
  'payment_intent_not_cancelable',
  'payment_intent_not_payable',
  'currency_not_enabled',
  'not_capturable',
  'capture_exceeds_authorized',
  'capture_refused',
  'not_refundable',
  'refund_exceeds_captured',
  'refund_refused',
  'refund_not_found',
  'not_reversible',
  'reversal_window_passed',
  'reversal_refused',
  'not_chargeable',
  'charge_without_setup_intent',
  'charge_exceeds_intended',
  'setup_intent_not_chargeable',
  'amount_change_not_enabled',
  'amount_not_changeable',
  'amount_not_raised',
  'amount_raise_refused',
  'tips_change_not_enabled',
  'tips_not_changeable',
  'secret_not_refreshable',
  'receipt_not_available',
  'receipts_exhausted',
  // Setup intents and customers.
  'setup_intent_not_found',
  'setup_intent_busy',
  'setup_intent_not_authorisable',
  'setup_intent_not_cancelable',
  'customer_not_found',
  // Terminals and their sessions.
  'terminal_not_found',
  'terminal_unavailable',
  'terminal_session_not_found',
  'terminal_session_not_cancelable',
  'signature_not_awaited',
  // Webhooks.
  'subscription_not_found',
  'event_kind_taken',
  'secret_not_found',
  'secret_is_active',
  'secrets_exhausted',
  'delivery_not_found',
  'delivery_not_dead_lettered',
  'event_kind_not_subscribed',
  // API keys.
  'api_key_not_found',
  'api_keys_exhausted',
  'attestation_missing',
  'account_disabled',
  // The portal.
  'sign_in_refused',
  'portal_session_missing',
  'password_change_needed',
  'password_locked',
  'reauthentication_needed',
  'cross_site_request',
  'account_not_chosen',
  'sign_in_expired',
  'second_factor_refused',
  'second_factor_missing',
  'second_factor_required',
  'passkey_not_found',
  'password_sign_in_off',
  'second_person_needed',
  'second_person_refused',
  'four_eyes_request_unknown',
  'four_eyes_request_decided',
  // The sandbox and its tester.
  'flow_not_found',
  'flow_runs_exhausted',
  // Pay at table.
  'pending_payment_not_found',
  'pending_payment_not_decidable',
  'difference_not_found',
  'difference_not_answerable',
  'alarm_not_found',
  'alarm_answered',
  'lease_not_found',
  'lease_over',
  'lease_money_open',
  'journey_not_found',
  'journey_over',
  'journey_busy',
  'journey_money_open',
  'journey_not_movable',
  'bill_unusable',
  'bill_paid',
  'part_invalid',
  'part_exceeds_outstanding',
  'item_not_on_bill',
  'item_share_taken',
  'table_payment_id_reused',
  'card_transaction_unusable',
  // Orders that are paid in advance.
  'order_placement_not_found',
  'order_not_placeable',
  'epos_cannot_order',
  'payment_intent_held_for_order',
  'payment_intent_is_deposit',
  // Bookings: parties and reservations at the EPOS.
  'reservation_not_found',
  'party_not_found',
  'booking_refused',
  'epos_cannot_book',
  'epos_unreachable',
  'epos_unanswered',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Messages by the member they are about, in the documented spelling: `amount.currencyCode`. */
export type RefusalMembers = Readonly<Record<string, readonly string[]>>;

/**
 * The caller requested what the state or the rules forbid. The detail is a sentence for readers of the log; it never
 * contains card data or internals. Data is for machines, such as seconds to wait.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly members: RefusalMembers;
  readonly data?: Readonly<Record<string, string | number>>;

  constructor(
    readonly code: RefusalCode,
    readonly detail: string,
    more: { members?: RefusalMembers; data?: Readonly<Record<string, string | number>> } = {},
  ) {
    super(`${code}: ${detail}`);
    this.members = more.members ?? {};
    if (more.data !== undefined) this.data = more.data;
  }
}

/** A refusal about one member of the request. */
export function createViolation(code: RefusalCode, member: string, message: string): Refusal {
  return new Refusal(code, message, { members: { [member]: [message] } });
}
