// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
package pos.client;

/** What a refusal names as its reason. */
public enum Reason {
    PATH_UNKNOWN("path_unknown"),
    METHOD_NOT_ALLOWED("method_not_allowed"),
    UNAUTHENTICATED("unauthenticated"),
    RATE_LIMITED("rate_limited"),
    VERSION_INVALID("version_invalid"),
    PERMISSION_MISSING("permission_missing"),
    PARTNER_HEADER_INVALID("partner_header_invalid"),
    MEDIA_TYPE_UNSUPPORTED("media_type_unsupported"),
    BODY_TOO_LARGE("body_too_large"),
    BODY_MALFORMED("body_malformed"),
    IDEMPOTENCY_KEY_INVALID("idempotency_key_invalid"),
    IDEMPOTENCY_KEY_REUSED("idempotency_key_reused"),
    IDEMPOTENCY_IN_PROGRESS("idempotency_in_progress"),
    VALIDATION_FAILED("validation_failed"),
    SERVICE_UNAVAILABLE("service_unavailable"),
    COMMIT_UNKNOWN("commit_unknown"),
    ACQUIRER_NOT_CONFIGURED("acquirer_not_configured"),
    ACQUIRER_LACKS_CAPABILITY("acquirer_lacks_capability"),
    ACQUIRER_UNANSWERED("acquirer_unanswered"),
    CLIENT_SECRET_MISSING("client_secret_missing"),
    CLIENT_SECRET_INVALID("client_secret_invalid"),
    SUBMISSIONS_EXHAUSTED("submissions_exhausted"),
    PAYMENT_OUTCOME_UNKNOWN("payment_outcome_unknown"),
    ATTEMPT_NOT_FOUND("attempt_not_found"),
    SAVED_CARD_NOT_FOUND("saved_card_not_found"),
    SAVED_CARD_NOT_USABLE("saved_card_not_usable"),
    SAVED_CARD_BUSY("saved_card_busy"),
    SAVED_CARD_OF_SETUP_INTENT("saved_card_of_setup_intent"),
    PAYMENT_INTENT_NOT_FOUND("payment_intent_not_found"),
    PAYMENT_INTENT_UNKNOWN("payment_intent_unknown"),
    PAYMENT_INTENT_CANCELED("payment_intent_canceled"),
    PAYMENT_INTENT_BUSY("payment_intent_busy"),
    PAYMENT_INTENT_NOT_CANCELABLE("payment_intent_not_cancelable"),
    PAYMENT_INTENT_NOT_PAYABLE("payment_intent_not_payable"),
    CURRENCY_NOT_ENABLED("currency_not_enabled"),
    NOT_CAPTURABLE("not_capturable"),
    CAPTURE_EXCEEDS_AUTHORIZED("capture_exceeds_authorized"),
    CAPTURE_REFUSED("capture_refused"),
    NOT_REFUNDABLE("not_refundable"),
    REFUND_EXCEEDS_CAPTURED("refund_exceeds_captured"),
    REFUND_REFUSED("refund_refused"),
    REFUND_NOT_FOUND("refund_not_found"),
    NOT_REVERSIBLE("not_reversible"),
    REVERSAL_WINDOW_PASSED("reversal_window_passed"),
    REVERSAL_REFUSED("reversal_refused"),
    NOT_CHARGEABLE("not_chargeable"),
    CHARGE_WITHOUT_SETUP_INTENT("charge_without_setup_intent"),
    CHARGE_EXCEEDS_INTENDED("charge_exceeds_intended"),
    SETUP_INTENT_NOT_CHARGEABLE("setup_intent_not_chargeable"),
    AMOUNT_CHANGE_NOT_ENABLED("amount_change_not_enabled"),
    AMOUNT_NOT_CHANGEABLE("amount_not_changeable"),
    AMOUNT_NOT_RAISED("amount_not_raised"),
    AMOUNT_RAISE_REFUSED("amount_raise_refused"),
    TIPS_CHANGE_NOT_ENABLED("tips_change_not_enabled"),
    TIPS_NOT_CHANGEABLE("tips_not_changeable"),
    SECRET_NOT_REFRESHABLE("secret_not_refreshable"),
    RECEIPT_NOT_AVAILABLE("receipt_not_available"),
    RECEIPTS_EXHAUSTED("receipts_exhausted"),
    SETUP_INTENT_NOT_FOUND("setup_intent_not_found"),
    SETUP_INTENT_BUSY("setup_intent_busy"),
    SETUP_INTENT_NOT_AUTHORISABLE("setup_intent_not_authorisable"),
    SETUP_INTENT_NOT_CANCELABLE("setup_intent_not_cancelable"),
    CUSTOMER_NOT_FOUND("customer_not_found"),
    TERMINAL_NOT_FOUND("terminal_not_found"),
    TERMINAL_UNAVAILABLE("terminal_unavailable"),
    TERMINAL_SESSION_NOT_FOUND("terminal_session_not_found"),
    TERMINAL_SESSION_NOT_CANCELABLE("terminal_session_not_cancelable"),
    SIGNATURE_NOT_AWAITED("signature_not_awaited"),
    SUBSCRIPTION_NOT_FOUND("subscription_not_found"),
    EVENT_KIND_TAKEN("event_kind_taken"),
    SECRET_NOT_FOUND("secret_not_found"),
    SECRET_IS_ACTIVE("secret_is_active"),
    SECRETS_EXHAUSTED("secrets_exhausted"),
    DELIVERY_NOT_FOUND("delivery_not_found"),
    DELIVERY_NOT_DEAD_LETTERED("delivery_not_dead_lettered"),
    API_KEY_NOT_FOUND("api_key_not_found"),
    API_KEYS_EXHAUSTED("api_keys_exhausted"),
    ATTESTATION_MISSING("attestation_missing"),
    ACCOUNT_DISABLED("account_disabled"),
    SIGN_IN_REFUSED("sign_in_refused"),
    PORTAL_SESSION_MISSING("portal_session_missing"),
    REAUTHENTICATION_NEEDED("reauthentication_needed"),
    CROSS_SITE_REQUEST("cross_site_request"),
    ACCOUNT_NOT_CHOSEN("account_not_chosen"),
    FLOW_NOT_FOUND("flow_not_found"),
    FLOW_RUNS_EXHAUSTED("flow_runs_exhausted"),
    PENDING_PAYMENT_NOT_FOUND("pending_payment_not_found"),
    PENDING_PAYMENT_NOT_DECIDABLE("pending_payment_not_decidable"),
    DIFFERENCE_NOT_FOUND("difference_not_found"),
    DIFFERENCE_NOT_ANSWERABLE("difference_not_answerable"),
    ALARM_NOT_FOUND("alarm_not_found"),
    ALARM_ANSWERED("alarm_answered"),
    LEASE_NOT_FOUND("lease_not_found"),
    LEASE_OVER("lease_over"),
    LEASE_MONEY_OPEN("lease_money_open"),
    JOURNEY_NOT_FOUND("journey_not_found"),
    JOURNEY_OVER("journey_over"),
    JOURNEY_BUSY("journey_busy"),
    JOURNEY_MONEY_OPEN("journey_money_open"),
    JOURNEY_NOT_MOVABLE("journey_not_movable"),
    BILL_UNUSABLE("bill_unusable"),
    BILL_PAID("bill_paid"),
    PART_INVALID("part_invalid"),
    PART_EXCEEDS_OUTSTANDING("part_exceeds_outstanding"),
    ITEM_NOT_ON_BILL("item_not_on_bill"),
    ITEM_SHARE_TAKEN("item_share_taken"),
    TABLE_PAYMENT_ID_REUSED("table_payment_id_reused"),
    CARD_TRANSACTION_UNUSABLE("card_transaction_unusable"),
    ORDER_PLACEMENT_NOT_FOUND("order_placement_not_found"),
    ORDER_NOT_PLACEABLE("order_not_placeable"),
    EPOS_CANNOT_ORDER("epos_cannot_order"),
    PAYMENT_INTENT_HELD_FOR_ORDER("payment_intent_held_for_order"),
    REQUEST_MALFORMED("request_malformed"),
    REQUEST_TIMEOUT("request_timeout"),
    HEADER_FIELDS_TOO_LARGE("header_fields_too_large"),
    INTERNAL_ERROR("internal_error"),
    /** Not sent, or a reason of a newer service. */
    UNKNOWN("");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    static Reason of(String text) {
        for (Reason reason : values()) {
            if (reason.text.equals(text)) {
                return reason;
            }
        }
        return UNKNOWN;
    }

    /** The reason as it is sent. */
    public String getText() {
        return text;
    }
}
